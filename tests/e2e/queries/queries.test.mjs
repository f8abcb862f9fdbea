// Operators, order, keys, pages, pointers and refusals, checked against the same rows in memory.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { people, peopleDatabase, teams } from '../lib/people.mjs';
import { ask, call, modernRevision, peer, refused } from '../lib/rpc.mjs';

let server;
before(async () => { server = await Server.start({ db: peopleDatabase() }); });
after(() => server.stop());

const query = (args) => ask(server, 'query_class', { class_name: 'people', ...args });

/** All ids that a where finds, page by page through next_call. */
async function idsOf(where, className = 'people') {
  const ids = [];
  let args = { class_name: className, where, keys: ['id'], limit: 1000, order: 'id' };
  while (args) {
    const page = await ask(server, 'query_class', args);
    ids.push(...page.results.map((row) => row.id));
    assert.equal(page.pagination.has_more, page.next_call !== undefined);
    args = page.next_call?.arguments;
  }
  return ids;
}

const pointer = (className, objectId) => ({ __type: 'Pointer', className, objectId });
const has = (list, ...wanted) => wanted.every((value) => list?.includes(value));
const day = (iso) => ({ __type: 'Date', iso });
const cut = '2021-06-01T00:00:00.000Z';
const redBoss = (p) => teams.find((t) => t.id === p.team)?.name.startsWith('B');

// where, and the same said in JavaScript
const wheres = [
  [{}, () => true],
  [{ name: 'Ada' }, (p) => p.name === 'Ada'],
  [{ name: "O'Neil" }, (p) => p.name === "O'Neil"],
  [{ name: 'Li\nNa' }, (p) => p.name === 'Li\nNa'],
  [{ name: null }, (p) => p.name === null],
  [{ name: { $eq: '' } }, (p) => p.name === ''],
  [{ name: { $ne: 'Ada' } }, (p) => p.name !== 'Ada'],
  [{ name: { $ne: null } }, (p) => p.name !== null],
  [{ age: 5 }, (p) => p.age === 5],
  [{ age: 5.0 }, (p) => p.age === 5],
  [{ age: 5.5 }, () => false],
  [{ age: { $gt: 80 } }, (p) => p.age > 80],
  [{ age: { $gte: 80 } }, (p) => p.age >= 80],
  [{ age: { $lt: 5 } }, (p) => p.age !== null && p.age < 5],
  [{ age: { $lte: 5 } }, (p) => p.age !== null && p.age <= 5],
  [{ age: { $gt: 10, $lt: 12 } }, (p) => p.age === 11],
  [{ age: { $gt: 10.5, $lt: 11.5 } }, (p) => p.age === 11],
  [{ score: { $lt: 0.5 } }, (p) => p.score !== null && p.score < 0.5],
  [{ score: 1.5 }, (p) => p.score === 1.5],
  [{ name: { $gt: 'Z' } }, (p) => p.name !== null && Buffer.compare(Buffer.from(p.name), Buffer.from('Z')) > 0],
  [{ age: { $in: [1, 2, 3] } }, (p) => [1, 2, 3].includes(p.age)],
  [{ age: { $in: [1, null] } }, (p) => [1, null].includes(p.age)],
  [{ age: { $in: [] } }, () => false],
  [{ age: { $nin: [1, 2] } }, (p) => ![1, 2].includes(p.age)],
  [{ age: { $nin: [] } }, () => true],
  [{ age: { $exists: true } }, (p) => p.age !== null],
  [{ age: { $exists: false } }, (p) => p.age === null],
  [{ age: { $not: { $gt: 5 } } }, (p) => !(p.age > 5)],
  [{ age: { $mod: [10, 3] } }, (p) => p.age !== null && p.age % 10 === 3],
  [{ age: { $type: 'int' } }, (p) => p.age !== null],
  [{ name: { $type: 'string' } }, (p) => p.name !== null],
  [{ name: { $regex: '^A' } }, (p) => /^A/.test(p.name ?? '-')],
  [{ name: { $regex: '^a', $options: 'i' } }, (p) => /^a/i.test(p.name ?? '-')],
  [{ name: { $regex: 'a.b' } }, (p) => /a.b/.test(p.name ?? '-')],
  [{ name: { $regex: 'a\\.b' } }, (p) => /a\.b/.test(p.name ?? '-')],
  [{ name: { $regex: '^(?=.*d)(?!A)' } }, (p) => p.name !== null && /^(?=.*d)(?!A)/.test(p.name)],
  [{ name: { $regex: 'ë$' } }, (p) => /ë$/.test(p.name ?? '-')],
  [{ name: { $regex: '^.{3}$' } }, (p) => /^.{3}$/u.test(p.name ?? '-')],
  [{ name: { $regex: 'i.n', $options: 'si' } }, (p) => /i.n/si.test(p.name ?? '-')],
  [{ name: { $regex: '^N', $options: 'm' } }, (p) => /^N/m.test(p.name ?? '-')],
  [{ name: { $not: { $regex: '^A' } } }, (p) => !/^A/.test(p.name ?? '-')],
  [{ $or: [{ age: 1 }, { name: 'bob' }] }, (p) => p.age === 1 || p.name === 'bob'],
  [{ $and: [{ age: { $gt: 10 } }, { age: { $lt: 20 } }] }, (p) => p.age > 10 && p.age < 20],
  [{ $nor: [{ age: { $gt: 10 } }, { name: null }] }, (p) => !(p.age > 10) && p.name !== null],
  [{ $or: [{ $and: [{ age: 1 }, { name: { $ne: 'Ada' } }] }, { $nor: [{ age: { $exists: true } }] }] },
    (p) => (p.age === 1 && p.name !== 'Ada') || p.age === null],
  [{ id: { $gte: 100 }, age: { $lt: 10 }, name: 'Ada' }, (p) => p.id >= 100 && p.age !== null && p.age < 10 && p.name === 'Ada'],
  [{ objectId: '17' }, (p) => p.id === 17],
  [{ objectId: { $in: ['17', '18', '99999'] } }, (p) => [17, 18].includes(p.id)],
  [{ team: '2' }, (p) => p.team === 2],
  [{ team: pointer('teams', '2') }, (p) => p.team === 2],
  [{ team: { $in: [pointer('teams', '1'), '3'] } }, (p) => [1, 3].includes(p.team)],
  [{ team: { $ne: pointer('teams', '2') } }, (p) => p.team !== 2],
  [{ team: { $exists: false } }, (p) => p.team === null],
  [{ joined: { $lt: cut } }, (p) => p.joined !== null && p.joined < cut],
  [{ joined: { $gte: day(cut) } }, (p) => p.joined !== null && p.joined >= cut],
  [{ joined: day(people[5].joined) }, (p) => p.joined === people[5].joined],
  [{ joined: { $gt: '2021-06-01T02:00:00+02:00' } }, (p) => p.joined !== null && p.joined > cut],
  [{ tags: 'b' }, (p) => has(p.tags, 'b')],
  [{ tags: { $all: ['a', 'b'] } }, (p) => has(p.tags, 'a', 'b')],
  [{ tags: { $in: ['c', 'd'] } }, (p) => has(p.tags, 'c') || has(p.tags, 'd')],
  [{ tags: { $nin: ['a'] } }, (p) => !has(p.tags, 'a')],
  [{ tags: { $size: 2 } }, (p) => p.tags?.length === 2],
  [{ tags: { $size: 0 } }, (p) => p.tags?.length === 0],
  [{ tags: ['a', 'b'] }, (p) => p.tags?.length === 2],
  [{ tags: { $elemMatch: { $gt: 'b' } } }, (p) => has(p.tags, 'c')],
  [{ tags: { $containedBy: ['a', 'b'] } }, (p) => p.tags !== null && p.tags.every((t) => ['a', 'b'].includes(t))],
  [{ tags: { $exists: false } }, (p) => p.tags === null],
  [{ 'tags.0': 'a' }, (p) => p.tags?.[0] === 'a'],
  [{ 'profile.city': 'Oslo' }, (p) => p.profile?.city === 'Oslo'],
  [{ 'profile.city': null }, (p) => (p.profile?.city ?? null) === null],
  [{ 'profile.city': { $exists: true } }, (p) => p.profile !== null],
  [{ 'profile.n': { $gte: 8 } }, (p) => p.profile?.n >= 8],
  [{ 'profile.n': '8' }, () => false],
  [{ 'profile.deep.list.k': 3 }, (p) => p.profile?.deep.list.some((e) => e.k === 3) ?? false],
  [{ 'profile.deep.list': { $elemMatch: { k: { $gt: 1, $lt: 4 } } } },
    (p) => p.profile?.deep.list.some((e) => e.k > 1 && e.k < 4) ?? false],
  [{ 'profile.nothing.at.all': 1 }, () => false],
  [{ team: { $inQuery: { className: 'teams', where: { name: { $regex: '^B' } } } } }, (p) => redBoss(p) ?? false],
  [{ team: { $notInQuery: { className: 'teams', where: { name: { $regex: '^B' } } } } }, (p) => !redBoss(p)],
  [{ id: { $select: { query: { className: 'teams', where: { id: { $lt: 3 } } }, key: 'id' } } }, (p) => [1, 2].includes(p.id)],
  [{ id: { $dontSelect: { query: { className: 'teams', where: {} }, key: 'id' } } }, (p) => ![1, 2, 3, 4, 5].includes(p.id)],
];

describe('where', () => {
  for (const [where, predicate] of wheres) {
    test(JSON.stringify(where), async () => {
      const wanted = people.filter(predicate).map((p) => p.id);
      assert.deepEqual(await idsOf(where), wanted);
      const { count } = await ask(server, 'count_objects', { class_name: 'people', where });
      assert.equal(count, wanted.length);
    });
  }

  test('a where that looks like SQL is only text', async () => {
    for (const text of ["x' OR '1'='1", '"; DROP TABLE people; --', '%', '_', '?1', ':a', '\u0000']) {
      assert.deepEqual(await idsOf({ name: text }), []);
    }
    assert.equal((await ask(server, 'count_objects', { class_name: 'people' })).count, people.length);
  });
});

describe('order, keys and pages', () => {
  const compare = (a, b) => (a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1);

  test('order sorts by several fields, nulls first, ties by key', async () => {
    const { results } = await query({ order: '-age,score', limit: 1000, keys: ['age', 'score', 'id'] });
    const wanted = [...people].sort((a, b) => compare(b.age, a.age) || compare(a.score, b.score) || a.id - b.id);
    assert.deepEqual(results.map((row) => row.id), wanted.slice(0, 1000).map((p) => p.id));
  });

  test('text is ordered by bytes', async () => {
    const { results } = await ask(server, 'query_class', { class_name: 'teams', order: 'name' });
    assert.deepEqual(results.map((row) => row.name), ['Blue', 'Red', 'a_b%c', 'green', 'Älta']);
  });

  test('keys keep their fields only', async () => {
    const { results } = await query({ keys: ['name'], limit: 1, order: 'id' });
    assert.deepEqual(results, [{ name: 'Ada' }]);
  });

  test('the pages of next_call hold every row exactly once, in order', async () => {
    const ids = [];
    let args = { class_name: 'people', order: '-age', limit: 333, keys: ['id'] };
    for (let pages = 0; args; ++pages) {
      assert.ok(pages < 9, 'next_call never ends');
      const page = await ask(server, 'query_class', args);
      ids.push(...page.results.map((row) => row.id));
      assert.equal(page.next_call?.tool ?? 'query_class', 'query_class');
      args = page.next_call?.arguments;
    }
    assert.equal(ids.length, people.length);
    assert.equal(new Set(ids).size, people.length);
  });

  test('the last page is marked as the last', async () => {
    const exact = await query({ limit: 1000, skip: 1500 });
    assert.deepEqual(exact.pagination, { limit: 1000, skip: 1500, has_more: false });
    assert.equal(exact.next_call, undefined);
    const beyond = await query({ skip: 5000 });
    assert.deepEqual([beyond.result_count, beyond.pagination.has_more], [0, false]);
  });

  test('without a limit there are 100', async () => {
    const { result_count: count, pagination, next_call: next } = await query({});
    assert.deepEqual([count, pagination.limit, next.arguments.skip], [100, 100, 100]);
  });

  for (const args of [{ limit: 1001 }, { limit: -1 }, { skip: -1 }, { limit: 'ten' }, { limit: 1.5 }]) {
    test(`${JSON.stringify(args)} is refused by name`, async () => {
      const { code, message } = await refused(server, 'query_class', { class_name: 'people', ...args });
      assert.equal(code, 'invalid_argument');
      assert.match(message, new RegExp(Object.keys(args)[0]));
    });
  }

  test('more than 50 distinct ids are refused, 50 with repeats are not', async () => {
    const ids = Array.from({ length: 51 }, (_, i) => String(i));
    const { code, message } = await refused(server, 'get_objects', { class_name: 'people', ids });
    assert.equal(code, 'invalid_argument');
    assert.match(message, /50/);
    const answer = await ask(server, 'get_objects', { class_name: 'people', ids: [...ids.slice(1), '1', '1'] });
    assert.equal(answer.found, 50);
  });

  test('get_object of an unknown id is not found', async () => {
    const { code } = await refused(server, 'get_object', { class_name: 'people', object_id: '99999' });
    assert.equal(code, 'not_found');
  });
});

describe('pointers', () => {
  test('stay pointers unless included', async () => {
    const { object } = await ask(server, 'get_object', { class_name: 'people', object_id: '1' });
    assert.deepEqual(object.team, 2);
    const parse = await ask(server, 'get_object', { class_name: 'people', object_id: '1', rows: 'parse' });
    assert.deepEqual(parse.object.team, pointer('teams', '2'));
  });

  test('include puts the object in their place, in every read tool', async () => {
    const wanted = (team) => assert.deepEqual([team.id, team.name], [2, 'green']);
    const include = ['team'];
    wanted((await ask(server, 'get_object', { class_name: 'people', object_id: '1', include })).object.team);
    wanted((await ask(server, 'get_objects', { class_name: 'people', ids: ['1'], include })).objects['1'].team);
    wanted((await query({ where: { id: 1 }, include })).results[0].team);
  });

  test('include follows a dotted path', async () => {
    const { results } = await query({ where: { id: 1 }, include: ['team.boss'] });
    assert.equal(results[0].team.boss.id, 7);
    assert.equal(results[0].team.boss.name, people[7].name);
  });

  test('include of an empty pointer is nothing, and null in the Parse form', async () => {
    const args = { where: { id: 4 }, include: ['team'] };
    assert.equal('team' in (await query(args)).results[0], false);
    assert.equal((await query({ ...args, rows: 'parse' })).results[0].team, null);
  });

  test('include agrees with keys', async () => {
    const { results } = await query({ where: { id: 1 }, include: ['team'], keys: ['team.name'] });
    assert.deepEqual(Object.keys(results[0]), ['team']);
    assert.equal(results[0].team.name, 'green');
    assert.equal('boss' in results[0].team, false);
  });

  test('include of a field that is no pointer is refused and names those that are', async () => {
    const { message } = await refused(server, 'query_class', { class_name: 'people', include: ['name'] });
    assert.match(message, /name/);
    assert.match(message, /team/);
  });
});

// arguments of query_class, the code, and what the sentence must name
const refusals = [
  [{ class_name: 'peopel' }, 'access_denied', /peopel.*people/s],
  [{ class_name: '' }, /access_denied|invalid_argument/, /./],
  [{ where: { nmae: 'x' } }, 'invalid_query', /nmae.*name/s],
  [{ where: { $or: [{ nmae: 'x' }] } }, 'invalid_query', /nmae.*name/s],
  [{ where: { age: { $gtt: 1 } } }, 'invalid_query', /\$gtt.*\$gt/s],
  [{ where: { $xor: [] } }, 'invalid_query', /\$xor/],
  [{ where: { $where: 'true' } }, /security_blocked|invalid_query/, /\$where/],
  [{ where: { age: { $in: 5 } } }, 'invalid_query', /\$in/],
  [{ where: { age: { $exists: 'yes' } } }, 'invalid_query', /\$exists/],
  [{ where: { age: { $mod: [0, 1] } } }, 'invalid_query', /\$mod/],
  [{ where: { age: { $mod: [2] } } }, 'invalid_query', /\$mod/],
  [{ where: { tags: { $size: -1 } } }, 'invalid_query', /\$size/],
  [{ where: { tags: { $all: 'a' } } }, 'invalid_query', /\$all/],
  [{ where: { $or: {} } }, 'invalid_query', /\$or/],
  [{ where: { $and: [] } }, 'invalid_query', /\$and/],
  [{ where: { age: 'old' } }, 'invalid_query', /age/],
  [{ where: { name: 5 } }, 'invalid_query', /name/],
  [{ where: { objectId: 'missing' } }, 'invalid_query', /objectId/],
  [{ where: { name: { $regex: '(' } } }, 'invalid_query', /\$regex/],
  [{ where: { name: { $regex: 'a', $options: 'q' } } }, 'invalid_query', /\$options|q/],
  [{ where: { name: { $regex: 5 } } }, 'invalid_query', /\$regex/],
  [{ where: { joined: 'not a date' } }, 'invalid_query', /joined/],
  [{ where: { team: pointer('people', '1') } }, 'invalid_query', /team/],
  [{ where: { team: { $inQuery: { className: 'temas', where: {} } } } }, 'access_denied', /temas/],
  [{ where: { team: { $inQuery: { className: 'teams', where: { nmae: 1 } } } } }, 'invalid_query', /nmae/],
  [{ where: [] }, /invalid_(query|argument)/, /where/],
  [{ order: 'nmae' }, /invalid_(query|argument)/, /nmae.*name/s],
  [{ keys: ['nmae'] }, /invalid_(query|argument)/, /nmae.*name/s],
  [{ include: ['taem'] }, /invalid_(query|argument)/, /taem.*team/s],
  [{ format: 'xml' }, 'invalid_argument', /csv/],
  [{ wehre: {} }, 'invalid_argument', /wehre.*where/s],
];

describe('refused queries', () => {
  for (const [args, code, message] of refusals) {
    test(JSON.stringify(args), async () => {
      const said = await refused(server, 'query_class', { class_name: 'people', ...args });
      if (code instanceof RegExp) assert.match(said.code, code); else assert.equal(said.code, code, said.message);
      assert.match(said.message, message);
    });
  }

  test('a missing argument is named', async () => {
    const { code, message } = await refused(server, 'query_class', {});
    assert.equal(code, 'invalid_argument');
    assert.match(message, /class_name/);
  });

  test('a regular expression that explodes is stopped', async () => {
    const started = Date.now();
    const result = await call(server, 'query_class', {
      class_name: 'people', where: { name: { $regex: '^(([a-z])+.)+[A-Z]([a-z])+$' } },
    });
    assert.ok(Date.now() - started < 30000);
    assert.ok(result.content.length > 0);
  });

  test('the server answers the next question', async () => {
    assert.equal((await ask(server, 'count_objects', { class_name: 'people' })).count, people.length);
  });
});

for (const revision of ['2025-06-18', modernRevision]) test(`arguments as models write them, ${revision}`, async () => {
  const send = await peer(server, revision);
  const rows = async (args) => {
    const { structuredContent } = await send('tools/call', { name: 'query_class', arguments: { class_name: 'people', order: 'id', ...args } });
    return structuredContent.results?.map((row) => row.id) ?? structuredContent;
  };
  const exact = await rows({ where: { id: { $lte: 3 } }, keys: ['id'], limit: 2 });
  assert.equal(exact.length, 2);
  assert.deepEqual(await rows({ where: '{"id": {"$lte": 3}}', keys: 'id', limit: '2', skip: null }), exact);
  const wrong = await send('tools/call', { name: 'count_objects', arguments: { class_name: 'people', where: 'id < 3' } });
  assert.match(JSON.stringify(wrong), /where: expected object, got string/);
  const one = await send('tools/call', { name: 'get_object', arguments: { class_name: 'people', object_id: 1 } });
  assert.equal(one.structuredContent.object.id, 1);
});
