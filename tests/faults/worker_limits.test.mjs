// Workers that take more than the limits of plugins.NAME.worker and `allow` give them.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { call } from '../e2e/lib/rpc.mjs';
import { scratch } from '../e2e/lib/paths.mjs';
import { logged, noted, script } from '../e2e/lib/script.mjs';
import { Server } from '../e2e/lib/gantryd.mjs';
import { plainWorkers } from './lib/plain.mjs';
import { beside, deed, descriptors, die, healthy, pidOf, sections, start } from './lib/workers.mjs';

describe('a worker that takes too much', () => {
  test('gets no more descriptors than its limit', async (t) => {
    for (const most of [32, 128]) {
      const server = await start(t, { worker: { descriptors: most } });
      const rest = descriptors(server);
      await beside(server, async () => {
        const [count] = await deed(server, 'leak_files');
        assert.ok(count > most / 2 && count < most, `${count} of ${most}`);
      });
      assert.deepEqual(await deed(server, 'cancelled'), [0], 'it still answers');
      assert.ok(descriptors(server) < rest + 20, 'the server has none of them');
    }
  });

  test('prints without delaying other calls', async (t) => {
    const server = await start(t);
    await beside(server, async () => {
      const began = Date.now();
      await deed(server, { do: 'print', body: 'spam '.repeat(10), times: 100_000 });
      assert.ok(Date.now() - began < 15_000);
      await logged(server, 'lines (');
    });
    const lines = server.stderr.split('\n').filter((line) => line.includes('spam spam')).length;
    assert.ok(lines >= 100 && lines <= 2000, `${lines} lines`);
  });

  test('prints into the log, under its name', async (t) => {
    const server = await start(t);
    await deed(server, { do: 'print', body: 'a fine day' }, { do: 'print', to: 'errors', body: 'a dark night' });
    assert.match(await logged(server, 'a fine day'), /script-worker/);
    assert.match(await logged(server, 'a dark night'), /warn/i);
  });

  test('has sockets only when they are granted', async (t) => {
    assert.deepEqual(await deed(await start(t), 'socket'), ['EPERM']);
    assert.deepEqual(await deed(await start(t, { allow: ['network'] }), 'socket'), ['done']);
  });

  test('of threads is ended, and the error names the limit', async (t) => {
    for (const [threads, ends] of [[20, true], [200, false]]) {
      const server = await start(t, { worker: { threads } });
      const before = await pidOf(server);
      await call(server, 'deed', script({ do: 'threads', times: 40 }, { do: 'sleep', ms: 1500 }));
      if (ends) assert.match(await logged(server, 'its worker process'), /had more than its 20 threads \(worker\.threads\)/);
      assert.equal(await pidOf(server) === before, !ends, `${threads}`);
    }
  });

  test('of the disk is ended, and its files are removed', async (t) => {
    for (const [mebibytes, ends] of [[1, true], [8, false]]) {
      const server = await start(t, { worker: { disk_bytes: mebibytes << 20 } });
      const before = await pidOf(server);
      await call(server, 'deed', script({ do: 'fill_disk', bytes: 2 << 20 }, { do: 'spin', ms: 1500 }));
      if (ends) assert.match(await logged(server, 'its worker process'), /kept more than its 1 MiB in its temporary directory \(worker\.disk_bytes\)/);
      assert.equal(await pidOf(server) === before, !ends, `${mebibytes}`);
      await server.stop();
    }
  });

  test('of the log has further lines dropped and counted, printed or logged', async (t) => {
    for (const step of ['host_log', 'print']) {
      const server = await start(t, { worker: { log_bytes_per_second: 1000 } });
      const steps = Array.from({ length: 40 }, () => ({ do: step, level: 5, body: `spam ${'x'.repeat(400)}` }));
      await deed(server, ...steps);
      assert.match(await logged(server, 'log_bytes_per_second'), /it logs more than 1000 bytes a second .*; \d+ lines \(\d+ bytes\) are not shown/);
      const lines = server.stderr.split('\n').filter((line) => line.includes('spam ')).length;
      assert.ok(lines >= 5 && lines <= 20, `${lines} lines`);
    }
  });

  test('reads files only when they are granted', async (t) => {
    const file = join(scratch(), 'file');
    writeFileSync(file, 'text');
    const read = { do: 'read_file', path: file };
    assert.deepEqual(await deed(await start(t), read), ['EACCES']);
    assert.deepEqual(await deed(await start(t, { allow: { files: { read: [file] } } }), read), ['done']);
    assert.deepEqual(await deed(await start(t, { allow: { files: { write: [dirname(file)] } } }), read), ['done']);
    const open = await start(t, { walls: 'none' });
    assert.deepEqual(await deed(open, read), ['done']);
    assert.match(await logged(open, 'security:'), /its worker process has no walls/);
  });

  test('is refused a grant that holds the state of the server', async (t) => {
    const server = await start(t, { allow: { files: { read: ['/'] } } });
    assert.match(await logged(server, 'plugins.script-worker.allow.files.read names /'), /which holds \/.* of this server; grant only what the plugin needs/);
    assert.deepEqual(await noted(server, 'script_plain', 'cancelled'), [0]);
  });

  test('runs no more calls at once than its limit', async (t) => {
    for (const calls of [1, 2]) {
      const server = await start(t, { worker: { calls } });
      const notes = await Promise.all([1, 2, 3].map(() => deed(server, { do: 'alone', ms: 300 })));
      assert.equal(Math.max(...notes.flat()), calls);
    }
  });

  test('of memory gets an error, or ends and restarts', async (t) => {
    const { program, plugin, missing } = plainWorkers();
    if (missing) return t.skip(missing);
    const files = [...healthy, 'script-worker'].map(plugin);
    for (const [mebibytes, enough] of [[128, false], [512, true]]) {
      const plugins = sections({ worker: { memory_bytes: mebibytes << 20 } });
      const file = join(scratch(), 'gantry.json');
      writeFileSync(file, JSON.stringify({ builtin_plugins: 'none', plugin_files: files, plugins }));
      const server = await Server.start({ flags: ['--config', file], shell: `exec ${program} "$@"` });
      t.after(() => server.stop());
      await beside(server, async () => {
        const { isError } = await call(server, 'deed', script({ do: 'eat', bytes: 256 << 20 }));
        assert.equal(isError, !enough, `${mebibytes} MiB`);
        await call(server, 'deed', script(die({ signal: 9 })));
        await logged(server, 'is back');
        await deed(server, { do: 'eat', bytes: 1 << 20 });
      });
    }
  });
});
