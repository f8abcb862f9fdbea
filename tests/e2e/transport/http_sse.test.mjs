// The transport HTTP+SSE of 2024-11-05: the official client that knows nothing else, and bare HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { until } from '../lib/events.mjs';
import { accepted, elicit, found, need } from '../lib/rounds.mjs';
import { journal, noted, script, startScriptsFor } from '../lib/script.mjs';
import { BareSse } from '../lib/sse_client.mjs';

const scripts = ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-async'];
const me = { name: 'gantry-e2e', version: '1' };

async function connect(t, server, { capabilities = {}, headers = {} } = {}) {
  const client = new Client(me, { capabilities });
  client.onerror = () => {};
  t.after(() => client.close());
  await client.connect(new SSEClientTransport(new URL('/sse', server.url), {
    requestInit: { headers }, eventSourceInit: { fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }) },
  }));
  return client;
}

const metric = async (server, name) => Number(new RegExp(`^${name} (\\d+)`, 'm')
  .exec(await (await fetch(new URL('/metrics', server.url))).text())[1]);
const blocking = (...steps) => ({ name: 'script_blocking', arguments: script(...steps) });

test('the official client lists, calls with progress, and is told of changes', async (t) => {
  const server = await startScriptsFor(t, { plugins: [...scripts, 'script-rounds'] });
  const client = await connect(t, server);
  assert.ok((await client.listTools()).tools.some(({ name }) => name === 'script_blocking'));
  const steps = [];
  // This client drops progress that it reads in one piece with the answer.
  const pause = { do: 'sleep', ms: 100 };
  const result = await client.callTool(blocking({ do: 'progress', done: 1 }, pause, { do: 'progress', done: 2 }, pause),
    undefined, { onprogress: ({ progress }) => steps.push(progress) });
  assert.deepEqual(result.structuredContent, { journal: [0, 0] });
  assert.deepEqual(steps, [1, 2]);
  const news = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => { news.push(params.uri); });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => { news.push('tools'); });
  await client.subscribeResource({ uri: 'script://fixed' });
  await noted(server, 'rounds', { do: 'updated', uri: 'script://fixed' }, 'list_changed');
  await until(() => news.includes('script://fixed'), 'the update');
});

test('many calls at once get their own answers', async (t) => {
  const server = await startScriptsFor(t);
  const client = await connect(t, server);
  const results = await Promise.all(Array.from({ length: 200 }, (_, i) => client.callTool(
    { name: 'script_plain', arguments: script(...Array(i % 7).fill({ do: 'progress', done: 1 })) })));
  results.forEach(({ structuredContent }, i) => assert.equal(structuredContent.journal.length, i % 7));
});

test('a tool asks its client', async (t) => {
  const server = await startScriptsFor(t, { plugins: ['script-rounds'] });
  const client = await connect(t, server, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => accepted('Ada'));
  const { structuredContent, content } = await client.callTool({ name: 'rounds', arguments: script(elicit(), need) });
  const { journal } = structuredContent ?? JSON.parse(content[0].text);
  assert.deepEqual(journal, [found(accepted('Ada'))]);
});

test('the end of the connection ends the session and its calls', async (t) => {
  const server = await startScriptsFor(t);
  const client = await connect(t, server);
  assert.equal(await metric(server, 'gantry_sessions_active'), 1);
  client.callTool({ name: 'script_blocking', arguments: { as: 'left', ...script({ do: 'open', name: 'in' }, { do: 'wait_cancel', ms: 20_000 }) } }).catch(() => {});
  await noted(server, 'script_plain', { do: 'gate', name: 'in' });
  await client.close();
  await until(async () => (await metric(server, 'gantry_sessions_active')) === 0, 'the end of the session');
  const notes = [];
  await until(async () => {
    notes.push(...await journal(server, 'left'));
    return notes.includes('cancelled: 1');
  }, 'the cancellation');
});

/** A bare client that leaves with the test. */
async function bare(t, server, headers) {
  const client = await BareSse.open(server, headers);
  t.after(() => client.leave());
  return client;
}
const initialize = (id, protocolVersion = '2024-11-05') =>
  ({ id, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo: me } });

test('the bytes: an endpoint, 202 for each message, answers on the stream', async (t) => {
  const server = await startScriptsFor(t);
  const client = await bare(t, server);
  assert.deepEqual([client.status, client.type], [200, 'text/event-stream']);
  assert.equal(client.endpoint.pathname, '/messages');
  await client.post({ id: 1, method: 'tools/list' });
  assert.match((await client.answer(1)).error.message, /initialize first/);
  await client.post({ id: 2, method: 'ping' });
  assert.deepEqual((await client.answer(2)).result, {});
  const opened = await client.post(initialize(3));
  assert.deepEqual([opened.status, await opened.text()], [202, '']);
  assert.equal((await client.answer(3)).result.protocolVersion, '2024-11-05');
  assert.equal((await client.post({ method: 'notifications/initialized' })).status, 202);
  await client.post({ id: 4, method: 'tools/list' });
  assert.ok((await client.answer(4)).result.tools.length > 0);
  await client.post(initialize(5));
  assert.match((await client.answer(5)).error.message, /open another one/);
  await client.post({ id: 6, method: 'nothing' });
  assert.equal((await client.answer(6)).error.code, -32601);
  await client.post('[{"jsonrpc":"2.0","id":7,"method":"ping"}]');
  assert.match(client.text, /"id":6/);
});

test('bad messages and addresses are refused, and the session goes on', async (t) => {
  const server = await startScriptsFor(t);
  const client = await bare(t, server);
  await client.post(initialize(1, '2025-06-18'));
  assert.equal((await client.answer(1)).result.protocolVersion, '2025-06-18');
  const broken = await client.post('{"jsonrpc":');
  assert.deepEqual([broken.status, (await broken.json()).error.code], [400, -32700]);
  const plain = await client.post({ id: 2, method: 'ping' }, { 'content-type': 'text/plain' });
  assert.equal(plain.status, 415);
  for (const query of ['', '?sessionId=', '?sessionId=0', '?session=x']) {
    const answer = await fetch(new URL(`/messages${query}`, server.url),
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
    assert.equal(answer.status, 404, query);
    assert.match((await answer.json()).error.message, /GET \/sse/);
  }
  assert.equal((await fetch(new URL('/sse', server.url), { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).status, 405);
  assert.equal((await fetch(new URL('/sse', server.url), { headers: { accept: 'application/json' } })).status, 406);
  assert.equal((await fetch(new URL('/sse', server.url), { headers: { origin: 'http://evil.example' } })).status, 403);
  await client.post({ id: 9, method: 'ping' });
  assert.deepEqual((await client.answer(9)).result, {});
});

test('a session is its agent\'s alone', async (t) => {
  const server = await startScriptsFor(t, { env: { GANTRY_API_KEY: 'reader', GANTRY_ADMIN_KEY: 'operator' } });
  assert.equal((await fetch(new URL('/sse', server.url))).status, 401);
  const client = await bare(t, server, { authorization: 'Bearer reader' });
  assert.equal((await client.post(initialize(1), { authorization: 'Bearer operator' })).status, 404);
  assert.equal((await client.post(initialize(1), { authorization: 'Bearer nobody' })).status, 401);
  assert.equal((await client.post(initialize(1))).status, 202);
  assert.ok((await client.answer(1)).result);
});

test('its connections have the places of listeners, and end with the server', async (t) => {
  const server = await startScriptsFor(t, { config: { limits: { max_listeners: 1 } } });
  const client = await bare(t, server);
  assert.equal((await fetch(new URL('/sse', server.url))).status, 503);
  client.leave();
  await until(async () => {
    const again = await fetch(new URL('/sse', server.url));
    await again.body.cancel();
    return again.status === 200;
  }, 'the place comes back');
  await until(async () => (await metric(server, 'gantry_sessions_active')) === 0, 'the ends of the sessions');
  const last = await bare(t, server);
  await last.post(initialize(1));
  await last.answer(1);
  await server.stop();
  await until(() => last.isOver, 'the end of the stream');
});
