// Signals, killed servers, unusable state directories, files that change, no free descriptors.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, readFileSync, readdirSync, statSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { ModernClient, pause, until } from '../e2e/lib/events.mjs';
import { runToEnd } from '../e2e/lib/gantryd.mjs';
import { callsActive, noted, script, scriptFlags, startScripts, testPlugin } from '../e2e/lib/script.mjs';
import { Wire, postBytes } from '../e2e/lib/wire.mjs';
import { LegacySession, modernBody, modernHeaders } from '../e2e/lib/rpc.mjs';
import { EventStream } from '../e2e/lib/sse.mjs';
import { scratch } from '../e2e/lib/paths.mjs';

const progress = { do: 'progress', done: 1 };
const sleep = (ms) => ({ do: 'sleep', ms });

describe('SIGTERM', () => {
  /** Whether the server, which still runs calls, refuses everything new. */
  const drains = (server) => until(
    async () => (await fetch(new URL('/health', server.url)).catch(() => ({ status: 503 }))).status === 503, 'it drains');

  test('lets running calls answer and refuses new ones', async () => {
    await Promise.all(['script', 'script_blocking', 'serial'].map(async (tool) => {
      const server = await startScripts();
      const steps = [...(tool === 'serial' ? [] : ['pending']), progress, sleep(1000), { do: 'write', body: 'made it' }];
      const streams = [1, 2, 3].map((token) => new ModernClient(server).open(tool, script(...steps), { token }));
      await until(async () => await callsActive(server) === 3, 'all calls have begun');
      const stopped = server.stop();
      await drains(server);
      await assert.rejects(noted(server, 'script', 'cancelled'), 'a new call');
      for (const stream of streams) {
        const { content } = await stream.result();
        assert.equal(content.at(-1).text, 'made it');
      }
      await stopped;
    }));
  });

  test('ends listening streams at once and properly, while a call may still answer', async () => {
    const server = await startScripts();
    const session = await LegacySession.open(server);
    const listener = await EventStream.get(session);
    await listener.next();
    const calling = new ModernClient(server).open('script', script('pending', progress, sleep(1500), { do: 'write', body: 'made it' }), { token: 1 });
    await until(() => calling.progress().length === 1, 'the call runs');
    const stopped = server.stop();
    assert.deepEqual(await listener.rest(), []);
    assert.equal((await fetch(new URL('/health', server.url))).status, 503);
    assert.equal(calling.messages.length, 1, 'the call still runs');
    assert.equal((await calling.result()).content.at(-1).text, 'made it');
    await stopped;
  });

  // Each client sends one request on a connection of its own, again and again until it is refused one.
  test('answers all requests of clients that have connected', async () => {
    const rounds = 1;
    for (let round = 0; round < rounds; ++round) {
      const server = await startScripts();
      const body = modernBody('tools/call', { name: 'script', arguments: script('cancelled') });
      const request = postBytes(server.port, JSON.stringify(body), modernHeaders(body));
      const statuses = [];
      const client = async () => {
        for (;;) {
          const wire = await Wire.open(server.port).catch(({ code }) => assert.equal(code, 'ECONNREFUSED'));
          if (!wire) return;
          await wire.write(request);
          statuses.push((await wire.read())?.status);
          wire.close();
        }
      };
      const clients = Array.from({ length: 8 }, client);
      await until(() => statuses.length > 50, 'they are served');
      await server.stop();
      await Promise.all(clients);
      assert.deepEqual(statuses.filter((status) => status !== 200 && status !== 503), [], `of ${statuses.length}`);
    }
  });

  test('does not wait for listening clients', async () => {
    const server = await startScripts();
    const streams = [];
    for (let i = 0; i < 20; ++i) streams.push(await EventStream.get(await LegacySession.open(server)));
    for (const stream of streams) await stream.next();
    const began = Date.now();
    await server.stop();
    assert.ok(Date.now() - began < 3000);
    for (const stream of streams) assert.deepEqual(await stream.rest(), []);
  });

  test('twice ends a server that waits for a call at once', async () => {
    const server = await startScripts({ config: { shutdown_grace_ms: 60_000 } });
    const stream = new ModernClient(server).open('script_long', script(progress, sleep(60_000)), { token: 1 });
    await until(() => stream.progress().length === 1, 'the call runs');
    const started = Date.now();
    server.child.kill('SIGTERM');
    await until(() => server.stderr.includes('stopping'), 'it waits');
    server.child.kill('SIGTERM');
    const [code, signal] = await server.ended;
    assert.deepEqual([code, signal], [null, 'SIGTERM']);
    assert.ok(Date.now() - started < 5000);
    await stream.answer.catch(() => {});
  });

  test('while plugins are being loaded ends cleanly or by the signal', async () => {
    for (const wait of [0, 5, 20, 60]) {
      const { code, stderr } = await runToEnd(
        [...scriptFlags(), '--listen', '127.0.0.1:0', '--state', scratch()], { shell: `{ sleep 0.0${String(wait).padStart(2, '0')}; kill -TERM $$; } &` });
      assert.ok([0, 'SIGTERM'].includes(code), `${code}: ${stderr.slice(-500)}`);
    }
  });
});

describe('the code that runs', () => {
  // Every file below `folder` that holds machine code, or that may be run.
  const executables = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).mode & 0o111 || readFileSync(file).subarray(0, 4).equals(Buffer.from('\x7fELF')));
  const mapped = (pid) => readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n').filter((line) => line.includes('script'));

  test('is in sealed memory only: the state directory holds none of it, in process, in workers or after a kill', async () => {
    const state = scratch();
    for (const isolate of ['in-process', 'process']) {
      const server = await startScripts({ flags: ['--state', state], config: { plugins: { script: { isolate } } } });
      assert.deepEqual(await noted(server, 'script', 'cancelled'), [0]);
      assert.deepEqual(executables(state), [], `${isolate}, running`);
      assert.deepEqual(mapped(server.child.pid), [], 'the file itself is not mapped');
      await server.kill();
      assert.deepEqual(executables(state), [], `${isolate}, killed`);
    }
  });

  test('is unaffected when plugin files are cut, replaced or removed', async () => {
    const folder = scratch();
    const all = ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-async', 'script-worker'];
    const files = all.map((name) => join(folder, basename(testPlugin(name))));
    for (const file of files) copyFileSync(testPlugin(basename(file, '.so')), file);
    const server = await startScripts({ plugins: [], flags: ['--plugins', folder] });
    const call = new ModernClient(server).open('deed', script(progress, sleep(1500), { do: 'write', body: 'made it' }), { token: 1 });
    await until(() => call.progress().length === 1, 'the call runs');
    for (const file of files.slice(0, 3)) truncateSync(file, 100);
    for (const file of files.slice(3, 6)) writeFileSync(file, 'something else altogether');
    // No other plugin needs this one, so that no other is removed with it.
    unlinkSync(files.at(-1));
    await until(() => all.every((name) => new RegExp(`(not replaced|removed) plugin=${name} `).test(server.stderr)), 'every file was looked at');
    const service = { do: 'invoke', kind: 'service', name: 'script.one/1' };
    for (let i = 0; i < 3; ++i) {
      const [entry, items] = await noted(server, 'script', service, 'items');
      assert.equal(entry.status, 0);
      assert.ok(items.length > 5);
    }
    assert.equal((await call.result()).content.at(-1).text, 'made it');
    await server.stop();
  });
});

describe('a state directory', () => {
  const run = (state, more = {}) => runToEnd([...scriptFlags(), '--listen', '127.0.0.1:0', '--state', state], more);

  test('that cannot be made is named, with a remedy', async () => {
    const file = join(scratch(), 'file');
    writeFileSync(file, '');
    const { code, stdout, stderr } = await run(join(file, 'below'));
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.ok(stderr.includes(file), stderr);
    assert.match(stderr, /^gantryd: .*(--state|state directory)/m);
  });

  test('that is not writable is named', async () => {
    const parent = scratch();
    chmodSync(parent, 0o755);
    const { code, stderr } = await runToEnd(
      ['--builtin-plugins', 'none', '--listen', '127.0.0.1:0', '--state', join(parent, 'state')], { uid: 65534 });
    assert.equal(code, 2);
    assert.ok(stderr.includes(parent), stderr);
  });

  test('that others can write to is refused', async () => {
    const state = scratch();
    chmodSync(state, 0o777);
    const { code, stderr } = await run(state);
    assert.equal(code, 2);
    assert.match(stderr, /the state directory .* must be private \(mode 0700\)/);
  });

  test('with no room for memory files: plugins that do not fit are refused, and the server serves', async () => {
    const server = await startScripts({ plugins: ['script-serial'], shell: 'trap "" XFSZ; ulimit -f 8' });
    assert.match(server.stderr, /plugin refused.*memory file cannot be written.*raise the limit on file sizes/);
    await server.stop();
  });
});

test('without free descriptors the server serves its open connections, and later all clients', { timeout: 90_000 }, async () => {
  const server = await startScripts({ shell: 'ulimit -n 64' });
  const body = modernBody('tools/call', { name: 'script', arguments: script('cancelled') });
  const request = postBytes(server.port, JSON.stringify(body), modernHeaders(body));
  const first = await Wire.open(server.port);
  const crowdOf = async (count) => {
    const crowd = [];
    for (let i = 0; i < count; ++i) crowd.push(await Wire.open(server.port));
    return crowd;
  };
  // Serving and refusing once before: UBSan looks at a type that is new to it by means of a pipe.
  await first.write(request);
  assert.equal((await first.read()).status, 200);
  const few = await crowdOf(26);
  await until(() => few.some((wire) => wire.ended), 'some are above what fits');
  for (const wire of few) wire.close();
  await pause(200);
  const crowd = await crowdOf(100);
  await first.write(request);
  assert.equal((await first.read()).status, 200, 'one that was there before');
  for (const wire of crowd) wire.close();
  first.close();
  await pause(200);
  for (let i = 0; i < 20; ++i) {
    const wire = await Wire.open(server.port);
    await wire.write(request);
    assert.equal((await wire.read())?.status, 200);
    wire.close();
  }
  await server.stop();
});

test('a port in use is named', async () => {
  const server = await startScripts({ plugins: [] });
  const { code, stderr } = await runToEnd([...scriptFlags({ plugins: [] }), '--listen', `127.0.0.1:${server.port}`, '--state', scratch()]);
  assert.equal(code, 3);
  assert.ok(stderr.includes(String(server.port)), stderr);
  await server.stop();
});

