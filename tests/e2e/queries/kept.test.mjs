// The answer cache: cached answers equal answers that are computed anew.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { until } from '../lib/events.mjs';
import { Server, ownFlags, runToEnd } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { peopleDatabase } from '../lib/people.mjs';
import { LegacySession, ask, call, refused } from '../lib/rpc.mjs';

const configFlags = (data) => {
  const file = join(scratch(), 'gantry.json');
  writeFileSync(file, JSON.stringify({ plugins: { data: { config: data } } }));
  return ['--config', file];
};
const start = (db, data, flags = []) => Server.start({ db, flags: [...configFlags(data), ...flags] });

const questions = {
  query_class: { where: { age: { $gte: 30 } }, order: '-score', limit: 20, include: ['team'] },
  count_objects: { where: { age: 30 } },
  get_object: { object_id: '17' },
  get_objects: { ids: ['1', '2', '9999'] },
  get_sample_objects: {},
  explain_query: { where: { age: 30 } },
  aggregate: { pipeline: [{ $group: { _id: '$team', n: { $sum: 1 } } }, { $sort: { _id: 1 } }] },
  group_by: { field: 'name' },
  group_by_date: { field: 'joined', interval: 'year' },
  distinct: { field: 'name' },
  export_data: { where: { age: 30 }, format: 'csv' },
  get_schema: {},
};

/** Another program adds a person. */
function commit(db, id) {
  const writer = new DatabaseSync(db);
  writer.exec(`PRAGMA busy_timeout = 10000; INSERT INTO people (id, name, age, score, joined) VALUES (${id}, 'new', 30, 99, '2031-01-01')`);
  writer.close();
}

for (const era of ['the present era', 'the earlier era']) {
  describe(`in ${era}`, () => {
    const db = peopleDatabase();
    let keeping, reading, sessions;
    before(async () => {
      [keeping, reading] = [await start(db, {}), await start(db, { answer_cache_bytes: 0 })];
      sessions = new Map([[keeping, await LegacySession.open(keeping)], [reading, await LegacySession.open(reading)]]);
    });
    after(async () => { await keeping.stop(); await reading.stop(); });
    const answer = async (server, name, args) => {
      if (era === 'the present era') return call(server, name, args);
      const { message } = await sessions.get(server).request('tools/call', { name, arguments: args });
      return message.result;
    };

    test('repeated answers equal answers that are computed anew, after every commit', async () => {
      for (let round = 0; round < 3; ++round) {
        for (const [name, question] of Object.entries(questions)) {
          const args = { class_name: 'people', ...question };
          const expected = await answer(reading, name, args);
          assert.notEqual(expected.isError, true, JSON.stringify(expected));
          for (let i = 0; i < 4; ++i) assert.deepEqual(await answer(keeping, name, args), expected, name);
        }
        commit(db, 10_000 + round);
      }
    });
  });
}

/** A cached answer is given while another program locks the whole file; an uncached read fails then. */
describe('while the file is locked', () => {
  const db = peopleDatabase();
  const all = { class_name: 'people' };
  const page = { class_name: 'people', limit: 20 };
  let keeping, little, reading, locker;
  before(async () => {
    [keeping, little, reading] = [await start(db, {}), await start(db, { answer_cache_bytes: 8000 }), await start(db, { answer_cache_bytes: 0 })];
    // A second change within this time may leave the file's timestamps unchanged.
    await new Promise((resolve) => { setTimeout(resolve, 100); });
    for (const server of [keeping, little, reading]) {
      for (let i = 0; i < 3; ++i) {
        assert.equal((await ask(server, 'count_objects', all)).count, 2500);
        assert.equal((await ask(server, 'query_class', page)).results.length, 20);
      }
    }
    locker = new DatabaseSync(db);
    locker.exec('BEGIN EXCLUSIVE');
  });
  after(async () => {
    locker.close();
    for (const server of [keeping, little, reading]) await server.stop();
  });
  const isLocked = async (server, name, args) => {
    assert.match((await refused(server, name, args)).message, /locked by another program|time limit/);
  };

  test('answers are cached by default', async () => {
    assert.equal((await ask(keeping, 'count_objects', all)).count, 2500);
    assert.equal((await ask(keeping, 'query_class', page)).results.length, 20);
    await isLocked(keeping, 'count_objects', { ...all, where: { age: 1 } });
  });

  test('answer_cache_bytes: 0 turns the cache off', () => isLocked(reading, 'count_objects', all));

  test('an answer of more than an eighth of answer_cache_bytes is not cached', async () => {
    assert.equal((await ask(little, 'count_objects', all)).count, 2500);
    await isLocked(little, 'query_class', page);
  });
});

test('a call answered from the cache has an audit record', async () => {
  const server = await start(peopleDatabase(), {}, ['--log-level', 'warn', '--log-format', 'json']);
  try {
    for (let i = 0; i < 6; ++i) await ask(server, 'count_objects', { class_name: 'people' });
    const calls = () => server.stderr.split('\n').filter(Boolean).map((line) => JSON.parse(line))
      .filter(({ message, tool }) => message === 'call' && tool === 'count_objects');
    await until(() => calls().length === 6, 'six records');
    assert.equal(new Set(calls().map(({ success, result_size: size }) => `${success} ${size}`)).size, 1);
  } finally { await server.stop(); }
});

test('an invalid answer_cache_bytes is refused', async () => {
  for (const bytes of [-1, 2 ** 30 + 1, 'many', 1.5]) {
    const { code, stderr } = await runToEnd(['--listen', '127.0.0.1:0', '--db', peopleDatabase(), ...configFlags({ answer_cache_bytes: bytes }), ...ownFlags()]);
    assert.notEqual(code, 0, `${bytes}`);
    assert.match(stderr, /answer_cache_bytes/);
  }
});
