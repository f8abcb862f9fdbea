// Shutdown of a server: calls that run may finish, new calls are refused.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { pause, until } from '../lib/events.mjs';
import { LegacySession, modern, modernBody, modernHeaders } from '../lib/rpc.mjs';
import {
  AskedSession, accepted, again, asks, calling, completes, elicit, everything, found, need, once, requests,
  roundsFlags, startRounds,
} from '../lib/rounds.mjs';
import { Stdio } from '../lib/stdio.mjs';
import { postBytes } from '../lib/wire.mjs';

const sleep = (ms) => ({ do: 'sleep', ms });
const journal = (result) => result.structuredContent.journal;

/** A server that a test may end itself. */
async function start(t, config = {}) {
  const server = await startRounds({ config });
  t.after(() => server.stop());
  return server;
}

/** Sends SIGTERM; resolves when the server refuses new requests. */
async function stopping(server) {
  server.child.kill('SIGTERM');
  const health = async () => (await fetch(new URL('/health', server.url))).status;
  await until(async () => await health() === 503, 'health is 503');
}

/** Waits until the server has ended with code 0, within so many milliseconds. */
async function ends(server, within) {
  const begun = Date.now();
  const [code, signal] = await server.ended;
  server.child = undefined;
  assert.equal(signal ?? code, 0, server.stderr.slice(-3000));
  assert.ok(Date.now() - begun < within, `it took ${Date.now() - begun} ms`);
}

describe('a server that is stopping', () => {
  test('accepts the answer that a call waits for, and refuses new requests', async (t) => {
    const server = await start(t);
    const client = await AskedSession.open(server);
    const late = await LegacySession.open(server);
    const running = client.run(elicit(), need);
    const [question] = await requests(running);
    await stopping(server);
    for (const { status, message } of [await modern(server, 'tools/list'), await late.request('ping'), await late.request('tools/list')]) {
      assert.deepEqual([status, message.error.code], [503, -32000]);
      assert.match(message.error.message, /shutting down/);
    }
    await assert.rejects(LegacySession.open(server), /503/);
    assert.equal(await client.respond(question, accepted('Ada')), 202);
    assert.deepEqual(journal(await running.result()).at(-1), found(accepted('Ada')));
    await ends(server, 4000);
  });

  test('accepts the retry of a modern client that brings its input', async (t) => {
    const server = await start(t);
    const params = calling(elicit(), need);
    const asked = await asks(server, params);
    const body = modernBody('tools/call', { name: 'rounds', arguments: { as: 'held', steps: [sleep(1500)] } });
    const held = fetch(server.url, {
      method: 'POST', body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', accept: 'application/json', ...modernHeaders(body) },
    });
    await pause(100);
    await stopping(server);
    assert.equal((await once(server, 'tools/call', params)).status, 503);
    const result = await completes(server, again(params, asked, { person: accepted('Ada') }));
    assert.deepEqual(journal(result).at(-1), found(accepted('Ada')));
    assert.equal((await held).status, 200);
    await ends(server, 4000);
  });

  test('accepts the answer that a task waits for, and reports the task\'s result', async (t) => {
    const server = await start(t);
    const options = { capabilities: { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } } };
    const { message } = await once(server, 'tools/call', calling({ do: 'task' }, elicit(), need, sleep(1000)), options);
    const { taskId } = message.result;
    const status = async () => (await once(server, 'tasks/get', { taskId }, options)).message.result.status;
    await until(async () => await status() === 'input_required', 'it asks');
    await stopping(server);
    const update = await once(server, 'tasks/update', { taskId, inputResponses: { person: accepted('Ada') } }, options);
    assert.equal(update.message.result?.resultType, 'complete');
    assert.equal(await status(), 'working');
    await ends(server, 4000);
  });

  test('does not wait longer than the grace period for an answer', async (t) => {
    const server = await start(t, { shutdown_grace_ms: 700 });
    const client = await AskedSession.open(server);
    const running = client.run(elicit(), need);
    await requests(running);
    await stopping(server);
    const result = await running.result();
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /session_terminated/);
    await ends(server, 3000);
  });
});

describe('over stdio', () => {
  const open = async (limits) => {
    const pipe = Stdio.start({ flags: roundsFlags(limits) });
    await pipe.request({
      id: 1, method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: everything, clientInfo: { name: 'e2e', version: '1' } },
    });
    pipe.send({ method: 'notifications/initialized' });
    pipe.send({ id: 2, method: 'tools/call', params: calling(elicit(), need) });
    const question = await pipe.receive(({ method }) => method === 'elicitation/create');
    return { pipe, question };
  };

  test('the end of the input ends a call that waits for an answer at once', async () => {
    const { pipe } = await open({ stdio_grace_ms: 8000 });
    const begun = Date.now();
    await pipe.end();
    assert.ok(Date.now() - begun < 2500, `it took ${Date.now() - begun} ms`);
    const answer = pipe.messages.find(({ id }) => id === 2);
    assert.equal(answer.result.isError, true);
    assert.match(answer.result.content[0].text, /session_terminated/);
  });

  test('a call that asks its client after the end of the input fails at once', async () => {
    const pipe = Stdio.start({ flags: roundsFlags({ stdio_grace_ms: 8000 }) });
    await pipe.request({
      id: 1, method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: everything, clientInfo: { name: 'e2e', version: '1' } },
    });
    pipe.send({ id: 2, method: 'tools/call', params: calling(sleep(500), elicit(), need) });
    const begun = Date.now();
    await pipe.end();
    assert.ok(Date.now() - begun < 3500, `it took ${Date.now() - begun} ms`);
    assert.equal(pipe.messages.find(({ id }) => id === 2).result.isError, true);
  });

  test('a stop leaves the grace period for answers, and new calls are refused', async () => {
    const { pipe, question } = await open({ stdio_grace_ms: 8000 });
    pipe.child.kill('SIGTERM');
    await pause(300);
    const { error } = await pipe.request({ id: 3, method: 'tools/list' });
    assert.deepEqual([error.code, /shutting down/.test(error.message)], [-32000, true]);
    const begun = Date.now();
    pipe.send({ id: question.id, result: accepted('Ada') });
    const { result } = await pipe.receive(({ id }) => id === 2);
    assert.deepEqual(journal(result).at(-1), found(accepted('Ada')));
    const [code, signal] = await pipe.ended;
    assert.equal(signal ?? code, 0);
    assert.ok(Date.now() - begun < 3000);
  });
});

test('linger_ms: how long the connection stays open after the last answer', async (t) => {
  const body = JSON.stringify(modernBody('server/discover', {}, 1));
  const bytes = (server) => postBytes(server.port, body, { ...modernHeaders({ method: 'server/discover' }), Connection: 'close' });
  /** Milliseconds from the end of the answer to the end of the connection, at most so many. */
  const lasted = async (lingers, most) => {
    const server = await start(t, { http: { linger_ms: lingers } });
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    let gone = false;
    socket.on('error', () => { gone = true; });
    socket.resume();
    socket.write(bytes(server));
    await new Promise((resolve) => { socket.once('end', resolve); });
    const begun = Date.now();
    while (!gone && Date.now() - begun < most) {
      socket.write('x');
      await pause(20);
    }
    socket.destroy();
    return Date.now() - begun;
  };
  const [short, long] = [await lasted(100, 3000), await lasted(10_000, 2000)];
  assert.ok(short < 1500, `${short} ms`);
  assert.ok(long >= 2000, `${long} ms`);
});
