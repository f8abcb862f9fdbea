// query_sql: the two official clients ask a governed shop, and get what every other read gets.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { gantry } from '../lib/gantry.mjs';
import { Server } from '../lib/gantryd.mjs';
import { Governed } from '../lib/governed.mjs';
import { scratch } from '../lib/paths.mjs';
import { ask, modernBody, modernHeaders, modernRevision, refused } from '../lib/rpc.mjs';
import { demoDatabase } from '../lib/shared.mjs';
import { startShop } from '../lib/shop.mjs';

const me = { name: 'gantry-e2e', version: '1' };
const agents = ['acme_clerk', 'acme_manager', 'bolt_clerk', 'master'];
const clients = [
  ['the 1.x client', () => new ClientV1(me), HttpV1],
  ['the 2.x client', () => new ClientV2(me, { versionNegotiation: { mode: { pin: '2026-07-28' } } }), HttpV2],
];

let shop;
before(async () => { shop = await startShop(agents); });
after(() => shop.server.stop());

async function connected(make, Transport, agent) {
  const client = make();
  client.onerror = () => {};
  const headers = { authorization: `Bearer ${shop.keys[agent]}` };
  await client.connect(new Transport(new URL(shop.server.url), { requestInit: { headers } }));
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    return result.isError ? { error: result.content[0].text } : result.structuredContent;
  };
  return { call, sql: (sql, more = {}) => call('query_sql', { sql, ...more }), close: () => client.close() };
}

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

for (const [name, make, Transport] of clients) {
  for (const agent of agents) {
    describe(`${name} as ${agent}`, () => {
      let it;
      before(async () => { it = await connected(make, Transport, agent); });
      after(() => it.close());

      test('counts in every class the same rows as count_objects', async () => {
        const { built_in: own, custom } = await it.call('get_all_schemas', {});
        assert.ok(custom.length > 2);
        for (const { name: cls } of [...own, ...custom]) {
          const counted = await it.call('count_objects', { class_name: cls });
          const found = await it.call('query_class', { class_name: cls, limit: 1 });
          const asked = await it.sql(`SELECT count(*) FROM ${quoted(cls)}`);
          // SQL reads rows: counting alone is not enough.
          assert.equal(asked.error === undefined, found.error === undefined, `${cls}: ${asked.error} ${found.error}`);
          if (!asked.error) assert.deepEqual(asked.rows, [[counted.count]], cls);
        }
      });

      test('reads the rows and fields that query_class reads', async () => {
        const { custom } = await it.call('get_all_schemas', {});
        for (const { name: cls } of custom) {
          const known = await it.call('query_class', { class_name: cls, limit: 1000 });
          const asked = await it.sql(`SELECT * FROM ${quoted(cls)}`, { limit: 1000 });
          if (known.error) continue;
          assert.equal(asked.row_count, known.result_count, cls);
          const { classes: [schema] } = await it.call('get_schema', { class_names: [cls] });
          const fields = schema.fields.map((field) => field.name);
          for (const column of asked.columns) {
            assert.ok(fields.includes(column) || ['document', '_id'].includes(column), `${cls}.${column}`);
          }
          if (schema.sql?.columns) continue;
          const named = await it.sql(`SELECT ${fields.map(quoted)} FROM ${quoted(cls)}`, { limit: 1 });
          assert.deepEqual(named.columns, fields, `${cls}: ${named.error}`);
        }
      });

      test('is refused statements beyond its classes, in the same words', async () => {
        for (const sql of ['SELECT * FROM sqlite_schema', 'SELECT * FROM main.orders', 'SELECT 1; SELECT 2',
          'PRAGMA table_list', "ATTACH 'x' AS y", "SELECT load_extension('x')", 'DELETE FROM orders',
          'WITH orders AS (SELECT * FROM main.orders) SELECT * FROM orders']) {
          assert.match((await it.sql(sql)).error, /security_blocked|access_denied|invalid_query/, sql);
        }
        const absent = (await it.sql('SELECT 1 FROM parrots')).error;
        const floor = (await it.sql('SELECT 1 FROM sqlite_sequence')).error;
        assert.match(absent, /access_denied/);
        assert.doesNotMatch(floor, /rows|sequence table/);
      });
    });
  }
}

describe('the demo database', () => {
  let server;
  before(async () => { server = await Server.start({ db: demoDatabase() }); });
  after(() => server.stop());
  const sql = (text, more = {}) => ask(server, 'query_sql', { sql: text, ...more });

  test('columns and rows as arrays, parameters by name and by number', async () => {
    assert.deepEqual(await sql('SELECT alpha_2, name FROM countries WHERE alpha_2 = :code', { params: { code: 'CH' } }),
      { columns: ['alpha_2', 'name'], row_count: 1, rows: [['CH', 'Switzerland']] });
    assert.deepEqual((await sql('SELECT ?, typeof(?)', { params: ['a', 5] })).rows, [['a', 'integer']]);
    assert.deepEqual((await sql('SELECT typeof(:name)', { params: { name: 5 } })).rows, [['integer']]);
    assert.deepEqual((await sql('SELECT ?, ?', { params: { 1: 9007199254740993n.toString(), 2: 2.5 } })).rows,
      [['9007199254740993', 2.5]]);
    assert.deepEqual((await sql('SELECT 9007199254740993')).rows, [[9007199254740993n]]);
  });

  test('a limit that cuts rows off says so', async () => {
    const some = await sql('SELECT name FROM countries ORDER BY name', { limit: 2 });
    assert.deepEqual([some.row_count, some.truncated], [2, true]);
    assert.match(some.hint, /and end ORDER BY with it: then the answer has the next_call/);
    assert.equal((await sql('SELECT name FROM countries LIMIT 2')).truncated, undefined);
  });

  test('next_call reads on where the order tells rows apart', async () => {
    const text = 'SELECT name, alpha_2 FROM countries ORDER BY name DESC, alpha_2';
    const whole = (await sql(text, { limit: 1000 })).rows;
    const rows = [];
    let calls = 0;
    for (let args = { sql: text, limit: 70 }; args; calls += 1) {
      const page = await ask(server, 'query_sql', args);
      rows.push(...page.rows);
      assert.equal(page.next_call?.tool, page.truncated ? 'query_sql' : undefined);
      args = page.next_call?.arguments;
    }
    assert.deepEqual(rows, whole);
    assert.ok(calls > 3);
    assert.equal((await refused(server, 'query_sql', { sql: text, after: '[1]' })).code, 'invalid_argument');
  });

  test('formats', async () => {
    const { output } = await sql("SELECT alpha_2 FROM countries WHERE alpha_2 LIKE 'C_' ORDER BY 1 LIMIT 2", { format: 'csv' });
    assert.match(output, /^alpha_2\r\nC/);
  });

  test('errors say the position and the nearest name', async () => {
    const { code, message } = await refused(server, 'query_sql', { sql: 'SELECT nam FROM countries' });
    assert.equal(code, 'invalid_query');
    assert.match(message, /'nam' \(at position 8\).*Did you mean 'name'/);
    assert.match((await refused(server, 'query_sql', { sql: 'SELECT 1 FROM countrys' })).message, /countries/);
  });

  test('explain_query takes sql', async () => {
    assert.equal((await ask(server, 'explain_query', { sql: "SELECT name FROM countries WHERE alpha_2 = 'CH'" })).full_scan, false);
    assert.equal((await ask(server, 'explain_query', { sql: 'SELECT name FROM countries' })).full_scan, true);
    const { code } = await refused(server, 'explain_query', { sql: 'SELECT name FROM countries', refuse_collscan: true });
    assert.equal(code, 'security_blocked');
  });

  test('a statement that never ends stops when its client leaves', async () => {
    const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
    const body = modernBody('tools/call', { name: 'query_sql', arguments: { sql: endless } });
    await assert.rejects(fetch(server.url, {
      method: 'POST', signal: AbortSignal.timeout(300), body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...modernHeaders(body) },
    }).then((answer) => answer.text()));
    await setTimeout(300);
    const ticks = () => {
      const fields = readFileSync(`/proc/${server.child.pid}/stat`, 'latin1').split(') ')[1].split(' ');
      return Number(fields[11]) + Number(fields[12]);
    };
    const from = ticks();
    await setTimeout(500);
    assert.ok(ticks() - from < 20, `${ticks() - from} ticks of work after the client left`);
    assert.equal((await sql('SELECT 1')).rows[0][0], 1);
  });
});

test('the operator turns SQL off', async () => {
  const file = join(scratch(), 'gantry.json');
  writeFileSync(file, JSON.stringify({ plugins: { data: { config: { sql: false } } } }));
  const server = await Server.start({ db: demoDatabase(), flags: ['--config', file] });
  try {
    assert.equal((await refused(server, 'query_sql', { sql: 'SELECT 1' })).code, 'access_denied');
    assert.equal((await refused(server, 'explain_query', { sql: 'SELECT 1' })).code, 'access_denied');
  } finally {
    await server.stop();
  }
});

test('the operator turns SQL off for one agent, and would-permit says so', async () => {
  const agents = { writer: { permissions: 'readonly' }, reader: { permissions: 'readonly', sql: false } };
  const governed = await Governed.start(agents, { db: demoDatabase() });
  try {
    const sql = async (agent, name = 'query_sql') => {
      const { result } = await governed.as(agent, modernRevision, 'tools/call', { name, arguments: { sql: 'SELECT count(*) FROM countries' } });
      return result.isError ? result.structuredContent?.error_code ?? result.content[0].text : result.structuredContent;
    };
    assert.equal((await sql('writer')).row_count, 1);
    assert.match(await sql('reader'), /access_denied/);
    assert.match(await sql('reader', 'explain_query'), /access_denied/);
    assert.equal(typeof (await sql('writer', 'explain_query')).full_scan, 'boolean');
    const counted = await governed.as('reader', modernRevision, 'tools/call', { name: 'count_objects', arguments: { class_name: 'countries' } });
    assert.ok(counted.result.structuredContent.count > 200);
    for (const cls of [[], ['--class', 'countries']]) {
      const permit = async (agent) => JSON.parse((await gantry(['agent', 'would-permit', agent, 'query_sql', ...cls, '--json',
        '--agents', governed.file, '--db', demoDatabase()])).stdout);
      assert.match(JSON.stringify(await permit('writer')), /"allowed":true/);
      assert.match(JSON.stringify(await permit('reader')), /"allowed":false.*"denied_at":"sql"/);
      const told = async (agent) => (await governed.as(agent, modernRevision, 'tools/call', { name: 'describe_access',
        arguments: { tool: 'query_sql', ...(cls.length > 0 && { class_name: 'countries' }) } })).result.structuredContent;
      assert.equal((await told('writer')).allowed, true);
      const no = await told('reader');
      assert.equal(no.allowed, false);
      assert.match(no.reason, /SQL is turned off/);
    }
  } finally {
    await governed.stop();
  }
});
