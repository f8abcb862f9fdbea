// The two official TypeScript clients, in every era and over both transports, on the demo database.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Server, cleanEnvironment, ownFlags } from '../lib/gantryd.mjs';
import { gantryd } from '../lib/paths.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const me = { name: 'gantry-e2e', version: '1' };
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
const auto = { versionNegotiation: { mode: 'auto' } };
const expectedTools = [
  'get_all_schemas', 'get_schema', 'query_class', 'count_objects', 'get_object',
  'get_objects', 'get_sample_objects', 'explain_query', 'aggregate', 'group_by', 'group_by_date',
  'distinct', 'export_data', 'describe_access',
];

const db = demoDatabase();
let server;
before(async () => { server = await Server.start({ db }); });
after(() => server.stop());

const stdio = () => ({
  command: gantryd, args: ['--stdio', '--db', db, ...ownFlags()], env: cleanEnvironment(), stderr: 'ignore',
});

// name, a client that is not connected, its transport, the era it must end up in
const clients = [
  ['v1 over HTTP', () => new ClientV1(me), () => new HttpV1(server.url), 'legacy'],
  ['v1 over stdio', () => new ClientV1(me), () => new StdioV1(stdio()), 'legacy'],
  ['v2 as a legacy client over HTTP', () => new ClientV2(me), () => new HttpV2(server.url), 'legacy'],
  ['v2 as a legacy client over stdio', () => new ClientV2(me), () => new StdioV2(stdio()), 'legacy'],
  ['v2 pinned to 2026-07-28 over HTTP', () => new ClientV2(me, modern), () => new HttpV2(server.url), 'modern'],
  ['v2 pinned to 2026-07-28 over stdio', () => new ClientV2(me, modern), () => new StdioV2(stdio()), 'modern'],
  ['v2 that negotiates over HTTP', () => new ClientV2(me, auto), () => new HttpV2(server.url), 'modern'],
  ['v2 that negotiates over stdio', () => new ClientV2(me, auto), () => new StdioV2(stdio()), 'modern'],
];

for (const [name, makeClient, makeTransport, era] of clients) {
  describe(name, () => {
    let client;
    before(async () => {
      client = makeClient();
      client.onerror = () => {};
      await client.connect(makeTransport());
    });
    after(() => client.close());
    const call = (tool, args) => client.callTool({ name: tool, arguments: args });

    test(`ends up in the ${era} era`, () => {
      assert.equal(client.getProtocolEra?.() ?? 'legacy', era);
      assert.ok(client.getServerCapabilities().tools);
      assert.match(client.getServerVersion().name, /gantry/i);
    });

    test('lists every built-in tool with schemas, annotations and a category', async () => {
      const { tools } = await client.listTools();
      const byName = new Map(tools.map((tool) => [tool.name, tool]));
      assert.equal(tools[0].name, 'get_all_schemas');
      assert.ok(!byName.has('list_tools'), 'listed only beside many tools');
      for (const tool of expectedTools) {
        const { title, description, inputSchema, outputSchema, annotations, _meta } = byName.get(tool) ?? {};
        assert.ok(title && description, tool);
        assert.equal(inputSchema?.type, 'object', tool);
        assert.equal(outputSchema?.type, 'object', tool);
        assert.equal(annotations?.readOnlyHint, true, tool);
        assert.equal(typeof _meta?.category, 'string', tool);
      }
      assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), tools.map((tool) => tool.name));
    });

// After a list the clients check structured content against the output schema; so does this test.
    test('follows the catalog to a row and to the row that it points to', async () => {
      const catalog = (await call('get_all_schemas', {})).structuredContent;
      assert.ok(catalog.custom.some((entry) => entry.name === 'subdivisions'));
      const schema = (await call('get_schema', { class_name: 'subdivisions' })).structuredContent;
      const country = schema.fields.find((field) => field.name === 'country');
      assert.equal(country.target_class, 'countries');
      const found = (await call('query_class', {
        class_name: 'subdivisions', where: { country: 'CH', name: { $regex: '^Z' } }, order: 'name',
        include: ['country'],
      })).structuredContent;
      assert.deepEqual(found.results.map((row) => row.name), ['Zug', 'Zürich']);
      assert.equal(found.results[0].country.name, 'Switzerland');
      const { count } = (await call('count_objects',
        { class_name: 'subdivisions', where: { country: 'CH' } })).structuredContent;
      assert.equal(count, 26);
      const { object } = (await call('get_object', { class_name: 'countries', object_id: 'CH' })).structuredContent;
      assert.equal(object.flag, '🇨🇭');
    });

    test('carries the same JSON as text for clients that read no structured content', async () => {
      const result = await call('count_objects', { class_name: 'languages' });
      assert.equal(result.content[0].type, 'text');
      assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    });

    test('gets a wrong argument explained in a tool result', async () => {
      const result = await call('query_class', { class_name: 'countries', limt: 3 });
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /limt/);
      assert.match(result.content[0].text, /limit/);
    });

    test('gets a protocol error for an unknown tool', async () => {
      await assert.rejects(call('no_such_tool', {}), (error) => error.code === -32602);
    });

    test('does ten things at once', async () => {
      const counts = await Promise.all(Array.from({ length: 10 }, (_, i) => call(
        'query_class', { class_name: 'languages', order: 'alpha_3', limit: 1, skip: i })));
      const names = counts.map((result) => result.structuredContent.results[0].alpha_3);
      assert.equal(new Set(names).size, 10);
      assert.deepEqual(names, [...names].sort());
    });

    if (era === 'legacy') {
      test('is answered when it pings', async () => { assert.ok(await client.ping()); });
    } else {
      test('discovers the server', async () => {
        const found = await client.discover();
        assert.deepEqual(found.supportedVersions, ['2026-07-28']);
      });
    }
  });
}

test('a client that closes leaves the server to the others', async () => {
  const first = new ClientV1(me);
  await first.connect(new HttpV1(server.url));
  await first.close();
  const second = new ClientV2(me, modern);
  await second.connect(new HttpV2(server.url));
  assert.ok((await second.listTools()).tools.length >= expectedTools.length);
  await second.close();
});
