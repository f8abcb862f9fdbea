// Calls that a tool turns into tasks: fetched, answered, cancelled and expired.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pause, until } from '../lib/events.mjs';
import { listen, told } from '../lib/listen.mjs';
import { call, envelope, modernBody, modernHeaders } from '../lib/rpc.mjs';
import {
  AskedSession, accepted, calling, elicit, found, keep, need, once, open, roundsFlags, sample, sampled, startRounds,
  state,
} from '../lib/rounds.mjs';
import { Stdio } from '../lib/stdio.mjs';
import { Wire, postBytes } from '../lib/wire.mjs';

const extension = { 'io.modelcontextprotocol/tasks': {} };
const capabilities = { elicitation: {}, sampling: {}, extensions: extension };
const task = { do: 'task' };
const gate = (name) => ({ do: 'gate', name });

let server;
before(async () => { server = await startRounds(); });
after(() => server.stop());

const ask = (method, params, at = server) => once(at, method, params, { capabilities });
const openGate = (name, at = server) => call(at, 'rounds', { steps: [{ do: 'open', name }] });
const takeJournal = async (as = 'me', at = server) =>
  (await call(at, 'rounds_journal', { as })).structuredContent.journal;

/** Begins a task; returns the call's answer. */
async function begin(steps, at = server, as = 'me') {
  const { message } = await ask('tools/call', { name: 'rounds', arguments: { as, steps: [task, ...steps] } }, at);
  assert.equal(message.result?.resultType, 'task', JSON.stringify(message));
  return message.result;
}

async function get(taskId, at = server) {
  const { status, message } = await ask('tasks/get', { taskId }, at);
  assert.equal(status, 200);
  assert.equal(message.result?.resultType, 'complete', JSON.stringify(message));
  return message.result;
}

const reaches = (taskId, status, at = server) => until(async () => {
  const now = await get(taskId, at);
  return now.status === status && now;
}, `the status ${status}`);

async function unknown(method, taskId, more = {}, at = server) {
  const { status, message } = await ask(method, { taskId, ...more }, at);
  assert.equal(status, 200);
  assert.equal(message.error?.code, -32602, JSON.stringify(message));
}

const accepts = async (method, params, at = server) => {
  const { message } = await ask(method, params, at);
  assert.deepEqual(Object.keys(message.result ?? message.error), ['resultType', '_meta']);
};

describe('a call', () => {
  test('that becomes a task returns the task, which can be fetched at once and ends with its result', async () => {
    const begun = await begin([{ do: 'progress', done: 1, total: 2, note: 'half way' }, gate('begun'), { do: 'write', body: 'done' }]);
    const { taskId, ttlMs, pollIntervalMs, createdAt, lastUpdatedAt } = begun;
    assert.match(taskId, /^\S{20,}$/);
    assert.equal(begun.status, 'working');
    assert.equal(ttlMs, 600_000);
    assert.ok(Number.isInteger(pollIntervalMs) && pollIntervalMs > 0);
    for (const at of [createdAt, lastUpdatedAt]) assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
    for (const member of ['task', 'requestState', 'inputRequests', 'result', 'content']) assert.equal(begun[member], undefined);
    const working = await until(async () => {
      const now = await get(taskId);
      return now.statusMessage && now;
    }, 'a word of its progress');
    assert.deepEqual([working.status, working.statusMessage, working.result], ['working', 'half way', undefined]);
    await openGate('begun');
    const done = await reaches(taskId, 'completed');
    assert.equal(done.result.isError, false);
    assert.equal(done.result.content.at(-1).text, 'done');
    assert.equal(done.createdAt, createdAt);
    assert.deepEqual((await get(taskId)).result, done.result, 'it can be fetched again');
    await takeJournal();
  });

  test('that fails as a tool completes with that failure', async () => {
    const { taskId } = await begin([{ do: 'fail', code: 'nothing', message: 'Nothing there.' }]);
    const { result, error } = await reaches(taskId, 'completed');
    assert.equal(error, undefined);
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /Nothing there/);
    await takeJournal();
  });

  test('continues when its client disconnects', async () => {
    const params = calling(task, gate('alone'), { do: 'cancelled' });
    const body = modernBody('tools/call', { ...params, _meta: { 'io.modelcontextprotocol/clientCapabilities': capabilities } });
    const wire = await Wire.open(server.port);
    await wire.write(postBytes(server.port, JSON.stringify(body), modernHeaders(body)));
    const { taskId } = JSON.parse((await wire.read()).text).result;
    wire.close();
    await pause(100);
    await openGate('alone');
    const { result } = await reaches(taskId, 'completed');
    assert.deepEqual(result.structuredContent.journal, [0, true, 0]);
    await takeJournal();
  });

  test('stays a call for a client without the extension', async () => {
    const { message } = await once(server, 'tools/call', calling(task), { capabilities: {} });
    assert.deepEqual(message.result.structuredContent.journal, [-9]);
    await takeJournal();
    const needs = await once(server, 'tools/call', calling(task, { do: 'return', status: -9 }), { capabilities: {} });
    assert.equal(needs.status, 400);
    assert.equal(needs.message.error.code, -32021);
    assert.deepEqual(needs.message.error.data, { requiredCapabilities: { extensions: extension } });
    await takeJournal();
    const legacy = await AskedSession.open(server, '2025-11-25', capabilities);
    const result = await legacy.run(task).result();
    assert.deepEqual(result.structuredContent.journal, [-9]);
    await takeJournal();
  });
});

describe('a task that asks', () => {
  test('is answered piece by piece and continues', async () => {
    const { taskId } = await begin([state, keep('kept'), elicit('a'), elicit('b'), sample('c'), need, elicit('d'), need]);
    const asking = await reaches(taskId, 'input_required');
    assert.deepEqual(Object.keys(asking.inputRequests).sort(), ['a', 'b', 'c']);
    assert.equal(asking.inputRequests.a.params.message, 'a?');
    await accepts('tasks/update', { taskId, inputResponses: { b: accepted('B'), unknown: accepted('x') } });
    const left = await get(taskId);
    assert.deepEqual([left.status, Object.keys(left.inputRequests).sort()], ['input_required', ['a', 'c']]);
    await accepts('tasks/update', { taskId, inputResponses: {} });
    await accepts('tasks/update', { taskId, inputResponses: { a: accepted('A'), b: accepted('too late'), c: sampled } });
    const more = await until(async () => {
      const now = await get(taskId);
      return now.inputRequests?.d && now;
    }, 'the next question');
    assert.deepEqual(Object.keys(more.inputRequests), ['d']);
    await accepts('tasks/update', { taskId, inputResponses: { d: accepted('D') } });
    const { result, inputRequests } = await reaches(taskId, 'completed');
    assert.equal(inputRequests, undefined);
    assert.deepEqual(result.structuredContent.journal.slice(-7),
      [0, 'kept', 0, ...[accepted('A'), accepted('B'), sampled, accepted('D')].map(found)]);
    await takeJournal();
  });

  test('notifies subscribers of each status', async () => {
    const { taskId } = await begin([elicit(), need]);
    await reaches(taskId, 'input_required');
    const heard = await listen(server, { taskIds: [taskId, 'tk_unknown'] }, { capabilities });
    assert.deepEqual(heard.acknowledged, { taskIds: [taskId] });
    await accepts('tasks/update', { taskId, inputResponses: { person: accepted('Ada') } });
    await until(() => told(heard).at(-1)?.[1].status === 'completed', 'the end');
    const notes = told(heard);
    assert.deepEqual(notes.map(([method, { taskId: id, status }]) => [method, id, status]),
      [['tasks', taskId, 'working'], ['tasks', taskId, 'completed']]);
    assert.deepEqual(notes.at(-1)[1].result.structuredContent.journal.at(-1), found(accepted('Ada')));
    await heard.drop();
    await takeJournal();
  });

  test('needs answers to be updated', async () => {
    const { taskId } = await begin([elicit(), need]);
    await reaches(taskId, 'input_required');
    await unknown('tasks/update', taskId);
    await unknown('tasks/update', taskId, { inputResponses: [] });
    await accepts('tasks/cancel', { taskId });
    await reaches(taskId, 'cancelled');
    await takeJournal();
  });
});

describe('cancelling', () => {
  test('reaches the tool, and may be repeated', async () => {
    const before = server.stderr.length;
    const { taskId } = await begin([{ do: 'wait_cancel' }], server, 'cancelled');
    await accepts('tasks/cancel', { taskId });
    const ended = await reaches(taskId, 'cancelled');
    assert.deepEqual([ended.result, ended.error], [undefined, undefined]);
    await until(async () => (await takeJournal('cancelled')).includes('cancelled: 1'), 'that the tool noticed');
    await accepts('tasks/cancel', { taskId });
    await accepts('tasks/update', { taskId, inputResponses: { person: accepted('late') } });
    assert.equal((await get(taskId)).status, 'cancelled');
    await until(() => /tool=rounds .*success=false .*error_code=cancelled/.test(server.stderr.slice(before)), 'its row in the log');
  });

  test('a task that waits for answers does not enter it again', async () => {
    const { taskId } = await begin([elicit(), need], server, 'waiting');
    await reaches(taskId, 'input_required');
    await accepts('tasks/cancel', { taskId });
    await reaches(taskId, 'cancelled');
    await accepts('tasks/update', { taskId, inputResponses: { person: accepted('late') } });
    await pause(100);
    assert.deepEqual(await takeJournal('waiting'), [0, open]);
  });

  test('a task that is done changes nothing', async () => {
    const { taskId } = await begin([]);
    await reaches(taskId, 'completed');
    await accepts('tasks/cancel', { taskId });
    assert.equal((await get(taskId)).status, 'completed');
    await takeJournal();
  });
});

describe('tasks/…', () => {
  const methods = [['tasks/get', {}], ['tasks/update', { inputResponses: {} }], ['tasks/cancel', {}]];

  test('of an unknown id are refused', async (t) => {
    const { taskId } = await begin([]);
    const { taskId: foreign } = await begin([]);
    for (const id of [`${taskId}0`, taskId.slice(0, -1), taskId.toUpperCase(), 'tk_', '0', `tk_${'0'.repeat(32)}`]) {
      for (const [method, more] of methods) await unknown(method, id, more);
    }
    assert.notEqual(foreign, taskId);
    const keyed = await startRounds({ env: { GANTRY_API_KEY: 'sesame' } });
    t.after(() => keyed.stop());
    const { status, message } = await once(keyed, 'tasks/get', { taskId }, { capabilities, headers: { 'x-mcp-api-key': 'sesame' } });
    assert.deepEqual([status, message.error.code], [200, -32602]);
    await takeJournal();
  });

  test('need an id that is a text', async () => {
    for (const [method, more] of methods) {
      const { message } = await once(server, method, { taskId: 7, ...more }, { capabilities, headers: { 'mcp-name': '7' } });
      assert.equal(message.error.code, -32602);
    }
  });

  test('must name the task in the header', async () => {
    const { taskId } = await begin([]);
    const { status, message } = await once(server, 'tasks/get', { taskId }, { capabilities, headers: { 'mcp-name': 'tk_other' } });
    assert.deepEqual([status, message.error.code], [400, -32020]);
    await takeJournal();
  });

  test('are for clients that know the extension', async () => {
    const { taskId } = await begin([]);
    for (const [method, more] of methods) {
      const { status, message } = await once(server, method, { taskId, ...more }, { capabilities: {} });
      assert.deepEqual([status, message.error.code], [400, -32021]);
      assert.deepEqual(message.error.data, { requiredCapabilities: { extensions: extension } });
    }
    await takeJournal();
  });

  test('of the old draft are unknown methods', async () => {
    for (const method of ['tasks/list', 'tasks/result']) {
      const { status, message } = await ask(method, {});
      assert.deepEqual([status, message.error.code], [404, -32601]);
    }
    const legacy = await AskedSession.open(server, '2025-06-18');
    assert.equal(legacy.session.opened.capabilities.tasks, undefined);
    assert.equal((await legacy.session.request('tasks/get', { taskId: 'x' })).message.error.code, -32601);
  });

  test('are announced', async () => {
    const { message } = await ask('server/discover', {});
    assert.deepEqual(message.result.capabilities.extensions, extension);
  });
});

describe('limits', () => {
  for (const limits of [{ max_tasks: 2 }, { max_tasks_per_agent: 2 }]) {
    test(`of tasks that are kept: ${Object.keys(limits)}`, async (t) => {
      const own = await startRounds({ limits: { ...limits, task_ttl_ms: 400 } });
      t.after(() => own.stop());
      const kept = await begin([gate('end')], own, 'one');
      await begin([gate('end')], own, 'two');
      const { message } = await ask('tools/call', calling(task), own);
      assert.deepEqual(message.result.structuredContent.journal, [-7], 'the tool is told that there is no room');
      await openGate('end', own);
      await reaches(kept.taskId, 'completed', own);
      await pause(600);
      await begin([], own, 'three');
      await own.stop();
    });
  }

  test('of the time that a finished task is kept and that an unanswered one waits', async (t) => {
    const own = await startRounds({ limits: { task_ttl_ms: 400 } });
    t.after(() => own.stop());
    const done = await begin([], own, 'done');
    const asking = await begin([elicit(), need], own, 'asking');
    assert.equal(done.ttlMs, 400);
    await reaches(done.taskId, 'completed', own);
    await reaches(asking.taskId, 'input_required', own);
    await pause(200);
    await get(done.taskId, own);
    await reaches(asking.taskId, 'cancelled', own);
    await pause(600);
    for (const { taskId } of [done, asking]) await unknown('tasks/get', taskId, {}, own);
    await own.stop();
  });
});

describe('a server that stops', () => {
  test('gives its tasks the grace period, cancels those that remain, and ends with code 0', async (t) => {
    const own = await startRounds({ config: { shutdown_grace_ms: 1000 } });
    t.after(() => own.stop());
    await begin([{ do: 'wait_cancel' }], own, 'running');
    const asking = await begin([elicit(), need], own, 'asking');
    await reaches(asking.taskId, 'input_required', own);
    const began = Date.now();
    await own.stop();
    assert.ok(Date.now() - began < 8000);
  });
});

describe('over standard input and output', () => {
  test('a task is begun, listened to and fetched', async () => {
    const pipe = Stdio.start({ flags: roundsFlags() });
    const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
    const request = (id, method, params) => pipe.request(modernBody(method, { ...params, _meta: meta }, id));
    const steps = [task, elicit(), need];
    const { taskId } = (await request(1, 'tools/call', { name: 'rounds', arguments: { steps } })).result;
    pipe.send({ id: 'ears', method: 'subscriptions/listen', params: { notifications: { taskIds: [taskId] }, _meta: envelope(meta) } });
    const { params } = await pipe.receive(({ method }) => method === 'notifications/subscriptions/acknowledged');
    assert.deepEqual(params.notifications, { taskIds: [taskId] });
    for (const end = Date.now() + 5000; ;) {
      const { result } = await request(`get ${Date.now()}`, 'tasks/get', { taskId });
      if (result.status === 'input_required') break;
      assert.ok(Date.now() < end);
    }
    await request(3, 'tasks/update', { taskId, inputResponses: { person: accepted('Ada') } });
    await pipe.receive(({ method, params: of }) => method === 'notifications/tasks' && of.status === 'completed');
    const { result } = await request(4, 'tasks/get', { taskId });
    assert.deepEqual(result.result.structuredContent.journal.at(-1), found(accepted('Ada')));
    await pipe.end();
  });
});
