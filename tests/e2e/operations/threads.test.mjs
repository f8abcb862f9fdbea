// Every thread of the server has a name, which top -H and a debugger show.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { until } from '../lib/events.mjs';
import { Server } from '../lib/gantryd.mjs';
import { gantryd } from '../lib/paths.mjs';
import { ofProcess, workersOf } from '../lib/processes.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const example = join(dirname(gantryd), '..', 'test-plugins', 'example-cpp.so');

test('all threads are named', async (t) => {
  const server = await Server.start({ db: demoDatabase(), flags: ['--plugin', example] });
  t.after(() => server.stop());
  const tasks = `/proc/${server.child.pid}/task`;
  const all = () => readdirSync(tasks).map((id) => readFileSync(join(tasks, id, 'comm'), 'utf8').trim());
  await until(() => all().filter((name) => name === 'gantryd').length === 1, 'the first one alone has the name of the program');
  const names = all();
  assert.deepEqual(names.filter((name) => !name.startsWith('gantry')), []);
  for (const one of ['gantry-keeper', 'gantry-worker', 'gantry-ticker', 'gantry-watch', 'gantry-pool']) {
    assert.ok(names.includes(one), `${one} of ${names}`);
  }
});

test('a worker process shows the name of its plugin', async (t) => {
  const server = await Server.start({ db: demoDatabase(), flags: ['--plugin', example], config: { plugins: { 'example-cpp': { isolate: 'process' } } } });
  t.after(() => server.stop());
  const lines = workersOf(server.child.pid).map((pid) => ofProcess(pid, 'cmdline'));
  assert.ok(lines.some((line) => /^gantry-worker\0example-cpp\0*$/.test(line)), JSON.stringify(lines));
});
