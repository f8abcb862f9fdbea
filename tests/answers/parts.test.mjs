// The bench must not take a wrong answer for a right one, nor invent a repair.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { difference } from './lib/judge.mjs';
import { isBounded, isWarned, namedIn, repaired } from './lib/repair.mjs';
import { answerRows } from './lib/rows.mjs';
import { plain, same } from './lib/values.mjs';

describe('values', () => {
  const equal = [
    [11, '11'], [11, { __type: 'Pointer', className: 'c', objectId: '11' }], [true, 1], [null, undefined], [['a'], 'a'],
    ['2026-08-25 10:20:30', { __type: 'Date', iso: '2026-08-25T10:20:30.000Z' }], ['2026-08-25', { $date: '2026-08-25T00:00:00Z' }],
    ['2026-08-25T10:20:30Z', '2026-08-25T12:20:30+02:00'], [0.1 + 0.2, 0.3], ['[1,2]', [1, 2]], [{ a: 1, b: '2' }, { b: 2, a: 1 }],
  ];
  for (const [a, b] of equal) test(`${JSON.stringify(a)} is ${JSON.stringify(b)}`, () => assert.ok(same(plain(a), plain(b))));
  const different = [
    [0, null], [0, ''], [false, null], [1, 1.001], ['a', 'A'], ['2026-08', '2026-09'], ['2026-08-25', '2026-08-26'], [[1, 2], [2, 1]],
    [[], null], ['007', 7], ['2026-08-25T10:20:30Z', '2026-08-25T10:20:31Z'], [{ a: 1 }, { a: 1, b: 2 }],
  ];
  for (const [a, b] of different) test(`${JSON.stringify(a)} is not ${JSON.stringify(b)}`, () => assert.ok(!same(plain(a), plain(b))));
});

describe('rows', () => {
  const rows = (answer, attempt, names) => answerRows([answer], attempt, names);
  test('groups', () => assert.deepEqual(rows({ groups: [{ key: 'a', value: 2 }] }, {}, ['k', 'n']), [['a', 2]]));
  test('a count', () => assert.deepEqual(rows({ count: 3 }, {}, ['n']), [[3]]));
  test('paths, and the member of that whole name before them', () => {
    const results = [{ 'a.b': 1, c: { d: 2 } }];
    assert.deepEqual(rows({ results }, { columns: ['a.b', 'x|c.d', 'c.e'] }, ['1', '2', '3']), [[1, 2, null]]);
  });
  test('a row for each element', () => {
    assert.deepEqual(rows({ results: [{ _id: 'a', top: [{ n: 1 }, { n: 2 }] }] }, { columns: ['_id', 'top.n'], explode: 'top' }, []), [['a', 1], ['a', 2]]);
  });
  test('CSV', () => assert.deepEqual(rows({ format: 'csv', output: 'a,b\r\n1,\r\n' }, {}, ['a', 'b']), [[1, null]]));
  test('columns and rows', () => assert.deepEqual(rows({ columns: ['a', 'b'], rows: [[1, 2]] }, {}, ['b']), [[2]]));
});

describe('difference', () => {
  test('rows in another order', () => {
    assert.equal(difference([[2], [1]], [[1], [2]], false), undefined);
    assert.match(difference([[2], [1]], [[1], [2]], true), /row 0/);
  });
  test('a missing and a changed row', () => {
    assert.match(difference([[1]], [[1], [2]], false), /1 rows, true are 2/);
    assert.match(difference([[1], [3]], [[1], [2]], false), /row 1/);
  });
});

describe('repairs', () => {
  const follow = (args, outcome, tool = 'aggregate') => repaired({ tool, arguments: args }, outcome)?.arguments;
  const refusal = (error, details) => ({ refusal: { error, details } });
  test('names in sentences', () => {
    assert.deepEqual(namedIn("Class 'orders' has no field 'statu'. Did you mean 'status'?"), { wrong: 'statu', right: 'status' });
    assert.deepEqual(namedIn('$flor is unknown; did you mean $floor?'), { wrong: '$flor', right: '$floor' });
    assert.equal(namedIn("Class 'orders' has no field 'x'."), undefined);
  });
  test('a name is replaced as a whole word, in keys and references', () => {
    const args = { pipeline: [{ $match: { stat: 1 } }, { $group: { _id: '$stat', state: { $sum: '$a.stat' } } }] };
    assert.deepEqual(follow(args, refusal("no field 'stat'; did you mean 'status'?")),
      { pipeline: [{ $match: { status: 1 } }, { $group: { _id: '$status', state: { $sum: '$a.status' } } }] });
  });
  test('JSON that was meant', () => {
    assert.deepEqual(follow({ where: { coupon: '' } }, { answer: { warnings: ["No 'coupon' equals ''; did you mean null?"] } }), { where: { coupon: null } });
    assert.deepEqual(follow({ where: { at: { $gte: '2026' } } }, { answer: { warnings: ['\'at\' holds dates, not \'2026\'; did you mean {"$date":"2026"}?'] } }),
      { where: { at: { $gte: { $date: '2026' } } } });
  });
  test('a name that a stage took away', () => {
    const pipeline = [{ $group: { _id: '$customer_id' } }, { $match: { customer_id: 1 } }];
    assert.deepEqual(follow({ pipeline }, refusal("no 'customer_id' here, after the stages before; did you mean '_id'?")),
      { pipeline: [pipeline[0], { $match: { _id: 1 } }] });
  });
  test('a literal beside its field', () => {
    const warnings = ["Comparing '$ok', which is true or false, with 1 by $eq matches nothing; write true."];
    assert.deepEqual(follow({ where: { ok: { $eq: 1 }, n: 1, $expr: { $eq: ['$ok', 1] } } }, { answer: { warnings } }),
      { where: { ok: { $eq: true }, n: 1, $expr: { $eq: ['$ok', true] } } });
  });
  test('a number that stands for another literal', () => {
    assert.deepEqual(follow({ where: { ok: 0, n: 0 } }, refusal("Field 'ok' is of type Boolean; equality got a number, '0'; did you mean false?")),
      { where: { ok: false, n: 0 } });
    assert.deepEqual(follow({ where: { n: { $gt: '3' } } }, refusal("Field 'n' is of type Integer; $gt got a string, '3'; did you mean 3?")),
      { where: { n: { $gt: 3 } } });
  });
  test('an expression', () => {
    const warnings = ['In an expression \'$a\' is missing where it is NULL; write {"$lte": ["$a", null]}.'];
    assert.deepEqual(follow({ where: { $expr: { $eq: ['$a', null] } } }, { answer: { warnings } }), { where: { $expr: { $lte: ['$a', null] } } });
  });
  test('a day', () => {
    const warnings = ['"2026-07-14" beside \'$at\' is a midnight; for the whole day write {"$gte":"2026-07-14","$lt":"2026-07-15"} instead of $eq.'];
    const bounds = { $gte: '2026-07-14', $lt: '2026-07-15' };
    assert.deepEqual(follow({ where: { at: '2026-07-14' } }, { answer: { warnings } }), { where: { at: bounds } });
    assert.deepEqual(follow({ where: { $expr: { $eq: ['$at', '2026-07-14'] } } }, { answer: { warnings } }),
      { where: { $expr: { $and: [{ $gte: ['$at', '2026-07-14'] }, { $lt: ['$at', '2026-07-15'] }] } } });
    const last = ['"2026-07-31" beside \'at\' is a midnight; for the whole day write {"$lt":"2026-08-01"} instead of $lte.'];
    assert.deepEqual(follow({ where: { at: { $gte: '2026-07-01', $lte: '2026-07-31' } } }, { answer: { warnings: last } }),
      { where: { at: { $gte: '2026-07-01', $lt: '2026-08-01' } } });
  });
  test('a condition that leaves rows out', () => {
    const warnings = ["'a' is NULL in some rows; leave them out with {\"a\": {\"$ne\": null}}."];
    assert.deepEqual(follow({ pipeline: [] }, { answer: { warnings } }), { pipeline: [{ $match: { a: { $ne: null } } }] });
    assert.deepEqual(follow({ where: { b: 1 } }, { answer: { warnings } }), { where: { $and: [{ a: { $ne: null } }, { b: 1 }] } });
  });
  test('an operator', () => {
    assert.deepEqual(follow({ where: { n: { gte: 1 } } }, refusal("'gte' is no operator; did you mean '$gte'?")), { where: { n: { $gte: 1 } } });
  });
  test('the rewrite of a denied field', () => {
    assert.deepEqual(follow({ keys: ['author_id'] }, refusal('no', { denied_field: 'author_id', suggested_rewrite: 'author' })), { keys: ['author'] });
  });
  test('warnings, all of them', () => {
    const warnings = ["status is never 'Paid'; did you mean 'paid'?", { replace: { wrong: 'de', right: 'DE' } }];
    assert.deepEqual(follow({ where: { status: 'Paid', country: 'de' } }, { answer: { warnings } }), { where: { status: 'paid', country: 'DE' } });
  });
  test('a whole call', () => {
    assert.deepEqual(repaired({ tool: 'aggregate', arguments: {} }, { answer: { warnings: [{ try: { tool: 'distinct', arguments: { a: 1 } } }] } }),
      { tool: 'distinct', arguments: { a: 1 } });
  });
  test('an answer that is not whole', () => {
    assert.deepEqual(follow({ pipeline: [] }, { answer: { auto_limited: true } }), { pipeline: [{ $limit: 10000 }] });
    assert.deepEqual(follow({ a: 1 }, { answer: { truncated: true } }, 'distinct'), { a: 1, limit: 1000 });
  });
  test('no advice, or advice that changes nothing', () => {
    assert.equal(follow({ a: 1 }, refusal('No.')), undefined);
    assert.equal(follow({ a: 1 }, refusal("no 'b'; did you mean 'c'?")), undefined);
    assert.equal(follow({ a: 1 }, { answer: {} }), undefined);
  });
  test('warned and bounded answers', () => {
    assert.ok(isWarned({ warnings: ['x'] }) && !isWarned({ warnings: [] }) && !isWarned({}));
    assert.ok(isBounded({ auto_limited: true }) && isBounded({ truncated: true }) && !isBounded({ truncated: false }));
  });
});
