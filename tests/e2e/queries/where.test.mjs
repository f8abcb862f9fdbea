// Conditions of `where` over columns that the engine, not SQL, decides: $expr, bits, infinities and
// NaN, sub-queries into documents. Internal names inside stored JSON are never shown.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { modelDirectory } from '../lib/documents.mjs';
import { Server } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { ask, call, refused } from '../lib/rpc.mjs';

function database() {
  const file = join(scratch(), 'where.db');
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  db.exec(`
    CREATE TABLE owner_docs(n INTEGER PRIMARY KEY, doc TEXT);
    INSERT INTO owner_docs VALUES(1, '{"_id":1,"name":"Ada","kind":"a","born":{"$date":"1990-05-01T00:00:00Z"}}'),
      (2, '{"_id":2,"name":"Bob","kind":"b","rate":1.5}'), (3, '{"_id":"x","name":"Cyd","kind":"c"}');
    CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, low INTEGER, high INTEGER, rate REAL, meta JSON,
      owner INTEGER REFERENCES owner_docs(n), "v.x" TEXT);
    INSERT INTO item VALUES
      (1, 'one', 1, 5, 1.5, '{"a":1,"password":"hush","in":[{"_session_token":"hush","b":1}]}', 1, 'p'),
      (2, 'two', 5, 5, 9e999, '{"sessionToken":"hush","a":2}', 2, 'q'),
      (3, 'three', 7, 3, -9e999, '{"a":3,"_auth_data_x":{"id":"hush"}}', NULL, 'r'),
      (4, 'Two', 12, 40, NULL, NULL, 1, NULL);
    CREATE TABLE odd(id INTEGER PRIMARY KEY, j JSON);
    INSERT INTO odd VALUES (1, '{"a":1e999,"password":"hush"}'), (2, '{"a":"\\ud800","Password":"hush"}'),
      (3, '{"a":1,"sessionToken":"hush",}'), (4, '{"a":1,"pass\\u0077ord":"hush'), (5, CAST('{"password":"hush"}' AS BLOB)),
      (6, '{"deep":' || replace(hex(zeroblob(110)), '0', '[') || replace(hex(zeroblob(110)), '0', ']') || ',"password":"hush"}'),
      (7, 'just words');
    CREATE TABLE labelled(id INTEGER PRIMARY KEY, objectId TEXT, n INTEGER);
    INSERT INTO labelled VALUES (1, 'bb', 10), (2, 'aa', 20), (3, '1', 30);
    CREATE TABLE unkeyed(objectId TEXT, n INTEGER);
    INSERT INTO unkeyed SELECT objectId, n FROM labelled;
    CREATE TABLE guarded(id INTEGER PRIMARY KEY, objectId TEXT, n INTEGER);
    INSERT INTO guarded SELECT * FROM labelled;
    CREATE TABLE joined(a INTEGER, b TEXT, objectId TEXT, n INTEGER, PRIMARY KEY(a, b));
    INSERT INTO joined SELECT id, 'x', objectId, n FROM labelled;
    CREATE TABLE zero(id INTEGER PRIMARY KEY, j JSON);
    INSERT INTO zero VALUES (8, '{"a":0E44}'), (9, '{"a":-0E300,"b":12345678901234567890,"c":1e-999}'), (10, '{"a":1e22}');`);
  db.close();
  return file;
}

let server;
before(async () => {
  const model = modelDirectory({
    'owner.json': { class: 'owner', table: 'owner_docs', document: 'doc' },
    'guarded.json': { class: 'guarded', table: 'guarded', agent_fields: ['n'] },
  });
  server = await Server.start({ db: database(), flags: ['--model', model] });
});
after(() => server.stop());

const args = (more) => ({ class_name: 'item', ...more });
const idsOf = async (where) => (await ask(server, 'query_class', args({ where, order: 'id', keys: ['id'] }))).results.map((row) => row.id);

const wheres = [
  [{ $expr: { $gt: ['$high', '$low'] } }, [1, 4]],
  [{ $expr: { $eq: [{ $toLower: '$name' }, 'two'] } }, [2, 4]],
  [{ $expr: { $gte: ['$meta.a', 2] } }, [2, 3]],
  [{ $expr: { $eq: ['$owner', 1] } }, [1, 4]],
  [{ $expr: { $eq: [{ $getField: 'v.x' }, 'q'] } }, [2]],
  [{ $or: [{ $expr: { $lt: ['$high', '$low'] } }, { name: 'one' }] }, [1, 3]],
  [{ low: { $bitsAllSet: 5 } }, [1, 2, 3, 4].filter((id) => ([1, 5, 7, 12][id - 1] & 5) === 5)],
  [{ low: { $bitsAnySet: [1, 3] } }, [3, 4]],
  [{ low: { $bitsAllClear: 3 } }, [4]],
  [{ high: { $bitsAnyClear: 1 } }, [4]],
  [{ 'meta.a': { $bitsAllSet: 2 } }, [2, 3]],
  [{ rate: { $numberDouble: 'Infinity' } }, [2]],
  [{ rate: { $lt: { $numberDouble: 'Infinity' } } }, [1, 3]],
  [{ rate: { $in: [{ $numberDouble: '-Infinity' }, 1.5] } }, [1, 3]],
  [{ rate: { $gte: { $numberDouble: 'NaN' } } }, []],
  [{ low: { $numberLong: '7' } }, [3]],
];

describe('where over columns', () => {
  for (const [where, wanted] of wheres) {
    test(`${JSON.stringify(where)} means the same as in a pipeline`, async () => {
      assert.deepEqual(await idsOf(where), wanted);
      assert.equal((await ask(server, 'count_objects', args({ where }))).count, wanted.length);
      const { results } = await ask(server, 'aggregate', args({ pipeline: [{ $match: where }, { $sort: { id: 1 } }] }));
      assert.deepEqual(results.map((row) => row.id), wanted);
    });
  }

  test('$expr narrows every tool that takes a where', async () => {
    const where = { $expr: { $gt: ['$high', '$low'] } };
    assert.deepEqual((await ask(server, 'distinct', args({ field: 'name', where }))).values.sort(), ['Two', 'one']);
    const { groups } = await ask(server, 'group_by', args({ field: 'owner', where }));
    assert.equal(groups.length, 1);
    const exported = await ask(server, 'export_data', args({ where, columns: ['name'], order: 'id' }));
    assert.match(JSON.stringify(exported), /one.*Two/s);
    assert.doesNotMatch(JSON.stringify(exported), /three/);
  });

  for (const [where, code, message] of [
    [{ $expr: { $function: { body: '', args: [], lang: 'js' } } }, 'security_blocked', /\$function/],
    [{ $or: [{ $expr: { $eq: ['$hihg', 1] } }] }, 'invalid_query', /hihg.*high/s],
    [{ $expr: { $gtt: [1, 2] } }, 'invalid_query', /\$gtt.*\$gt/s],
    [{ $expr: { $divide: ['$high', { $subtract: ['$low', 5] }] } }, 'invalid_query', /zero/],
    [{ $expr: { $eq: ['$v.x', 'q'] } }, 'invalid_query', /v\.x.*dot.*\$getField/s],
    [{ name: { $bitsAllSet: 1 } }, 'invalid_query', /\$bitsAllSet.*name/s],
    [{ name: { $numberDouble: 'NaN' } }, 'invalid_query', /name.*number/s],
  ]) {
    test(`${JSON.stringify(where)} is refused by name`, async () => {
      for (const tool of ['query_class', 'count_objects']) {
        const said = await refused(server, tool, args({ where }));
        assert.equal(said.code, code, said.message);
        assert.match(said.message, message);
      }
    });
  }
});

test('sub-queries ask documents', async () => {
  const owners = (where) => ({ className: 'owner', where });
  const keyed = (where) => ({ query: owners(where), key: '_id' });
  assert.deepEqual(await idsOf({ owner: { $select: keyed({ name: 'Ada' }) } }), [1, 4]);
  assert.deepEqual(await idsOf({ owner: { $dontSelect: keyed({ name: 'Ada' }) } }), [2, 3]);
  assert.deepEqual(await idsOf({ owner: { $select: keyed({ name: 'Cyd' }) } }), []);
  assert.deepEqual(await idsOf({ id: { $select: { query: owners({ kind: { $in: ['a', 'c'] } }), key: '_id' } } }), [1]);
  assert.deepEqual(await idsOf({ rate: { $select: { query: owners({}), key: 'rate' } } }), [1]);
  assert.deepEqual(await idsOf({ rate: { $dontSelect: { query: owners({}), key: 'rate' } } }), [2, 3, 4]);
  assert.deepEqual(await idsOf({ name: { $select: { query: owners({}), key: 'name' } } }), []);
  const nested = { name: { $select: { query: { className: 'item', where: { owner: { $select: keyed({ kind: 'b' }) } } }, key: 'name' } } };
  assert.deepEqual(await idsOf(nested), [2]);
  const said = await refused(server, 'query_class', args({ where: { name: { $inQuery: owners({}) } } }));
  assert.match(said.message, /name.*\$select/s);
  const denied = await refused(server, 'query_class', args({ where: { owner: { $select: keyed({ password: 'x' }) } } }));
  assert.equal(denied.code, 'access_denied');
});

describe('internal names inside stored JSON', () => {
  for (const [tool, more] of [
    ['query_class', {}], ['query_class', { keys: ['meta'] }], ['query_class', { keys: ['meta.a', 'meta.in'] }],
    ['query_class', { format: 'csv' }], ['get_object', { object_id: '1' }], ['get_objects', { ids: ['1', '2', '3'] }],
    ['get_sample_objects', {}], ['export_data', {}], ['export_data', { format: 'jsonl' }],
    ['distinct', { field: 'meta' }], ['group_by', { field: 'meta' }],
    ['aggregate', { pipeline: [] }], ['aggregate', { pipeline: [{ $project: { m: { $objectToArray: '$meta' } } }] }],
    ['aggregate', { pipeline: [{ $replaceRoot: { newRoot: { $ifNull: ['$meta', {}] } } }] }],
  ]) {
    test(`${tool} ${JSON.stringify(more)} does not show them`, async () => {
      const result = await call(server, tool, args(more));
      assert.doesNotMatch(JSON.stringify(result), /hush|password|[tT]oken|_auth/);
      if (!result.isError) assert.match(JSON.stringify(result), /one|meta|"a|\\"a|m\\"/);
    });
  }

  test('are ignored by comparisons', async () => {
    assert.deepEqual(await idsOf({ meta: { a: 1, password: 'hush', in: [{ _session_token: 'hush', b: 1 }] } }), []);
    assert.deepEqual(await idsOf({ meta: { a: 1, in: [{ b: 1 }] } }), [1]);
    assert.deepEqual(await idsOf({ meta: { a: 2 } }), [2]);
  });

  for (const [tool, more] of [
    ['query_class', { where: { 'meta.password': 'hush' } }], ['query_class', { where: { 'meta.in._session_token': { $exists: true } } }],
    ['query_class', { where: { 'meta.in': { $elemMatch: { _session_token: 'hush' } } } }],
    ['query_class', { where: { $expr: { $eq: ['$meta.sessionToken', 'hush'] } } }],
    ['query_class', { keys: ['meta.password'] }], ['query_class', { order: 'meta.password' }],
    ['count_objects', { where: { 'meta.Password': { $exists: true } } }],
    ['distinct', { field: 'meta.password' }], ['group_by', { field: 'meta.password' }],
    ['export_data', { columns: ['meta.password'] }],
    ['aggregate', { pipeline: [{ $match: { 'meta.password': 'hush' } }] }],
    ['aggregate', { pipeline: [{ $sort: { 'meta.sessionToken': 1 } }] }],
  ]) {
    test(`${tool} ${JSON.stringify(more)} is denied`, async () => {
      const said = await refused(server, tool, args(more));
      assert.equal(said.code, 'access_denied', said.message);
      assert.doesNotMatch(said.message, /hush/);
    });
  }
});

describe('stored JSON that cannot be parsed', () => {
  const odd = (more) => ({ class_name: 'odd', ...more });
  for (const [tool, more] of [
    ['query_class', {}], ['get_objects', { ids: ['1', '2', '3', '4', '5', '6'] }], ['get_sample_objects', {}], ['export_data', {}],
    ['export_data', { format: 'jsonl' }], ['export_data', { pipeline: [] }], ['distinct', { field: 'j' }], ['group_by', { field: 'j' }],
    ['aggregate', { pipeline: [] }], ['aggregate', { pipeline: [{ $project: { t: { $type: '$j' }, j: 1 } }] }],
  ]) {
    test(`${tool} ${JSON.stringify(more)} shows no internal names in it`, async () => {
      const result = await call(server, tool, odd(more));
      assert.doesNotMatch(JSON.stringify(result), /hush|aHVza|[pP]assword/);
      if (result.isError) assert.match(JSON.stringify(result), /nested too deeply/);
    });
  }

  test('its hidden values cannot be probed by conditions', async () => {
    for (const where of [{ j: { $regex: 'hush' } }, { $expr: { $regexMatch: { input: { $toString: { $ifNull: ['$j', ''] } }, regex: 'hush' } } }]) {
      const result = await call(server, 'count_objects', odd({ where }));
      if (!result.isError) assert.deepEqual(result.structuredContent.count, 0, JSON.stringify(where));
    }
    const said = await call(server, 'aggregate', odd({ pipeline: [{ $match: { j: { $regex: 'hush' } } }] }));
    assert.deepEqual(said.structuredContent.results, []);
  });

  test('other text is shown', async () => {
    const { results } = await ask(server, 'query_class', odd({ where: { id: 7 } }));
    assert.equal(results[0].j, 'just words');
  });

  test('all spellings of zero are zero', async () => {
    const zero = (more) => ({ class_name: 'zero', ...more });
    for (const where of [{ 'j.a': 0 }, { 'j.a': { $lt: 1, $gt: -1 } }]) {
      assert.equal((await ask(server, 'count_objects', zero({ where }))).count, 2);
      assert.equal((await ask(server, 'aggregate', zero({ pipeline: [{ $match: where }, { $count: 'n' }] }))).results[0].n, 2);
    }
    assert.equal((await ask(server, 'count_objects', zero({ where: { 'j.a': 1e22 } }))).count, 1);
    const [{ b, c }] = (await ask(server, 'aggregate', zero({ pipeline: [{ $match: { id: 9 } }, { $project: { b: '$j.b', c: '$j.c' } }] }))).results;
    assert.deepEqual([b, c], [12345678901234567890, 0]);
  });
});

describe('a column with a dot in its name', () => {
  test('is asked for by its name in queries', async () => {
    assert.deepEqual(await idsOf({ 'v.x': 'q' }), [2]);
    const { results } = await ask(server, 'query_class', args({ keys: ['v.x'], order: '-v.x', limit: 1 }));
    assert.deepEqual(results, [{ 'v.x': 'r' }]);
  });

  test('is refused as a path of a pipeline, with $getField as the alternative', async () => {
    for (const pipeline of [[{ $match: { 'v.x': 'q' } }], [{ $sort: { 'v.x': 1 } }], [{ $group: { _id: '$v.x' } }],
      [{ $project: { x: '$v.x' } }], [{ $project: { 'v.x': 1 } }], [{ $unset: 'v.x' }]]) {
      const said = await refused(server, 'aggregate', args({ pipeline }));
      assert.equal(said.code, 'invalid_query', JSON.stringify(pipeline));
      assert.match(said.message, /v\.x.*dot.*\$getField/s);
    }
    const pipeline = [{ $project: { _id: 0, x: { $getField: 'v.x' } } }, { $match: { x: 'p' } }];
    assert.deepEqual((await ask(server, 'aggregate', args({ pipeline }))).results, [{ x: 'p' }]);
  });

  test('is grouped by', async () => {
    const distinct = await ask(server, 'distinct', args({ field: 'v.x', where: { 'v.x': { $ne: null } } }));
    assert.deepEqual(distinct.values, ['p', 'q', 'r']);
    const { groups } = await ask(server, 'group_by', args({ field: 'v.x', where: { 'v.x': 'q' } }));
    assert.deepEqual(groups, [{ key: 'q', value: 1 }]);
  });
});

// The rule of one name: objectId is the column of that name, and _id then means the id.
describe('a column that is called objectId and is not the key', () => {
  const ids = { labelled: [1, 2, 3], guarded: [1, 2, 3], unkeyed: [1, 2, 3], joined: ['1,x', '2,x', '3,x'] };
  for (const name of Object.keys(ids)) {
    const of = (more) => ({ class_name: name, ...more });
    const rows = async (more) => (await ask(server, 'query_class', of(more))).results;
    const numbers = async (more) => (await rows(more)).map((row) => row.n);

    test(`of ${name} is what where, order and keys mean`, async () => {
      assert.deepEqual(await numbers({ where: { objectId: 'aa' } }), [20]);
      assert.deepEqual(await numbers({ where: { objectId: '1' } }), [30]);
      assert.deepEqual(await numbers({ order: 'objectId' }), [30, 20, 10]);
      assert.deepEqual((await rows({ keys: ['objectId'], order: 'n' })).map((row) => row.objectId), ['bb', 'aa', '1']);
      assert.deepEqual((await rows({ order: 'n' })).map((row) => row.objectId), ['bb', 'aa', '1']);
      assert.equal((await ask(server, 'count_objects', of({ where: { objectId: { $in: ['aa', 'bb'] } } }))).count, 2);
    });

    test(`of ${name} is what pipelines, distinct and group_by mean`, async () => {
      const piped = async (pipeline) => (await ask(server, 'aggregate', of({ pipeline }))).results;
      assert.deepEqual((await piped([{ $match: { objectId: 'aa' } }])).map((row) => row.n), [20]);
      assert.deepEqual((await piped([{ $group: { _id: '$objectId' } }, { $sort: { _id: 1 } }])).map((row) => row._id), ['1', 'aa', 'bb']);
      assert.deepEqual((await ask(server, 'distinct', of({ field: 'objectId' }))).values.toSorted(), ['1', 'aa', 'bb']);
    });

    test(`of ${name} is exported`, async () => {
      const { output } = await ask(server, 'export_data', of({ format: 'jsonl', order: 'n', columns: ['objectId', 'n'] }));
      assert.match(output, /"bb".*\n.*"aa".*\n.*"1"/);
    });

    test(`of ${name} leaves _id to the id`, async () => {
      const shown = await rows({ keys: ['_id', 'n'], order: 'n' });
      assert.deepEqual(shown.map((row) => row._id), ids[name]);
      assert.deepEqual(await numbers({ where: { _id: ids[name][1] } }), [20]);
      assert.deepEqual(await numbers({ order: '-_id' }), [30, 20, 10]);
      const found = await ask(server, 'get_object', of({ object_id: String(ids[name][1]) }));
      assert.equal((found.object ?? found).n, 20);
      const parse = await rows({ rows: 'parse', order: 'n' });
      assert.deepEqual(parse.map((row) => [row._id, row.objectId]), ids[name].map((id, i) => [String(id), ['bb', 'aa', '1'][i]]));
    });

    test(`of ${name} is what SQL means`, async () => {
      const { rows: told } = await ask(server, 'query_sql', { sql: `SELECT objectId, _id FROM ${name} ORDER BY n` });
      assert.deepEqual(told, ids[name].map((id, i) => [['bb', 'aa', '1'][i], id]));
    });
  }
});
