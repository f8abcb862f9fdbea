// What operators are told of a model that callers are not: every layer of a class in gantry agent
// describe, views that the rules of their tables hide, and what rules cost.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { gantry } from '../lib/gantry.mjs';
import { Governed } from '../lib/governed.mjs';
import { scratch } from '../lib/paths.mjs';
import { modernRevision } from '../lib/rpc.mjs';

const db = join(scratch(), 'layers.db');
const made = new DatabaseSync(db);
made.exec(`CREATE TABLE orders(id INTEGER PRIMARY KEY, tenant TEXT, seller TEXT, note TEXT, state TEXT, readers TEXT);
  INSERT INTO orders VALUES (1, 'acme', 'u1', 'n', 'open', '["*"]');
  CREATE TABLE hidden_one(id INTEGER PRIMARY KEY); CREATE TABLE plain(id INTEGER PRIMARY KEY);
  CREATE VIEW order_notes AS SELECT note FROM orders; CREATE VIEW plain_view AS SELECT id FROM plain;`);
made.close();

const model = join(scratch(), 'layers-model');
mkdirSync(model);
const orders = { class: 'orders', agent_fields: ['seller', 'note', 'state'], protected_fields: { '*': ['note'] },
  tenant_scope: { field: 'tenant' }, acl: { read: 'readers' }, canonical_filter: { state: 'open' },
  class_permissions: { find: ['*'], get: ['field:seller'], count: ['someone-else'] } };
writeFileSync(join(model, 'orders.json'), JSON.stringify(orders));
writeFileSync(join(model, 'hidden.json'), JSON.stringify({ class: 'hidden_one', hidden: true }));

const agents = { sales: { user: 'u17', tenant_id: 'acme', classes: { except: ['plain'] } }, all: { rate_limit: 'unlimited' } };
const agentsFile = join(scratch(), 'agents.json');
writeFileSync(agentsFile, JSON.stringify({ agents }));
const describeAs = async (name, ...more) => {
  const { code, stdout, stderr } = await gantry(['agent', 'describe', name, '--agents', agentsFile, ...more]);
  assert.equal(code, 0, stderr);
  return stdout;
};

test('describe --class tells every layer of the model, without users, tenants and operands', async () => {
  const text = await describeAs('sales', '--db', db, '--model', model, '--class', 'orders', '--json');
  const told = JSON.parse(text);
  assert.deepEqual(told.class_layers, {
    class_name: 'orders', shown: true,
    class_permissions: { find: 'allowed', get: { own_rows_by: ['seller'] }, count: 'denied', create: 'denied', update: 'denied', delete: 'denied' },
    agent_fields: ['seller', 'note', 'state'], protected_fields: ['note'], canonical_filter: ['state'],
    tenant_scope: { field: 'tenant', applies: true }, acl: { read: 'readers', null: 'denied', applies: true },
  });
  assert.deepEqual(told.hidden_classes, ['hidden_one', 'order_notes', 'plain', 'plain_view']);
  assert.ok(told.tools.effective.includes('query_class'));
  assert.doesNotMatch(text, /acme|u17|someone-else|open/);
  const shown = await describeAs('sales', '--db', db, '--model', model, '--class', 'orders');
  assert.deepEqual(JSON.parse(shown), told, 'the same on many lines');
  assert.match(shown, /\n {4}"class_layers": \{\n/);
});

test('describe says which layer hides a class; without --class it tells the hidden classes alone', async () => {
  const of = async (name) => JSON.parse(await describeAs('sales', '--db', db, '--model', model, '--class', name, '--json')).class_layers;
  assert.deepEqual(await of('hidden_one'), { class_name: 'hidden_one', shown: false, hidden_by: 'hidden', hidden: true });
  assert.deepEqual(await of('order_notes'), { class_name: 'order_notes', shown: false, hidden_by: 'view_of_ruled' });
  assert.deepEqual(await of('plain'), { class_name: 'plain', shown: false, hidden_by: 'class_filter' });
  assert.deepEqual(await of('nowhere'), { class_name: 'nowhere', shown: false, hidden_by: 'absent' });
  const plain = JSON.parse(await describeAs('all', '--db', db, '--model', model, '--json'));
  assert.equal(plain.class_layers, undefined);
  assert.deepEqual(plain.hidden_classes, ['hidden_one', 'order_notes']);
  const without = JSON.parse(await describeAs('sales', '--json', '--class', 'orders'));
  assert.deepEqual([without.class_layers, without.hidden_classes], [undefined, ['plain']], 'no database');
});

test('a view that the rules of its tables hide has a cause of its own, for operators alone, and a line at start', async (t) => {
  const control = join(scratch(), 'control.sock');
  const it = await Governed.start(agents, { db, flags: ['--model', model, '--control', control] });
  t.after(() => it.stop());
  const answers = [];
  for (const name of ['order_notes', 'hidden_one', 'nowhere']) {
    const { result } = await it.as('all', modernRevision, 'tools/call',
      { name: 'query_class', arguments: { class_name: name }, _meta: { 'gantry/correlationId': `of-${name}` } });
    answers.push(JSON.stringify(result).replaceAll(name, 'X'));
  }
  assert.equal(new Set(answers).size, 1, answers.join('\n'));
  const why = await gantry(['agent', 'why', 'of-order_notes', '--control', control]);
  assert.match(why.stdout, /refused at view_of_ruled\n.*State rules for the view in the model/, why.stderr);
  assert.match((await gantry(['agent', 'why', 'of-hidden_one', '--control', control])).stdout, /refused at class_hidden\n/);
  const lines = it.server.stderr.split('\n').filter((line) => line.includes('views without rules of their own'));
  assert.equal(lines.length, 1, it.server.stderr);
  assert.match(lines[0], /limit an agent: order_notes over orders; state rules/);
  assert.doesNotMatch(lines[0], /plain_view/);
});

test('model audit notes hidden views, columns of rules without an index, and ids that number all rows', async () => {
  const { code, stdout, stderr } = await gantry(['model', 'audit', '--db', db, '--model', model, '--json']);
  assert.equal(code, 0, stderr);
  const { notes, ...rest } = JSON.parse(stdout);
  assert.deepEqual(Object.keys(rest), ['classes_audited', 'visible_classes_declared', 'missing_class_descriptions',
    'missing_field_descriptions', 'unresolvable_allowlist_entries', 'canonical_filter_summary']);
  for (const note of [/^The view order_notes is absent .* rules of orders limit/, /^No index serves the tenant column 'tenant' of orders:/,
    /^No index serves the access list 'readers' of orders:/, /^The ids of orders number all rows: their gaps/]) {
    assert.equal(notes.filter((one) => note.test(one)).length, 1, notes.join('\n'));
  }
  assert.ok(!notes.some((one) => /plain|hidden_one/.test(one)), notes.join('\n'));
  const text = await gantry(['model', 'audit', '--db', db, '--model', model]);
  assert.match(text.stdout, /\nThe view order_notes is absent/);
});
