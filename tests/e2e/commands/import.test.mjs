// gantry import, and a server that reads the classes that it filled.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { until } from '../lib/events.mjs';
import { gantry, gantryProgram } from '../lib/gantry.mjs';
import { Server, cleanEnvironment } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { ask, call } from '../lib/rpc.mjs';

const folder = scratch();
const db = join(folder, 'blog.db');
const at = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

async function imported(file, name, ...flags) {
  const ran = await gantry(['import', file, '--class', name, '--db', db, ...flags]);
  assert.equal(ran.code, 0, ran.stderr);
  return ran.stdout;
}

async function refusedImport(code, file, name, ...flags) {
  const ran = await gantry(['import', file, '--class', name, '--db', db, ...flags]);
  assert.equal(ran.code, code, ran.stderr);
  assert.equal(ran.stdout, '');
  return ran.stderr;
}

const posts = { results: [
  { objectId: 'p1', createdAt: '2024-05-01T10:00:00.000Z', updatedAt: '2024-05-02T10:00:00.000Z',
    title: 'One', author: { __type: 'Pointer', className: 'Writer', objectId: 'w1' },
    published: { __type: 'Date', iso: '1960-01-01T00:00:00.000Z' }, tags: ['a', 'b'], live: true,
    extra: 5, likes: 9007199254740993n, raw: { __type: 'Bytes', base64: 'aGk=' },
    place: { __type: 'GeoPoint', latitude: 52, longitude: 13 }, ACL: { '*': { read: true } } },
  { objectId: 'p2', createdAt: '2024-06-01T10:00:00.000Z', updatedAt: '2024-06-02T10:00:00.000Z',
    title: 'Two', author: { __type: 'Pointer', className: 'Writer', objectId: 'w2' },
    published: { __type: 'Date', iso: '2000-01-01T00:00:00.000Z' }, tags: [], live: false,
    extra: 'x', likes: 1 },
] };
const text = JSON.stringify(posts, (_, value) => (typeof value === 'bigint' ? `#${value}#` : value))
  .replace(/"#(\d+)#"/g, '$1');

let server;
before(async () => {
  assert.match(await imported(at('Post.json', text), 'Post', '--format', 'parse', '--create'),
    /2 rows into the new class Post[^]*class Writer is imported/);
  await imported(at('Writer.csv', 'objectId,name,born\r\nw1,"Ann ""A"" Lee",1970-01-01\r\nw2,Bob,\r\n'), 'Writer');
  await imported(at('event.jsonl', '{"_id":1,"at":{"$date":"2024-01-01T00:00:00Z"},"a":{"b":[1,2]}}\n{"_id":"x","a":null}\n'),
    'event', '--document', 'doc');
  server = await Server.start({ db });
});
after(() => server.stop());

test('a Parse export is read back as it was, by a client', async () => {
  const client = new Client({ name: 'gantry-e2e', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(server.url));
  const answer = await client.callTool({ name: 'query_class',
    arguments: { class_name: 'Post', where: { objectId: 'p1' }, rows: 'parse' } });
  await client.close();
  const [row] = answer.structuredContent.results;
  const { ACL, likes, ...expected } = posts.results[0];
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(row[name], value, name);
  assert.equal(row._rperm, undefined);
});

test('integers beyond 2^53 stay exact', async () => {
  const [row] = (await ask(server, 'query_class', { class_name: 'Post', order: '-likes', limit: 1 })).results;
  assert.equal(row.likes, 9007199254740993n);
});

test('pointers to keys that are dates are read back as exports write them', async () => {
  const made = new DatabaseSync(db);
  made.exec(`CREATE TABLE days(day DATE PRIMARY KEY); CREATE TABLE secs(happened_at TIMESTAMP PRIMARY KEY);
    INSERT INTO days VALUES ('2026-01-01'), ('2026-01-02'); INSERT INTO secs VALUES (1767225600), (1767225601);
    CREATE TABLE visits(id INTEGER PRIMARY KEY, day DATE REFERENCES days(day), sec INT REFERENCES secs(happened_at));
    INSERT INTO visits VALUES (1, '2026-01-01', 1767225600), (2, '2026-01-02', 1767225601)`);
  const stored = () => made.prepare('SELECT day, sec FROM visits ORDER BY id').all().map((row) => ({ ...row }));
  const before = stored();
  await until(async () => !(await call(server, 'get_schema', { class_name: 'visits' })).isError, 'the class is seen');
  for (const format of ['csv', 'jsonl']) {
    const { output } = await ask(server, 'export_data', { class_name: 'visits', format });
    assert.match(output, /2026-01-02T00:00:00Z/);
    made.exec('DELETE FROM visits');
    await imported(at(`visits.${format}`, output), 'visits');
    assert.deepEqual(stored(), before, format);
  }
  made.close();
});

test('two CSV files are joined over their keys', async () => {
  await imported(at('clients.csv', 'id,name\n11,Ada\n12,Bob\n'), 'clients');
  const said = await imported(at('bills.csv', 'id,client_id,total\n1,11,5\n2,11,7\n3,12,n/a\n4,,9\n'), 'bills', '--pointer', 'client_id=clients');
  assert.match(said, /total is text because of row 3 \(line 4\): "n\/a" is no integer/);
  const { groups } = await ask(server, 'group_by', { class_name: 'bills', field: 'client_id.name', sort: 'key_asc' });
  assert.deepEqual(groups, [{ key: null, value: 1 }, { key: 'Ada', value: 2 }, { key: 'Bob', value: 1 }]);
});

test('the schema has booleans, dates, JSON and pointers', async () => {
  const { fields } = await ask(server, 'get_schema', { class_name: 'Post' });
  const type = (name) => fields.find((field) => field.name === name)?.type;
  assert.deepEqual(['title', 'author', 'published', 'tags', 'live', 'likes', 'raw'].map(type),
    ['String', 'Pointer', 'Date', 'Array', 'Boolean', 'Integer', 'Bytes']);
});

test('dates before 1970, booleans, mixed values and pointers can be asked for', async () => {
  const count = async (where) =>
    (await ask(server, 'count_objects', { class_name: 'Post', where })).count;
  assert.equal(await count({ published: { $lt: { __type: 'Date', iso: '1970-01-01T00:00:00.000Z' } } }), 1);
  assert.equal(await count({ live: true }), 1);
  assert.equal(await count({ extra: 5 }), 1);
  assert.equal(await count({ extra: 'x' }), 1);
  assert.equal(await count({ author: { __type: 'Pointer', className: 'Writer', objectId: 'w2' } }), 1);
  const { results } = await ask(server, 'query_class',
    { class_name: 'Post', include: ['author'], order: 'title' });
  assert.deepEqual(results.map((row) => row.author.name), ['Ann "A" Lee', 'Bob']);
});

test('documents are found by their fields', async () => {
  const { results } = await ask(server, 'aggregate',
    { class_name: 'event', pipeline: [{ $match: { 'a.b': 2 } }] });
  assert.equal(results.length, 1);
  assert.equal(results[0]._id, 1);
});

test('agents see rows that are imported while the server runs', async () => {
  const count = async () => (await ask(server, 'count_objects', { class_name: 'Writer' })).count;
  const before = await count();
  await imported(at('more.jsonl', '{"objectId":"w3","name":"Cy"}\n'), 'Writer');
  assert.equal(await count(), before + 1);
  await imported(at('new.csv', 'n\n1\n2\n'), 'Fresh');
  assert.equal((await ask(server, 'count_objects', { class_name: 'Fresh' })).count, 2);
});

test('refused rows are reported with number, line and reason, and nothing is imported', async () => {
  const file = at('bad.csv', 'objectId,name,born\nw9,Z,2000-01-01\nw1,Again,\nw8,Y,soon\n');
  const said = await refusedImport(1, file, 'Writer');
  assert.match(said, /row 2 \(line 3\): Writer\.objectId "w1" is there already/);
  assert.match(said, /row 3 \(line 4\): born: "soon" is no date/);
  assert.match(said, /nothing was imported/);
  assert.doesNotMatch(said, /\r|\[K/, 'no bar without a terminal');
  const there = await ask(server, 'get_objects', { class_name: 'Writer', ids: ['w9', 'w8'] });
  assert.deepEqual(there.missing, ['w9', 'w8']);
  const ran = await gantry(['import', file, '--class', 'Writer', '--db', db, '--skip-invalid']);
  assert.equal(ran.code, 0);
  assert.match(ran.stdout, /Imported 1 row [^]*2 refused rows were left out/);
});

test('wrong arguments and files end with exit code 2 and a sentence', async () => {
  const file = at('a.csv', 'a\n1\n');
  assert.match(await refusedImport(2, file, '_gantry_x'), /internal/);
  assert.match(await refusedImport(2, file, 'A', '--type', 'a=money'), /--type a=money/);
  assert.match(await refusedImport(2, file, 'A', '--format', 'xml'), /format/);
  assert.match(await refusedImport(2, join(folder, 'none.csv'), 'A'), /No such file/);
  assert.match(await refusedImport(2, file, 'A', '--document', 'doc'), /CSV has columns/);
  const nowhere = await gantry(['import', file, '--class', 'A', '--db', join(folder, 'no.db')]);
  assert.equal(nowhere.code, 2);
  assert.match(nowhere.stderr, /--create makes it/);
});

test('a database that cannot be written is refused with a reason', { skip: process.getuid() === 0 && 'root may write anything' }, async () => {
  const locked = join(folder, 'locked.db');
  writeFileSync(locked, readFileSync(db));
  chmodSync(locked, 0o400);
  const ran = await gantry(['import', at('b.csv', 'a\n1\n'), '--class', 'B', '--db', locked]);
  assert.equal(ran.code, 1);
  assert.match(ran.stderr, /read-only/);
});

test('standard input is read to its end, and Ctrl-C leaves nothing behind', async () => {
  const target = join(folder, 'piped.db');
  const start = () => spawn(gantryProgram,
    ['import', '-', '--format', 'jsonl', '--class', 'P', '--db', target, '--create'],
    { env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] });
  const stopped = start();
  stopped.stdin.write('{"a":1}\n');
  const blocksInterrupts = () => {  // it blocks SIGINT (bit 1) and reads it from a descriptor
    const blocked = /SigBlk:\s*([0-9a-f]+)/.exec(readFileSync(`/proc/${stopped.pid}/status`, 'utf8'));
    return (BigInt(`0x${blocked[1]}`) & 2n) !== 0n;
  };
  await until(blocksInterrupts, 'the import blocks SIGINT');
  stopped.kill('SIGINT');
  assert.deepEqual(await once(stopped, 'close'), [1, null]);
  const whole = start();
  for (let i = 0; i < 1000; ++i) whole.stdin.write(`{"a":${i}}\n`);
  whole.stdin.end();
  let said = '';
  whole.stdout.on('data', (bytes) => { said += bytes; });
  assert.deepEqual(await once(whole, 'close'), [0, null]);
  assert.match(said, /Imported 1000 rows into the new class P/);
});
