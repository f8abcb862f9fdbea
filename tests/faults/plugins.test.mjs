// Plugins that misbehave: the client gets an answer, the server goes on and ends in time.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ModernClient, pause, until } from '../e2e/lib/events.mjs';
import { call, modern, refused } from '../e2e/lib/rpc.mjs';
import { callsActive, journal, logged, named, noted, script, scriptFlags, startScripts } from '../e2e/lib/script.mjs';
import { modernBody } from '../e2e/lib/rpc.mjs';
import { Stdio } from '../e2e/lib/stdio.mjs';

const [ok, tooBig, misuse] = [0, -8, -11];
const sleep = (ms) => ({ do: 'sleep', ms });
const serves = async (server) => assert.deepEqual(await noted(server, 'script', 'cancelled'), [0]);

/** Milliseconds that stop() takes. */
async function timedStop(server) {
  const started = Date.now();
  await server.stop();
  return Date.now() - started;
}

describe('a call that hangs', () => {
  const short = { shutdown_grace_ms: 300 };

  test('is answered at its deadline while the server keeps serving', async () => {
    const server = await startScripts({ config: short });
    const hanging = Array.from({ length: 3 }, () => refused(server, 'script_brief', script(sleep(2500))));
    for (let i = 0; i < 5; ++i) await serves(server);
    for (const { code } of await Promise.all(hanging)) assert.equal(code, 'timeout');
    await serves(server);
    await server.stop();
  });

  test('does not delay a shutdown, whether it blocks its thread or never finishes', async () => {
    for (const steps of [[sleep(60_000)], ['never_finish'], ['pending', sleep(60_000)]]) {
      const server = await startScripts({ config: short });
      const stream = new ModernClient(server).open('script_long', script({ do: 'progress', done: 1 }, ...steps), { token: 1 });
      await until(() => stream.progress().length === 1, 'the call runs');
      const took = await timedStop(server);
      assert.ok(took < 9000, `${JSON.stringify(steps)}: ${took} ms`);
      const message = await stream.answer;
      assert.match(message.result.content[0].text, /cancelled/i);
    }
  });

  test('does not delay a shutdown on stdio', async () => {
    const pipe = Stdio.start({ flags: scriptFlags({ config: { limits: { stdio_grace_ms: 300 } } }) });
    pipe.send(modernBody('tools/call', { name: 'script_long', arguments: script({ do: 'progress', done: 1 }, sleep(60_000)), _meta: { progressToken: 1 } }, 'hangs'));
    await pipe.receive((message) => message.method === 'notifications/progress');
    const started = Date.now();
    await pipe.end();
    assert.ok(Date.now() - started < 9000);
  });

  test('on a strand releases waiting calls at their deadline', async () => {
    const server = await startScripts({ config: short });
    const offered = JSON.stringify([{ kind: 'service', name: 'script.serial/1' },
      { kind: 'tool', name: 'serial', timeout_ms: 800, inputSchema: { type: 'object' } }]);
    await noted(server, 'serial', { do: 'offer', items: offered });
    const hang = refused(server, 'serial', script(sleep(3000)));
    await pause(100);
    const waiting = await Promise.all(Array.from({ length: 4 }, () => refused(server, 'serial', script({ do: 'host_log', body: 'a dead call ran' }))));
    assert.deepEqual(waiting.map(({ code }) => code), Array(4).fill('timeout'));
    await hang;
    await serves(server);
    await pause(2500);
    assert.deepEqual(await noted(server, 'serial', 'cancelled'), [0]);
    assert.doesNotMatch(server.stderr, /a dead call ran/);
    await server.stop();
  });
});

describe('a plugin that floods', () => {
  let server;
  before(async () => { server = await startScripts(); });
  after(() => server.stop());

  test('progress: the client sees it grow, and the answer', { timeout: 60_000 }, async () => {
    const stream = new ModernClient(server).open('script', script({ do: 'progress', done: 1, times: 20_000 }), { token: 1 });
    await stream.result();
    const seen = stream.progress().map(({ progress }) => progress);
    assert.ok(seen.length > 0 && seen.every((value, i) => i === 0 || value > seen[i - 1]));
    await serves(server);
  });

  test('messages to the client: it gets its answer', { timeout: 60_000 }, async () => {
    const stream = new ModernClient(server).open('script', script({ do: 'log', level: 3, fill: 100, times: 20_000 }), { level: 'debug' });
    await stream.result();
    assert.ok(stream.logs().length > 0);
    await serves(server);
  });

  test('the host\'s log: lines are whole, calls go on', { timeout: 60_000 }, async () => {
    const flood = call(server, 'script', script({ do: 'host_log', body: 'flood', times: 20_000 }));
    await serves(server);
    await flood;
    await noted(server, 'script', { do: 'host_log', level: 3, body: 'after the flood' });
    await logged(server, 'after the flood');
    const lines = server.stderr.split('\n').filter((line) => line.includes('flood'));
    assert.deepEqual(lines.filter((line) => !/^\d{4}-\S+Z .*(flood|after the flood)/.test(line)), []);
  });

  test('its answer: refused by piece', async () => {
    const steps = Array.from({ length: 30 }, () => ({ do: 'write', fill: 1_000_000 }));
    assert.equal((await refused(server, 'script_plain', named('flood', ...steps))).details.kind, 'response_too_large');
    assert.deepEqual(await journal(server, 'flood'), [...Array(4).fill(ok), ...Array(26).fill(tooBig)]);
  });

  test('calls: those beyond the limit are refused', async (t) => {
    const small = await startScripts({ config: { limits: { max_calls: 4 }, shutdown_grace_ms: 300 } });
    t.after(() => small.stop());
    const held = Promise.allSettled(Array.from({ length: 4 }, () => noted(small, 'script', { do: 'gate', name: 'full' })));
    await until(async () => await callsActive(small) === 4, 'four calls run');
    const { status, message } = await modern(small, 'tools/call', { name: 'script', arguments: {} });
    assert.equal(status, 503);
    assert.equal(message.error.code, -32000);
    // A nested call needs no slot; an earlier call opens the gate.
    const stop = small.stop();
    await held;
    await stop;
  });
});

describe('a plugin that ends its calls wrongly', () => {
  let server;
  before(async () => { server = await startScripts({ config: { shutdown_grace_ms: 300 } }); });

  test('twice: the second is misuse, the answer is the first', async () => {
    const { structuredContent } = await call(server, 'script', named('twice', 'pending', 'finish', { do: 'finish', status: -1 }));
    assert.deepEqual(structuredContent, { journal: [] });
    await until(async () => (await noted(server, 'script', 'cancelled')).length === 1, 'it serves');
    const entries = await journal(server, 'twice');
    assert.deepEqual(entries, [ok, misuse]);
  });

  test('never: the deadline answers, others go on, and the call\'s slot becomes free', async () => {
    assert.equal((await refused(server, 'script_brief', script('never_finish'))).code, 'timeout');
    await serves(server);
  });

  test('not even at stop: the server still ends', async () => {
    const streams = Array.from({ length: 5 }, () => new ModernClient(server).open('script_long', script('never_finish')));
    await pause(500);
    const took = await timedStop(server);
    assert.ok(took < 9000, `${took} ms`);
    for (const stream of streams) assert.match((await stream.answer).result.content[0].text, /cancelled/i);
  });
});
