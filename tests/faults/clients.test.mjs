// Clients that disconnect at every stage of a call, or stay connected and never read.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pause, until } from '../e2e/lib/events.mjs';
import { modernBody, modernHeaders } from '../e2e/lib/rpc.mjs';
import { logged, named, noted, script, startScripts } from '../e2e/lib/script.mjs';
import { Wire, postBytes } from '../e2e/lib/wire.mjs';

let server;
before(async () => { server = await startScripts({ config: { limits: { max_calls: 4, max_request_streams: 4 } } }); });
after(() => server.stop());

const requestOf = (steps, meta = {}, name = 'script') => {
  const body = modernBody('tools/call', { name, arguments: steps, _meta: meta });
  return postBytes(server.port, JSON.stringify(body), modernHeaders(body));
};

/** All call slots are free again: four calls run at the same time. */
async function placesAreFree(name) {
  const meet = { do: 'meet', name, count: 4, ms: 10_000 };
  let answers;
  await until(async () => {
    answers = await Promise.allSettled(Array.from({ length: 4 }, () => noted(server, 'script', meet)));
    return answers.every(({ status }) => status === 'fulfilled');
  }, `four places after: ${name}`, 30_000);
  assert.deepEqual(answers.map(({ value }) => value), Array(4).fill([true]));
}

const stages = {
  'within the head': async (wire, bytes) => { await wire.write(bytes.subarray(0, 30)); await pause(20); },
  'within the body': async (wire, bytes) => { await wire.write(bytes.subarray(0, bytes.length - 5)); await pause(20); },
  'right after the request': async (wire, bytes) => { await wire.write(bytes); },
  'while the tool works': async (wire, bytes) => { await wire.write(bytes); await pause(100); },
  'within the event stream': async (wire, bytes) => {
    await wire.write(bytes);
    await until(() => wire.bytes.includes('notifications/progress'), 'the stream has begun');
  },
};

for (const [stage, act] of Object.entries(stages)) {
  test(`a client that disconnects ${stage} leaves no call behind`, async () => {
    for (let i = 0; i < 8; ++i) {
      const wires = await Promise.all([0, 1].map(() => Wire.open(server.port)));
      const steps = named(`${stage} ${i}`, { do: 'progress', done: 1 }, { do: 'wait_cancel', ms: 5000 });
      await Promise.all(wires.map((wire) => act(wire, requestOf(steps, { progressToken: i }))));
      if (i % 2) for (const wire of wires) wire.socket.resetAndDestroy();
      else for (const wire of wires) wire.close();
      await pause(30);
    }
    await placesAreFree(stage);
  });
}

test('a client that disconnects with its answer half read leaves no call behind', async () => {
  const steps = script('quiet', { do: 'write', fill: 3_000_000 });
  for (let i = 0; i < 6; ++i) {
    const wire = await Wire.open(server.port);
    await wire.write(requestOf(steps, {}, 'script_plain'));
    await until(() => wire.bytes.length > 1000, 'the answer has begun');
    wire.close();
  }
  await placesAreFree('half an answer');
});

test('a client that never reads is cut off or kept waiting, without effect on other clients', { timeout: 90_000 }, async () => {
  const own = await startScripts({ config: { http: { write_stall_ms: 1500, max_stream_queue_bytes: 262_144 }, shutdown_grace_ms: 500 } });
  const deaf = await Wire.open(own.port);
  deaf.socket.pause();
  const body = modernBody('tools/call', { name: 'script_long', _meta: { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' },
    arguments: named('deaf', { do: 'log', level: 3, fill: 16_000, times: 3000 }, 'wait_cancel', { do: 'host_log', body: 'the deaf call is over' }) });
  await deaf.write(postBytes(own.port, JSON.stringify(body), modernHeaders(body)));
  for (let i = 0; i < 10; ++i) assert.deepEqual(await noted(own, 'script', 'cancelled'), [0]);
  await logged(own, 'the deaf call is over', 30_000);
  deaf.close();
  await own.stop();
});

test('a client that sends single bytes and disconnects leaves all call slots free', async () => {
  const bytes = requestOf(script({ do: 'sleep', ms: 10 }));
  const wire = await Wire.open(server.port);
  for (let i = 0; i < 200; ++i) await wire.write(bytes.subarray(i, i + 1));
  wire.close();
  await placesAreFree('bytes');
});
