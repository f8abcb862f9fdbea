// A subscriber receives the changes that it asked for and may see, and no others: both eras, both
// transports, streams that open and close, clients that do not read, limits and shutdown.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Call, pause, until } from '../lib/events.mjs';
import { DeafListener, SessionStream, idKey, listen, listenBody, lists, told } from '../lib/listen.mjs';
import { LegacySession, modern, modernHeaders } from '../lib/rpc.mjs';
import { noted, scriptFlags, startScripts, startScriptsFor } from '../lib/script.mjs';
import { Stdio } from '../lib/stdio.mjs';

const fixed = 'script://fixed';
const thing = (id) => `script://things/a/${id}`;
const everyList = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
const plugins = ['script-rounds'];
const options = (limits) => ({ plugins, ...(limits ? { config: { limits } } : {}) });
const start = (limits) => startScripts(options(limits));
const startFor = (t, limits) => startScriptsFor(t, options(limits));

/** Makes the plugin carry out steps; returns its notes. */
const run = (server, ...steps) => noted(server, 'rounds', ...steps);
const updated = (uri, metadata) => ({ do: 'updated', uri, ...(metadata ? { metadata: JSON.stringify(metadata) } : {}) });

const tool = (name, extra = {}) => ({ kind: 'tool', name, description: 'D.', inputSchema: { type: 'object' }, ...extra });
const kept = [tool('rounds'), tool('rounds_journal')];
/** Replaces the plugin's offer by `rounds` and these items. */
const offer = (server, ...items) => run(server, { do: 'offer', items: JSON.stringify([...kept, ...items]) });

const watched = async (server) => (await run(server, 'watched'))[0];
const legacyRead = (session, method, uri) => session.request(`resources/${method}`, { uri });

describe('a modern client', () => {
  let server;
  before(async () => { server = await start(); });
  after(() => server.stop());

  test('must name its subscriptions', async () => {
    const { status, message } = await modern(server, 'subscriptions/listen', {});
    assert.equal(status, 200);
    assert.equal(message.error.code, -32602);
    assert.match(message.error.message, /params\.notifications/);
  });

  test('must accept an event stream', async () => {
    const { status, message } = await modern(server, 'subscriptions/listen', { notifications: everyList },
      { accept: 'application/json' });
    assert.equal(status, 406);
    assert.equal(message.error.code, -32000);
  });

  for (const id of [7, 'seven "7"']) {
    test(`receives the notifications that it asked for, with its id ${JSON.stringify(id)}`, async () => {
      const call = await listen(server, { resourceSubscriptions: [fixed, thing(1)] }, { id });
      assert.deepEqual(call.acknowledged, { resourceSubscriptions: [fixed, thing(1)] });
      assert.match(call.type, /^text\/event-stream/);
      await run(server, updated(fixed, { by: 'me' }), updated(thing(2)), updated(thing(1)), 'list_changed');
      await until(() => told(call).length === 2, 'two updates');
      assert.deepEqual(told(call), [
        ['resources/updated', { uri: fixed, _meta: { 'gantry/metadata': { by: 'me' } } }],
        ['resources/updated', { uri: thing(1) }],
      ]);
      await call.drop();
    });
  }

  test('is answered at once when it asks for nothing', async () => {
    const call = await listen(server, { toolsListChanged: false });
    assert.deepEqual(call.acknowledged, {});
    assert.deepEqual(await call.result(), { resultType: 'complete', _meta: { [idKey]: call.id } });
  });

  test('is not subscribed to resources that it may not read or that send no events', async () => {
    const asked = ['script://admin', 'script://public', 'script://unlisted/1', 'script://nowhere', fixed];
    const call = await listen(server, { resourceSubscriptions: asked });
    assert.deepEqual(call.acknowledged, { resourceSubscriptions: [fixed] });
    await call.drop();
  });

  test('cannot subscribe to a resource that cannot be read', async () => {
    const set = (steps) => run(server,
      { do: 'script', kind: 'resource', name: fixed, steps: JSON.stringify(steps) });
    await set([{ do: 'fail', code: 'access_denied', message: 'No.', status: -5 }, { do: 'return', status: -5 }]);
    const call = await listen(server, { resourceSubscriptions: [fixed] });
    assert.deepEqual(call.acknowledged, {});
    await call.result();
    await set([]);
  });

  test('receives one message per change for each list it asked for', async () => {
    const all = await listen(server, everyList);
    const tools = await listen(server, { toolsListChanged: true });
    await offer(server, tool('one'), tool('two'), { kind: 'prompt', name: 'p', description: 'P.' });
    await until(() => told(all).length >= 3, 'three lists');
    await offer(server, tool('one'), tool('two'), { kind: 'prompt', name: 'p', description: 'P.' });  // the same
    await offer(server, tool('one'), tool('three'));
    await until(() => lists(all, 'tools') === 2 && lists(all, 'prompts') === 2, 'two more');
    await pause(100);
    assert.equal(lists(all, 'tools'), 2);
    assert.equal(lists(all, 'prompts'), 2);
    assert.equal(lists(all, 'resources'), 1);
    assert.deepEqual(told(tools).map(([method]) => method), ['tools/list_changed', 'tools/list_changed']);
    await offer(server, tool('one'), tool('three'), tool('high', { permission: 'admin' }));
    await pause(100);
    assert.equal(lists(tools, 'tools'), 2, 'a tool for admins changed no list of this agent');
    await Promise.all([all.drop(), tools.drop()]);
  });
});

describe('a burst of changes', () => {
  let server;
  before(async () => { server = await start(); });
  after(() => server.stop());
  const prompt = { kind: 'prompt', name: 'p', description: 'P.' };
  const offered = (...items) => ({ do: 'offer', items: JSON.stringify([...kept, ...items]) });
  const both = async () => {
    await offer(server);
    await pause(300);
    const session = await LegacySession.open(server);
    const stream = await SessionStream.open(session);
    const call = await listen(server, everyList);
    const methods = () => stream.messages.map(({ method }) => method.replace('notifications/', ''));
    return { call, stream, methods, drop: () => Promise.all([call.drop(), stream.drop()]) };
  };

  // On a busy machine a burst may last longer than changes are gathered: one of a few must not.
  const burst = async (expected, ...offers) => {
    let heard;
    for (let left = 5; left > 0; --left) {
      const { call, methods, drop } = await both();
      await run(server, ...offers);
      await until(() => Math.min(told(call).length, methods().length) >= expected.length, 'every list');
      await pause(500);
      heard = [told(call).map(([method]) => method).sort(), methods().sort()];
      await drop();
      if (isDeepStrictEqual(heard, [expected, expected])) return;
    }
    assert.deepEqual(heard, [expected, expected]);
  };

  test('is one message for each list that differs, in both eras', () => burst(['prompts/list_changed', 'tools/list_changed'],
    offered(tool('a')), offered(tool('a'), prompt), offered(tool('a'), tool('b'), prompt)));

  test('sends nothing when the lists end as they began', () => burst([],
    offered(tool('a')), offered(tool('a'), prompt), offered()));

  test('sends nothing when no client may see the changed items', async () => {
    const { call, methods, drop } = await both();
    await run(server, { do: 'offer', items: JSON.stringify(kept.map((item) => ({ ...item, timeout_ms: 4321 }))) });
    await pause(500);
    assert.deepEqual([told(call), methods()], [[], []]);
    await drop();
  });

  test('that does not end is reported all the same', async () => {
    const { call, drop } = await both();
    const begun = Date.now();
    const seconds = () => (Date.now() - begun) / 1000;
    const count = () => lists(call, 'tools');
    for (let i = 0; seconds() < 1 || (count() < 2 && seconds() < 20); ++i) await offer(server, tool(`t${i % 7}`));
    assert.ok(count() >= 2 && count() <= 8 * seconds(), `${count()} messages in ${seconds()} s of changes`);
    await drop();
  });

  test('of the lists of templates is one message, too', async () => {
    const { call, methods, drop } = await both();
    await offer(server, { kind: 'resource_template', name: 'things', uriTemplate: 'script://things/{kind}/{id}', lists: true, description: 'D.' });
    await until(() => lists(call, 'resources') === 1, 'the template');
    await run(server, ...Array.from({ length: 20 }, () => 'list_changed'));
    await until(() => lists(call, 'resources') === 2, 'the list');
    await pause(400);
    assert.equal(lists(call, 'resources'), 2);
    assert.equal(methods().filter((method) => method === 'resources/list_changed').length, 2);
    await drop();
  });
});

describe('a deleted resource', () => {
  let server;
  before(async () => { server = await start(); });
  after(() => server.stop());

  test('is reported once, ends its subscriptions and changes the list', async () => {
    const call = await listen(server, { resourcesListChanged: true, resourceSubscriptions: [thing(1)] });
    const only = await listen(server, { resourceSubscriptions: [thing(1)] });
    const session = await LegacySession.open(server);
    const stream = await SessionStream.open(session);
    assert.deepEqual((await legacyRead(session, 'subscribe', thing(1))).message.result, {});
    assert.deepEqual(await watched(server), [thing(1)]);
    await run(server, { do: 'deleted', uri: thing(1), metadata: '{"why":"old"}' }, updated(thing(1)));
    const meta = { 'gantry/metadata': { why: 'old' }, 'gantry/deleted': true };
    await until(() => told(call).length === 2 && stream.messages.length === 2, 'both messages');
    await pause(100);
    assert.deepEqual(told(call), [
      ['resources/updated', { uri: thing(1), _meta: meta }], ['resources/list_changed', {}],
    ]);
    assert.deepEqual(stream.messages, [
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: thing(1), _meta: meta } },
      { jsonrpc: '2.0', method: 'notifications/resources/list_changed' },
    ]);
    await only.result();
    assert.deepEqual(await watched(server), []);
    await Promise.all([call.drop(), stream.drop()]);
  });
});

describe('a task', () => {
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };

  test('is listened to by a client that knows tasks', async (t) => {
    const server = await startFor(t);
    const steps = [{ do: 'task' }, { do: 'gate', name: 'go' }];
    const begun = await modern(server, 'tools/call', { name: 'rounds', arguments: { steps }, _meta: meta });
    const { taskId } = begun.message.result;
    const refused = await modern(server, 'subscriptions/listen', { notifications: { taskIds: [taskId] } });
    assert.equal(refused.status, 400);
    assert.equal(refused.message.error.code, -32021);
    const call = await listen(server, { taskIds: [taskId, 'unknown'] }, { capabilities });
    assert.deepEqual(call.acknowledged, { taskIds: [taskId] });
    await run(server, { do: 'open', name: 'go' });
    await until(() => told(call).length > 0, 'the end of the task');
    const [[method, task]] = told(call);
    assert.equal(method, 'tasks');
    assert.deepEqual([task.taskId, task.status, task.result.isError], [taskId, 'completed', false]);
    await call.drop();
    await server.stop();
  });
});

describe('a legacy session', () => {
  let server;
  before(async () => { server = await start(); });
  after(() => server.stop());

  test('gets updates of its subscriptions on its GET stream until it unsubscribes', async () => {
    const [session, other] = [await LegacySession.open(server), await LegacySession.open(server, '2024-11-05')];
    const [stream, quiet] = [await SessionStream.open(session), await SessionStream.open(other)];
    assert.equal(session.opened.capabilities.resources.subscribe, true);
    for (let i = 0; i < 2; ++i) {
      assert.deepEqual((await legacyRead(session, 'subscribe', fixed)).message.result, {});
    }
    await run(server, updated(fixed, { n: 1 }), updated(thing(1)));
    await until(() => stream.messages.length === 1, 'the update');
    assert.deepEqual(stream.messages[0], {
      jsonrpc: '2.0', method: 'notifications/resources/updated',
      params: { uri: fixed, _meta: { 'gantry/metadata': { n: 1 } } },
    });
    assert.deepEqual((await legacyRead(session, 'unsubscribe', fixed)).message.result, {});
    await run(server, updated(fixed));
    await offer(server, tool('new'));
    await until(() => stream.messages.length >= 2 && quiet.messages.length >= 1, 'the changed list');
    assert.equal(stream.messages[1].method.endsWith('list_changed'), true);
    assert.ok(quiet.messages.every(({ method }) => method.endsWith('list_changed')));
    await Promise.all([stream.drop(), quiet.drop()]);
  });

  test('is refused as a read would be', async () => {
    const own = await start();
    const session = await LegacySession.open(own);
    const code = async (uri) => (await legacyRead(session, 'subscribe', uri)).message.error;
    assert.equal((await code('script://nowhere')).code, -32002);
    assert.equal((await code('script://admin')).code, -32002);
    assert.equal((await code('script://public')).code, -32602);
    assert.match((await code('script://public')).message, /does not report changes/);
    await own.stop();
  });

  test('leaves nothing behind when it ends', async () => {
    const own = await start();
    const session = await LegacySession.open(own);
    await Promise.all([fixed, thing(1), thing(2)].map((uri) => legacyRead(session, 'subscribe', uri)));
    assert.equal((await watched(own)).length, 3);
    await fetch(own.url, { method: 'DELETE', headers: session.headers });
    assert.deepEqual(await watched(own), []);
    await own.stop();
  });
});

describe('limits', () => {
  test('of listeners: one more gets 503, and a closed stream frees its place', async (t) => {
    const server = await startFor(t, { max_listeners: 2 });
    const first = await listen(server, everyList);
    const second = await listen(server, everyList);
    const body = listenBody(everyList);
    const refused = Call.post(server.url, body, modernHeaders(body));
    const answer = await refused.answer;
    assert.equal(refused.status, 503);
    assert.deepEqual(answer.error, { code: -32000, message: 'server busy' });
    await first.drop();
    await until(async () => {
      const again = Call.post(server.url, { ...body, id: 'again' }, modernHeaders(body));
      await until(() => again.status, 'an answer');
      await again.drop();
      return again.status === 200;
    }, 'the place of the client that left');
    await second.drop();
    await server.stop();
  });

  test('of subscriptions in both eras, named', async (t) => {
    const server = await startFor(t, { max_subscriptions: 2, max_subscribing_sessions: 1 });
    const three = { notifications: { resourceSubscriptions: [1, 2, 3].map(thing) } };
    const { message } = await modern(server, 'subscriptions/listen', three);
    assert.equal(message.error.code, -32602);
    assert.match(message.error.message, /at most 2/);
    const [one, two] = [await LegacySession.open(server), await LegacySession.open(server)];
    for (const id of [1, 2]) assert.deepEqual((await legacyRead(one, 'subscribe', thing(id))).message.result, {});
    const third = (await legacyRead(one, 'subscribe', thing(3))).message.error;
    assert.equal(third.code, -32602);
    assert.match(third.message, /at most 2 resources/);
    const other = (await legacyRead(two, 'subscribe', thing(1))).message.error;
    assert.equal(other.code, -32602);
    assert.match(other.message, /At most 1 sessions/);
    await server.stop();
  });
});

describe('a client that does not read', () => {
  const big = JSON.stringify({ fill: 'x'.repeat(15000) });
  const flood = { do: 'updated', uri: thing(0), metadata: big, times: 1500 };  // more than any system buffers

  test('gets the latest of the waiting messages once it reads', async (t) => {
    const server = await startFor(t);
    const deaf = await DeafListener.open(server, { resourceSubscriptions: [thing(0), thing(1)] });
    await until(async () => (await watched(server)).length === 2, 'the subscription');
    await run(server, flood);
    await run(server, updated(thing(1), { n: 1 }), updated(thing(1), { n: 2 }));
    const reading = deaf.read();
    await until(() => deaf.text.includes('{"n":2}'), 'the last update');
    assert.ok(!deaf.text.includes('{"n":1}'), 'which replaced the one before');
    await server.stop();
    assert.ok((await reading).includes(`"id":${deaf.id},"result"`));
  });

  test('is disconnected when too much waits, without effect on other clients', async (t) => {
    const server = await startFor(t, { max_stream_notifications: 4 });
    const uris = Array.from({ length: 6 }, (_, id) => thing(id));
    const quick = await listen(server, { resourceSubscriptions: uris });
    const deaf = await DeafListener.open(server, { resourceSubscriptions: uris });
    await until(async () => (await watched(server)).length === 6, 'the subscriptions');
    await pause(300);
    await run(server, flood);
    const late = () => told(quick).filter(([, { _meta }]) => _meta['gantry/metadata'].late).length;
    for (const [i, uri] of uris.entries()) {  // one by one: six at once exceed every client's bound
      await run(server, updated(uri, { late: true }));
      await until(() => late() === i + 1, 'the update');
    }
    const text = await deaf.read();
    assert.ok(text.includes(`"id":${deaf.id},"result"`), 'an ended stream says so');
    assert.ok(!text.includes('"late":true'));
    await quick.drop();
    await server.stop();
  });
});

describe('while streams open and close', () => {
  test('each open one gets every change once, with its own id', { timeout: 60000 }, async (t) => {
    const server = await startFor(t);
    const stays = await Promise.all(Array.from({ length: 20 }, () => listen(server, { toolsListChanged: true })));
    const sessions = await Promise.all(Array.from({ length: 5 }, () => LegacySession.open(server)));
    const streams = await Promise.all(sessions.map((session) => SessionStream.open(session)));
    let done = false;
    const guests = Array.from({ length: 4 }, async () => {
      while (!done) {
        const guest = await listen(server, { toolsListChanged: true, resourceSubscriptions: [fixed] });
        await pause(Math.random() * 20);
        told(guest);  // checks the ids
        await guest.drop();
      }
    });
    const changes = 20;
    const resources = [{ kind: 'resource', name: 'fixed', uri: fixed, subscribe: true, description: 'D.' }];
    for (let i = 0; i < changes; ++i) {
      await offer(server, ...resources, tool(`tool_${i}`));
      await run(server, updated(fixed));
      await until(() => stays.every((call) => lists(call, 'tools') === i + 1), 'the change on every stream');
    }
    done = true;
    await Promise.all(guests);
    const toldOf = (stream) => stream.messages.filter(({ method }) => method === 'notifications/tools/list_changed').length;
    await until(() => stays.every((call) => lists(call, 'tools') === changes), 'every change on every stream');
    await until(() => streams.every((stream) => toldOf(stream) === changes), 'every change in every session');
    assert.ok(stays.every((call) => told(call).length === changes));
    await until(async () => (await watched(server)).length === 0, 'no subscription left behind');
    await Promise.all([...stays, ...streams].map((stream) => stream.drop()));
    await server.stop();
  });
});

describe('at the end of the server', () => {
  test('a listening request is answered', async (t) => {
    const server = await startFor(t);
    const call = await listen(server, everyList, { id: 'last' });
    await server.stop();
    assert.deepEqual(await call.result(), { resultType: 'complete', _meta: { [idKey]: 'last' } });
  });
});

describe('over standard input and output', () => {
  const pipe = () => Stdio.start({ flags: scriptFlags({ plugins }) });
  const meta = (message) => message.params._meta[idKey];
  const call = (id, ...steps) => ({
    ...listenBody({}, { id }), method: 'tools/call',
    params: { ...listenBody({}).params, name: 'rounds', arguments: { steps } },
  });

  test('a modern client listens, cancels, and gets nothing more for that id', async () => {
    const client = pipe();
    client.send(listenBody({ resourceSubscriptions: [fixed] }, { id: 'a' }));
    client.send(listenBody({ resourceSubscriptions: [fixed] }, { id: 2 }));
    assert.deepEqual(new Set([meta(await client.receive()), meta(await client.receive())]), new Set(['a', 2]));
    await client.request(call('c1', updated(fixed)));
    const heard = [await client.receive(), await client.receive()];
    assert.deepEqual(new Set(heard.map(meta)), new Set(['a', 2]));
    client.send({ method: 'notifications/cancelled', params: { requestId: 'a' } });
    await client.request(call('c2', updated(fixed)));
    assert.equal(meta(await client.receive()), 2);
    await client.end();
    assert.equal(client.messages.some(({ id, params }) => id === 'a' || params?._meta?.[idKey] === 'a'), false);
  });

  test('a stop ends a subscription with its result', async () => {
    const client = pipe();
    client.send(listenBody(everyList, { id: 'a' }));
    assert.equal(meta(await client.receive()), 'a');
    client.child.kill('SIGTERM');
    await client.ended;
    assert.deepEqual(client.messages, [
      { jsonrpc: '2.0', id: 'a', result: { resultType: 'complete', _meta: { [idKey]: 'a' } } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } },
    ]);
  });

  test('a legacy client gets notifications on the same channel once it is initialized', async () => {
    const client = pipe();
    await client.request({
      id: 1, method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } },
    });
    client.send({ method: 'notifications/initialized' });
    const request = (id, method, params) => client.request({ id, method, params });
    assert.deepEqual((await request(2, 'resources/subscribe', { uri: fixed })).result, {});
    await request(3, 'tools/call', { name: 'rounds', arguments: { steps: [updated(fixed), { do: 'list_changed' }] } });
    assert.deepEqual([await client.receive(), await client.receive()].map(({ method }) => method),
      ['notifications/resources/updated', 'notifications/resources/list_changed']);
    await client.end();
  });
});
