// Query plans: which part of a query or pipeline the database runs, and the refusal of full scans.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { modelDirectory } from '../lib/documents.mjs';
import { Server } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { people, peopleDatabase } from '../lib/people.mjs';
import { LegacySession, ask, refused } from '../lib/rpc.mjs';

const db = peopleDatabase();
function start(data, flags = []) {
  const file = join(scratch(), 'gantry.json');
  writeFileSync(file, JSON.stringify({ plugins: { data: { config: data } } }));
  return Server.start({ db, flags: ['--config', file, ...flags] });
}
const byAge = [{ $match: { age: 30 } }, { $sort: { score: -1 } }, { $limit: 3 }];

describe('without any configuration', () => {
  let server;
  before(async () => { server = await Server.start({ db }); });
  after(() => server.stop());
  const explain = (args) => ask(server, 'explain_query', { class_name: 'people', ...args });

  test('explain_query names the index, not the statement', async () => {
    assert.deepEqual(await explain({ where: { age: 30 } }), {
      class_name: 'people', full_scan: false, indexes_used: ['people_by_age'], estimated_rows: 10 });
  });

  test('a condition without an index is a full scan, a page in the order of the key is not', async () => {
    const { full_scan: scan, indexes_used: indexes, estimated_rows: rows } = await explain({ where: { score: 1 } });
    assert.deepEqual([scan, indexes], [true, []]);
    assert.ok(Math.abs(rows - people.length) <= 1, rows);
    assert.equal((await explain({ limit: 5 })).full_scan, false);
    assert.equal((await explain({ limit: 5, order: 'score' })).full_scan, true);
    assert.equal((await explain({ where: { objectId: '7' } })).estimated_rows, 1);
  });

  test('refuse_collscan refuses a full scan with a reason and a remedy', async () => {
    const { code, details } = await refused(server, 'explain_query', {
      class_name: 'people', where: { score: 1 }, refuse_collscan: true });
    assert.equal(code, 'security_blocked');
    assert.equal(details.refused, true);
    assert.equal(details.reason, 'full scan of people');
    assert.match(details.suggestion, /age, team/);
    assert.equal(details.plan, undefined);
    assert.equal((await explain({ where: { age: 1 }, refuse_collscan: true })).full_scan, false);
  });

  test('explain_query refuses the queries that query_class refuses', async () => {
    assert.match((await refused(server, 'explain_query', { class_name: 'people', where: { agge: 1 } })).message, /age/);
    assert.equal((await refused(server, 'explain_query', { class_name: 'missing' })).code, 'access_denied');
  });

  test('aggregate shows which stages run where, and no SQL', async () => {
    const plan = await ask(server, 'aggregate', { class_name: 'people', plan: true,
      pipeline: [...byAge, { $project: { name: 1 } }] });
    assert.deepEqual(plan, { class_name: 'people', pipeline_stages: 4, pushed: byAge,
      residual: [{ $project: { id: 1, name: 1, _id: 0 } }], full_scan: false, indexes_used: ['people_by_age'], estimated_rows: 10 });
  });

  test('full scans are allowed', async () => {
    assert.equal((await ask(server, 'count_objects', { class_name: 'people', where: { score: 1 } })).count,
      people.filter((p) => p.score === 1).length);
  });

  test('clients of the earlier era get the same answer', async () => {
    const session = await LegacySession.open(server);
    const { message } = await session.request('tools/call', {
      name: 'explain_query', arguments: { class_name: 'people', where: { age: 30 } } });
    assert.deepEqual(message.result.structuredContent, await explain({ where: { age: 30 } }));
    const scan = await session.request('tools/call', {
      name: 'explain_query', arguments: { class_name: 'people', refuse_collscan: true, where: { score: 1 } } });
    assert.equal(scan.message.result.isError, true);
    assert.match(JSON.stringify(scan.message.result), /security_blocked/);
  });
});

test('expose_explain shows the statement without its values, and the plan', async () => {
  const server = await start({ expose_explain: true });
  try {
    const query = await ask(server, 'explain_query', { class_name: 'people', where: { age: 77 } });
    assert.match(query.sql, /WHERE .*`age` = \?/);
    assert.doesNotMatch(query.sql, /77/);
    assert.match(query.plan, /SEARCH main.people USING INDEX people_by_age/);
    const plan = await ask(server, 'aggregate', { class_name: 'people', pipeline: byAge, plan: true });
    assert.match(plan.sql, /ORDER BY .*score.* DESC.*LIMIT \?/);
    assert.match(plan.plan, /TEMP B-TREE/);
  } finally { await server.stop(); }
});

test('pushdown: false leaves every stage to the engine, with the same answer', async () => {
  const [plain, alone] = [await start({}), await start({ pushdown: false })];
  try {
    const all = { class_name: 'people', pipeline: [...byAge, { $sort: { name: 1 } }] };
    assert.deepEqual(await ask(alone, 'aggregate', all), await ask(plain, 'aggregate', all));
    const { pushed, residual } = await ask(alone, 'aggregate', { ...all, plan: true });
    assert.deepEqual([pushed, residual], [[], all.pipeline]);
  } finally { await plain.stop(); await alone.stop(); }
});

describe('refuse_collscan and a class that allows full scans', () => {
  let server;
  before(async () => {
    server = await start({ refuse_collscan: true }, ['--model', modelDirectory({
      'people.json': { class: 'people', allow_collscan: true }, 'teams.json': { class: 'teams' } })]);
  });
  after(() => server.stop());

  test('it is scanned, and explain_query says that it is', async () => {
    const found = people.filter((p) => p.score === 1).length;
    assert.equal((await ask(server, 'count_objects', { class_name: 'people', where: { score: 1 } })).count, found);
    const plan = await ask(server, 'explain_query', { class_name: 'people', where: { score: 1 }, refuse_collscan: true });
    assert.equal(plan.full_scan, true);
    const { results } = await ask(server, 'aggregate', { class_name: 'teams', pipeline: [{ $match: { id: 1 } },
      { $lookup: { from: 'people', pipeline: [{ $match: { score: 1 } }], as: 'them' } }] });
    assert.equal(results[0].them.length, found);
    assert.equal((await ask(server, 'export_data', { class_name: 'people', row_cap: 5 })).available_rows, people.length);
  });

  test('other classes are refused, in every position of a query', async () => {
    const named = { $inQuery: { className: 'teams', where: { name: 'Red' } } };
    for (const [tool, args] of [['count_objects', { class_name: 'teams', where: { name: 'Red' } }],
      ['explain_query', { class_name: 'people', where: { score: 1, team: named }, refuse_collscan: true }],
      ['query_class', { class_name: 'people', where: { score: 1, team: named } }]]) {
      const { code, details } = await refused(server, tool, args);
      assert.deepEqual([code, details.reason], ['security_blocked', 'full scan of teams'], tool);
    }
  });
});

describe('refuse_collscan', () => {
  let server;
  before(async () => { server = await start({ refuse_collscan: true, expose_explain: true }); });
  after(() => server.stop());
  const scan = { score: 1 }, search = { age: 30 };

  const reads = {
    query_class: (where) => ({ where, limit: 5 }),
    count_objects: (where) => ({ where }),
    aggregate: (where) => ({ pipeline: [{ $match: where }, { $count: 'n' }] }),
    group_by: (where) => ({ field: 'name', where }),
    group_by_date: (where) => ({ field: 'joined', interval: 'year', where }),
    distinct: (where) => ({ field: 'name', where }),
    export_data: (where) => ({ where }),
  };
  for (const [tool, args] of Object.entries(reads)) {
    test(`${tool} reads by an index and refuses to scan`, async () => {
      await ask(server, tool, { class_name: 'people', ...args(search) });
      const { code, details } = await refused(server, tool, { class_name: 'people', ...args(scan) });
      assert.equal(code, 'security_blocked');
      assert.deepEqual([details.refused, details.reason], [true, 'full scan of people']);
      assert.match(details.plan, /SCAN main.people/);
    });
  }

  const range = { age: { $gte: 88 } };
  for (const tool of Object.keys(reads)) {
    test(`${tool} finds a range by its index`, async () => {
      await ask(server, tool, { class_name: 'people', ...reads[tool](range) });
    });
  }

  test('a range is answered in the order that is asked for', async () => {
    const { results } = await ask(server, 'query_class', { class_name: 'people', where: range, limit: 3 });
    assert.deepEqual(results.map((row) => row.id), people.filter((p) => p.age >= 88).slice(0, 3).map((p) => p.id));
    const plan = await ask(server, 'explain_query', { class_name: 'people', where: range });
    assert.deepEqual([plan.full_scan, plan.indexes_used], [false, ['people_by_age']]);
  });

  test('the class that a sub-query scans is named', async () => {
    const { details } = await refused(server, 'query_class', { class_name: 'people',
      where: { age: 30, team: { $inQuery: { className: 'teams', where: { name: 'Red' } } } } });
    assert.equal(details.reason, 'full scan of teams');
  });

  test('a page without conditions is read, in the order of the key', async () => {
    assert.equal((await ask(server, 'query_class', { class_name: 'people', limit: 5 })).result_count, 5);
    assert.equal((await refused(server, 'query_class', { class_name: 'people', order: 'score' })).code, 'security_blocked');
  });

  test('an export without a limit is a scan, one with a limit is not', async () => {
    const { code } = await refused(server, 'export_data', { class_name: 'people', as: 'link' });
    assert.equal(code, 'security_blocked');
    await ask(server, 'export_data', { class_name: 'people', as: 'link', limit: 5 });
    await ask(server, 'export_data', { class_name: 'people' });
  });

  test('a join may not scan the other class', async () => {
    const join = (foreignField) => ({ class_name: 'people', pipeline: [{ $match: { id: 1 } },
      { $lookup: { from: 'people', localField: 'age', foreignField, as: 'same' } }] });
    await ask(server, 'aggregate', join('age'));
    assert.equal((await refused(server, 'aggregate', join('profile.n'))).code, 'security_blocked');
  });

  test('a stage reads another class by an index', async () => {
    const inside = (where) => ({ class_name: 'teams', pipeline: [{ $match: { id: 1 } },
      { $unionWith: { coll: 'people', pipeline: [{ $match: where }] } }, { $count: 'n' }] });
    const found = people.filter((p) => p.age === 30).length;
    assert.deepEqual((await ask(server, 'aggregate', inside(search))).results, [{ n: found + 1 }]);
    const { details } = await refused(server, 'aggregate', inside(scan));
    assert.equal(details.reason, 'full scan of people');
  });

  test('reads by id and samples go on', async () => {
    await ask(server, 'get_object', { class_name: 'people', object_id: '1' });
    await ask(server, 'get_sample_objects', { class_name: 'people' });
  });
});
