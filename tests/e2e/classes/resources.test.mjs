// data://{class}/schema, /count and /samples over HTTP in both eras: lists, reads, completion, and
// notifications to subscribers when another program writes the database.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { pause, until } from '../lib/events.mjs';
import { Server } from '../lib/gantryd.mjs';
import { SessionStream, listen, told } from '../lib/listen.mjs';
import { scratch } from '../lib/paths.mjs';
import { LegacySession, ask, modern } from '../lib/rpc.mjs';

const parts = ['schema', 'count', 'samples'];
const uri = (cls, part) => `data://${encodeURIComponent(cls)}/${part}`;

function database(journal = 'DELETE') {
  const file = join(scratch(), 'shop.db');
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = ${journal};
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, password TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers(id), total REAL);
    CREATE TABLE "odd / naïve" (id INTEGER PRIMARY KEY);
    INSERT INTO customers VALUES (1, 'Ada', 'x'), (2, 'Bob', 'y');
    INSERT INTO orders VALUES (1, 1, 9.5);`);
  return { file, db };
}

const classes = ['customers', 'odd / naïve', 'orders'];

/** The same requests in both eras: `ask` gives the result, `refused` the error. */
const eras = {
  modern: async (server) => ({
    ask: async (method, params) => (await modern(server, method, params, named(params))).message,
  }),
  legacy: async (server) => {
    const session = await LegacySession.open(server);
    return { ask: async (method, params) => (await session.request(method, params)).message };
  },
};
// Names beyond ASCII travel encoded.
const named = ({ uri: of } = {}) => (of ? { 'mcp-name': of } : {});

for (const [era, open] of Object.entries(eras)) {
  describe(`a ${era} client`, () => {
    let server, client, db;
    before(async () => {
      const made = database();
      db = made.db;
      server = await Server.start({ db: made.file });
      client = await open(server);
    });
    after(async () => { db.close(); await server.stop(); });

    const result = async (method, params) => {
      const message = await client.ask(method, params);
      assert.ok(message.result, JSON.stringify(message));
      return message.result;
    };
    const read = async (of) => {
      const { contents } = await result('resources/read', { uri: of });
      assert.equal(contents.length, 1);
      assert.equal(contents[0].uri, of);
      assert.equal(contents[0].mimeType, 'application/json');
      return JSON.parse(contents[0].text);
    };

    test('finds the three templates', async () => {
      const { resourceTemplates } = await result('resources/templates/list');
      const ours = resourceTemplates.filter((each) => each.uriTemplate.startsWith('data://'));
      assert.deepEqual(ours.map((each) => each.uriTemplate), parts.map((part) => `data://{class}/${part}`));
      for (const each of ours) assert.ok(each.title && each.description && each.mimeType);
    });

    test('finds three resources for each class', async () => {
      const { resources } = await result('resources/list');
      const found = resources.map((each) => each.uri).filter((of) => of.startsWith('data://'));
      assert.deepEqual(found, classes.flatMap((cls) => parts.map((part) => uri(cls, part))));
    });

    test('reads the same content as the tools', async () => {
      assert.deepEqual(await read(uri('customers', 'schema')), await ask(server, 'get_schema', { class_name: 'customers' }));
      for (const cls of classes) {
        assert.deepEqual(await read(uri(cls, 'count')), await ask(server, 'count_objects', { class_name: cls }));
        assert.deepEqual(await read(uri(cls, 'samples')), await ask(server, 'get_sample_objects', { class_name: cls }));
      }
      assert.ok(!JSON.stringify(await read(uri('customers', 'samples'))).includes('password'));
    });

    test('is refused an unknown class', async () => {
      for (const of of ['data://missing/count', 'data://sqlite_master/schema']) {
        const { error } = await client.ask('resources/read', { uri: of });
        assert.equal(error.code, era === 'modern' ? -32602 : -32002);
      }
    });

    test('completes class names', async () => {
      const suggest = async (value) => (await result('completion/complete', {
        ref: { type: 'ref/resource', uri: 'data://{class}/count' }, argument: { name: 'class', value },
      })).completion;
      assert.deepEqual((await suggest('O')).values, ['odd / naïve', 'orders']);
      assert.deepEqual((await suggest('x')).values, []);
      assert.equal((await suggest('')).total, 3);
    });
  });
}

test('schemas may be cached for a while, counts and samples not at all', async () => {
  const { file, db } = database();
  const server = await Server.start({ db: file });
  const ttl = async (part) => (await modern(server, 'resources/read', { uri: uri('orders', part) },
    named({ uri: uri('orders', part) }))).message.result;
  const all = await Promise.all(parts.map(ttl));
  assert.deepEqual(all.map((each) => each.ttlMs), [60000, 0, 0]);
  assert.deepEqual(new Set(all.map((each) => each.cacheScope)), new Set(['private']));
  db.close();
  await server.stop();
});

test('without a database there are no resources', async () => {
  const server = await Server.start();
  const { message } = await modern(server, 'resources/templates/list');
  const templates = message.result?.resourceTemplates ?? [];
  assert.deepEqual(templates.filter((each) => each.uriTemplate.startsWith('data://')), []);
  await server.stop();
});

for (const journal of ['DELETE', 'WAL']) {
  describe(`when another program writes, journal ${journal}`, () => {
    let server, db;
    before(async () => {
      const made = database(journal);
      db = made.db;
      server = await Server.start({ db: made.file });
    });
    after(async () => { db.close(); await server.stop(); });
    // An earlier subscription has its own baseline.
    const settled = () => pause(1500);
    const uris = (heard) => heard.filter(([method]) => method === 'resources/updated').map(([, { uri: of }]) => of);

    test('a modern subscriber is notified of the written class and of no other', async () => {
      const call = await listen(server, {
        resourceSubscriptions: ['customers', 'orders'].flatMap((cls) => parts.map((part) => uri(cls, part))),
      });
      assert.equal(call.acknowledged.resourceSubscriptions.length, 6);
      await settled();
      assert.deepEqual(told(call), []);
      db.exec("INSERT INTO orders VALUES (2, 2, 1.25)");
      await until(() => uris(told(call)).length >= 2, 'the updates');
      await settled();
      assert.deepEqual(uris(told(call)).sort(), [uri('orders', 'count'), uri('orders', 'samples')]);
      await call.drop();
    });

    test('a legacy subscriber is notified on its stream', async () => {
      const session = await LegacySession.open(server);
      const stream = await SessionStream.open(session);
      const subscribed = await session.request('resources/subscribe', { uri: uri('orders', 'count') });
      assert.ok(subscribed.message.result, JSON.stringify(subscribed.message));
      await settled();
      db.exec('INSERT INTO customers (name) VALUES (\'Cyd\')');
      await settled();
      db.exec('DELETE FROM orders WHERE id = 2');
      const heard = () => stream.messages.filter(({ method }) => method === 'notifications/resources/updated');
      await until(() => heard().length > 0, 'the update');
      await settled();
      assert.deepEqual(heard().map(({ params }) => params.uri), [uri('orders', 'count')]);
      await stream.drop();
    });

    test('no subscriber is notified of changes to hidden columns', async () => {
      const watched = parts.map((part) => uri('customers', part));
      const call = await listen(server, { resourceSubscriptions: watched });
      db.exec("UPDATE customers SET password = password || '1'");  // right after the subscription
      await settled();
      db.exec("UPDATE customers SET password = 'other' WHERE id = 1");
      db.exec('CREATE INDEX by_password ON customers (password)');
      await settled();
      assert.deepEqual(told(call), []);
      db.exec("UPDATE customers SET name = 'Eve' WHERE id = 1");
      await until(() => uris(told(call)).length > 0, 'the update');
      await settled();
      assert.deepEqual(uris(told(call)), [uri('customers', 'samples')]);
      await call.drop();
    });

    test('a new table changes the list, a changed one its schema', async () => {
      const call = await listen(server, { resourcesListChanged: true, resourceSubscriptions: [uri('orders', 'schema')] });
      await settled();
      db.exec('CREATE TABLE parcels (id INTEGER PRIMARY KEY)');
      await until(() => told(call).some(([method]) => method === 'resources/list_changed'), 'list_changed');
      await settled();
      assert.deepEqual(uris(told(call)), []);
      db.exec('ALTER TABLE orders ADD COLUMN note TEXT');
      await until(() => uris(told(call)).length > 0, 'the update');
      assert.deepEqual(uris(told(call)), [uri('orders', 'schema')]);
      await call.drop();
    });

    test('a dropped table ends its resources', async () => {
      const call = await listen(server, { resourceSubscriptions: [uri('parcels', 'count')] });
      await settled();
      db.exec('DROP TABLE parcels');
      await until(() => told(call).length > 0, 'the end of the resource');
      assert.deepEqual(told(call)[0], ['resources/updated', { uri: uri('parcels', 'count'), _meta: { 'gantry/deleted': true } }]);
      await call.drop();
    });
  });
}
