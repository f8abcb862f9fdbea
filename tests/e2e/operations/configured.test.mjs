// Numbers of the configuration that no other suite covers have the effect that their description
// states.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { LegacyClient, ModernClient, pause, until } from '../lib/events.mjs';
import { listen } from '../lib/listen.mjs';
import { LegacySession, modern, modernBody, modernHeaders, post } from '../lib/rpc.mjs';
import { noted, script, startScripts } from '../lib/script.mjs';
import { EventStream } from '../lib/sse.mjs';
import { Wire, postBytes } from '../lib/wire.mjs';

const plugins = ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-async'];

/** A server with this configuration that ends with the test. */
async function start(t, config, env) {
  const server = await startScripts({ plugins, config, env });
  t.after(() => server.stop());
  return server;
}

const progress = (done) => ({ do: 'progress', done });
const gate = (name) => ({ do: 'gate', name });
const open = (name) => ({ do: 'open', name });

describe('limits', () => {
  test('max_calls: a call beyond it gets 503, and a finished call frees its place', async (t) => {
    const server = await start(t, { limits: { max_calls: 2 } });
    const client = new ModernClient(server);
    const first = client.open('script_blocking', script(open('in'), { do: 'wait_cancel', ms: 15_000 }));
    await noted(server, 'script_plain', gate('in'));
    const second = client.open('script_blocking', script(open('in too'), { do: 'sleep', ms: 800 }));
    await pause(200);
    const { status, message } = await modern(server, 'tools/call', { name: 'script_plain', arguments: {} });
    assert.equal(status, 503);
    assert.deepEqual(message.error, { code: -32000, message: 'server busy' });
    await second.result();
    assert.deepEqual(await noted(server, 'script_plain', gate('in too')), [true]);
    await first.drop();
  });

  test('max_request_streams: a call without a stream still gets its answer, but no notifications', async (t) => {
    const server = await start(t, { limits: { max_request_streams: 1 } });
    const clients = [new ModernClient(server), new LegacyClient(await LegacySession.open(server, '2025-06-18'))];
    for (const client of clients) {
      const held = client.open('script_blocking', script(progress(1), gate(`end ${client.era}`)), { token: 'held' });
      await until(() => held.progress().length === 1, 'the only stream');
      for (const other of clients) {
        const silent = other.open('script_plain', script(progress(1)), { token: 'other' });
        await silent.result();
        assert.match(silent.type, /^application\/json/);
        assert.deepEqual(silent.progress(), []);
      }
      await noted(server, 'script_plain', open(`end ${client.era}`));
      await held.result();
      await until(async () => {
        const streams = client.open('script_plain', script(progress(1)), { token: 'again' });
        await streams.result();
        return streams.progress().length === 1;
      }, 'the place is free again');
    }
  });

  // The last: two connections are two callers, and one does not wait for the other for long.
  for (const [key, tool, lone] of [['pool_threads', 'script_plain', 1], ['blocking_threads', 'script_blocking', 0],
    ['blocking_threads', 'script_plain', 0]]) {
    test(`${key}: how many calls of ${tool} run side by side`, async (t) => {
      for (const [threads, together] of [[lone, false], [lone + 1, true]]) {
        const server = await start(t, { limits: { pool_threads: 1, blocking_threads: 0, [key]: threads } });
        const meet = { do: 'meet', name: 'both', count: 2, ms: 1000 };
        const notes = await Promise.all([0, 1].map(() => noted(server, tool, meet)));
        assert.deepEqual(notes.flat().includes(true), together, `${threads} threads`);
      }
    });
  }

  test('max_sessions: a new session evicts the one that is idle longest, and is refused if all are busy', async (t) => {
    const server = await start(t, { limits: { max_sessions: 2 } });
    const [first, second] = [await LegacySession.open(server), await LegacySession.open(server)];
    await first.request('ping');
    const third = await LegacySession.open(server);
    // An evicted session is opened again for its client, in the place of the one that is idle longest.
    const sessions = async () => Number(/^gantry_sessions_active (\d+)/m.exec(await (await fetch(new URL('/metrics', server.url))).text())[1]);
    for (const one of [first, third, second, first, third]) {
      assert.equal((await one.request('ping')).status, 200);
      assert.equal(await sessions(), 2);
    }
    const streams = await Promise.all([first, third].map((one) => EventStream.get(one)));
    for (const stream of streams) assert.equal((await stream.head()).status, 200);
    const refused = await post(server, {
      jsonrpc: '2.0', id: 1, method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    });
    assert.deepEqual([refused.status, refused.message.error.code], [503, -32000]);
    for (const stream of streams) stream.cut();
  });

  test('session_idle_ms: a silent session ends, a listening one does not', async (t) => {
    const server = await start(t, { limits: { session_idle_ms: 500 } });
    const [idle, busy, listens] = await Promise.all([0, 1, 2].map(() => LegacySession.open(server, '2025-11-25')));
    // The streams of calls: what a session has and its successor has not.
    const calls = await Promise.all([idle, busy, listens].map(async (session) => {
      const call = await EventStream.post(session, { jsonrpc: '2.0', id: 'kept', method: 'tools/call',
        params: { name: 'script_blocking', arguments: script(progress(1)), _meta: { progressToken: 't' } } });
      return (await call.rest())[0].id;
    }));
    const kept = async (session, id) => {
      const again = await EventStream.get(session, id);
      const { status } = await again.head();
      again.cut();
      return status;
    };
    const stream = await EventStream.get(listens);
    await stream.head();
    for (let i = 0; i < 4; ++i) {
      await pause(250);
      assert.equal((await busy.request('ping')).status, 200);
    }
    assert.equal((await idle.request('ping')).status, 200, 'its client need not initialize again');
    assert.deepEqual(await Promise.all([idle, busy, listens].map((session, i) => kept(session, calls[i]))), [400, 200, 200]);
    stream.cut();
  });

  test('pre_auth_per_minute: a caller without a good credential gets 429, and /health does not', async (t) => {
    const server = await start(t, { limits: { pre_auth_per_minute: 3 } }, { GANTRY_API_KEY: 'sesame' });
    const ask = (headers) => modern(server, 'server/discover', {}, headers);
    assert.equal((await ask({ authorization: 'Bearer sesame' })).status, 200);
    for (let i = 0; i < 3; ++i) {
      const { status, headers } = await ask(i === 0 ? {} : { 'x-mcp-api-key': 'open' });
      assert.equal(status, 401);
      assert.match(headers.get('www-authenticate'), /^Bearer/);
    }
    const { status, message, headers } = await ask({});
    assert.equal(status, 429);
    assert.deepEqual(message.error, { code: -32000, message: 'Too Many Requests' });
    assert.ok(Number(headers.get('retry-after')) >= 1 && Number(headers.get('retry-after')) <= 60);
    assert.equal((await fetch(new URL('/health', server.url))).status, 200);
    assert.equal((await ask({ 'x-mcp-api-key': 'open' })).status, 429);
    assert.equal((await ask({ authorization: 'Bearer sesame' })).status, 200, 'a good one passes from the same address');
    assert.equal((await ask({ 'x-mcp-api-key': 'sesame' })).status, 200);
  });

  /** The events that a client gets after it lost the connection at the first of ten. */
  async function replayed(t, limits, note) {
    const server = await start(t, { limits });
    const session = await LegacySession.open(server, '2025-11-25');
    const steps = [progress(1), gate('lost'), ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((done) => ({ ...progress(done), note }))];
    const first = await EventStream.post(session, {
      jsonrpc: '2.0', id: 1, method: 'tools/call',
      params: { name: 'script_blocking', arguments: script(...steps, open('said')), _meta: { progressToken: 't' } },
    });
    let last = await first.next();
    if (!last.message) last = await first.next();
    assert.equal(last.message.params.progress, 1);
    first.cut();
    await noted(server, 'script_plain', open('lost'), gate('said'));
    await pause(100);
    const events = await (await EventStream.get(session, last.id)).rest();
    return events.map(({ message }) => message.params?.progress ?? message.result?.content.length);
  }

  test('max_replay_events: so many of the last', async (t) => {
    assert.deepEqual(await replayed(t, {}, ''), [2, 3, 4, 5, 6, 7, 8, 9, 10, 1]);
    assert.deepEqual(await replayed(t, { max_replay_events: 4 }, ''), [8, 9, 10, 1]);
  });

  test('max_replay_bytes: so much of the last', async (t) => {
    const seen = await replayed(t, { max_replay_bytes: 4096 }, 'x'.repeat(1000));
    assert.ok(seen.length >= 2 && seen.length <= 5, String(seen));
    assert.deepEqual(seen.slice(-2), [10, 1]);
  });

  test('list_ttl_ms, discover_ttl_ms: how long clients may cache lists and discovery', async (t) => {
    const server = await start(t, { limits: { list_ttl_ms: 1234, discover_ttl_ms: 4321 } });
    const ttl = async (method) => (await modern(server, method)).message.result.ttlMs;
    assert.deepEqual([await ttl('tools/list'), await ttl('prompts/list'), await ttl('resources/templates/list'), await ttl('server/discover')],
      [1234, 1234, 1234, 4321]);
  });
});

describe('http', () => {
  const body = (fill = 0) => JSON.stringify(modernBody('server/discover', { fill: 'x'.repeat(fill) }, 1));
  const request = (server, fill, headers) => postBytes(server.port, body(fill), { ...modernHeaders({ method: 'server/discover' }), ...headers });
  async function status(server, bytes) {
    const wire = await Wire.open(server.port);
    await wire.write(bytes);
    const answer = await wire.read(5000);
    wire.close();
    return answer?.status;
  }

  test('max_body_bytes', async (t) => {
    const server = await start(t, { http: { max_body_bytes: 4096 } });
    assert.equal(await status(server, request(server, 2000)), 200);
    assert.equal(await status(server, request(server, 5000)), 413);
  });

  test('max_head_bytes, max_headers', async (t) => {
    const server = await start(t, { http: { max_head_bytes: 2048, max_headers: 12 } });
    const plain = await start(t, {});
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`X-${i}`, '1']));
    for (const headers of [{ 'X-Long': 'x'.repeat(3000) }, many]) {
      assert.equal(await status(server, request(server, 0, headers)), 431);
      assert.equal(await status(plain, request(plain, 0, headers)), 200);
    }
    assert.equal(await status(server, request(server, 0)), 200);
  });

  test('max_connections: connections beyond it are closed, and a closed connection frees its place', async (t) => {
    const server = await start(t, { http: { max_connections: 4 } });
    const held = await Promise.all([0, 1, 2, 3].map(() => Wire.open(server.port)));
    await pause(200);
    const fifth = await Wire.open(server.port).catch(() => undefined);
    await fifth?.write(request(server, 0));
    assert.notEqual((await fifth?.read(500))?.status, 200);
    fifth?.close();
    for (const wire of held) wire.close();
    await until(async () => await status(server, request(server, 0)) === 200, 'a free place');
  });

  const closing = {
    head_timeout_ms: async (wire, server) => wire.write(request(server, 0).subarray(0, 20)),
    body_timeout_ms: async (wire, server) => wire.write(request(server, 0).subarray(0, -5)),
    keep_alive_timeout_ms: async (wire, server) => {
      await wire.write(request(server, 0));
      assert.equal((await wire.read()).status, 200);
    },
  };
  for (const [key, act] of Object.entries(closing)) {
    test(`${key}: the connection of a slower client is closed`, async (t) => {
      const server = await start(t, { http: { [key]: 300 } });
      const patient = await start(t, {});
      const [wire, kept] = [await Wire.open(server.port), await Wire.open(patient.port)];
      await Promise.all([act(wire, server), act(kept, patient)]);
      assert.equal(await wire.closed(4000), true);
      assert.equal(kept.ended, false);
      kept.close();
    });
  }

  test('stream_heartbeat_ms: an idle stream sends heartbeats', async (t) => {
    const server = await start(t, { http: { stream_heartbeat_ms: 100 } });
    const session = await LegacySession.open(server, '2025-06-18');
    const stream = await EventStream.get(session);
    await stream.head();
    await until(() => stream.wire.bytes.toString().match(/\r\n:[^\n]*\n/g)?.length >= 3, 'three signs of life', 3000);
    stream.cut();
    const call = await listen(server, { toolsListChanged: true });
    await pause(400);
    assert.equal(call.messages.length, 1, 'which are no messages');
    await call.drop();
  });

  test('io_threads', async (t) => {
    const [one, five] = [await start(t, { http: { io_threads: 1 } }), await start(t, { http: { io_threads: 5 } })];
    const count = ({ child }) => readdirSync(`/proc/${child.pid}/task`).length;
    await until(() => count(five) - count(one) === 4, 'four threads more');
  });
});
