// Legacy event streams on bare sockets: a stream that is cut anywhere and resumed equals the uncut
// one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pause, until } from '../lib/events.mjs';
import { LegacySession, post } from '../lib/rpc.mjs';
import { script, startScripts } from '../lib/script.mjs';
import { EventStream } from '../lib/sse.mjs';

let server;
before(async () => { server = await startScripts(); });
after(() => server.stop());

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const primes = (revision) => revision === '2025-11-25';
const open = (revision) => LegacySession.open(server, revision);
const progress = (done) => ({ do: 'progress', done });
const sleep = (ms) => ({ do: 'sleep', ms });

const callOf = (steps, id = 'call') => ({
  jsonrpc: '2.0', id, method: 'tools/call',
  params: { name: 'script_blocking', arguments: script(...steps), _meta: { progressToken: 't' } },
});
/** Six progress notifications with time to be cut in between, then the answer. */
const talk = callOf([1, 2, 3, 4, 5, 6].flatMap((done) => [progress(done), sleep(8)]).concat({ do: 'write', body: 'said it all' }));
const messages = (events) => events.map(({ message }) => message).filter(Boolean);

async function uncut(revision) {
  const stream = await EventStream.post(await open(revision), talk);
  return messages(await stream.rest());
}

describe('a call that is cut', () => {
  for (const revision of revisions) {
    test(`after any event and resumed is the uncut one (${revision})`, async () => {
      const whole = await uncut(revision);
      assert.equal(whole.length, 7);
      const events = whole.length + (primes(revision) ? 1 : 0);
      for (let read = 1; read <= events; ++read) {
        const session = await open(revision);
        const first = await EventStream.post(session, talk);
        const seen = [];
        while (seen.length < read) seen.push(await first.next());
        first.cut();
        if (read % 2) await pause(80);  // the answer comes while no client is connected
        const again = await EventStream.get(session, seen.at(-1).id);
        assert.equal((await again.head()).status, 200);
        seen.push(...await again.rest());
        assert.deepEqual(messages(seen), whole, `cut after event ${read}`);
        assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length, 'ids are unique');
      }
    });
  }

  test('after every single event loses and repeats nothing', async () => {
    const whole = await uncut('2025-11-25');
    const session = await open('2025-11-25');
    let stream = await EventStream.post(session, talk);
    const seen = [];
    for (let event; (event = await stream.next());) {
      seen.push(event);
      stream.cut();
      stream = await EventStream.get(session, event.id);
    }
    assert.ok(stream.ended);
    assert.deepEqual(messages(seen), whole);
  });

  test('is not cancelled, and its answer waits', async () => {
    const session = await open('2025-11-25');
    const first = await EventStream.post(session, talk);
    const { id } = await first.next();
    first.cut();
    await pause(300);
    const events = await (await EventStream.get(session, id)).rest();
    const answer = events.at(-1).message;
    assert.equal(answer.result.content.at(-1).text, 'said it all');
    const nothing = await (await EventStream.get(session, events.at(-1).id)).rest();
    assert.deepEqual(nothing, []);
  });

  test('before its first message can be resumed once it is late', async () => {
    const session = await open('2025-11-25');
    const first = await EventStream.post(session, callOf([sleep(1800), { do: 'write', body: 'at last' }]));
    const primer = await first.next();
    assert.equal(primer.message, undefined);
    assert.equal(primer.retry, '1000');
    first.cut();
    const [answer] = await (await EventStream.get(session, primer.id)).rest();
    assert.equal(answer.message.result.content.at(-1).text, 'at last');
  });

  test('resumes beside an open listener, which gets none of its events', async () => {
    const session = await open('2025-11-25');
    const listener = await EventStream.get(session);
    const { id: heard } = await listener.next();
    const first = await EventStream.post(session, talk);
    const { id } = await first.next();
    first.cut();
    const events = await (await EventStream.get(session, id)).rest();
    assert.equal(messages(events).length, 7);
    assert.deepEqual([listener.ended, listener.text], [false, '']);
    assert.match(heard, /^s0-/);
    listener.cut();
  });
});

describe('listening', () => {
  for (const revision of revisions) {
    test(`begins with an empty event only where one is known (${revision})`, async () => {
      const session = await open(revision);
      const stream = await EventStream.get(session);
      assert.deepEqual(await stream.head(), { status: 200, type: 'text/event-stream' });
      await pause(50);
      if (primes(revision)) {
        const primer = await stream.next();
        assert.deepEqual([primer.retry, primer.message], ['1000', undefined]);
      } else {
        assert.equal(stream.wire.bytes.length, 0);
      }
      stream.cut();
    });
  }

  test('again replaces the earlier connection', async () => {
    const session = await open('2025-11-25');
    const first = await EventStream.get(session);
    await first.next();
    const second = await EventStream.get(session);
    await second.next();
    assert.deepEqual(await first.rest(), []);
    assert.equal(second.ended, false);
    second.cut();
  });

  test('is refused with a reason', async () => {
    const session = await open('2025-11-25');
    const status = async (last, headers) => {
      const stream = await EventStream.get(session, last, headers);
      const { status: code } = await stream.head();
      stream.cut();
      return code;
    };
    assert.equal(await status(undefined, { accept: 'application/json' }), 406);
    assert.equal(await status('nonsense'), 400);
    assert.equal(await status('s0-77'), 400);
    assert.equal(await status('s99-1'), 400);
    assert.equal(await status(undefined, { 'mcp-session-id': 'unknown' }), 404);
    assert.equal(await status(undefined, { 'mcp-protocol-version': '2026-07-28' }), 405);
  });

  test('has its own limit of streams', async () => {
    const small = await startScripts({ config: { limits: { max_listeners: 2, max_request_streams: 1 } } });
    const sessions = await Promise.all([0, 1, 2].map(() => LegacySession.open(small)));
    const streams = [];
    for (const session of sessions) streams.push(await EventStream.get(session));
    const codes = await Promise.all(streams.map(async (stream) => (await stream.head()).status));
    assert.deepEqual(codes, [200, 200, 503]);
    const calling = await EventStream.post(sessions[0], talk);
    assert.equal(messages(await calling.rest()).length, 7);
    streams[0].cut();
    await until(async () => {
      const again = await EventStream.get(sessions[2]);
      const { status } = await again.head();
      again.cut();
      return status === 200;
    }, 'the place comes back');
    for (const stream of streams) stream.cut();
    await small.stop();
  });
});

describe('DELETE', () => {
  test('ends the streams of a session and cancels its calls', async () => {
    const session = await open('2025-11-25');
    const listener = await EventStream.get(session);
    await listener.next();
    const calling = await EventStream.post(session, callOf([progress(1), { do: 'wait_cancel', ms: 20_000 }]));
    await calling.next();
    await calling.next();
    const answer = await fetch(server.url, { method: 'DELETE', headers: session.headers });
    assert.equal(answer.status, 204);
    assert.deepEqual(await listener.rest(), []);
    const [last] = await calling.rest();
    assert.equal(last.message.result.isError, true);
    assert.match(last.message.result.content[0].text, /session_terminated/);
    assert.equal((await session.request('ping')).status, 404);
  });
});

describe('the form of an answer', () => {
  test('is JSON for a client that accepts only JSON, and a stream for one that accepts only streams', async () => {
    const session = await open('2025-11-25');
    const json = await post(server, talk, { ...session.headers, accept: 'application/json' });
    assert.equal(json.headers.get('content-type'), 'application/json');
    assert.equal(json.message.result.content.at(-1).text, 'said it all');
    const ping = { jsonrpc: '2.0', id: 9, method: 'ping' };
    const stream = await post(server, ping, { ...session.headers, accept: 'text/event-stream' });
    assert.equal(stream.headers.get('content-type'), 'text/event-stream');
    assert.deepEqual(stream.message.result, {});
    const neither = await post(server, ping, { ...session.headers, accept: 'text/html' });
    assert.equal(neither.status, 406);
  });
});
