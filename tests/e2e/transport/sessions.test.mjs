// A legacy session survives a restart of the server and its idle time: the official clients work on
// without an initialize. One that its client has ended stays ended, and other agents never get in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { until } from '../lib/events.mjs';
import { Server } from '../lib/gantryd.mjs';
import { LegacySession } from '../lib/rpc.mjs';
import { scriptFlags } from '../lib/script.mjs';
import { EventStream } from '../lib/sse.mjs';
import { newState } from '../lib/trials.mjs';

const me = { name: 'gantry-e2e', version: '1' };

/** A server that ends with the test and can be started again on its port, with its state. */
async function start(t, { env, limits = {} } = {}) {
  const flags = [...scriptFlags({ plugins: ['script'], config: { limits } }), '--state', newState()];
  const first = await Server.start({ env, flags });
  let now = first;
  t.after(() => now.stop());
  return {
    url: first.url,
    port: first.port,
    restart: async (how = 'stop') => {
      await now[how]();
      now = await Server.start({ env, flags, listen: `127.0.0.1:${first.port}` });
    },
  };
}

const status = async (session) => (await session.request('ping')).status;
const end = async (server, session) => (await fetch(server.url, { method: 'DELETE', headers: session.headers })).status;

for (const [name, make, Transport] of [['v1', () => new ClientV1(me), HttpV1], ['v2', () => new ClientV2(me), HttpV2]]) {
  for (const how of ['stop', 'kill']) {
    test(`the official client ${name} works on after a restart (${how})`, async (t) => {
      const server = await start(t);
      const client = make();
      client.onerror = () => {};
      const changes = [];
      client.setNotificationHandler(name === 'v1' ? ToolListChangedNotificationSchema : 'notifications/tools/list_changed',
        () => { changes.push('tools'); });
      const initializes = [];
      await client.connect(new Transport(server.url, {
        fetch: (url, init) => {
          if (typeof init?.body === 'string' && init.body.includes('"initialize"')) initializes.push(init.body);
          return fetch(url, init);
        },
        reconnectionOptions: { initialReconnectionDelay: 50, maxReconnectionDelay: 200, reconnectionDelayGrowFactor: 1, maxRetries: 200 },
      }));
      const { tools } = await client.listTools();
      await server.restart(how);
      assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), tools.map((tool) => tool.name));
      await until(() => changes.length === 1, 'the news that the lists may have changed');
      assert.equal(initializes.length, 1);
      await client.close();
    });
  }
}

for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
  test(`a session of ${revision} keeps its revision over a restart, and stays ended after DELETE`, async (t) => {
    const server = await start(t);
    const [stays, ends] = [await LegacySession.open(server, revision), await LegacySession.open(server, revision)];
    assert.equal(await end(server, ends), 204);
    await server.restart();
    assert.equal(await status(stays), 200);
    assert.equal(await status(ends), 404);
    const batch = await fetch(server.url, {
      method: 'POST', body: '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      headers: { ...stays.headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    });
    assert.equal(batch.status, revision === '2025-03-26' ? 200 : 400);
    assert.equal(await end(server, stays), 204);
    assert.equal(await status(stays), 404);
    await server.restart();
    assert.equal(await status(stays), 404);
  });
}

test('a client that resumes its listening stream after a restart gets later messages', async (t) => {
  const server = await start(t);
  const session = await LegacySession.open(server);
  const stream = await EventStream.get(session);
  const { id } = await stream.next();
  await server.restart();
  const again = await EventStream.get(session, id);
  const seen = [await again.next(), await again.next(), await again.next()];
  assert.deepEqual(seen.map(({ message }) => message.method.split('/')[1]), ['tools', 'prompts', 'resources']);
  const lost = await EventStream.get(session, 's1-1');
  assert.equal((await lost.head()).status, 400);
  again.cut();
});

test('another agent cannot use a session of before a restart', async (t) => {
  const env = { GANTRY_API_KEY: 'reader', GANTRY_ADMIN_KEY: 'operator' };
  const server = await start(t, { env });
  const session = await LegacySession.open(server, '2025-11-25', { headers: { authorization: 'Bearer reader' } });
  await server.restart();
  const as = (key) => status(Object.assign(Object.create(LegacySession.prototype), session, { headers: { ...session.headers, authorization: `Bearer ${key}` } }));
  assert.equal(await as('operator'), 404);
  assert.equal(await as('nobody'), 401);
  assert.equal(await as('reader'), 200);
});

test('a server with another state directory does not know the session', async (t) => {
  const session = await LegacySession.open(await start(t));
  session.server = await start(t);
  assert.equal(await status(session), 404);
});
