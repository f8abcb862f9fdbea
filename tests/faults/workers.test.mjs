// Plugins that harm the worker process they run in, without effect on the server and other plugins.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { pause, until } from '../e2e/lib/events.mjs';
import { call, modern, refused } from '../e2e/lib/rpc.mjs';
import { gantryd, scratch } from '../e2e/lib/paths.mjs';
import { ofProcess, workersOf } from '../e2e/lib/processes.mjs';
import { logged, noted, script, startScripts, testPlugin } from '../e2e/lib/script.mjs';
import { Server } from '../e2e/lib/gantryd.mjs';
import { plainWorkers } from './lib/plain.mjs';

const healthy = ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-async'];
const kills = Number(process.env.GANTRY_KILLS ?? 40);

const sections = (worker) => ({
  ...Object.fromEntries(healthy.map((name) => [name, { isolate: 'in-process' }])),
  'script-worker': { isolate: 'process', ...worker },
});

/** A server with a plugin in a worker and others in the server's own process; it ends with the test. */
async function start(t, section = {}) {
  const config = { shutdown_grace_ms: 500, plugins: sections(section) };
  const server = await startScripts({ plugins: [...healthy, 'script-worker'], config });
  t.after(() => server.stop());
  return server;
}

const die = (how) => ({ do: 'die', ...how });
const deed = (server, ...steps) => noted(server, 'deed', ...steps);
const pidOf = async (server) => (await deed(server, 'pid'))[0];
const failure = async (server, ...steps) => (await refused(server, 'deed', script(...steps))).message;

/** Calls other plugins while `work` runs; none of those calls may fail. */
async function beside(server, work) {
  let over = false;
  let answers = 0;
  const caller = async () => {
    while (!over) {
      assert.deepEqual(await noted(server, 'script_plain', 'cancelled'), [0]);
      ++answers;
    }
  };
  const callers = [caller(), caller()];
  try {
    return await work();
  } finally {
    over = true;
    await Promise.all(callers);
    assert.ok(answers > 0);
  }
}

const alive = (pid) => !['Z', undefined].includes(ofProcess(pid, 'stat').split(') ')[1]?.[0]);
const descriptors = (server) => readdirSync(`/proc/${server.child.pid}/fd`).length;

describe('a worker that ends', () => {
  for (const [how, words] of [
    [{ signal: 11 }, /was killed by signal 11 \(SIGSEGV\)/],
    [{ signal: 6 }, /was killed by signal 6 \(SIGABRT\)/],
    [{ signal: 9 }, /was killed by signal 9 \(SIGKILL\)/],
    [{ code: 3 }, /called exit\(3\)/],
  ]) {
    test(`fails the call with an error that names the cause: ${JSON.stringify(how)}`, async (t) => {
      const server = await start(t);
      const before = await pidOf(server);
      assert.notEqual(before, server.child.pid);
      await beside(server, async () => {
        assert.match(await failure(server, die(how)), words);
        assert.notEqual(await pidOf(server), before);
      });
      assert.match(await logged(server, 'its worker process'), words);
      assert.equal(workersOf(server.child.pid).length, 1, 'one worker, no zombie');
    });
  }

  test('fails the calls that run in it, and leaves nothing behind in the server', async (t) => {
    const server = await start(t, { worker: { failures: 0 } });
    await pidOf(server);
    const rest = descriptors(server);
    await beside(server, async () => {
      for (let i = 0; i < 10; ++i) {
        const inside = [1, 2, 3].map(() => refused(server, 'deed', script({ do: 'sleep', ms: 15_000 })));
        await pause(50);
        await failure(server, die({ signal: 11 }));
        for (const { message } of await Promise.all(inside)) assert.match(message, /SIGSEGV/);
        await until(async () => !(await call(server, 'deed', script('pid'))).isError, 'it is back');
      }
    });
    await until(() => descriptors(server) <= rest + 4, 'its descriptors are closed');
    assert.equal(workersOf(server.child.pid).length, 1);
  });

  test(`${kills} times under load fails only the calls that were in it`, async (t) => {
    const server = await start(t, { worker: { failures: 0 } });
    let pid = await pidOf(server);
    let [answered, lost, over] = [0, 0, false];
    const caller = async () => {
      while (!over) {
        const result = await call(server, 'deed', script({ do: 'sleep', ms: 1 }, 'pid'));
        if (result.isError) {
          assert.match(result.content[0].text, /worker process was killed by signal 9/);
          ++lost;
        } else {
          pid = result.structuredContent?.journal?.[0] ?? JSON.parse(result.content[0].text).journal[0];
          ++answered;
        }
      }
    };
    await beside(server, async () => {
      const callers = [caller(), caller(), caller()];
      for (let i = 0; i < kills; ++i) {
        const killed = pid;
        process.kill(killed, 'SIGKILL');
        await until(() => pid !== killed, `a worker after kill ${i}`);
      }
      over = true;
      await Promise.all(callers);
    });
    assert.ok(lost <= 3 * kills, `${lost} lost of ${answered}`);
    assert.ok(answered >= kills);
    assert.equal(workersOf(server.child.pid).length, 1);
  });

  test('ends the processes that it started, where it may start any', async (t) => {
    const bound = await start(t);
    assert.deepEqual(await deed(bound, 'child'), ['EPERM']);
    const free = await start(t, { allow: ['processes'] });
    const [child] = await deed(free, 'child');
    assert.ok(alive(child));
    await failure(free, die({ signal: 11 }));
    await until(() => !alive(child), 'the child is gone');
  });

  test('ends when the server is killed', async (t) => {
    const server = await start(t);
    const pid = await pidOf(server);
    await server.kill();
    await until(() => !alive(pid), 'the worker is gone');
  });
});

describe('failures and within_ms', () => {
  test('quarantine a plugin that keeps failing', async (t) => {
    const server = await start(t, { worker: { failures: 3, within_ms: 60_000 } });
    await beside(server, async () => {
      for (let i = 0; i < 3; ++i) {
        await until(async () => /SIGSEGV/.test(await failure(server, die({ signal: 11 }))), 'one more');
      }
      await logged(server, 'quarantined');
    });
    const { message } = await modern(server, 'tools/call', { name: 'deed', arguments: script('pid') });
    assert.match(JSON.stringify(message), /quarantined|[Uu]nknown tool|not available/);
  });

  test('do not count failures before the window', async (t) => {
    const server = await start(t, { worker: { failures: 2, within_ms: 200 } });
    for (let i = 0; i < 4; ++i) {
      assert.match(await failure(server, die({ signal: 11 })), /SIGSEGV/);
      await pause(400);
      await pidOf(server);
    }
  });

  test('never quarantine with 0', async (t) => {
    const server = await start(t, { worker: { failures: 0 } });
    for (let i = 0; i < 8; ++i) {
      assert.match(await failure(server, die({ signal: 11 })), /SIGSEGV/);
      await pidOf(server);
    }
  });
});

describe('a worker that hangs', () => {
  for (const step of [{ do: 'spin' }, { do: 'sleep', ms: 60_000 }]) {
    test(`in ${step.do} is killed after the call's deadline`, async (t) => {
      const server = await start(t, { worker: { kill_after_ms: 200 } });
      const before = await pidOf(server);
      await beside(server, async () => {
        const began = Date.now();
        assert.equal((await refused(server, 'deed_brief', script(step))).code, 'timeout');
        assert.ok(Date.now() - began < 3000);
        await until(() => !alive(before), 'it is killed');
        await logged(server, 'is back');
        assert.notEqual(await pidOf(server), before);
      });
      await logged(server, 'hung');
    });
  }

  test('is killed after kill_after_ms', async (t) => {
    const server = await start(t, { worker: { kill_after_ms: 60_000 } });
    const before = await pidOf(server);
    await refused(server, 'deed_brief', script({ do: 'sleep', ms: 2000 }));
    await pause(1500);
    assert.equal(await pidOf(server), before);
  });

  test('in a computation is killed when its processor time is used up', async (t) => {
    const server = await start(t, { worker: { cpu_seconds: 1 } });
    await beside(server, async () => {
      const began = Date.now();
      assert.match(await failure(server, { do: 'spin' }), /more than its 1 s of processor time/);
      assert.ok(Date.now() - began < 10_000);
    });
    const free = await start(t, { worker: { cpu_seconds: 0 } });
    await deed(free, { do: 'spin', ms: 2500 });
  });
});

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

describe('isolate and enabled', () => {
  test('decide where a plugin runs', async (t) => {
    for (const [isolate, inside] of [['process', false], ['in-process', true], ['auto', false]]) {
      const server = await start(t, { isolate });
      assert.equal(await pidOf(server) === server.child.pid, inside, isolate);
    }
  });

  test('false leaves a plugin out', async (t) => {
    const server = await start(t, { enabled: false });
    const { message } = await modern(server, 'tools/list');
    const names = message.result.tools.map(({ name }) => name);
    assert.ok(names.includes('script') && !names.includes('deed'), names.join());
  });
});

describe('a plugin for the server\'s own process', () => {
  const flagsWith = (name) => {
    const file = join(scratch(), 'gantry.json');
    const so = join(dirname(gantryd), '..', 'fixtures', 'deadly', `${name}.so`);
    const plugins = { ...sections(), [name.replaceAll('_', '-')]: { isolate: 'in-process' } };
    writeFileSync(file, JSON.stringify({ builtin_plugins: 'none', plugin_files: [...healthy.map(testPlugin), so], plugins }));
    return ['--config', file];
  };

  for (const [name, words] of [
    ['constructor_crashes', /during its constructors that process was killed by signal 4 \(SIGILL\)/],
    ['create_crashes', /during create\(\) that process was killed by signal 11/],
    ['start_exits', /during start\(\) that process called exit\(7\)/],
    ['stop_crashes', /during stop\(\) that process was killed by signal 11/],
  ]) {
    test(`is refused when it dies on trial: ${name}`, async (t) => {
      const server = await Server.start({ flags: flagsWith(name) });
      t.after(() => server.stop());
      assert.match(await logged(server, 'it was tried'), words);
      assert.deepEqual(await noted(server, 'script_plain', 'cancelled'), [0]);
    });
  }
});
