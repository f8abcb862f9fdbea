// get_schema over the wire: one class and several, what it says of fields, refusals.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { ask, call, refused } from '../lib/rpc.mjs';

function shopDatabase() {
  const file = join(scratch(), 'shop.db');
  const db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, since DATE);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), ordered_at DATETIME,
      status TEXT NOT NULL CHECK (status IN ('open', 'paid')), attributes JSON);
    CREATE TABLE stock (shelf TEXT, item TEXT, n INTEGER, PRIMARY KEY (shelf, item)) WITHOUT ROWID;
    CREATE VIEW paid AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500) SELECT i FROM n;
    INSERT INTO customers VALUES (1, 'Ada', '2026-01-01');
    INSERT INTO orders VALUES (1, 1, '2026-01-02 10:00:00', 'paid',
      '{"gift":true,"address":{"city":"Bern","password_hash":"secret"}}');`);
  db.close();
  return file;
}

let server;
before(async () => { server = await Server.start({ db: shopDatabase() }); });
after(() => server.stop());

const schemaOf = (name) => ask(server, 'get_schema', { class_name: name });
const field = ({ fields }, name) => fields.find((one) => one.name === name);

test('a field says which values it may have, and JSON which keys', async () => {
  const orders = await schemaOf('orders');
  assert.deepEqual(field(orders, 'status').allowed_values, [{ value: 'open' }, { value: 'paid' }]);
  assert.deepEqual(field(orders, 'attributes').keys, [
    { name: 'gift', type: 'Boolean' }, { name: 'address', type: 'Object' }, { name: 'address.city', type: 'String' },
  ]);
  assert.doesNotMatch(JSON.stringify(orders), /Bern|secret|password/);
});

test('the id and the key are named', async () => {
  const [orders, stock, paid] = await Promise.all(['orders', 'stock', 'paid'].map(schemaOf));
  assert.equal(orders.id_field, 'id');
  assert.deepEqual(orders.indexes, [{ name: 'PRIMARY KEY', fields: ['id'], unique: true }]);
  assert.equal(stock.id_field, 'shelf,item');
  assert.deepEqual(stock.indexes, [{ name: 'PRIMARY KEY', fields: ['shelf', 'item'], unique: true }]);
  assert.deepEqual(['shelf', 'item', 'n'].map((name) => field(stock, name).indexed), [true, true, undefined]);
  assert.ok(!('id_field' in paid) && !('estimated_rows' in paid), JSON.stringify(paid));
});

test('several classes come in one answer, with one explanation of their kinds', async () => {
  const { classes, hints } = await ask(server, 'get_schema', { class_names: ['orders', 'customers', 'stock'] });
  assert.deepEqual(classes.map((one) => one.class_name), ['orders', 'customers', 'stock']);
  assert.deepEqual(Object.keys(hints), ['pointer', 'date', 'json']);
  const { hints: own, ...orders } = await schemaOf('orders');
  assert.deepEqual(classes[0], orders);
  assert.deepEqual(own, hints);
  assert.deepEqual(Object.keys((await schemaOf('customers')).hints), ['date']);
  assert.ok(!('hints' in await schemaOf('stock')));
  assert.deepEqual(
    field(orders, 'customer_id'),
    { name: 'customer_id', type: 'Pointer', required: false, target_class: 'customers', query_hint: 'customers.id, Integer' });
});

test('a wrong name among several names the nearest', async () => {
  const result = await call(server, 'get_schema', { class_names: ['orders', 'custmers'] });
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /Class 'custmers' is not accessible to this agent.*customers/s);
});

test('names are given in one form, up to twenty', async () => {
  for (const [args, said] of [
    [{}, /'class_name' is missing/],
    [{ class_name: 'orders', class_names: ['orders'] }, /not both/],
    [{ class_names: [] }, /at least one class/],
    [{ class_names: Array(21).fill('orders') }, /at most 20/],
  ]) {
    const error = await refused(server, 'get_schema', args);
    assert.equal(error.code, 'invalid_argument');
    assert.match(error.message, said);
  }
});
