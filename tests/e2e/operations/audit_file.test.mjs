// The audit file, and `gantry agent why`, which reads it or asks the host.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { modelDirectory } from '../lib/documents.mjs';
import { until } from '../lib/events.mjs';
import { gantry } from '../lib/gantry.mjs';
import { Server, runToEnd } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { Governed } from '../lib/governed.mjs';
import { LegacySession, call, modern, modernRevision } from '../lib/rpc.mjs';
import { script, scriptFlags, startScriptsFor } from '../lib/script.mjs';
import { demoDatabase } from '../lib/shared.mjs';

/** A server with an audit file: {server, file, records}. */
async function audited(t, { audit = {}, ...rest } = {}) {
  const file = join(scratch(), 'audit.jsonl');
  const server = await startScriptsFor(t, { config: { audit: { file, ...audit } }, ...rest });
  return { server, file };
}

/** The records of a file; a moment after its rotation there is none. */
const linesOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line)) : []);
/** The records of a file, waited for until there are `count`. */
async function records(file, count) {
  await until(() => linesOf(file).length >= count, `${count} records`);
  const all = linesOf(file);
  assert.equal(all.length, count);
  return all;
}

const denial = (cause) => script({ do: 'write', type: 'gantry/denial', body: cause },
  { do: 'fail', code: 'access_denied', message: 'no', details: JSON.stringify({ kind: 'hidden_class' }) });

describe('the audit file', () => {
  test('has a whole record of each call, which the log then has not', async (t) => {
    const { server, file } = await audited(t, { flags: ['--log-level', 'error'] });
    await modern(server, 'tools/call', { name: 'script_plain', arguments: { secret_name: 'secret value' }, _meta: { 'gantry/correlationId': 'mine' } });
    await modern(server, 'tools/call', { name: 'script_write', arguments: {} });
    const [run, refused] = await records(file, 2);
    assert.deepEqual(Object.keys(run), ['time', 'tool', 'plugin', 'generation', 'args_keys', 'agent', 'agent_id', 'depth', 'auth_type',
      'master', 'permissions', 'ran', 'success', 'result_size', 'duration_ms', 'correlation_id', 'est_input_tokens']);
    assert.deepEqual([run.tool, run.ran, run.success, run.correlation_id, run.args_keys], ['script_plain', true, true, 'mine', ['secret_name']]);
    assert.ok(Math.abs(Date.parse(run.time) - Date.now()) < 60_000);
    assert.deepEqual([refused.ran, refused.success, refused.error_code], [false, false, 'permission_denied']);
    assert.match(refused.audit_id, /^[0-9a-f]{8}-1$/);
    assert.ok(!readFileSync(file, 'utf8').includes('secret value'));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.doesNotMatch(server.stderr, /call tool=/);
  });

  test('has the true cause of a denial, of which the client gets nothing', async (t) => {
    const { server, file } = await audited(t);
    const said = [];
    for (const cause of ['absent', 'hidden', 'class_filter']) {
      said.push(JSON.stringify((await modern(server, 'tools/call', { name: 'script_plain', arguments: denial(cause) })).message.result));
    }
    assert.ok(said.every((one) => one === said[0]) && !/absent|class_filter|gantry.denial/.test(said[0]), said.join('\n'));
    assert.deepEqual((await records(file, 3)).map((one) => [one.denial_kind, one.denial_cause]),
      [['hidden_class', 'absent'], ['hidden_class', 'hidden'], ['hidden_class', 'class_filter']]);
  });

  test('has no cause for a call that succeeds all the same', async (t) => {
    const { server, file } = await audited(t);
    await call(server, 'script_plain', script({ do: 'write', type: 'gantry/denial', body: 'hidden' }, { do: 'write', type: 'text', body: 'fine' }));
    assert.equal((await records(file, 1))[0].denial_cause, undefined);
  });

  test('escapes controls of names', async (t) => {
    const { server, file } = await audited(t);
    await modern(server, 'tools/call', { name: 'script_plain', arguments: { 'a\n\u007f\u009b\u001b': 1 } });
    await records(file, 1);
    assert.doesNotMatch(readFileSync(file, 'utf8').slice(0, -1), /[\u0000-\u001f\u007f-\u009f]/);
  });

  test('is rotated by size, keeps as many as configured, and loses no record between', async (t) => {
    const { server, file } = await audited(t, { audit: { max_bytes: 4096, keep: 2 } });
    for (let i = 0; i < 40; ++i) await modern(server, 'tools/call', { name: 'script_plain', arguments: {}, _meta: { 'gantry/correlationId': `n${i}` } });
    await until(() => linesOf(file).at(-1)?.correlation_id === 'n39', 'the last record');
    assert.ok(existsSync(`${file}.1`) && existsSync(`${file}.2`) && !existsSync(`${file}.3`));
    const all = [`${file}.2`, `${file}.1`, file].flatMap(linesOf).map((one) => one.correlation_id);
    assert.deepEqual(all, all.map((_, i) => `n${40 - all.length + i}`));
    for (const one of [file, `${file}.1`, `${file}.2`]) assert.ok(statSync(one).size <= 4096);
  });

  test('takes records of calls until the server ends, and goes on where it ended', async (t) => {
    const { server, file } = await audited(t);
    await Promise.all(Array.from({ length: 50 }, () => call(server, 'script_plain')));
    await server.stop();
    await records(file, 50);
    const again = await startScriptsFor(t, { config: { audit: { file } } });
    await call(again, 'script_plain');
    await records(file, 51);
  });

  test('estimates the cost where a price is configured', async (t) => {
    const { server, file } = await audited(t, { audit: { usd_per_million_tokens: 2.5 } });
    await call(server, 'script_plain');
    const [{ est_input_tokens: tokens, est_cost_usd: cost }] = await records(file, 1);
    assert.ok(tokens > 0 && Math.abs(cost - tokens * 2.5e-6) < 1e-9);
  });

  test('that takes nothing stops no call; dropped records are counted, logged and noted in the file', async (t) => {
    const { server, file } = await audited(t, { audit: { max_bytes: 4096, keep: 1 } });
    mkdirSync(join(`${file}.1`, 'in the way'), { recursive: true });
    for (let i = 0; i < 20; ++i) await call(server, 'script_plain');
    await until(() => /the audit file takes no records/.test(server.stderr), 'the log line');
    const metrics = await (await fetch(new URL('/metrics', server.url))).text();
    assert.ok(Number(/^gantry_audit_dropped_total (\d+)$/m.exec(metrics)[1]) > 0);
    rmSync(`${file}.1`, { recursive: true });
    await call(server, 'script_plain');
    await until(() => linesOf(file).some((one) => one.dropped > 0), 'the line about dropped records');
  });

  test('that cannot be opened is refused at the start and by --check-config', async () => {
    for (const flags of [[], ['--check-config']]) {
      const { code, stderr } = await runToEnd([...scriptFlags({ config: { listen: '127.0.0.1:0', control: 'none', audit: { file: '/no/such/audit' } } }), ...flags]);
      assert.equal(code, 2);
      assert.match(stderr, /audit\.file: \/no\/such\/audit cannot be opened/);
    }
  });

  test('has the session id of a legacy client as correlation id', async (t) => {
    const { server, file } = await audited(t);
    const session = await LegacySession.open(server);
    await session.request('tools/call', { name: 'script_plain', arguments: {} });
    assert.equal((await records(file, 1))[0].correlation_id, session.headers['mcp-session-id']);
  });
});

describe('of the data engine under rules', () => {
  const agents = {
    sales: {
      tenant_id: 'acme', user: 'u17', roles: ['seller'], classes: { except: ['staff'] }, methods: { only: ['city.open'] },
      filters: { city: { name: { $ne: 'Oslo' } } },
    },
  };

  test('the record says which layer hid a class, and the caller gets one answer for all', async (t) => {
    const db = join(scratch(), 'city.db');
    const sql = new DatabaseSync(db);
    sql.exec('CREATE TABLE city(code TEXT PRIMARY KEY, name TEXT); CREATE TABLE staff(id INTEGER PRIMARY KEY); CREATE TABLE secret(id INTEGER PRIMARY KEY);');
    sql.close();
    const model = modelDirectory({ 'secret.json': { class: 'secret', table: 'secret', hidden: true } });
    const file = join(scratch(), 'audit.jsonl');
    const config = join(scratch(), 'gantry.json');
    writeFileSync(config, JSON.stringify({ audit: { file } }));
    const control = join(scratch(), 'control.sock');
    const governed = await Governed.start(agents, { db, flags: ['--model', model, '--config', config, '--control', control] });
    t.after(() => governed.stop());
    const answers = [];
    for (const name of ['staff', 'secret', 'nowhere']) {
      const { result } = await governed.as('sales', modernRevision, 'tools/call',
        { name: 'query_class', arguments: { class_name: name }, _meta: { 'gantry/correlationId': `of-${name}` } });
      answers.push(JSON.stringify(result).replaceAll(name, 'X'));
    }
    assert.deepEqual(new Set(answers).size, 1, answers.join('\n'));
    assert.doesNotMatch(answers[0], /class_filter|absent/);
    const all = await records(file, 3);
    assert.deepEqual(all.map((one) => [one.denial_kind, one.denial_cause]),
      [['hidden_class', 'class_filter'], ['hidden_class', 'hidden'], ['hidden_class', 'absent']]);
    const [{ agent, agent_id: id, auth_type: auth, master, tenant, classes_except: except, methods_only: methods, filters, permissions }] = all;
    assert.match(id, /^sales/);
    assert.deepEqual([agent, auth, master, permissions], ['sales', 'api_key', false, 'readonly']);
    assert.equal(tenant, createHash('sha256').update('acme').digest('hex').slice(0, 8));
    assert.deepEqual([except, methods, filters], [['staff'], ['city.open'], ['city.name']]);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /acme|Oslo/);
    const layer = async (name) => /refused at (\w+)/.exec((await gantry(['agent', 'why', `of-${name}`, '--control', control])).stdout)?.[1];
    assert.deepEqual(await Promise.all(['staff', 'secret', 'nowhere'].map(layer)), ['class_filter', 'class_hidden', 'class_absent']);
  });
});

describe('of statements of SQL', () => {
  test('the record has the shape and the classes, of a refused one too, and no literal', async (t) => {
    const file = join(scratch(), 'audit.jsonl');
    const config = join(scratch(), 'gantry.json');
    writeFileSync(config, JSON.stringify({ audit: { file } }));
    const server = await Server.start({ db: demoDatabase(), flags: ['--config', config] });
    t.after(() => server.stop());
    const sql = (text, more = {}) => modern(server, 'tools/call', { name: 'query_sql', arguments: { sql: text, ...more } });
    await sql("SELECT name FROM countries WHERE name = 'secretland' OR name = :s OR 424242.5 < 1 /* secretly */", { params: { s: 'secretparam' } });
    await sql('SELECT nam FROM countries WHERE name = "secretland"');
    await sql("DROP TABLE countries; -- 'secretland'");
    await modern(server, 'tools/call', { name: 'explain_query', arguments: { sql: "SELECT 'secretland' FROM countries" } });
    const notes = (await records(file, 4)).map((one) => one.notes);
    assert.deepEqual(notes, [
      [{ sql: 'SELECT name FROM countries WHERE name = ? OR name = :s OR ? < ?', classes: ['countries'] }],
      [{ sql: 'SELECT nam FROM countries WHERE name = ?', classes: ['countries'] }],
      [{ sql: 'DROP TABLE countries;', classes: [] }],
      [{ sql: 'SELECT ? FROM countries', classes: ['countries'] }],
    ]);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /secret|424242/);
  });
});

describe('of a plugin that calls tools as a narrowed agent', () => {
  test('each tool has a record, with depth, an id of its own and that of its parent', async (t) => {
    const { server, file } = await audited(t);
    const inside = (name, narrowing, ...steps) => ({ do: 'invoke', kind: 'tool', name, arguments: script(...steps), ...(narrowing ? { narrowing } : {}) });
    await modern(server, 'tools/call', { name: 'script', arguments: script(
      inside('script_plain', { tools: { only: ['script_plain'] } }, inside('script_plain', { permissions: 'readonly' }, { do: 'fail', code: 'not_found', message: 'secret' })),
      inside('script_plain', { tools: { except: ['script_plain'] } }),
      inside('script_plain', undefined)), _meta: { 'gantry/correlationId': 'mine' } });
    const [leaf, middle, refused, own] = await records(file, 4);
    const short = ({ tool, depth, ran, success, error_code: code }) => [tool, depth, ran, success, code];
    assert.deepEqual([leaf, middle, refused, own].map(short), [
      ['script_plain', 2, true, false, 'not_found'], ['script_plain', 1, true, true, undefined],
      ['script_plain', 1, false, false, 'tool_filtered'], ['script', 0, true, true, undefined],
    ]);
    assert.deepEqual([leaf.parent_agent_id, middle.parent_agent_id, refused.parent_agent_id, own.parent_agent_id],
      [middle.agent_id, own.agent_id, own.agent_id, undefined]);
    assert.equal(new Set([leaf, middle, refused, own].map((one) => one.agent_id)).size, 4);
    assert.match(leaf.agent_id, /^[0-9a-f]{16}$/);
    assert.ok([leaf, middle, refused, own].every((one) => one.correlation_id === 'mine' && one.agent === 'local'));
    assert.deepEqual([middle.args_keys, middle.tools_only, refused.tools_except], [['steps'], ['script_plain'], ['script_plain']]);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /secret/);
  });
});

describe('gantry agent why', () => {
  const refuse = (server, cause, id) =>
    modern(server, 'tools/call', { name: 'script_plain', arguments: denial(cause), _meta: { 'gantry/correlationId': id } });

  test('asks the host for the layer, by correlation id or audit id', async (t) => {
    const control = join(scratch(), 'control.sock');
    const server = await startScriptsFor(t, { flags: ['--control', control] });
    await refuse(server, 'class_filter', 'the-call');
    await modern(server, 'tools/call', { name: 'script_write', arguments: {}, _meta: { 'gantry/correlationId': 'the-tier' } });
    await modern(server, 'tools/call', { name: 'script_plain', arguments: {}, _meta: { 'gantry/correlationId': 'fine' } });
    const why = (...flags) => gantry(['agent', 'why', ...flags, '--control', control]);
    const told = await why('the-call');
    assert.equal(told.code, 0, told.stderr);
    assert.match(told.stdout, /script_plain: refused at class_filter\n.*outside the agent's "classes"/);
    assert.match(told.stdout, /error_code access_denied, denial_kind hidden_class, denial_cause class_filter, plugin script\n/);
    assert.match((await why('the-tier')).stdout, /script_write: refused at tier\n/);
    const record = JSON.parse((await why('the-call', '--json')).stdout);
    assert.deepEqual([record.denied_at, record.denial_cause], ['class_filter', 'class_filter']);
    assert.equal((await why(record.audit_id)).stdout, told.stdout);
    for (const id of ['fine', 'nothing']) {
      const none = await why(id);
      assert.deepEqual([none.code, none.stdout], [1, '']);
      assert.match(none.stderr, new RegExp(`no failed call .*'${id}'`));
    }
  });

  test('asks over HTTP as an admin, and as no other agent', async (t) => {
    const server = await startScriptsFor(t, { env: { GANTRY_API_KEY: 'a-key-that-is-long-enough', GANTRY_ADMIN_KEY: 'an-admin-key-long-enough' } });
    await modern(server, 'tools/call', { name: 'script_write', arguments: {}, _meta: { 'gantry/correlationId': 'c' } }, { authorization: 'Bearer a-key-that-is-long-enough' });
    const why = (key) => gantry(['agent', 'why', 'c', '--url', String(server.url), '--key', key]);
    assert.match((await why('an-admin-key-long-enough')).stdout, /refused at tier/);
    const { code, stdout } = await why('a-key-that-is-long-enough');
    assert.deepEqual([code, stdout], [1, '']);
  });

  test('reads an audit file, also without a host', async (t) => {
    const { server, file } = await audited(t, { audit: { max_bytes: 4096 } });
    await refuse(server, 'acl', 'early');
    for (let i = 0; i < 20; ++i) await refuse(server, 'hidden', 'late');
    await server.stop();
    assert.ok(existsSync(`${file}.1`));
    const early = await gantry(['agent', 'why', 'early', '--file', file]);
    assert.match(early.stdout, /refused at acl\n/, early.stderr);
    const none = await gantry(['agent', 'why', 'early', '--file', `${file}.none`]);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /cannot read the audit file/);
  });
});
