// Document classes: a model says that a JSON column holds the class's objects.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { documentsDatabase, modelDirectory, people, stored, writeModel } from '../lib/documents.mjs';
import { Server, ownFlags, runToEnd } from '../lib/gantryd.mjs';
import { ask, modern, peer, refused } from '../lib/rpc.mjs';

let server;
before(async () => {
  server = await Server.start({ db: documentsDatabase(), flags: ['--model', modelDirectory({ 'people.json': people })] });
});
after(() => server.stop());

const { _hashed_password: hidden, ...dan } = stored[3];
const visible = [...stored.slice(0, 3), dan, stored[4]];
const aggregate = async (pipeline, more = {}) => (
  (await ask(server, 'aggregate', { class_name: 'people', pipeline, ...more })).results);

describe('aggregate over documents', () => {
  test('returns documents as they are stored, in the stored order and form', async () => {
    const results = await aggregate([]);
    assert.equal(hidden, 'secret');
    assert.deepEqual(results, visible);
    assert.deepEqual(results.map((row) => Object.keys(row)), visible.map((row) => Object.keys(row)));
  });

  test('distinguishes missing from null and matches any field', async () => {
    const names = async (where) => (await aggregate([{ $match: where }])).map((row) => row.name);
    assert.deepEqual(await names({ age: null }), ['Cyd', 'Eve']);
    assert.deepEqual(await names({ age: { $exists: false } }), ['Eve']);
    assert.deepEqual(await names({ 'deep.a.b': 2 }), ['Cyd']);
    assert.deepEqual(await names({ tags: 'b' }), ['Ada']);
    assert.deepEqual(await names({ nothing: 1 }), []);
    assert.deepEqual(await names({ _id: 'two' }), ['Bob']);
    assert.deepEqual(await names({ _id: 1.0 }), ['Ada']);
    assert.deepEqual(await names({ born: { $lt: { $date: '2000-01-01T00:00:00Z' } } }), ['Ada']);
  });

  test('joins documents with rows and rows with documents', async () => {
    const [ada] = await aggregate([
      { $match: { _id: 1 } }, { $lookup: { from: 'city', localField: 'home', foreignField: 'code', as: 'c' } },
      { $project: { city: { $first: '$c.name' } } }]);
    assert.deepEqual(ada, { _id: 1, city: 'Berlin' });
    const { results } = await ask(server, 'aggregate', {
      class_name: 'city',
      pipeline: [{ $lookup: { from: 'people', localField: 'code', foreignField: 'home', as: 'p' } },
        { $project: { n: { $size: '$p' } } }],
    });
    assert.deepEqual(results.map((row) => row.n), [2, 1]);
  });
});

const query = (more = {}) => ask(server, 'query_class', { class_name: 'people', ...more });
const found = async (where, more = {}) => (await query({ where, ...more })).results.map((row) => row.name);
const ids = ['1', 'two', '0123456789abcdef01234567', '4.5', '5'];
const objects = visible.map((row, i) => ({ objectId: ids[i], ...row }));

for (const revision of ['2026-07-28', '2025-11-25', '2024-11-05']) {
  test(`the tools answer alike in ${revision}`, async () => {
    const request = await peer(server, revision);
    const tool = async (name, args) => {
      const result = await request('tools/call', { name, arguments: { class_name: 'people', ...args } });
      assert.notEqual(result.isError, true, result.content?.[0]?.text);
      return JSON.parse(result.content[0].text);
    };
    assert.deepEqual((await tool('query_class', {})).results, objects);
    assert.equal((await tool('count_objects', {})).count, 5);
    assert.deepEqual((await tool('get_object', { object_id: '4.5' })).object, objects[3]);
    assert.deepEqual((await tool('get_sample_objects', { limit: 2 })).results, objects.slice(0, 2));
    assert.equal((await tool('aggregate', { pipeline: [{ $count: 'n' }] })).results[0].n, 5);
  });
}

describe('queries of documents', () => {
  test('show the stored document behind its id', async () => {
    const { results, pagination } = await query();
    assert.deepEqual(results, objects);
    assert.deepEqual(Object.keys(results[0]).slice(0, 2), ['objectId', '_id']);
    assert.equal(pagination.has_more, false);
  });

  test('find by objectId and by _id', async () => {
    for (const [i, id] of ids.entries()) {
      assert.deepEqual(await found({ objectId: id }), [visible[i].name]);
      assert.deepEqual((await ask(server, 'get_object', { class_name: 'people', object_id: id })).object, objects[i]);
    }
    assert.deepEqual(await found({ objectId: 1 }), ['Ada']);
    assert.deepEqual(await found({ objectId: { $in: ['two', 4.5] } }), ['Bob', 'Dan']);
    assert.deepEqual(await found({ objectId: { $ne: 'two' }, _id: { $exists: true } }), ['Ada', 'Cyd', 'Dan']);
    assert.deepEqual(await found({ objectId: { $gt: 1 } }), ['Dan']);
    assert.deepEqual(await found({ _id: '1' }), []);
    assert.deepEqual(await found({ _id: { $oid: '0123456789abcdef01234567' } }), ['Cyd']);
    const none = await refused(server, 'get_object', { class_name: 'people', object_id: 'missing' });
    assert.equal(none.code, 'not_found');
  });

  test('get many at once', async () => {
    const answer = await ask(server, 'get_objects', { class_name: 'people', ids: ['two', '9', '1', 'two'], keys: ['name'] });
    assert.deepEqual(answer.objects, {
      two: { objectId: 'two', _id: 'two', name: 'Bob' }, 1: { objectId: '1', _id: 1, name: 'Ada' },
    });
    assert.deepEqual(answer.missing, ['9']);
    assert.equal(answer.found, 2);
  });

  test('mean the same as in MongoDB', async () => {
    assert.deepEqual(await found({ age: { $gt: 16 } }), ['Ada', 'Bob', 'Dan']);
    assert.deepEqual(await found({ age: { $not: { $gt: 20 } } }), ['Bob', 'Cyd', 'Eve']);
    assert.deepEqual(await found({ age: { $type: 'long' } }), ['Bob']);
    assert.deepEqual(await found({ deep: { z: 1, a: [{ b: 2 }] } }), ['Cyd']);
    assert.deepEqual(await found({ deep: { a: [{ b: 2 }], z: 1 } }), []);
    assert.deepEqual(await found({ score: { $numberDouble: 'NaN' } }), ['Bob']);
    assert.deepEqual(await found({ born: { $lt: { __type: 'Date', iso: '2000-01-01T00:00:00.000Z' } } }), ['Ada']);
    assert.deepEqual(await found({ $or: [{ tags: { $size: 2 } }, { name: { $regex: '^E' } }] }), ['Ada', 'Eve']);
    assert.deepEqual(await found({ boss: { objectId: 'ber', className: 'city', __type: 'Pointer' } }), ['Eve']);
    const count = async (where) => (await ask(server, 'count_objects', { class_name: 'people', where })).count;
    assert.equal(await count({ home: 'ber' }), 2);
    assert.equal(await count({ home: 'nowhere' }), 0);
  });

  test('order, page and choose', async () => {
    assert.deepEqual(await found({}, { order: '-age,name' }), ['Dan', 'Ada', 'Bob', 'Eve', 'Cyd'].sort((a, b) => {
      const age = { Dan: 40, Ada: 36, Bob: 17, Cyd: -1, Eve: -1 };
      return age[b] - age[a] || (a < b ? -1 : 1);
    }));
    assert.deepEqual(await found({}, { order: 'objectId' }), ['Eve', 'Ada', 'Dan', 'Bob', 'Cyd']);
    const page = await query({ order: 'name', limit: 2, skip: 1, keys: ['deep.a.b', 'name', 'deep.z'] });
    assert.deepEqual(page.results, [
      { objectId: 'two', _id: 'two', name: 'Bob' },
      { objectId: ids[2], _id: { $oid: ids[2] }, name: 'Cyd', deep: { z: 1, a: [{ b: 2 }] } }]);
    assert.equal(page.pagination.has_more, true);
    assert.equal(page.next_call.arguments.skip, 3);
  });

  test('follow sub-queries and pointers', async () => {
    const berlin = { className: 'city', where: { name: 'Berlin' } };
    assert.deepEqual(await found({ home: { $inQuery: berlin } }), ['Ada', 'Dan']);
    assert.deepEqual(await found({ boss: { $inQuery: berlin } }), ['Eve']);
    assert.deepEqual(await found({ home: { $notInQuery: berlin } }), ['Bob', 'Cyd', 'Eve']);
    assert.deepEqual(await found({ home: { $select: { query: { className: 'people', where: { age: 36 } }, key: 'home' } } }), ['Ada', 'Dan']);
    assert.deepEqual(await found({ home: { $dontSelect: { query: berlin, key: 'code' } } }), ['Bob', 'Cyd', 'Eve']);
    const [eve] = (await query({ where: { name: 'Eve' }, include: ['boss'], keys: ['boss'] })).results;
    assert.deepEqual(eve, {
      objectId: '5', boss: { __type: 'Object', className: 'city', objectId: 'ber', code: 'ber', name: 'Berlin', mayor: 1 },
    });
  });

  test('refuse invalid arguments', async () => {
    const why = async (args) => refused(server, 'query_class', { class_name: 'people', ...args });
    assert.match((await why({ where: { age: { $near: 1 } } })).message, /\$near/);
    assert.match((await why({ where: { a: { $nonsense: 1 } } })).message, /\$nonsense/);
    assert.equal((await why({ where: { $where: 'true' } })).code, 'security_blocked');
    assert.equal((await why({ where: { _hashed_password: 'x' } })).code, 'access_denied');
    assert.equal((await why({ keys: ['_hashed_password'] })).code, 'access_denied');
    assert.match((await why({ order: 'a,,b' })).message, /one of them is empty/);
    assert.match((await why({ where: { a: { $inQuery: { className: 'missing' } } } })).message, /missing/);
  });
});

describe('groups of documents', () => {
  test('count, compute and list values', async () => {
    const group = await ask(server, 'group_by', { class_name: 'people', field: 'home', where: { home: { $exists: true } } });
    assert.deepEqual(group.groups, [{ key: 'ber', value: 2 }, { key: 'par', value: 1 }]);
    const sum = await ask(server, 'group_by', { class_name: 'people', field: 'home', operation: 'sum', value_field: 'age', sort: 'key_asc' });
    assert.deepEqual(sum.groups.map(({ key, value }) => [key, Number(value.$numberLong ?? value)]), [[null, 0], ['ber', 76], ['par', 17]]);
    const day = await ask(server, 'group_by_date', { class_name: 'people', field: 'born', interval: 'year' });
    assert.deepEqual(day.groups.filter(({ key }) => key !== null), [{ key: '1990', value: 1 }]);
    const tags = await ask(server, 'distinct', { class_name: 'people', field: 'tags' });
    assert.deepEqual(tags.values, ['a', 'b']);
    const own = await ask(server, 'distinct', { class_name: 'people', field: '_id' });
    assert.deepEqual(own.values, [1, 4.5, 'two', { $oid: ids[2] }]);
  });
});

describe('documents as text', () => {
  test('in query_class and export_data', async () => {
    const csv = await query({ where: { objectId: { $in: ['1', 'two'] } }, keys: ['name'], format: 'csv', order: '-name' });
    assert.equal(csv.output, 'objectId,_id,name\r\ntwo,two,Bob\r\n1,1,Ada\r\n');
    const rows = await ask(server, 'export_data', {
      class_name: 'people', format: 'csv', where: { objectId: 'two' }, columns: ['objectId', { name: 'Name' }],
    });
    assert.equal(rows.output, 'objectId,Name\r\ntwo,Bob\r\n');
    const stages = await ask(server, 'export_data', {
      class_name: 'people', format: 'jsonl', pipeline: [{ $match: { _id: 'two' } }, { $project: { age: 1 } }],
    });
    assert.equal(stages.output.trim(), '{"_id":"two","age":{"$numberLong":"17"}}');
  });
});

describe('the description of a document class', () => {
  test('its schema lists the fields that were seen', async () => {
    const schema = await ask(server, 'get_schema', { class_name: 'people' });
    assert.equal(schema.type, 'custom');
    const types = Object.fromEntries(schema.fields.map((field) => [field.name, field.type]));
    assert.deepEqual(types, {
      objectId: 'String', _id: 'Any', name: 'String', age: 'Integer', tags: 'Array', born: 'Date', home: 'String',
      score: 'Number', deep: 'Object', boss: 'Pointer',
    });
    assert.ok(schema.fields.slice(1).every((field) => field.required === false));
    assert.equal(schema.estimated_rows, 5);
    const { custom } = await ask(server, 'get_all_schemas');
    assert.deepEqual(custom.map(({ name, fields }) => [name, fields]), [['city', 4], ['people', 10]]);
  });

  test('its resources agree with the tools', async () => {
    const request = await peer(server, '2026-07-28');
    const read = async (part) => JSON.parse((await request('resources/read', { uri: `data://people/${part}` })).contents[0].text);
    assert.deepEqual(await read('schema'), await ask(server, 'get_schema', { class_name: 'people' }));
    assert.equal((await read('count')).count, 5);
    assert.deepEqual((await read('samples')).results, objects);
  });
});

test('the nearest documents come first, unless an order says otherwise', async () => {
  const at = (name, x, y) => JSON.stringify({ name, loc: { type: 'Point', coordinates: [x, y] } });
  const places = await Server.start({
    db: documentsDatabase([at('far', 40, 40), at('here', 0, 0), '{"name":"nowhere"}', at('near', 1, 1)]),
    flags: ['--model', modelDirectory({ 'people.json': people })],
  });
  try {
    const loc = { $nearSphere: { $geometry: { type: 'Point', coordinates: [0, 0] } } };
    const near = async (more) => (await ask(places, 'query_class', { class_name: 'people', where: { loc }, ...more })).results;
    assert.deepEqual((await near({ keys: ['name'] })).map((row) => row.name), ['here', 'near', 'far']);
    assert.deepEqual((await near({ keys: ['name'], limit: 1, skip: 1 })), [{ objectId: '4', name: 'near' }]);
    assert.deepEqual((await near({ keys: ['name'], order: '-name' })).map((row) => row.name), ['near', 'here', 'far']);
  } finally {
    await places.stop();
  }
});

test('an answer that is too large loses its heaviest field first', async () => {
  const rows = Array.from({ length: 50 }, (_, i) => JSON.stringify({ _id: i, heavy: 'x'.repeat(200_000), light: i }));
  const large = await Server.start({ db: documentsDatabase(rows), flags: ['--model', modelDirectory({ 'people.json': people })] });
  try {
    const answer = await ask(large, 'query_class', { class_name: 'people' });
    assert.deepEqual(answer._truncated.dropped_fields, ['heavy']);
    assert.deepEqual(answer.results[7], { objectId: '7', _id: 7, light: 7 });
    const { details } = await refused(large, 'aggregate', { class_name: 'people', pipeline: [] });
    assert.equal(details.largest_fields[0].name, 'heavy');
  } finally {
    await large.stop();
  }
});

test('internal names are refused everywhere in an export and in $redact', async () => {
  const code = async (tool, args) => (await refused(server, tool, { class_name: 'people', ...args })).code;
  for (const name of ['_hashed_password', 'deep._hashed_password']) {
    assert.equal(await code('export_data', { columns: [name] }), 'access_denied');
    assert.equal(await code('export_data', { keys: [name] }), 'access_denied');
    const decide = { $cond: [{ $eq: [`$${name}`, 'secret'] }, '$$KEEP', '$$PRUNE'] };
    assert.equal(await code('aggregate', { pipeline: [{ $redact: decide }] }), 'access_denied');
  }
});

test('a row that holds no document is named', async () => {
  const broken = await Server.start({
    db: documentsDatabase(['{"_id":1}', '{"_id":', '[2]']), flags: ['--model', modelDirectory({ 'people.json': people })],
  });
  try {
    for (const [tool, args] of [['query_class', {}], ['aggregate', { pipeline: [] }], ['get_object', { object_id: '2' }]]) {
      const { code, message } = await refused(broken, tool, { class_name: 'people', ...args });
      assert.equal(code, 'store_error', message);
      assert.match(message, /Row 2 of class 'people' holds no document/);
    }
    const counted = await refused(broken, 'count_objects', { class_name: 'people' });
    const uri = 'data://people/count';
    const { message: { error } } = await modern(broken, 'resources/read', { uri }, { 'mcp-name': uri });
    assert.equal(error.message, counted.message);
    assert.match(error.message, /Row 2 of class 'people' holds no document/);
  } finally {
    await broken.stop();
  }
});

describe('a model', () => {
  test('that is wrong is refused at start, with file and reason', async () => {
    const cases = [
      ['{"class":"p",}', /people\.json:1: this is not JSON/],
      ['{"class":"p","hiden":true}', /people\.json:1: the key "hiden" is not known.*; did you mean "hidden"/],
      ['{"class":"p","table":"nowhere"}', /people\.json:1: the database has no table 'nowhere'/],
      ['{"class":"p","table":"people_docs","document":"text"}', /people\.json:1: .*no column 'text'/],
    ];
    for (const [text, reason] of cases) {
      const { code, stdout, stderr } = await runToEnd(['--listen', '127.0.0.1:0', '--db', documentsDatabase(),
        '--model', modelDirectory({ 'people.json': text }), ...ownFlags()]);
      assert.equal(code, 2, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, reason);
    }
  });

  test('without a database, or a directory, is refused', async () => {
    const alone = await runToEnd(['--listen', '127.0.0.1:0', '--model', modelDirectory({}), ...ownFlags()]);
    assert.equal(alone.code, 2, alone.stderr);
    assert.match(alone.stderr, /--db/);
    const none = await runToEnd(['--listen', '127.0.0.1:0', '--db', documentsDatabase(), '--model', '/nowhere/model', ...ownFlags()]);
    assert.equal(none.code, 2, none.stderr);
    assert.match(none.stderr, /\/nowhere\/model/);
  });

  test('is read again when it changes, and the last good one stays', async () => {
    const directory = modelDirectory({ 'people.json': people });
    const live = await Server.start({ db: documentsDatabase(), flags: ['--model', directory] });
    const names = async () => (await ask(live, 'get_all_schemas')).custom.map(({ name }) => name);
    const until = async (wanted) => {
      const end = Date.now() + 10000;
      while (JSON.stringify(await names()) !== JSON.stringify(wanted) && Date.now() < end) {
        await new Promise((resolve) => { setTimeout(resolve, 100); });
      }
      assert.deepEqual(await names(), wanted);
    };
    try {
      await until(['city', 'people']);
      writeModel(directory, 'people.json', { ...people, class: 'persons' });
      await until(['city', 'persons']);
      writeModel(directory, 'people.json', '{"class": "persons", "documents": "doc"}');
      const end = Date.now() + 10000;
      while (!/"documents" is not known/.test(live.stderr) && Date.now() < end) {
        await names();
        await new Promise((resolve) => { setTimeout(resolve, 100); });
      }
      assert.match(live.stderr, /The model stays as it was: .*people\.json:1: the key "documents" is not known/);
      assert.deepEqual(await names(), ['city', 'persons']);
      rmSync(join(directory, 'people.json'));
      await until(['city', 'people_docs']);
    } finally {
      await live.stop();
    }
  });
});
