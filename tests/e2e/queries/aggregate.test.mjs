// Pipelines, groups and distinct values, compared with the same computation in JavaScript.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { people, peopleDatabase, teams } from '../lib/people.mjs';
import { ask, call, modernBody, modernHeaders, refused } from '../lib/rpc.mjs';

let server;
before(async () => { server = await Server.start({ db: peopleDatabase() }); });
after(() => server.stop());

const aggregate = (pipeline, more = {}) => ask(server, 'aggregate', { class_name: 'people', pipeline, ...more });
const results = async (...args) => (await aggregate(...args)).results;
const countBy = (rows, key) => {
  const counts = new Map();
  for (const row of rows) for (const k of [key(row)].flat()) counts.set(k, (counts.get(k) ?? 0) + 1);
  return counts;
};
const sum = (values) => values.reduce((a, b) => a + b, 0);
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

describe('aggregate', () => {
  test('groups and sorts', async () => {
    const rows = await results([{ $group: { _id: '$age', n: { $sum: 1 } } }, { $sort: { _id: 1 } }]);
    const wanted = countBy(people, (p) => p.age);
    assert.equal(rows.length, wanted.size);
    for (const { _id, n } of rows) assert.equal(n, wanted.get(_id), `age ${_id}`);
    assert.equal(rows[0]._id, null);
  });

  test('computes averages over numbers only', async () => {
    const [row] = await results([{ $group: { _id: null, mean: { $avg: '$score' }, top: { $max: '$score' } } }]);
    const scores = people.map((p) => p.score).filter((s) => s !== null);
    assert.ok(Math.abs(row.mean - sum(scores) / scores.length) < 1e-9);
    assert.equal(row.top, Math.max(...scores));
  });

  test('joins another class by a pointer', async () => {
    const rows = await results([
      { $match: { id: { $lt: 50 } } },
      { $lookup: { from: 'teams', localField: 'team', foreignField: 'objectId', as: 'teams' } },
      { $project: { _id: 0, id: 1, team: { $first: '$teams.name' } } }, { $sort: { id: 1 } },
    ]);
    assert.deepEqual(rows, people.slice(0, 50).map((p) => (
      p.team === null ? { id: p.id } : { id: p.id, team: teams[p.team - 1].name })));
  });

  test('joins the people of each team in batches', async () => {
    const rows = await ask(server, 'aggregate', {
      class_name: 'teams',
      pipeline: [
        { $lookup: { from: 'people', localField: 'objectId', foreignField: 'team', as: 'all' } },
        { $project: { name: 1, n: { $size: '$all' } } }],
    });
    const wanted = countBy(people, (p) => p.team);
    assert.deepEqual(rows.results, teams.map((t) => (
      { id: t.id, name: t.name, n: wanted.get(t.id) ?? 0 })));
  });

  test('unwinds stored arrays', async () => {
    const rows = await results([{ $unwind: '$tags' }, { $sortByCount: '$tags' }]);
    const wanted = countBy(people.filter((p) => p.tags), (p) => p.tags);
    assert.equal(rows.length, wanted.size);
    for (const { _id, count } of rows) assert.equal(count, wanted.get(_id));
  });

  test('answers several questions in one facet', async () => {
    const [row] = await results([{ $facet: {
      all: [{ $count: 'n' }],
      young: [{ $match: { age: { $lt: 10 } } }, { $count: 'n' }],
      none: [{ $match: { age: { $gt: 1000 } } }, { $count: 'n' }] } }]);
    assert.deepEqual(row, {
      all: [{ n: people.length }],
      young: [{ n: people.filter((p) => p.age !== null && p.age < 10).length }],
      none: [],
    });
  });

  test('computes with dates', async () => {
    const rows = await results([
      { $match: { joined: { $gte: '2021-01-01' } } },
      { $group: { _id: { $dateToString: { date: '$joined', format: '%Y-%m' } }, n: { $sum: 1 } } },
      { $sort: { _id: 1 } }]);
    const late = people.filter((p) => p.joined !== null && p.joined >= '2021-01-01');
    const wanted = countBy(late, (p) => p.joined.slice(0, 7));
    assert.deepEqual(rows, [...wanted].sort().map(([_id, n]) => ({ _id, n })));
  });

  test('reads JSON columns by dotted paths', async () => {
    const rows = await results([{ $group: { _id: '$profile.city', n: { $sum: 1 } } }, { $sort: { n: 1, _id: 1 } }]);
    const wanted = countBy(people, (p) => p.profile?.city ?? null);
    assert.deepEqual(new Map(rows.map((r) => [r._id, r.n])), wanted);
  });

  test('reports when it shows only the first documents', async () => {
    const bounded = await aggregate([{ $project: { id: 1 } }]);
    assert.equal(bounded.result_count, 200);
    assert.equal(bounded.auto_limited, true);
    assert.equal(bounded.auto_limit, 200);
    assert.match(bounded.hint, /\$limit/);
    for (const pipeline of [[{ $limit: 300 }], [{ $match: { id: { $lt: 200 } } }, { $project: { id: 1 } }], [{ $count: 'n' }]]) {
      const whole = await aggregate(pipeline);
      assert.equal(whole.auto_limited, undefined, JSON.stringify(pipeline));
      assert.equal(whole.result_count, whole.results.length);
    }
    assert.equal((await aggregate([{ $limit: 300 }])).result_count, 300);
  });

  test('shows pointers as bare ids, or whole', async () => {
    const pipeline = [{ $match: { id: 1 } }, { $project: { _id: 0, team: 1 } }];
    assert.deepEqual((await aggregate(pipeline)).results, [{ team: 2 }]);
    const compact = await aggregate(pipeline, { rows: 'parse' });
    assert.deepEqual(compact.results, [{ team: '2' }]);
    assert.deepEqual(compact.pointer_classes, { team: 'teams' });
    const whole = await aggregate(pipeline, { rows: 'parse', compact_pointers: false });
    assert.deepEqual(whole.results, [{ team: { __type: 'Pointer', className: 'teams', objectId: '2' } }]);
    assert.equal(whole.pointer_classes, undefined);
  });

  test('needs no class when it brings its documents', async () => {
    const answer = await ask(server, 'aggregate', { pipeline: [{ $documents: [{ a: 1 }, { a: 2 }] }, { $match: { a: { $gt: 1 } } }] });
    assert.deepEqual(answer.results, [{ a: 2 }]);
    assert.equal(answer.class_name, undefined);
  });

  for (const [stage, code] of [
    [{ $out: 'x' }, 'security_blocked'], [{ $merge: { into: 'x' } }, 'security_blocked'],
    [{ $function: {} }, 'security_blocked'], [{ $match: { $where: 'true' } }, 'security_blocked'],
    [{ $project: { x: { $function: { body: 'f', args: [], lang: 'js' } } } }, 'security_blocked'],
    [{ $group: { _id: null, x: { $accumulator: {} } } }, 'security_blocked'],
    [{ $mtach: {} }, 'invalid_query'], [{ $unionWith: 'sqlite_schema' }, 'access_denied'],
  ]) {
    test(`refuses ${JSON.stringify(stage)}`, async () => {
      const { code: said, message } = await refused(server, 'aggregate', { class_name: 'people', pipeline: [stage] });
      assert.equal(said, code, message);
    });
  }

  test('names the nearest field where one is unknown', async () => {
    for (const stage of [{ $match: { nmae: 1 } }, { $group: { _id: '$nmae' } }, { $sort: { nmae: 1 } }]) {
      const { code, message, details } = await refused(server, 'aggregate', { class_name: 'people', pipeline: [stage] });
      assert.equal(code, 'invalid_query');
      assert.match(message, /Did you mean 'name'\?/);
      assert.equal(details.suggested_rewrite, 'name');
    }
  });

  test('stops when its caller disconnects', async () => {
    const body = modernBody('tools/call', { name: 'aggregate', arguments: {
      class_name: 'people',
      pipeline: [{ $unionWith: 'people' }, { $unionWith: 'people' },
        { $project: { s: { $sum: { $map: { input: { $range: [0, 100000] }, in: '$$this' } } } } }, { $count: 'n' }],
    } });
    const controller = new AbortController();
    const gone = fetch(server.url, {
      method: 'POST', signal: controller.signal, body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...modernHeaders(body) },
    }).catch(() => 'gone');
    await pause(300);
    controller.abort();
    assert.equal(await gone, 'gone');
    const started = Date.now();
    assert.equal((await call(server, 'count_objects', { class_name: 'teams' })).structuredContent.count, teams.length);
    assert.ok(Date.now() - started < 5000);
  });
});

describe('group_by, group_by_date and distinct', () => {
  const group = (args) => ask(server, 'group_by', { class_name: 'people', ...args });

  test('group_by counts, largest first', async () => {
    const answer = await group({ field: 'team' });
    const wanted = countBy(people, (p) => p.team);
    assert.equal(answer.group_count, wanted.size);
    assert.equal(answer.pointer_class, 'teams');
    for (const { key, value } of answer.groups) assert.equal(value, wanted.get(key));
  });

  test('group_by computes, sorts and truncates exactly', async () => {
    const rows = people.filter((p) => p.id < 100);
    const answer = await group({ field: 'age', operation: 'sum', value_field: 'id', where: { id: { $lt: 100 } }, sort: 'key_asc', limit: 5 });
    const ages = [...countBy(rows, (p) => p.age).keys()].sort((a, b) => (a ?? -1) - (b ?? -1)).slice(0, 5);
    assert.deepEqual(answer.groups, ages.map((key) => ({ key, value: sum(rows.filter((p) => p.age === key).map((p) => p.id)) })));
    assert.equal(answer.truncated, true);
    assert.equal((await group({ field: 'team', limit: 6 })).truncated, undefined);
  });

  test('group_by takes up to three fields, also through pointers', async () => {
    const answer = await group({ fields: ['team', 'age'], where: { id: { $lt: 200 } }, limit: 1000 });
    const wanted = countBy(people.filter((p) => p.id < 200), (p) => `${p.team ?? null}/${p.age ?? null}`);
    assert.deepEqual([answer.fields, answer.field, answer.group_count], [['team', 'age'], undefined, wanted.size]);
    assert.deepEqual(answer.pointer_classes, { team: 'teams' });
    for (const { key, value } of answer.groups) {
      assert.deepEqual(Object.keys(key), ['team', 'age']);
      assert.equal(value, wanted.get(`${key.team}/${key.age}`));
    }
    const names = await group({ fields: ['team.name', 'team'], operation: 'max', value_field: 'age', sort: 'key_asc', limit: 1000 });
    for (const { key } of names.groups) assert.equal(key['team.name'], teams.find(({ id }) => id === key.team)?.name ?? null);
    for (const [args, sentence] of [
      [{}, /'field' is missing: the field to group by, or up to 3 in 'fields'/], [{ fields: [] }, /'field' is missing/],
      [{ field: 'team', fields: ['age'] }, /either 'field' or 'fields'/], [{ fields: ['a', 'b', 'c', 'd'] }, /at most 3/],
      [{ fields: ['$team'] }, /without '\$'/], [{ fields: ['team', 'nmae'] }, /nmae/],
    ]) assert.match((await refused(server, 'group_by', { class_name: 'people', ...args })).message, sentence);
  });

  test('group_by counts elements of arrays', async () => {
    const answer = await group({ field: 'tags', flatten_arrays: true, sort: 'key_asc' });
    const wanted = countBy(people.filter((p) => p.tags), (p) => p.tags);
    assert.deepEqual(answer.groups, [...wanted].sort().map(([key, value]) => ({ key, value })));
  });

  test('group_by_date has ISO keys, null for rows without a date', async () => {
    for (const [interval, length] of [['year', 4], ['month', 7], ['day', 10]]) {
      const answer = await ask(server, 'group_by_date', { class_name: 'people', field: 'joined', interval, limit: 1000 });
      const wanted = countBy(people, (p) => p.joined?.slice(0, length) ?? null);
      const keys = [...wanted.keys()].sort((a, b) => (a === null ? -1 : b === null ? 1 : a < b ? -1 : 1)).slice(0, 1000);
      assert.deepEqual(answer.groups, keys.map((key) => ({ key, value: wanted.get(key) })));
    }
    const quarter = (date) => `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;
    const quarters = countBy(people, (p) => (p.joined ? quarter(p.joined) : null));
    const { groups } = await ask(server, 'group_by_date', { class_name: 'people', field: 'joined', interval: 'quarter', limit: 1000 });
    assert.deepEqual(Object.fromEntries(groups.map(({ key, value }) => [key, value])), Object.fromEntries(quarters));
    const { message } = await refused(server, 'group_by_date', { class_name: 'people', field: 'name', interval: 'day' });
    assert.match(message, /Date fields: joined/);
  });

  test('distinct gives each value once, in order', async () => {
    const { values, count } = await ask(server, 'distinct', { class_name: 'people', field: 'name' });
    const wanted = [...new Set(people.map((p) => p.name).filter((n) => n !== null))]
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(values, wanted);
    assert.equal(count, wanted.length);
    const few = await ask(server, 'distinct', { class_name: 'people', field: 'team', limit: 2 });
    assert.deepEqual(few.values, [1, 2]);
    assert.equal(few.truncated, true);
    assert.equal(few.pointer_class, 'teams');
    assert.match((await refused(server, 'distinct', { class_name: 'people', field: 'nmae' })).message, /'name'/);
  });

  test('a dry run is a pipeline that aggregate answers alike', async () => {
    const args = { field: 'team', where: { age: { $gte: 30 } } };
    const dry = await group({ ...args, dry_run: true });
    assert.equal(dry.dry_run, true);
    const run = await group(args);
    assert.deepEqual((await results(dry.pipeline)).map((r) => r.value), run.groups.map((g) => g.value));
  });
});
