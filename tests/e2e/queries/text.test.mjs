// $text over the full-text indexes of a database, through the tools that take conditions.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { ask, refused } from '../lib/rpc.mjs';

const topics = ['coffee shop', 'green tea', 'coffee beans', 'tea shop', 'Café crème'];
const notes = Array.from({ length: 300 }, (_, i) => ({
  id: i + 1, title: topics[i % 5], body: i % 3 === 0 ? 'open all day' : `closed on day ${i % 7}`, stars: i % 6,
}));

function notesDatabase() {
  const file = join(scratch(), 'notes.db');
  const db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, body TEXT, stars INTEGER);
    CREATE VIRTUAL TABLE notes_fts USING fts5 (title, body, content = 'notes', content_rowid = 'id');
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, password TEXT);
    INSERT INTO users VALUES (1, 'ann', 'topsecret');
    CREATE VIRTUAL TABLE users_fts USING fts5 (name, password, content = 'users', content_rowid = 'id');
    INSERT INTO users_fts (users_fts) VALUES ('rebuild'); BEGIN`);
  const add = db.prepare('INSERT INTO notes VALUES (?, ?, ?, ?)');
  for (const note of notes) add.run(note.id, note.title, note.body, note.stars);
  db.exec("COMMIT; INSERT INTO notes_fts (notes_fts) VALUES ('rebuild')");
  db.close();
  return file;
}

const servers = [];
before(async () => {
  const db = notesDatabase();
  for (const pushdown of [true, false]) {
    const file = join(scratch(), `pushdown-${pushdown}.json`);
    writeFileSync(file, JSON.stringify({ plugins: { data: { config: { refuse_collscan: true, pushdown } } } }));
    servers.push(await Server.start({ db, flags: ['--config', file] }));
  }
});
after(() => Promise.all(servers.map((server) => server.stop())));

const ids = (test_) => notes.filter(test_).map((note) => String(note.id));
const text = (search, more = {}) => ({ $text: { $search: search, ...more } });
const says = (note, word) => `${note.title} ${note.body}`.toLowerCase().includes(word);

const cases = [
  ['one of the words', 'coffee green', (n) => says(n, 'coffee') || says(n, 'green')],
  ['a phrase', '"tea shop"', (n) => n.title === 'tea shop'],
  ['without a word', 'shop -coffee', (n) => n.title === 'tea shop'],
  ['letters without their marks', 'CREME', (n) => n.title === 'Café crème'],
  ['words of the index as words', 'OR AND "open all"', (n) => says(n, 'open all')],
  ['nothing to look for', '-coffee', () => false],
];

for (const [name, search, expected] of cases) {
  test(`$text finds ${name} in queries, counts and pipelines`, async () => {
    for (const server of servers) {
      const wanted = ids(expected);
      const where = text(search);
      const { results } = await ask(server, 'query_class', { class_name: 'notes', where, limit: 1000 });
      assert.deepEqual(results.map((row) => String(row.id)), wanted);
      assert.equal((await ask(server, 'count_objects', { class_name: 'notes', where })).count, wanted.length);
      const pipeline = [{ $match: { ...where, stars: { $lt: 3 } } }, { $limit: 1000 }];
      const found = await ask(server, 'aggregate', { class_name: 'notes', pipeline });
      assert.deepEqual(found.results.map((row) => String(row.id)).sort(), ids((n) => expected(n) && n.stars < 3).sort());
    }
  });
}

test('explain_query shows the search, and no full scan', async () => {
  const where = text('coffee');
  const plan = await ask(servers[0], 'explain_query', { class_name: 'notes', where, refuse_collscan: true });
  assert.equal(plan.full_scan, false);
  assert.ok(plan.indexes_used.includes('notes_fts'), JSON.stringify(plan));
});

test('an index is shown with its class and is not a class itself', async () => {
  const catalog = await ask(servers[0], 'get_all_schemas', {});
  assert.deepEqual(catalog.custom.map((cls) => cls.name).sort(), ['notes', 'users']);
  const { indexes } = await ask(servers[0], 'get_schema', { class_name: 'notes' });
  assert.deepEqual(indexes.filter((index) => index.text), [{ name: 'notes_fts', fields: ['title', 'body'], unique: false, text: true }]);
});

test('a search that no index can answer is refused with the reason', async () => {
  const query = (class_name, where) =>
    refused(servers[0], 'query_class', { class_name, where });
  for (const [name, where, words] of [
    ['notes', text('x', { $caseSensitive: true }), /\$caseSensitive/],
    ['notes', { $or: [text('x'), { stars: 1 }] }, /\$or/],
    ['users', text('topsecret'), /search index.*\$regex/],
  ]) {
    const error = await query(name, where);
    assert.equal(error.code, 'invalid_query');
    assert.match(error.message, words);
    assert.doesNotMatch(JSON.stringify(error), /password|users_fts/);
  }
});
