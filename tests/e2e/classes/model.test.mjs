// The operator's model over MCP: what agents are told, its filter and lists, reloading, refusals,
// and the commands that audit and draft one.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { modelDirectory, writeModel } from '../lib/documents.mjs';
import { gantry } from '../lib/gantry.mjs';
import { Server, ownFlags, runToEnd } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { ask, refused } from '../lib/rpc.mjs';
import { logged } from '../lib/script.mjs';

function shopDatabase() {
  const file = join(scratch(), 'shop.db');
  const db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, contact TEXT, photo TEXT, rank INTEGER);
    CREATE TABLE orders(number INTEGER PRIMARY KEY, status TEXT, total REAL, note TEXT,
      customer_id INTEGER REFERENCES customers(id), seller_id INTEGER);
    CREATE TABLE wages(id INTEGER PRIMARY KEY, amount INTEGER);
    CREATE TABLE notes(doc TEXT);
    INSERT INTO customers VALUES(1,'Ada','ada@example.org','P1',1),(2,'Bob','bob@example.org','P2',2);
    INSERT INTO orders VALUES(10,'open',1.5,'n1',1,1),(11,'paid',2.5,'n2',1,2),(12,'draft',3.5,'n3',2,1);
    INSERT INTO wages VALUES(1,1000);
    INSERT INTO notes VALUES('{"_id":1,"title":"T","text":"long"}');`);
  db.close();
  return file;
}

const order = { class: 'Order', table: 'orders', description: 'Orders since 2019',
  fields: { status: { description: 'Where it is',
    enum: ['draft', 'open', { value: 'paid', description: 'the money is in' }] } },
  agent_fields: ['number', 'status', 'total', 'customer'], canonical_filter: { status: { $ne: 'draft' } },
  pointers: { customer: { column: 'customer_id' } } };
const customer = { class: 'Customer', table: 'customers', agent_join_fields: ['name', 'rank'],
  large_fields: ['photo'] };
const files = { 'order.json': order, 'customer.json': customer, 'wages.json': { class: 'wages', hidden: true } };
const db = shopDatabase();

describe('a model in force', () => {
  let server;
  before(async () => { server = await Server.start({ db, flags: ['--model', modelDirectory(files)] }); });
  after(() => server.stop());
  const orders = (args = {}) => ask(server, 'query_class', { class_name: 'Order', ...args });

  test('get_schema shows its declarations', async () => {
    const schema = await ask(server, 'get_schema', { class_name: 'Order' });
    assert.equal(schema.description, 'Orders since 2019');
    const status = schema.fields.find(({ name }) => name === 'status');
    assert.equal(status.description, 'Where it is');
    assert.deepEqual(status.allowed_values,
      [{ value: 'draft' }, { value: 'open' }, { value: 'paid', description: 'the money is in' }]);
    assert.deepEqual(schema.agent_fields, order.agent_fields);
    assert.equal(schema.agent_join_fields, undefined);
    assert.deepEqual(schema.canonical_filter, order.canonical_filter);
    assert.equal(schema.fields.some(({ name }) => ['note', 'seller_id', 'customer_id'].includes(name)), false);
    const joined = await ask(server, 'get_schema', { class_name: 'Customer' });
    assert.deepEqual(joined.agent_join_fields, customer.agent_join_fields);
    assert.equal(joined.fields.find(({ name }) => name === 'photo').large_field, true);
  });

  test('get_all_schemas lists its names and descriptions, and no hidden class', async () => {
    const { custom } = await ask(server, 'get_all_schemas');
    assert.deepEqual(custom.map(({ name }) => name), ['Customer', 'Order', 'notes']);
    assert.equal(custom[1].description, 'Orders since 2019');
    const hidden = await refused(server, 'get_schema', { class_name: 'wages' });
    const absent = await refused(server, 'get_schema', { class_name: 'wagez' });
    assert.equal(hidden.code, 'access_denied');
    assert.equal(hidden.message.replaceAll('wages', 'wagez'), absent.message);
  });

  test('the canonical filter is applied unless the caller opts out, never by id', async () => {
    const count = (args) => ask(server, 'count_objects', { class_name: 'Order', ...args }).then((one) => one.count);
    assert.equal(await count(), 2);
    assert.equal(await count({ apply_canonical_filter: false }), 3);
    assert.equal(await count({ where: { status: 'draft' } }), 0);
    assert.equal((await orders()).result_count, 2);
    assert.equal((await orders({ apply_canonical_filter: false })).result_count, 3);
    const sum = { class_name: 'Order', pipeline: [{ $group: { _id: null, n: { $sum: 1 } } }, { $project: { _id: 0 } }] };
    assert.deepEqual((await ask(server, 'aggregate', sum)).results, [{ n: 2 }]);
    assert.deepEqual((await ask(server, 'aggregate', { ...sum, apply_canonical_filter: false })).results, [{ n: 3 }]);
    assert.equal((await ask(server, 'get_object', { class_name: 'Order', object_id: '12' })).object.status, 'draft');
    const groups = await ask(server, 'group_by', { class_name: 'Order', field: 'status' });
    assert.deepEqual(groups.groups.map(({ key }) => key).sort(), ['open', 'paid']);
    const shown = await ask(server, 'group_by', { class_name: 'Order', field: 'status', dry_run: true });
    assert.deepEqual(shown.pipeline[0], { $match: order.canonical_filter });
  });

  test('a bare included pointer shows the join fields and names the others', async () => {
    const page = await orders({ keys: ['number', 'customer'], include: ['customer'], limit: 1 });
    assert.deepEqual(page.results, [{ number: 10, customer: { id: 1, name: 'Ada', rank: 1 } }]);
    assert.deepEqual(page.truncated_include_fields, { customer: ['contact', 'photo'] });
    const one = await ask(server, 'get_object', { class_name: 'Order', object_id: '10', keys: ['customer'], include: ['customer'] });
    assert.deepEqual(one.truncated_include_fields, { customer: ['contact', 'photo'] });
    const some = await ask(server, 'get_objects', { class_name: 'Order', ids: ['10', '11'], keys: ['customer'], include: ['customer'] });
    assert.deepEqual(some.truncated_include_fields, { customer: ['contact', 'photo'] });
    const named = await orders({ keys: ['customer.photo'], include: ['customer'], limit: 1 });
    assert.deepEqual([named.results, named.truncated_include_fields], [[{ customer: { photo: 'P1' } }], undefined]);
    const whole = await orders({ include: ['customer'], limit: 1 });
    assert.equal(whole.results[0].customer.photo, 'P1');
  });

  test('the storage column of a renamed pointer is refused with the name to write', async () => {
    for (const [tool, args] of [['query_class', { where: { customer_id: 1 } }], ['query_class', { keys: ['customer_id'] }],
      ['query_class', { order: 'customer_id' }], ['group_by', { field: 'customer_id' }],
      ['aggregate', { pipeline: [{ $match: { customer_id: 1 } }] }],
      ['aggregate', { pipeline: [{ $project: { x: '$customer_id' } }] }]]) {
      const { details } = await refused(server, tool, { class_name: 'Order', ...args });
      assert.equal(details.kind, 'storage_form_field_ref', `${tool} ${JSON.stringify(args)}`);
      assert.equal(details.suggested_rewrite, 'customer');
    }
    assert.equal((await orders({ where: { customer: 1 } })).result_count, 2);
  });

  test('a field outside agent_fields is denied with the allowed ones', async () => {
    const { code, details } = await refused(server, 'query_class', { class_name: 'Order', where: { note: 'n1' } });
    assert.deepEqual([code, details.kind, details.denied_field], ['access_denied', 'field_denied', 'note']);
    assert.deepEqual(details.allowed_fields.filter((name) => order.agent_fields.includes(name)), order.agent_fields.toSorted(
      (a, b) => details.allowed_fields.indexOf(a) - details.allowed_fields.indexOf(b)));
    assert.equal(JSON.stringify(details).includes('seller'), false);
  });

  test('a value that the field never has is warned of', async () => {
    const { warnings } = await orders({ where: { status: 'payd' } });
    assert.match(warnings[0], /'status' never is "payd"\. Did you mean "paid"\?/);
  });
});

test('a changed file is in force within seconds, a bad one is logged and changes nothing', async (t) => {
  const directory = modelDirectory(files);
  const server = await Server.start({ db, flags: ['--model', directory] });
  t.after(() => server.stop());
  const said = async () => (await ask(server, 'get_schema', { class_name: 'Order' })).description;
  assert.equal(await said(), 'Orders since 2019');
  writeModel(directory, 'order.json', '{\n  "class": "Order",\n  "tabel": "orders"\n}');
  await sleep(1100);
  assert.equal(await said(), 'Orders since 2019');
  await logged(server, 'order.json:3');
  writeModel(directory, 'order.json', { ...order, description: 'Orders' });
  for (let i = 0; i < 50 && await said() !== 'Orders'; ++i) await sleep(100);
  assert.equal(await said(), 'Orders');
});

describe('a model that is refused at start', () => {
  const refusal = async (name, content, flags = []) => {
    const directory = modelDirectory({ [name]: content });
    const { code, stderr } = await runToEnd(['--db', db, '--model', directory, '--listen', '127.0.0.1:0', '--check-config',
      ...ownFlags(), ...flags]);
    return { code, stderr };
  };

  for (const [what, content, words] of [
    ['an unknown key', '{"class": "o", "table": "orders",\n"hiden": true}', /bad\.json:2: .*did you mean "hidden"/],
    ['a field that does not exist', { class: 'o', table: 'orders', agent_fields: ['staus'] }, /bad\.json:1: 'staus' .*did you mean 'status'/],
    ['join fields outside the agent fields', { class: 'o', table: 'orders', agent_fields: ['status'], agent_join_fields: ['total'] }, /agent_join_fields and not in agent_fields/],
    ['a filter that is no where', { class: 'o', table: 'orders', canonical_filter: { status: { $nee: 1 } } }, /bad\.json:1: the filter is no valid where: /],
    ['a filter over a field outside the allowlist', { class: 'o', table: 'orders', agent_fields: ['total'], canonical_filter: { status: 'open' } }, /not in agent_fields/],
    ['a pointer to nothing', { class: 'o', table: 'orders', pointers: { seller_id: 'nobody' } }, /no class 'nobody'/],
  ]) {
    test(what, async () => {
      const { code, stderr } = await refusal('bad.json', content);
      assert.equal(code, 2, stderr);
      assert.match(stderr, words);
    });
  }

  test('a field still to be decided, unless drafts are accepted', async () => {
    const draft = { class: 'customers', fields: { contact: { decide: 'personal', reason: 'looks so' } } };
    const { code, stderr } = await refusal('c.json', draft);
    assert.equal(code, 2);
    assert.match(stderr, /c\.json:1: the field 'contact' still says "decide": "personal"/);
    assert.equal((await refusal('c.json', draft, ['--accept-drafts'])).code, 0);
  });
});

test('the operator names further internal fields and built-in classes', async (t) => {
  const config = join(scratch(), 'gantry.json');
  writeFileSync(config, JSON.stringify({ plugins: { data: { config: { internal_fields: ['Contact', 'text'], built_in: ['notes'] } } } }));
  const server = await Server.start({ db, flags: ['--config', config] });
  t.after(() => server.stop());
  const { results } = await ask(server, 'query_class', { class_name: 'customers', limit: 1 });
  assert.deepEqual(results, [{ id: 1, name: 'Ada', photo: 'P1', rank: 1 }]);
  assert.equal((await refused(server, 'query_class', { class_name: 'customers', where: { contact: 'x' } })).code, 'access_denied');
  assert.deepEqual((await ask(server, 'get_all_schemas')).built_in.map(({ name }) => name), ['notes']);
});

describe('gantry model', () => {
  test('draft writes a model with undecided fields, audit finds it complete', async () => {
    const directory = join(scratch(), 'drafted');
    const made = await gantry(['model', 'draft', '--db', db, '--model', directory]);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /Wrote 4 classes .*fields are to be decided/);
    assert.deepEqual(readdirSync(directory).sort(), ['customers.json', 'notes.json', 'orders.json', 'wages.json']);
    const read = (name) => JSON.parse(readFileSync(join(directory, name), 'utf8'));
    const { fields } = read('customers.json');
    assert.equal(fields.name.decide, 'personal');
    assert.deepEqual(fields.contact, { description: 'Contact', decide: 'personal',
      reason: '2 of 2 sampled values look like e-mail addresses' });
    assert.equal(fields.rank.decide, undefined);
    assert.deepEqual(read('orders.json').pointers, { customer_id: 'customers' });
    const nowhere = await gantry(['model', 'draft', '--db', scratch(), '--model', directory]);
    assert.match(nowhere.stderr, /^gantry: \S+ is a directory, not a database file\.\n$/);
    const again = await gantry(['model', 'draft', '--db', db, '--model', directory]);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /is there already/);
    const audit = (...words) => gantry(['model', 'audit', '--db', db, '--model', directory, '--json', ...words]);
    const drafted = await audit();
    assert.equal(drafted.code, 0, drafted.stderr);
    const { undecided_fields: undecided, ...rest } = JSON.parse(drafted.stdout);
    assert.deepEqual(rest, { classes_audited: 4, visible_classes_declared: false,
      missing_class_descriptions: [], missing_field_descriptions: {}, unresolvable_allowlist_entries: {},
      canonical_filter_summary: {} });
    assert.deepEqual(undecided.find(({ field }) => field === 'contact'), { file: join(directory, 'customers.json'), class: 'customers',
      field: 'contact', decide: 'personal', reason: '2 of 2 sampled values look like e-mail addresses' });
    assert.equal((await audit('--strict')).code, 1, 'gantryd would refuse it');
    for (const name of readdirSync(directory)) {
      const { fields: described, ...one } = read(name);
      for (const field of Object.values(described)) { delete field.decide; delete field.reason; }
      writeModel(directory, name, { ...one, fields: described });
    }
    const decided = await audit('--strict');
    assert.deepEqual([decided.code, JSON.parse(decided.stdout)], [0, rest], decided.stderr);
    assert.equal(existsSync(`${db}-wal`), false);
  });

  test('draft finds persons, addresses, birth dates and keys by name and by value, and leaves ordinary fields alone', async () => {
    const people = join(scratch(), 'persons.db');
    const made = new DatabaseSync(people);
    made.exec(`CREATE TABLE leads(id INTEGER PRIMARY KEY, name TEXT, addr TEXT, place TEXT, day DATE, hire_date DATE, city TEXT, signing_key TEXT);
      INSERT INTO leads VALUES (1, 'x', 'y', 'Hauptstr. 1, 12345 Berlin', '1981-03-01', '1999-01-01', 'Berlin', 'k'),
        (2, 'x', 'y', '12 Main Street', '1990-12-24', '2001-02-03', 'Oslo', 'k');
      CREATE TABLE products(key TEXT PRIMARY KEY, name TEXT, maker TEXT, city TEXT, created DATE, sort_key INTEGER);
      INSERT INTO products VALUES ('a', 'Blue Chair', 'Ada Lovelace', 'New York', '1981-03-01', 1), ('b', 'Oak Table', 'Alan Turing', 'Santa Clara', '1990-12-24', 2);
      CREATE TABLE settings(id INTEGER PRIMARY KEY, key TEXT); INSERT INTO settings VALUES (1, 'a');`);
    made.close();
    const directory = join(scratch(), 'persons-model');
    assert.equal((await gantry(['model', 'draft', '--db', people, '--model', directory])).code, 0);
    const decided = (name) => Object.fromEntries(Object.entries(JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')).fields)
      .filter(([, one]) => one.decide).map(([field, one]) => [field, `${one.decide}: ${one.reason}`]));
    assert.deepEqual(decided('leads'), {
      name: 'personal: the name says name, in a class of persons', addr: 'personal: the name says address',
      place: 'personal: 2 of 2 sampled values look like addresses',
      day: 'personal: 2 of 2 sampled values look like birth dates, in a class of persons', signing_key: 'secret: the name says key' });
    assert.deepEqual(decided('products'), { maker: 'personal: 2 of 2 sampled values look like names' });
    assert.deepEqual(decided('settings'), { key: 'secret: the name says key' });
  });

  test('audit names missing descriptions and list entries without a field', async () => {
    const directory = modelDirectory({ ...files, 'order.json': { ...order, agent_fields: ['number', 'staus', 'status', 'customer'] } });
    const { code, stdout } = await gantry(['model', 'audit', '--db', db, '--model', directory, '--json']);
    assert.equal(code, 1);
    const found = JSON.parse(stdout);
    assert.equal(found.classes_audited, 3);
    assert.deepEqual(found.missing_class_descriptions, ['Customer', 'notes']);
    assert.deepEqual(found.missing_field_descriptions.Order, ['number', 'customer']);
    assert.deepEqual(found.unresolvable_allowlist_entries, { Order: [{ field: 'staus', nearest: 'status' }] });
    assert.deepEqual(found.canonical_filter_summary, { Order: order.canonical_filter });
    rmSync(join(directory, 'order.json'));
    writeModel(directory, 'order.json', order);
    assert.equal((await gantry(['model', 'audit', '--db', db, '--model', directory])).code, 0);
    assert.equal((await gantry(['model', 'audit', '--db', db, '--model', directory, '--strict'])).code, 1);
    writeModel(directory, 'order.json', { ...order, hiden: true });
    const refusedModel = await gantry(['model', 'audit', '--db', db, '--model', directory]);
    assert.equal(refusedModel.code, 1);
    assert.match(refusedModel.stderr, /gantryd refuses the model: .*hiden/);
  });
});
