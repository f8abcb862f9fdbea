// A tool releases its client's connection before it answers. The official clients reconnect and get
// the answer, without any work of the calling code.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Server, noBuiltIns } from '../lib/gantryd.mjs';
import { testPlugin } from '../lib/script.mjs';

const me = { name: 'gantry-e2e', version: '1' };
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
const said = 'Reconnection test completed successfully.';

let server;
before(async () => {
  server = await Server.start({ flags: [...noBuiltIns, '--plugin', testPlugin('conformance')] });
});
after(() => server.stop());

/** Connected, with the Last-Event-ID of every GET the client makes. */
async function connect(client, Transport) {
  const resumed = [];
  const watched = (url, init) => {
    const id = new Headers(init?.headers).get('last-event-id');
    if (init?.method === 'GET' && id !== null) resumed.push(id);
    return fetch(url, init);
  };
  client.onerror = () => {};
  await client.connect(new Transport(server.url, { fetch: watched }));
  return { client, resumed };
}

const call = (client) => client.callTool({ name: 'test_reconnection', arguments: {} });
const text = (result) => result.content[0].text;

for (const [name, make, Transport] of [
  ['v1', () => new ClientV1(me), HttpV1],
  ['v2 as a legacy client', () => new ClientV2(me), HttpV2],
]) {
  describe(`${name}, whose connection the tool releases`, () => {
    test('reconnects and gets its answer', async () => {
      const { client, resumed } = await connect(make(), Transport);
      const result = await call(client);
      assert.notEqual(result.isError, true);
      assert.equal(text(result), said);
      assert.equal(resumed.length, 1);
      await client.close();
    });

    test('reconnects to each of several calls, and makes further calls', async () => {
      const { client, resumed } = await connect(make(), Transport);
      const results = await Promise.all([1, 2, 3, 4].map(() => call(client)));
      assert.deepEqual(results.map(text), [said, said, said, said]);
      assert.equal(new Set(resumed).size, 4);
      const greeting = await client.callTool({ name: 'greet', arguments: { name: 'World' } });
      assert.equal(text(greeting), 'Hello, World!');
      await client.close();
    });
  });
}

test('a modern client, which cannot resume, keeps its connection until the answer', async () => {
  const { client, resumed } = await connect(new ClientV2(me, modern), HttpV2);
  assert.equal(text(await call(client)), said);
  assert.deepEqual(resumed, []);
  await client.close();
});
