// Answers that are too large for one message, and answers in other formats.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { ask, call, refused } from '../lib/rpc.mjs';
import { scratch } from '../lib/paths.mjs';

const limit = 4 * 1024 * 1024;
const size = (result) => Buffer.byteLength(JSON.stringify(result.structuredContent));

function heavyDatabase() {
  const file = join(scratch(), 'heavy.db');
  const db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE one_fat (id INTEGER PRIMARY KEY, name TEXT, fat TEXT);
    CREATE TABLE all_fat (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT);
    CREATE TABLE huge (id INTEGER PRIMARY KEY, body TEXT, note TEXT);
    CREATE TABLE cells (id INTEGER PRIMARY KEY, t TEXT, n REAL);
    INSERT INTO cells VALUES (1, 'plain', 1.5), (2, 'a,"b"' || char(10) || 'c|d', NULL), (3, '=1+1', -2);
    BEGIN`);
  const one = db.prepare('INSERT INTO one_fat VALUES (?, ?, ?)');
  const all = db.prepare('INSERT INTO all_fat VALUES (?, ?, ?, ?)');
  for (let id = 1; id <= 100; ++id) {
    one.run(id, `n${id}`, 'é'.repeat(40000));
    all.run(id, 'a'.repeat(70000), 'b'.repeat(60000), 'c'.repeat(50000));
  }
  db.prepare('INSERT INTO huge VALUES (1, ?, ?)').run('x'.repeat(5 * 1024 * 1024), 'small');
  db.exec('COMMIT');
  db.close();
  return file;
}

let server;
before(async () => { server = await Server.start({ db: heavyDatabase() }); });
after(() => server.stop());

describe('a value that no answer can hold', () => {
  const MiB = 1 << 20;
  let own;
  before(async () => {
    const file = join(scratch(), 'blobs.db');
    const db = new DatabaseSync(file);
    db.exec(`CREATE TABLE pictures (id INTEGER PRIMARY KEY, name TEXT, data BLOB);
      INSERT INTO pictures VALUES (1, 'huge', zeroblob(${100 * MiB})), (2, 'large', zeroblob(${30 * MiB})), (3, 'small', x'00');`);
    db.close();
    own = await Server.start({ db: file, env: { ASAN_OPTIONS: 'quarantine_size_mb=1:malloc_context_size=2' } });
  });
  after(() => own.stop());

  const resident = () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${own.child.pid}/status`, 'latin1'))[1]) * 1024;

  test('is measured and not read: four at once take no memory', async () => {
    await ask(own, 'get_object', { class_name: 'pictures', object_id: '3' });
    const before = resident();
    const all = await Promise.all([1, 2, 3, 4].map(() => refused(own, 'get_object', { class_name: 'pictures', object_id: '1' })));
    for (const { code, details } of all) {
      assert.deepEqual([code, details.kind], ['invalid_argument', 'response_too_large']);
      assert.ok(details.bytes >= 100 * MiB && details.bytes < 150 * MiB, `${details.bytes}`);
      assert.equal(details.largest_fields[0].name, 'data');
    }
    assert.ok(resident() - before < 48 * MiB, `grew by ${(resident() - before) / MiB} MiB`);
  });

  test('is never encoded, and the answer has its size', async () => {
    const { details } = await refused(own, 'get_object', { class_name: 'pictures', object_id: '2' });
    assert.equal(details.kind, 'response_too_large');
    assert.ok(details.bytes >= 40 * MiB && details.bytes < 41 * MiB, `${details.bytes}`);
  });

  test('leaves its field out of a query, and the rows are there', async () => {
    const answer = await ask(own, 'query_class', { class_name: 'pictures', order: 'id' });
    assert.deepEqual(answer._truncated.dropped_fields, ['data']);
    assert.deepEqual(answer.results.map(({ name }) => name), ['huge', 'large', 'small']);
    const named = await ask(own, 'query_class', { class_name: 'pictures', keys: ['name'], where: { data: { $exists: true } } });
    assert.equal(named.result_count, 3);
  });

  test('is a clear refusal where a pipeline or an export needs it', async () => {
    for (const [tool, args] of [['aggregate', { pipeline: [{ $project: { data: 1 } }] }], ['export_data', { columns: ['data'] }],
      ['distinct', { field: 'data' }]]) {
      const { code, message } = await refused(own, tool, { class_name: 'pictures', ...args });
      assert.notEqual(code, 'internal_error', `${tool}: ${message}`);
      assert.match(message, /large|MiB/, tool);
    }
  });
});

describe('an answer beyond 4 MiB', () => {
  test('loses its heaviest field first and keeps every row', async () => {
    const result = await call(server, 'query_class', { class_name: 'one_fat', order: 'id' });
    const answer = result.structuredContent;
    const truncated = answer._truncated;
    assert.ok(size(result) <= limit);
    assert.equal(truncated.reason, 'response_exceeded_max_bytes');
    assert.deepEqual(truncated.dropped_fields, ['fat']);
    assert.deepEqual([truncated.kept_count, truncated.original_count], [100, 100]);
    assert.equal(truncated.next_skip, undefined);
    assert.ok(truncated.hint.length > 10);
    assert.deepEqual(answer.results[99], { id: 100, name: 'n100' });
  });

  test('then loses trailing rows, names the next offset, and leaves stale counters out', async () => {
    const result = await call(server, 'query_class', { class_name: 'all_fat', order: 'id', skip: 2 });
    const answer = result.structuredContent;
    const { dropped_fields: dropped, kept_count: kept, original_count: original, next_skip: next } = answer._truncated;
    assert.ok(size(result) <= limit);
    assert.ok(dropped.includes('a'));
    assert.equal(original, 98);
    assert.ok(kept < original && kept > 0);
    assert.equal(answer.results.length, kept);
    assert.equal(next, 2 + kept);
    assert.equal(answer.next_call, undefined);
    assert.equal(answer.results[0].id, 3);
  });

  test('can be asked for again with fewer keys', async () => {
    const answer = await ask(server, 'query_class', { class_name: 'one_fat', keys: ['name'], limit: 100 });
    assert.equal(answer._truncated, undefined);
    assert.equal(answer.result_count, 100);
  });

  test('of a read by id is refused with sizes and keys to retry with, never values', async () => {
    const { code, message, details } = await refused(server, 'get_object', { class_name: 'huge', object_id: '1' });
    assert.equal(code, 'invalid_argument');
    assert.equal(details.kind, 'response_too_large');
    assert.ok(details.bytes > details.limit);
    assert.equal(details.limit, limit);
    assert.equal(details.largest_fields[0].name, 'body');
    assert.ok(details.largest_fields[0].bytes_per_record >= 5 * 1024 * 1024);
    assert.ok(details.keys.includes('note') && !details.keys.includes('body'));
    assert.doesNotMatch(message, /xxxxxxxx/);
    const { object } = await ask(server, 'get_object', { class_name: 'huge', object_id: '1', keys: details.keys });
    assert.equal(object.note, 'small');
  });
});

describe('formats', () => {
  const as = (format) => ask(server, 'query_class', { class_name: 'cells', order: 'id', format });

  test('csv is quoted where it must be', async () => {
    const answer = await as('csv');
    assert.equal(answer.format, 'csv');
    assert.equal(answer.row_count, 3);
    assert.ok(answer.headers.includes('t'));
    assert.match(answer.output, /"a,""b""\nc\|d"/);
  });

  test('markdown escapes characters that would break the table', async () => {
    const { output } = await as('markdown');
    assert.match(output, /\|\s*-{3,}/);
    assert.match(output, /c\\\|d/);
    assert.equal(output.trim().split('\n').length, 5);
  });

  test('table is aligned text', async () => {
    const { output, row_count: rows } = await as('table');
    assert.equal(rows, 3);
    assert.match(output, /plain/);
  });

  test('json is the default', async () => {
    assert.deepEqual(await as('json'), await ask(server, 'query_class', { class_name: 'cells', order: 'id' }));
  });
});
