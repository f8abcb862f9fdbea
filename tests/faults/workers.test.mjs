// Plugins that harm the worker process they run in, without effect on the server and other plugins.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { pause, until } from '../e2e/lib/events.mjs';
import { call, modern, refused } from '../e2e/lib/rpc.mjs';
import { gantryd, scratch } from '../e2e/lib/paths.mjs';
import { workersOf } from '../e2e/lib/processes.mjs';
import { logged, noted, script, testPlugin } from '../e2e/lib/script.mjs';
import { Server } from '../e2e/lib/gantryd.mjs';
import { alive, beside, deed, descriptors, die, failure, healthy, pidOf, sections, start } from './lib/workers.mjs';

const kills = Number(process.env.GANTRY_KILLS ?? 40);

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
