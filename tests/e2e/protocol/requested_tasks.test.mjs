// Tasks of 2025-11-25, which the client requests: with the official client, and by hand.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { pause, until } from '../lib/events.mjs';
import { LegacySession, call } from '../lib/rpc.mjs';
import { elicit, lacking, startRounds } from '../lib/rounds.mjs';

const related = 'io.modelcontextprotocol/related-task';
const gate = (name) => ({ do: 'gate', name });
let server;
let session;
before(async () => {
  server = await startRounds();
  session = await LegacySession.open(server, '2025-11-25');
});
after(() => server.stop());

const openGate = (name) => call(server, 'rounds', { steps: [{ do: 'open', name }] });
const ask = async (method, params) => (await session.request(method, params)).message;
const steps = (...all) => ({ name: 'rounds', arguments: { as: 'me', steps: all } });

async function begin(...all) {
  const { result } = await ask('tools/call', { ...steps(...all), task: { ttl: 60_000 } });
  assert.deepEqual(Object.keys(result), ['task']);
  return result.task;
}
const refused = async (method, params, code) => {
  const { error } = await ask(method, params);
  assert.equal(error?.code, code);
  return error.message;
};

describe('the official client', () => {
  let client;
  before(async () => {
    client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(server.url));
  });
  after(() => client.close());

  /** All messages of a call as a task: their types, and the last one. */
  async function follow(...all) {
    const seen = [];
    let last;
    for await (const message of client.experimental.tasks.callToolStream(steps(...all))) {
      if (seen.at(-1) !== message.type) seen.push(message.type);
      last = message;
    }
    return { seen, last };
  }

  test('is told which tools can be tasks, and that they can be cancelled', async () => {
    assert.deepEqual(client.getServerCapabilities().tasks, { cancel: {}, requests: { tools: { call: {} } } });
    const { tools } = await client.listTools();
    assert.deepEqual(tools.find(({ name }) => name === 'rounds').execution, { taskSupport: 'optional' });
  });

  test('follows a call to its result', async () => {
    await client.listTools();
    const { seen, last } = await follow({ do: 'progress', done: 1, total: 2, note: 'half way' }, { do: 'sleep', ms: 200 },
      { do: 'write', body: 'done' });
    assert.deepEqual(seen, ['taskCreated', 'taskStatus', 'result']);
    assert.equal(last.result.content.at(-1).text, 'done');
    assert.equal(last.result.isError, false);
  });

  test('gets the error of a tool as its result', async () => {
    const { seen, last } = await follow({ do: 'fail', code: 'not_found', message: 'no luck' });
    assert.equal(seen.at(-1), 'error');
    assert.equal(last.type, 'error');
  });

  test('cancels', async () => {
    const { taskId } = await begin({ do: 'wait_cancel' });
    const task = await client.experimental.tasks.cancelTask(taskId);
    assert.equal(task.status, 'cancelled');
  });
});

describe('a requested task', () => {
  test('is the answer, reports progress, and keeps its result', async () => {
    const task = await begin({ do: 'progress', done: 1, total: 2, note: 'half way' }, gate('one'), { do: 'write', body: 'done' });
    assert.deepEqual(Object.keys(task), ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttl', 'pollInterval']);
    assert.equal(task.status, 'working');
    const { taskId } = task;
    await until(async () => (await ask('tasks/get', { taskId })).result.statusMessage === 'half way', 'a word of its progress');
    let waited;
    const waiting = ask('tasks/result', { taskId }).then((message) => { waited = message; });
    await pause(100);
    assert.equal(waited, undefined, 'the result is waited for');
    await openGate('one');
    await waiting;
    assert.equal(waited.result.content.at(-1).text, 'done');
    assert.deepEqual(waited.result._meta, { [related]: { taskId } });
    assert.equal((await ask('tasks/get', { taskId })).result.status, 'completed');
    assert.deepEqual((await ask('tasks/result', { taskId })).result, waited.result, 'it can be fetched again');
  });

  test('whose tool fails has failed, with the tool\'s result', async () => {
    const { taskId } = await begin({ do: 'fail', code: 'not_found', message: 'no luck' });
    const { result } = await ask('tasks/result', { taskId });
    assert.equal(result.isError, true);
    assert.equal((await ask('tasks/get', { taskId })).result.status, 'failed');
  });

  test('is cancelled at once, and once', async () => {
    const { taskId } = await begin({ do: 'wait_cancel' });
    const waiting = ask('tasks/result', { taskId });
    assert.equal((await ask('tasks/cancel', { taskId })).result.status, 'cancelled');
    assert.equal((await waiting).error.message, 'The task was cancelled');
    assert.match(await refused('tasks/cancel', { taskId }, -32602), /has ended/);
  });

  test('cannot ask its client', async () => {
    const { taskId } = await begin(elicit());
    const { result } = await ask('tasks/result', { taskId });
    assert.deepEqual(result.structuredContent.journal.at(-1), lacking);
  });

  test('is another client\'s secret: an id alone is none, and the other form of tasks is apart', async () => {
    const { taskId } = await begin(gate('two'));
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      await refused(method, { taskId: `${taskId}0` }, -32602);
      await refused(method, { taskId: 7 }, -32602);
    }
    await openGate('two');
    await refused('tasks/list', {}, -32601);
    await refused('tasks/update', { taskId }, -32601);
  });

  test('needs a tool that knows tasks, and an object', async () => {
    assert.match(await refused('tools/call', { name: 'rounds', arguments: {}, task: 7 }, -32602), /params.task must be an object/);
    assert.match(await refused('tools/call', { name: 'no_such_tool', arguments: {}, task: {} }, -32602), /Unknown tool/);
  });

  test('outlives the request that waits for it', async () => {
    const { taskId } = await begin(gate('three'), { do: 'write', body: 'done' });
    const controller = new AbortController();
    const gone = fetch(server.url, {
      method: 'POST', signal: controller.signal,
      headers: { ...session.headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'gone', method: 'tasks/result', params: { taskId } }),
    }).then((answer) => answer.text());
    await pause(100);
    controller.abort();
    await assert.rejects(gone);
    await session.send({ method: 'notifications/cancelled', params: { requestId: 'gone' } });
    await openGate('three');
    assert.equal((await ask('tasks/result', { taskId })).result.content.at(-1).text, 'done');
  });
});
