// gantry agent would-permit says what real calls say: random profiles, every tool, every class.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { until } from '../lib/events.mjs';
import { gantry } from '../lib/gantry.mjs';
import { bearer, Governed } from '../lib/governed.mjs';
import { scratch } from '../lib/paths.mjs';
import { modernBody, modernHeaders } from '../lib/rpc.mjs';
import { testPlugin } from '../lib/script.mjs';

const profiles = 16, tables = 27, least = 5000;

/** Numbers that are the same in every run. */
let state = 20261126;
const next = (below) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % below;
};
const some = (list, most) => list.filter(() => next(list.length) < most);
const often = (percent) => next(100) < percent;

const classes = Array.from({ length: tables }, (_, i) => `c${i}`);
/** The arguments with which each tool reads a class and is refused by nothing but rules. */
const forClass = {
  get_schema: {}, query_class: { limit: 1 }, count_objects: {}, get_object: { object_id: '1' }, get_objects: { ids: ['1'] },
  get_sample_objects: { limit: 1 }, explain_query: {}, aggregate: { pipeline: [] }, group_by: { field: 'name' },
  group_by_date: { field: 'at', interval: 'day' }, distinct: { field: 'name' }, export_data: { limit: 1 },
  create_object: { data: { name: 'b' }, dry_run: true }, update_object: { object_id: '1', data: { name: 'b' }, dry_run: true },
  delete_object: { object_id: '1', dry_run: true },
};
const others = { get_all_schemas: {}, describe_access: {}, list_tools: {}, rounds: { steps: [] }, rounds_write: { steps: [] } };
const argumentsFor = ({ tool, class: name }) => {
  if (tool === 'query_sql') return { sql: `SELECT count(*) FROM ${name}` };
  return name ? { class_name: name, ...(forClass[tool] ?? { fields: { a: 'String' }, dry_run: true }) } : others[tool];
};
/** Without the gates of schemas. */
const env = { GANTRY_ALLOW_WRITE_TOOLS: '1', GANTRY_ALLOW_RAW_CRUD: '1' };

function database() {
  const file = join(scratch(), 'permits.db');
  const db = new DatabaseSync(file);
  for (const name of classes) {
    db.exec(`CREATE TABLE ${name}(id INTEGER PRIMARY KEY, name TEXT, at DATETIME, tenant TEXT, owner TEXT);
      INSERT INTO ${name} VALUES (1, 'a', '2026-01-01T00:00:00Z', 't1', 'u1')`);
  }
  db.close();
  return file;
}

const group = () => ['*', 'authenticated', 'role:clerk', 'role:boss', 'u1', 'field:owner'][next(6)];
function modelOf(name) {
  const model = { class: name };
  if (often(15)) model.hidden = often(50) ? true : { except: 'master' };
  if (often(40)) model.tenant_scope = { field: 'tenant', ...(often(40) ? { bypass: ['write', 'admin'][next(2)] } : {}) };
  if (often(50)) {
    model.class_permissions = Object.fromEntries(some(['find', 'get', 'count', 'create', 'update', 'delete'], 3).map((op) => [op, [...new Set([group(), group()])]]));
  }
  return model;
}

function writeModel() {
  const folder = join(scratch(), 'model');
  mkdirSync(folder);
  for (const name of classes) writeFileSync(join(folder, `${name}.json`), JSON.stringify(modelOf(name)));
  return folder;
}

const lists = (all) => [{}, { only: some(all, all.length * 0.6) }, { except: some(all, 3) },
  { only: some(all, all.length * 0.7), except: some(all, 2) }][next(4)];
function profile() {
  const out = { rate_limit: 'unlimited', permissions: ['readonly', 'readonly', 'write', 'admin'][next(4)] };
  if (often(50)) out.tools = lists([...Object.keys(forClass), ...Object.keys(others)]);
  if (often(50)) out.classes = lists(classes);
  if (often(50)) out.tenant_id = `t${next(2)}`;
  if (often(40)) out.user = `u${next(3)}`;
  if (often(20)) out.sql = false;
  if (often(40)) out.roles = some(['clerk', 'boss', 'other'], 2);
  return out;
}

/** Posts over few connections, which costs a fourth of fetch(). */
const connections = new Agent({ keepAlive: true, maxSockets: 6 });
const post = (url, body, headers) => new Promise((resolve, reject) => {
  const sent = request(url, { method: 'POST', agent: connections,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers } }, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => resolve({ status: answer.statusCode, text }));
  });
  sent.on('error', reject).end(JSON.stringify(body));
});

/** The layer that refused a real call, from its record; empty: none did. What the rows say is no layer of would-permit. */
function layerOf({ success, error_code, denial_cause }) {
  if (success || ['not_found', 'invalid_argument'].includes(error_code)) return '';
  const layers = { tool_filtered: 'tools', permission_denied: 'tier', absent: 'class_hidden', hidden: 'class_hidden',
    class_filter: 'class_filter', class_permission: 'class_permission', tenant: 'tenant', sql_off: 'sql', gate: 'gate' };
  if (['row_absent', 'row_rule'].includes(denial_cause)) return '';
  return layers[denial_cause ?? error_code] ?? `${error_code} ${denial_cause}`;
}

test('the verdict on every (agent, tool, class) is that of the real call', async (t) => {
  const db = database(), model = writeModel(), plugin = testPlugin('script-rounds');
  const agents = Object.fromEntries(Array.from({ length: profiles }, (_, i) => [`p${i}`, profile()]));
  const audit = join(scratch(), 'audit.jsonl'), config = join(scratch(), 'gantry.json');
  writeFileSync(config, JSON.stringify({ audit: { file: audit }, plugin_files: [plugin], plugins: { 'script-rounds': { isolate: 'in-process' } } }));
  const it = await Governed.start(agents, { db, env, flags: ['--config', config, '--model', model, '--log-level', 'error'] });
  t.after(() => it.stop());

  const asked = [...classes, 'nowhere'];
  const told = await gantry(['agent', 'would-permit', '--all', '--json', '--agents', it.file, '--db', db, '--model', model,
    '--plugin', plugin, ...asked.flatMap((name) => ['--class', name])], { env, timeout: 120_000 });
  assert.equal(told.code, 0, told.stderr);
  const known = { ...forClass, ...others, query_sql: {}, create_class: {} };
  const rows = told.stdout.trim().split('\n').map((line) => JSON.parse(line)).filter(({ tool }) => tool in known);
  assert.ok(rows.length >= least, `${rows.length} triples`);
  assert.ok(Object.keys(known).every((tool) => rows.some((row) => row.tool === tool)), 'every tool is there');

  const ask = async (row, id) => {
    const body = modernBody('tools/call', { name: row.tool, arguments: argumentsFor(row) });
    const { status, text } = await post(it.server.url, body,
      { ...modernHeaders(body), ...bearer(it.keys[row.agent]), 'x-mcp-session-id': `triple-${id}` });
    assert.equal(status, 200, text);
  };
  let at = 0;
  t.after(() => connections.destroy());
  await Promise.all(Array.from({ length: 6 }, async () => {
    while (at < rows.length) { const id = at++; await ask(rows[id], id); }
  }));
  const recorded = () => readFileSync(audit, 'utf8').trim().split('\n');
  await until(() => recorded().length >= rows.length, 'every call has a record');
  const real = new Map(recorded().map((line) => JSON.parse(line)).map((one) => [one.correlation_id, one]));
  const wrong = rows.map((row, id) => ({ row, record: real.get(`triple-${id}`) }))
    .filter(({ row, record }) => layerOf(record) !== (row.denied_at ?? '') || row.allowed !== (layerOf(record) === ''));
  assert.deepEqual(wrong.slice(0, 3), [], `${wrong.length} of ${rows.length} verdicts differ`);
  for (const layer of ['tier', 'tools', 'class_hidden', 'class_filter', 'class_permission', 'tenant', 'sql', 'gate']) {
    assert.ok(rows.some(({ denied_at }) => denied_at === layer), `some verdict is ${layer}`);
  }
  assert.ok(rows.some(({ allowed }) => allowed));
});

test('--all without classes asks for all of the database and of the model, as a table too', async () => {
  const db = database(), folder = join(scratch(), 'model'), file = join(scratch(), 'agents.json');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.json'), JSON.stringify({ class: 'c0', hidden: true }));
  writeFileSync(file, JSON.stringify({ agents: { a: { classes: ['c1'] }, b: { approval: { tools: ['count_objects'] } } } }));
  const run = (...more) => gantry(['agent', 'would-permit', '--all', '--agents', file, '--db', db, '--model', folder, ...more]);
  const { stdout } = await run('--json');
  const rows = stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual([...new Set(rows.map((row) => row.class).filter(Boolean))].sort(), [...classes].sort());
  assert.deepEqual([...new Set(rows.map(({ agent }) => agent))], ['a', 'b']);
  const verdict = (agent, tool, name) => rows.find((row) => row.agent === agent && row.tool === tool && row.class === name);
  assert.equal(verdict('b', 'query_class', 'c0').denied_at, 'class_hidden');
  assert.deepEqual(verdict('b', 'query_class', 'c1'), { agent: 'b', tool: 'query_class', class: 'c1', allowed: true });
  assert.equal(verdict('a', 'query_class', 'c2').denied_at, 'class_filter');
  assert.equal(verdict('b', 'count_objects', 'c1').denied_at, 'approval');
  const table = await run();
  assert.match(table.stdout, /^AGENT +TOOL +CLASS +VERDICT\n/);
  assert.match(table.stdout, /^a +query_class +c1 +permitted$/m);
  assert.match(table.stdout, /^a +query_class +c2 +denied at class_filter$/m);
  const one = await run('a', 'query_class', '--json');
  assert.ok(one.stdout.trim().split('\n').every((line) => JSON.parse(line).tool === 'query_class' && JSON.parse(line).agent === 'a'));
  const unnamed = await gantry(['agent', 'would-permit', 'a', '--agents', file, '--db', db]);
  assert.equal(unnamed.code, 2);
  assert.match(unnamed.stderr, /needs NAME and TOOL, or --all/);
});
