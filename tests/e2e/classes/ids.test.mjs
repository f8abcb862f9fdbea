// Whatever a row shows as its id, or as a pointer, names the same row in every argument that takes an id.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { ask } from '../lib/rpc.mjs';

// By the declared type of a key: values as SQL.
const keys = {
  INTEGER: ['1', '-5', '9007199254740991'],
  TEXT: ["'a'", "'1'", "'01'", "'a,b%'", "'日本'", "''"],
  'VARCHAR(36) COLLATE NOCASE': ["'Abc'", "'def'"],
  UUID: ["'550e8400-e29b-41d4-a716-446655440000'"],
  REAL: ['1.0', '0.1', '1e300'],
  'DECIMAL(10,2)': ['1.5', '2'],
  BLOB: ["x'00ff'", "x'616263'", "x'550e8400e29b41d4a716446655440000'"],
  DATE: ["'2026-01-01'", "'2026-02-28'"],
  DATETIME: ["'2026-01-01 10:00:00'", "'2026-01-01 10:00:01'"],
  TIMESTAMP: ['1767225600', '1767225601'],
};
const types = Object.keys(keys);
// Keys whose pointers are of another type (a pipeline then finds the values unequal), that are dates by
// their name alone, or that differ by less than a date tells.
const others = [
  { one: 'numbered', key: 'id', type: 'INTEGER', points: 'by_text', as: 'TEXT', values: ['5', '12'], unequal: true },
  { one: 'lettered', key: 'id', type: 'TEXT', points: 'by_number', as: 'INTEGER', values: ["'5'", "'12'"], unequal: true },
  { one: 'calendar', key: 'day', type: 'TEXT', points: 'facts', as: 'TEXT', values: ["'2026-01-01'", "'2026-01-02'"] },
  { one: 'fine', key: 'at', type: 'DATETIME', points: 'ticks', as: 'DATETIME', unequal: true,
    values: ["'2026-01-01 10:00:00.123456'", "'2026-01-01 10:00:00.123457'"] },
];
const named = (kind, type) => `${kind}_${types.indexOf(type)}`;

let server;
before(async () => {
  const db = join(scratch(), 'ids.db');
  const made = new DatabaseSync(db);
  for (const type of types) {
    const [one, both, points] = ['one', 'both', 'points'].map((kind) => named(kind, type));
    made.exec(`CREATE TABLE ${one}(id ${type} PRIMARY KEY, v INT);
      CREATE TABLE ${both}(id ${type}, n INT, v INT, PRIMARY KEY(id, n));
      CREATE TABLE ${points}(v INTEGER PRIMARY KEY, to_one ${type} REFERENCES ${one}(id));
      CREATE INDEX ${points}_by_one ON ${points}(to_one)`);
    keys[type].forEach((sql, v) => made.exec(`INSERT INTO ${one} VALUES(${sql}, ${v});
      INSERT INTO ${both} VALUES(${sql}, 7, ${v}); INSERT INTO ${points} VALUES(${v}, ${sql})`));
  }
  for (const { one, key, type, points, as, values } of others) {
    made.exec(`CREATE TABLE ${one}(${key} ${type} PRIMARY KEY, v INT);
      CREATE TABLE ${points}(v INTEGER PRIMARY KEY, to_one ${as} REFERENCES ${one}(${key}))`);
    values.forEach((sql, v) => made.exec(`INSERT INTO ${one} VALUES(${sql}, ${v}); INSERT INTO ${points} VALUES(${v}, ${sql})`));
  }
  const parts = Array.from({ length: 22 }, (_, at) => `p${at}`);
  made.exec(`CREATE TABLE wide(${parts.map((part) => `${part} BLOB`)}, PRIMARY KEY(${parts}));
    INSERT INTO wide VALUES(${parts.map(() => 1)}), (${parts.map(() => 2)})`);
  made.close();
  server = await Server.start({ db });
});
after(() => server.stop());

// The id as text: for arguments that take nothing else.
const textOf = (shown) => {
  if (typeof shown === 'string') return shown;
  return shown.$base64 ?? shown.base64 ?? shown.iso ?? JSON.stringify(shown);
};
const found = async (class_name, where, more = {}) => {
  const { results } = await ask(server, 'query_class', { class_name, where, keys: ['v'], ...more });
  return results.map((row) => row.v);
};
const matched = async (class_name, $match) => {
  const { results } = await ask(server, 'aggregate', { class_name, pipeline: [{ $match }, { $project: { v: 1 } }] });
  return results.map((row) => row.v);
};
const byId = async (class_name, id) => {
  const { object } = await ask(server, 'get_object', { class_name, object_id: id, keys: ['v'] });
  const { objects, missing } = await ask(server, 'get_objects', { class_name, ids: [id], keys: ['v'] });
  assert.deepEqual([missing, objects[id].v], [[], object.v]);
  return [object.v];
};

describe('pointers are followed to keys', () => {
  const piped = async (class_name, ...pipeline) => (await ask(server, 'aggregate', { class_name, pipeline })).results;

  const declared = types.map((type) => (
    { one: named('one', type), key: 'id', type, points: named('points', type), as: type, values: keys[type] }));
  for (const { one, key, type, points, as, values, unequal } of [...declared, ...others]) {
    test(`${key} ${type}, by ${as}`, async () => {
      const all = values.map((_, v) => v);
      for (const v of all) {
        assert.deepEqual(await found(points, { 'to_one.v': v }), [v]);
        assert.deepEqual(await found(points, { to_one: { $inQuery: { className: one, where: { v } } } }), [v]);
        if (!unequal) assert.deepEqual(await matched(points, { 'to_one.v': v }), [v]);
      }
      const { results } = await ask(server, 'query_class', { class_name: points, include: ['to_one'], order: 'v' });
      assert.deepEqual(results.map((row) => row.to_one.v), all);
      const joined = (from, localField, foreignField) => [
        { $lookup: { from, localField, foreignField, as: 'others' } }, { $sort: { v: 1 } }, { $project: { _id: 0, v: '$others.v' } }];
      const others_of = all.map((v) => (unequal ? [] : [v]));
      assert.deepEqual((await piped(points, ...joined(one, 'to_one', key))).map(({ v }) => v), others_of);
      assert.deepEqual((await piped(one, ...joined(points, key, 'to_one'))).map(({ v }) => v), others_of);
      const groups = await piped(points, { $group: { _id: '$to_one.v' } }, { $sort: { _id: 1 } });
      if (type === 'TIMESTAMP') {
        for (const v of all) {
          assert.deepEqual(await matched(points, { to_one: Number(values[v]) }), [v]);
          assert.deepEqual(await matched(points, { $expr: { $ne: ['$to_one', Number(values[v])] } }), all.filter((other) => other !== v));
        }
      }
      if (points.startsWith('points_') && /^(INTEGER|DATE|DATETIME|TIMESTAMP)$/.test(type)) {
        const { results: [row] } = await ask(server, 'query_class', { class_name: points, where: { v: 0 } });
        for (const pipeline of [[{ $match: { to_one: row.to_one } }], [{ $sort: { to_one: 1 } }, { $limit: 1 }]]) {
          const { full_scan, indexes_used } = await ask(server, 'aggregate', { class_name: points, pipeline, plan: true });
          assert.deepEqual([full_scan, indexes_used], [false, [`${points}_by_one`]], JSON.stringify(pipeline));
        }
      }
      if (!unequal) assert.deepEqual(groups.map(({ _id }) => _id), all);
      const sql = `SELECT o.v FROM ${points} p JOIN ${one} o ON p.to_one = o.${key} ORDER BY 1`;
      assert.deepEqual((await ask(server, 'query_sql', { sql })).rows, all.map((v) => [v]));
    });
  }
});

test('an id of many parts is found among others, whatever its form', async () => {
  const { objects, missing } = await ask(server, 'get_objects', {
    class_name: 'wide', ids: ['1'.repeat(22).split('').join(','), '3'.repeat(22).split('').join(',')] });
  assert.deepEqual([Object.keys(objects).length, missing.length], [1, 1]);
});

for (const rows of ['plain', 'parse']) {
  describe(`ids of rows in the form ${rows}`, () => {
    const shown = async (class_name, fields) => (
      (await ask(server, 'query_class', { class_name, rows, keys: fields })).results);

    for (const type of types) {
      test(`keys declared ${type}`, async () => {
        const class_name = named('one', type);
        const list = await shown(class_name, ['objectId', 'id', 'v']);
        assert.equal(list.length, keys[type].length);
        for (const { objectId, id, v } of list) {
          for (const value of [objectId, id]) {
            const what = JSON.stringify(value);
            assert.deepEqual(await found(class_name, { objectId: value }), [v], `where objectId ${what}`);
            assert.deepEqual(await byId(class_name, textOf(value)), [v], `by id ${what}`);
          }
          assert.deepEqual(await found(class_name, { id: { $in: [id] } }), [v], `where ${JSON.stringify(id)}`);
          assert.deepEqual(await matched(class_name, { id }), [v], `$match ${JSON.stringify(id)}`);
        }
      });

      test(`keys of several columns, one of them ${type}`, async () => {
        const class_name = named('both', type);
        for (const { objectId, id, v } of await shown(class_name, ['objectId', 'id', 'v'])) {
          assert.deepEqual(await found(class_name, { objectId }), [v]);
          assert.deepEqual(await found(class_name, { id }), [v]);
          assert.deepEqual(await byId(class_name, objectId), [v]);
        }
      });

      test(`pointers to keys declared ${type}`, async () => {
        const class_name = named('points', type);
        for (const { to_one, v } of await shown(class_name, ['to_one', 'v'])) {
          const what = JSON.stringify(to_one);
          assert.deepEqual(await found(class_name, { to_one }), [v], `where ${what}`);
          assert.deepEqual(await found(class_name, { to_one: { $in: [to_one] } }), [v], `$in ${what}`);
          assert.deepEqual(await matched(class_name, { to_one }), [v], `$match ${what}`);
        }
      });
    }
  });
}
