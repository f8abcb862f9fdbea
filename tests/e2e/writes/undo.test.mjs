// What agents wrote, listed, shown and put back by operators: over the control socket and over HTTP; agents cannot reach it.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { modelDirectory } from '../lib/documents.mjs';
import { pause, until } from '../lib/events.mjs';
import { gantry } from '../lib/gantry.mjs';
import { Governed, bearer } from '../lib/governed.mjs';
import { listen, told } from '../lib/listen.mjs';
import { Orders, allGates, gatesEnvironment, profiles, rowsOf } from '../lib/orders.mjs';
import { scratch } from '../lib/paths.mjs';
import { once } from '../lib/rounds.mjs';

const control = join(scratch(), 'control.sock');
let orders;
before(async () => { orders = await Orders.start({ flags: ['--control', control] }); });
after(() => orders.stop());

const rows = () => orders.rows('SELECT * FROM orders ORDER BY id');
const cli = (...words) => gantry([...words, '--control', control]);
const admin = (method, params, name = 'boss') => orders.governed.admin(name, method, params);
const ok = async (method, params) => {
  const { message } = await admin(method, params);
  assert.ok(message.result, JSON.stringify(message.error));
  return message.result;
};
const newest = async (params = {}) => (await ok('writes.list', { limit: 1, ...params })).writes[0];
const restart = (flags = []) => orders.governed.restart({ flags: [...orders.governed.options.flags, ...flags] });

describe('writes', () => {
  test('of create, update, delete, batches and methods are listed by agent, shown and put back', async () => {
    const start = rows();
    const made = await orders.ask('writer', 'create_object', { class_name: 'orders', data: { total: 5, note: 'new' } });
    await orders.ask('clerk', 'update_object', { class_name: 'orders', objects: [
      { object_id: '1', data: { note: 'x' } }, { object_id: '2', data: { total: 7.25 } }] });
    await orders.ask('boss', 'delete_object', { class_name: 'orders', object_id: '3' });
    await orders.method('writer', 'cancel', '4', { reason: 'late' });
    const { writes } = await ok('writes.list');
    assert.deepEqual(writes.map(({ agent, tool, operation, classes, rows, undoable }) => [agent, tool, operation, classes[0], rows, undoable]), [
      ['writer', 'call_method', 'transaction', 'orders', 1, true],
      ['boss', 'delete_object', 'delete', 'orders', 1, true],
      ['clerk', 'update_object', 'update', 'orders', 2, true],
      ['writer', 'create_object', 'create', 'orders', 1, true]]);
    assert.equal(writes[2].user, 'bea');
    assert.match(writes[0].time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual((await ok('writes.list', { agent: 'clerk' })).writes.map(({ id }) => id), [writes[2].id]);
    assert.deepEqual((await ok('writes.list', { class_name: 'refunds' })).writes, []);
    const page = await ok('writes.list', { limit: 3 });
    assert.deepEqual((await ok('writes.list', { cursor: page.next_cursor })).writes.map(({ id }) => id), [writes[3].id]);
    const shown = await ok('writes.show', { id: writes[2].id });
    assert.deepEqual(shown.changes.map(({ object_id, before: b, after: a }) => [object_id, b.note, a.note, b.total, a.total]),
      [['1', null, 'x', 10, 10], ['2', null, null, 20, 7.25]]);
    assert.equal(shown.changes[0].operation, 'update');
    for (const { id } of writes) assert.deepEqual(await ok('writes.undo', { id }).then(({ undoes }) => undoes), id);
    assert.deepEqual(rows(), start, `also ${made.object.id}`);
    const after_ = (await ok('writes.list', { limit: 8 })).writes;
    assert.deepEqual(after_.slice(0, 4).map(({ operation, tool }) => [operation, tool]), Array(4).fill(['undo', 'writes.undo']));
    assert.deepEqual(after_.slice(4).map(({ undoable, undone_by }) => [undoable, undone_by]), after_.slice(0, 4).reverse().map(({ id }) => [false, id]));
  });

  test('are refused to be put back if the rows changed since, and twice', async () => {
    await orders.ask('writer', 'update_object', { class_name: 'orders', object_id: '1', data: { note: 'mine' } });
    const { id } = await newest();
    await orders.ask('clerk', 'update_object', { class_name: 'orders', object_id: '1', data: { total: 11 } });
    const then = rows();
    const { status, message } = await admin('writes.undo', { id });
    assert.equal(status, 409);
    assert.match(message.error.message, /not as the write left it: orders '1' \(total\)/);
    assert.deepEqual(rows(), then);
    await ok('writes.undo', { id: (await newest()).id });
    await ok('writes.undo', { id });
    const twice = await admin('writes.undo', { id });
    assert.deepEqual([twice.status, /was undone already/.test(twice.message.error.message)], [409, true]);
    assert.equal((await admin('writes.undo', { id: 'nope' })).status, 404);
    assert.equal((await admin('writes.show', { id: 'nope' })).status, 404);
    assert.equal((await admin('writes.list', { cursor: 'nope' })).status, 400);
    assert.equal((await admin('writes.list', { limit: 1001 })).status, 400);
  });

  test('an undo has an audit record with its operator and both ids', async () => {
    await orders.ask('writer', 'update_object', { class_name: 'orders', object_id: '2', data: { note: 'audited' } });
    const { id } = await newest();
    const done = await ok('writes.undo', { id });
    const { records } = await ok('audit.search', { tool: 'writes.undo', limit: 1 });
    assert.match(records[0].agent, /^boss\//, 'the credential of the operator');
    assert.deepEqual([records[0].auth_type, records[0].permissions, records[0].plugin], ['operator', 'admin', 'data']);
    assert.deepEqual([records[0].notes[0].id, records[0].notes[0].undoes], [done.id, id]);
    await admin('writes.undo', { id });
    assert.equal((await ok('audit.search', { tool: 'writes.undo', limit: 1 })).records[0].error_code, 'invalid_argument');
  });

  test('reach subscribers and caches after an undo', async () => {
    await orders.ask('writer', 'create_object', { class_name: 'orders', data: {} });
    const counted = async () => (await orders.ask('reader', 'count_objects', { class_name: 'orders' })).count;
    const count = await counted();
    assert.equal(await counted(), count, 'an answer that was requested twice is cached');
    const heard = await listen(orders.server, { resourceSubscriptions: ['data://orders/count'] }, { headers: orders.headers('reader') });
    await ok('writes.undo', { id: (await newest()).id });
    assert.equal(await counted(), count - 1);
    await until(() => told(heard).length > 0, 'an event of the undo');
    await heard.drop();
  });

  test('are out of reach of agents: no tool, no resource, no method of the endpoint', async () => {
    await orders.ask('writer', 'update_object', { class_name: 'orders', object_id: '2', data: { note: 'kept' } });
    const { id } = await newest();
    for (const name of ['reader', 'boss']) {
      assert.deepEqual((await orders.tools(name)).filter((tool) => /undo|writes/.test(tool)), []);
      for (const method of ['writes.list', 'writes.undo', 'gantry.writes/1']) {
        const { message } = await once(orders.server, method, { id }, { headers: orders.headers(name) });
        assert.ok(message.error, method);
      }
      for (const tool of ['writes.undo', 'undo', 'gantry.writes/1']) {
        assert.ok((await orders.modern(name, { name: tool, arguments: { op: 'undo', id } })).error, tool);
      }
    }
    for (const name of ['reader', 'writer']) assert.equal((await admin('writes.undo', { id }, name)).status, 403);
    assert.equal((await newest()).undoable, true);
    const { message } = await once(orders.server, 'resources/list', {}, { headers: orders.headers('boss') });
    assert.doesNotMatch(JSON.stringify(message.result), /writes/);
  });
});

describe('gantry writes and gantry undo', () => {
  test('list, show and undo; without a terminal undo needs --yes', async () => {
    await orders.ask('writer', 'update_object', { class_name: 'orders', object_id: '2', data: { note: 'by shell' } });
    const start = rows();
    const { id } = await newest();
    const listed = await cli('writes', 'list', '--limit', '1', '--agent', 'writer', '--class', 'orders');
    assert.match(listed.stdout, /^ID +TIME +AGENT +TOOL +OPERATION +ROWS +CLASSES +UNDO\n/, listed.stderr);
    assert.match(listed.stdout, new RegExp(`${id} .* writer +update_object +update +1 +orders +yes\nolder ones: --cursor \\d+\n`));
    assert.equal(JSON.parse((await cli('writes', 'list', '--json')).stdout).writes[0].id, id);
    assert.equal((await cli('writes', 'list', '--agent', 'absent')).stdout, 'no writes are kept\n');
    const shown = await cli('writes', 'show', id);
    assert.match(shown.stdout, /^update by writer with update_object, \S+Z\nUndo: yes\nupdate orders 2\n  note: .* -> "by shell"\n$/);
    assert.equal(JSON.parse((await cli('writes', 'show', id, '--json')).stdout).changes.length, 1);
    const asked = await cli('undo', id);
    assert.deepEqual([asked.code, /undo with --yes/.test(asked.stderr)], [2, true]);
    assert.deepEqual(rows(), start);
    const undone = await cli('undo', id, '--yes');
    assert.match(undone.stdout, /^undone: 1 row put back; to take that back: gantry undo [0-9a-f]{24}\n$/, undone.stderr);
    const twice = await cli('undo', id, '--yes');
    assert.deepEqual([twice.code, /undone already/.test(twice.stderr)], [1, true]);
    assert.match((await cli('writes', 'list')).stdout, /undone by/);
    assert.equal(JSON.parse((await cli('undo', (await newest()).id, '--yes', '--json')).stdout).rows, 1);
    assert.deepEqual(rows(), start);
  });
});

describe('the journal', () => {
  test('outlives a restart, is for its owner alone, and holds no word of the data', async () => {
    await orders.ask('writer', 'update_object', { class_name: 'orders', object_id: '4', data: { note: 'a secret word' } });
    const { id } = await newest();
    await restart();
    assert.equal((await newest()).id, id);
    await ok('writes.undo', { id });
    assert.equal(rows().find((row) => row.id === 4).note, null);
    const folder = join(orders.governed.state, 'writes');
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(orders.governed.state, 'writes-key')).mode & 0o777, 0o600);
    const files = readdirSync(folder);
    assert.ok(files.some((file) => file.endsWith('.writes')), String(files));
    for (const file of files) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file);
  });

  test('is bounded by its keys, and off with 0 bytes', async () => {
    const config = join(scratch(), 'gantry.json');
    const set = (more) => writeFileSync(config, JSON.stringify({ plugins: { data: { config: more } } }));
    const write = (note) => orders.ask('writer', 'update_object', { class_name: 'orders', object_id: '4', data: { note } });
    set({ writes_bytes: 3000 });
    await restart(['--config', config]);
    for (let i = 0; i < 12; ++i) await write(`${i} ${'x'.repeat(200)}`);
    const { writes } = await ok('writes.list');
    assert.ok(writes.length >= 2 && writes.length < 5, `${writes.length}`);
    await write('y'.repeat(4000));
    const large = await newest();
    assert.deepEqual([large.undoable, /writes_bytes/.test(large.reason)], [false, true]);
    set({ writes_lifetime_ms: 1000 });
    await restart(['--config', config]);
    await write('short');
    await pause(1200);
    assert.deepEqual((await ok('writes.list')).writes, []);
    set({ writes_bytes: 0 });
    await restart(['--config', config]);
    await write('unrecorded');
    assert.match((await admin('writes.list')).message.error.message, /records no writes/);
    await restart();
  });

  test('that cannot be written refuses the write, which is not made', async () => {
    const folder = join(orders.governed.state, 'writes');
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'in its place');
    const then = rows();
    const { code, message } = await orders.refused('writer', 'update_object', { class_name: 'orders', object_id: '1', data: { note: 'lost?' } });
    assert.equal(code, 'store_error');
    assert.match(message, /cannot be recorded for undo: /);
    assert.doesNotMatch(message, new RegExp(orders.governed.state));
    assert.deepEqual(rows(), then);
    rmSync(folder);
    mkdirSync(folder, { mode: 0o700 });
    await orders.ask('writer', 'update_object', { class_name: 'orders', object_id: '1', data: { note: 'made' } });
    await ok('writes.undo', { id: (await newest()).id });
  });

  test('without its gates a server lists writes and refuses to undo them, naming the gate', async () => {
    await orders.ask('writer', 'update_object', { class_name: 'orders', object_id: '1', data: { note: 'gated' } });
    const { id } = await newest();
    await orders.governed.restart({ env: {} });
    assert.equal((await newest()).id, id);
    const { status, message } = await admin('writes.undo', { id });
    assert.deepEqual([status, /GANTRY_ALLOW_WRITE_TOOLS/.test(message.error.message)], [403, true]);
    await restart();
    await ok('writes.undo', { id });
  });
});

describe('classes and documents', () => {
  let governed, db;
  before(async () => {
    db = join(scratch(), 'classes.db');
    const made = new DatabaseSync(db);
    made.exec('CREATE TABLE doc_rows(n INTEGER PRIMARY KEY, doc TEXT); CREATE TABLE t(a INTEGER PRIMARY KEY, password TEXT); INSERT INTO t VALUES (1, \'hash\'), (9007199254740993, NULL)');
    made.close();
    governed = await Governed.start({ boss: profiles.boss }, { db, env: gatesEnvironment(allGates),
      flags: ['--model', modelDirectory({ 'docs.json': { class: 'docs', table: 'doc_rows', document: 'doc' } })] });
  });
  after(() => governed.stop());
  const tool = async (name, args) => {
    const { result } = await once(governed.server, 'tools/call', { name, arguments: args }, { headers: bearer(governed.keys.boss) }).then(({ message }) => message);
    assert.ok(result && !result.isError, JSON.stringify(result));
    return result.structuredContent;
  };
  const call = async (method, params) => (await governed.admin('boss', method, params)).message;
  const last = async () => (await call('writes.list', { limit: 1 })).result.writes[0];

  test('a document is put back byte for byte', async () => {
    const { object } = await tool('create_object', { class_name: 'docs', data: { n: 1, deep: { a: [1, 2.50] } } });
    const then = rowsOf(db, 'SELECT * FROM doc_rows');
    await tool('update_object', { class_name: 'docs', object_id: object._id ?? object.objectId, data: { n: 2, deep: null } });
    assert.equal((await call('writes.undo', { id: (await last()).id })).result.rows, 1);
    assert.deepEqual(rowsOf(db, 'SELECT * FROM doc_rows'), then);
  });

  test('a deleted class comes back with its hidden values, which no answer shows', async () => {
    const then = rowsOf(db, 'SELECT CAST(a AS TEXT) AS a, password FROM t');
    await tool('delete_class', { class_name: 't' });
    const write = await last();
    assert.deepEqual([write.operation, write.rows, write.undoable], ['delete_class', 2, true]);
    const shown = (await call('writes.show', { id: write.id })).result;
    assert.deepEqual(shown.changes[0].before, { a: 1, password: { __redacted: true } });
    assert.doesNotMatch(inspect(shown, { depth: 9 }), /hash/);
    assert.equal((await call('writes.undo', { id: write.id })).result.rows, 2);
    assert.deepEqual(rowsOf(db, 'SELECT CAST(a AS TEXT) AS a, password FROM t'), then);
  });
});
