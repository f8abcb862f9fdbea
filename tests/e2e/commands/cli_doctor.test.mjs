// `gantry doctor`: what it finds in order, what it finds wrong, and a host that runs.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { gantry } from '../lib/gantry.mjs';
import { Server } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const db = demoDatabase();
const free = ['--listen', '127.0.0.1:0'];

/** Its checks by name, and its exit code. */
async function checks(flags, options) {
  const { code, stdout, stderr } = await gantry(['doctor', '--json', ...flags], options);
  assert.equal(stderr, '');
  const { healthy, checks: all } = JSON.parse(stdout);
  assert.equal(code, healthy ? 0 : 1);
  return { code, of: (name) => all.find((one) => one.name === name) ?? assert.fail(`no check ${name}: ${stdout}`), all };
}

test('all is well with the demo', async () => {
  const { code, of } = await checks(['--db', db, ...free]);
  assert.equal(code, 0);
  for (const name of ['versions', 'configuration', 'agents', 'database', 'model', 'plugin data', 'plugin query', 'state', 'port', 'control', 'host']) {
    assert.equal(of(name).verdict, 'ok', `${name}: ${of(name).sentence}`);
  }
  const text = await gantry(['doctor', '--db', db, ...free, '--color', 'never']);
  assert.match(text.stdout, /^ok {4}versions: gantry \S+, gantryd \S+, plugin ABI 1\.\d+\n/);
  assert.match((await gantry(['doctor', '--db', db, ...free, '--color', 'always'])).stdout, /^\u001b\[32mok\u001b\[0m/);
});

test('a missing database, model and plugin are named with advice', async () => {
  const folder = scratch();
  writeFileSync(join(folder, 'x.so'), 'no library');
  const missing = await checks(['--db', '/nowhere/a.db', ...free]);
  assert.equal(missing.of('database').verdict, 'fail');
  assert.match(missing.of('database').advice, /correct --db/);
  assert.match(missing.of('start').sentence, /\/nowhere\/a\.db does not exist/);
  assert.match((await checks(['--db', folder, ...free])).of('database').sentence, /is a directory, not a database file/);
  const refused = await checks(['--db', db, '--plugins', folder, ...free]);
  assert.equal(refused.of('plugin data').verdict, 'ok');
  assert.match(refused.of('plugin x').sentence, /not a shared library/);
  const model = await checks(['--db', db, '--model', '/nowhere', ...free]);
  assert.equal(model.of('model').verdict, 'fail');
});

test('a configuration that gantryd refuses is quoted', async () => {
  const file = join(scratch(), 'gantry.json');
  writeFileSync(file, '{"liste": "127.0.0.1:1"}');
  const { of, all } = await checks(['--config', file]);
  assert.match(of('configuration').sentence, /unknown property .liste.; did you mean .listen./);
  assert.ok(!all.some((one) => one.name === 'port'));
});

test('a state that others may write to and a port that is taken fail', async () => {
  const state = scratch();
  chmodSync(state, 0o777);
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { of } = await checks(['--db', db, '--state', state, '--listen', `127.0.0.1:${other.address().port}`]);
  other.close();
  assert.match(of('state').advice, /^chmod 0700/);
  assert.equal(of('port').verdict, 'fail');
  assert.match(of('port').sentence, /used by another program/);
});

test('a host that runs is asked, with the flags that it was started with', async () => {
  const runtime = scratch();
  mkdirSync(join(runtime, 'gantry'), { mode: 0o700 });
  const env = { XDG_RUNTIME_DIR: runtime };
  const folder = scratch();
  writeFileSync(join(folder, 'x.so'), 'no library');
  const control = join(runtime, 'gantry', 'gantryd-1.sock');
  const server = await Server.start({ db, env, flags: ['--control', control, '--plugins', folder] });
  const { of } = await checks([], { env });
  assert.match(of('host').sentence, new RegExp(`process ${server.child.pid} serves ${server.url.href}`));
  assert.match(of('socket').sentence, /mode 0600/);
  assert.ok(of('database').sentence.startsWith(db));
  assert.match(of('plugin data').sentence, /^serves, generation 1/);
  assert.equal(of('plugin x').verdict, 'fail');
  await server.stop();
  const gone = await checks(['--db', db, ...free, '--control', control], { env });
  assert.equal(gone.of('host').verdict, 'fail');
});
