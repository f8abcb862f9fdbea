// Every tool that returns rows returns every row of the nasty database (lib/nasty.mjs) correctly.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect, isDeepStrictEqual } from 'node:util';
import { Server } from '../lib/gantryd.mjs';
import { classes, nastyDatabase, weird } from '../lib/nasty.mjs';
import { ask, refused } from '../lib/rpc.mjs';

let server;
before(async () => { server = await Server.start({ db: nastyDatabase() }); });
after(() => server.stop());

/** An answer with rows of the Parse form. */
const askParse = (tool, args) => ask(server, tool, { ...args, rows: 'parse' });

/** Whether a member of a plain row says the same as that of the Parse form. */
function isSame(plain, parse) {
  if (parse === null) return plain === undefined;
  if (parse.__type === 'Pointer') return String(plain) === parse.objectId;
  if (parse.__type === 'Date') return Date.parse(plain) === Date.parse(parse.iso);
  if (parse.__type === 'Bytes') return plain.$base64 === parse.base64;
  return isDeepStrictEqual(plain, parse) || (/^\d{4}-/.test(parse) && Date.parse(plain) === Date.parse(parse));
}

/** The object as it must come: objectId first, fields that are free taken as they are. */
function expected(name, id, got) {
  const row = { objectId: id, ...classes[name].rows[id] };
  for (const field of classes[name].free ?? []) row[field] = got[field];
  return row;
}

function check(name, got) {
  assert.equal(Object.keys(got)[0], 'objectId', 'objectId comes first');
  assert.equal(typeof got.objectId, 'string');
  assert.ok(got.objectId in classes[name].rows, `${name} has no row ${got.objectId}`);
  assert.deepEqual(got, expected(name, got.objectId, got));
}

for (const [name, { rows, builtIn }] of Object.entries(classes)) {
  const ids = Object.keys(rows);
  describe(`class ${JSON.stringify(name)}`, () => {
    test('is in the catalog with its number of fields', async () => {
      const catalog = await ask(server, 'get_all_schemas', { names: [name] });
      assert.equal(catalog.total, 1);
      const [entry] = builtIn ? catalog.built_in : catalog.custom;
      assert.equal(entry.name, name);
      const { fields } = await ask(server, 'get_schema', { class_name: name });
      assert.equal(entry.fields, fields.length);
    });

    test('query_class returns every row as it is stored', async () => {
      const answer = await askParse('query_class', { class_name: name });
      assert.equal(answer.result_count, ids.length);
      for (const got of answer.results) check(name, got);
      assert.deepEqual(answer.results.map((row) => row.objectId).sort(), [...ids].sort());
      assert.deepEqual(answer.pagination, { limit: 100, skip: 0, has_more: false });
      assert.equal(answer.next_call, undefined);
    });

    test('plain rows hold the same', async () => {
      const [plain, parse] = await Promise.all([ask(server, 'query_class', { class_name: name }), askParse('query_class', { class_name: name })]);
      parse.results.forEach((row, i) => {
        const got = plain.results[i];
        for (const [field, value] of Object.entries(row)) {
          if (field !== 'objectId') assert.ok(isSame(got[field], value), `${field}: ${inspect(got)} and ${inspect(row)}`);
        }
        for (const field of Object.keys(got)) assert.ok(field in row, field);
      });
    });

    test('count_objects counts them', async () => {
      assert.equal((await ask(server, 'count_objects', { class_name: name })).count, ids.length);
    });

    test('get_object takes back every id', async () => {
      for (const id of ids) {
        const { object } = await askParse('get_object', { class_name: name, object_id: id });
        check(name, object);
        assert.equal(object.objectId, id);
      }
    });

    test('get_objects takes them together and names the missing ones', async () => {
      const missing = ids[0]?.includes(',') ? 'no such id,4711' : 'no such id';
      const answer = await askParse('get_objects', { class_name: name, ids: [...ids, missing] });
      assert.deepEqual(Object.keys(answer.objects).sort(), [...ids].sort());
      for (const [id, got] of Object.entries(answer.objects)) assert.deepEqual(got, expected(name, id, got));
      assert.deepEqual(answer.missing, [missing]);
      assert.equal(answer.requested, ids.length + 1);
      assert.equal(answer.found, ids.length);
    });

    test('get_sample_objects shows some of them', async () => {
      const { results } = await askParse('get_sample_objects', { class_name: name, limit: 2 });
      assert.equal(results.length, Math.min(2, ids.length));
      for (const got of results) check(name, got);
    });

    test('objectId finds a row in where', async () => {
      for (const id of ids) {
        const { results } = await askParse('query_class', { class_name: name, where: { objectId: id } });
        assert.deepEqual(results.map((row) => row.objectId), [id]);
      }
    });
  });
}

describe('schemas', () => {
  const fieldsOf = async (name) => {
    const { fields } = await ask(server, 'get_schema', { class_name: name });
    return Object.fromEntries(fields.map((field) => [field.name, field]));
  };

  test('a foreign key is a pointer that names its target and how to query it', async () => {
    const { author_id: author } = await fieldsOf('books');
    assert.equal(author.type, 'Pointer');
    assert.equal(author.target_class, 'authors');
    assert.match(author.query_hint, /authors/);
    assert.equal((await fieldsOf('authors')).mentor.target_class, 'authors');
  });

  test('generated columns are fields', async () => {
    const fields = await fieldsOf('generated');
    assert.ok(fields.area && fields.label);
  });

  test('not null is required, the rest is not', async () => {
    const fields = await fieldsOf('authors');
    assert.equal(fields.name.required, true);
    assert.equal(fields.mentor.required, false);
  });

  test('a view is marked as a view', async () => {
    assert.equal((await ask(server, 'get_schema', { class_name: 'book view' })).type, 'view');
    assert.equal((await ask(server, 'get_schema', { class_name: 'books' })).type, 'custom');
    assert.equal((await ask(server, 'get_schema', { class_name: '_internal' })).type, 'built_in');
  });

  test('prefix is case-sensitive and intersects with names', async () => {
    const names = async (args) => (await ask(server, 'get_all_schemas', args)).custom.map((entry) => entry.name);
    assert.deepEqual(await names({ prefix: 'book', names: ['books', 'authors'] }), ['books']);
    assert.deepEqual(await names({ prefix: 'Book' }), []);
    assert.ok((await names({ prefix: '', names: [] })).length > 20);
  });

  test('weird field names come back letter by letter', async () => {
    const fields = await fieldsOf(weird);
    for (const name of Object.keys(classes[weird].rows[1])) assert.ok(fields[name], name);
  });
});

describe('views', () => {
  test('give their rows', async () => {
    const { results } = await ask(server, 'query_class', { class_name: 'book view', order: 'title' });
    assert.deepEqual(results.map(({ title, author }) => [title, author]),
      [[undefined, undefined], ['One', 'Ada'], ['Two', undefined]]);
  });

  test('have no id, and a read by id is refused for that reason', async () => {
    const { code, message } = await refused(server, 'get_object', { class_name: 'book view', object_id: '1' });
    assert.equal(code, 'invalid_argument');
    assert.match(message, /\bid\b|key/i);
  });

  test('a view that SQLite cannot run fails alone', async () => {
    const { message } = await refused(server, 'query_class', { class_name: 'broken' });
    assert.doesNotMatch(message, /SELECT/);
    assert.equal((await ask(server, 'count_objects', { class_name: 'books' })).count, 3);
  });
});

test('a virtual table can be read like any other', async () => {
  const { results } = await ask(server, 'query_class', { class_name: 'words' });
  assert.equal(results[0].body, 'the quick brown fox');
});

test('SQLite\'s own tables are no classes', async () => {
  for (const name of ['sqlite_master', 'sqlite_schema', 'sqlite_stat1']) {
    const { code } = await refused(server, 'query_class', { class_name: name });
    assert.equal(code, 'access_denied');
  }
});

test('password hashes are never returned, listed or filtered by', async () => {
  const { results } = await ask(server, 'query_class', { class_name: 'accounts' });
  assert.deepEqual(results, [{ id: 1, name: 'ada' }]);
  const { fields } = await ask(server, 'get_schema', { class_name: 'accounts' });
  assert.ok(!fields.some((field) => field.name === 'password_hash'));
  for (const args of [
    { where: { password_hash: { $regex: '^s' } } }, { order: 'password_hash' }, { keys: ['password_hash'] },
    { where: { $or: [{ id: 1 }, { password_hash: 'sekrit-hash' }] } },
  ]) {
    const { message } = await refused(server, 'query_class', { class_name: 'accounts', ...args });
    assert.doesNotMatch(message, /sekrit/);
  }
});
