// A name of any length is the caller's mistake, and the answer has a bounded length.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { LegacySession, modern } from '../lib/rpc.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const most = 64 * 1024;
const mostOfAnswer = 8 * most;  // `missing` of get_objects names the ids as they were given
const names = { ascii: 'n'.repeat(65_000), 'of wide characters': 'ü'.repeat(32_500), quoted: '\'"\\'.repeat(20_000) };

let server;
before(async () => { server = await Server.start({ db: demoDatabase() }); });
after(() => server.stop());

const of = 'subdivisions';
const page = { class_name: of, limit: 1 };

/** Calls in which one argument, or a part of one, is the long name. */
const calls = (long) => ({
  get_all_schemas: [{ names: [long] }, { prefix: long }, { [long]: 1 }],
  get_schema: [{ class_name: long }, { class_names: [long] }],
  query_class: [
    { class_name: long }, { ...page, where: { [long]: 1 } }, { ...page, where: { name: { [`$${long}`]: 1 } } },
    { ...page, where: { name: { $in: long } } }, { ...page, where: { name: { $regex: `(${long}` } } },
    { ...page, where: { [`${long}.${long}`]: 1 } }, { ...page, where: { name: { __type: long } } },
    { ...page, where: { country_id: { $inQuery: { className: long, where: {} } } } },
    { ...page, where: { country_id: { __type: 'Pointer', className: long, objectId: long } } },
    { ...page, keys: [long] }, { ...page, keys: [`name.${long}`] }, { ...page, include: [long] },
    { ...page, order: long }, { ...page, order: `name,-${long}` }, { ...page, format: long }, { ...page, limit: long },
    { ...page, [long]: 1 }, { ...page, where: long }, { ...page, where: { $text: { $search: long, $language: long } } },
  ],
  count_objects: [{ class_name: long }, { class_name: of, where: { [long]: 1 } }, { class_name: of, where: { $expr: { [`$${long}`]: 1 } } }],
  get_object: [{ class_name: long, object_id: '1' }, { class_name: of, object_id: long }, { class_name: of, object_id: '1', keys: [long] }],
  get_objects: [{ class_name: of, ids: [long] }, { class_name: of, ids: ['1'], include: [long] }],
  get_sample_objects: [{ class_name: long }, { class_name: of, limit: long }],
  explain_query: [{ class_name: long }, { class_name: of, where: { [long]: 1 } }, { class_name: of, order: long }],
  aggregate: [
    { class_name: long, pipeline: [] },
    ...[{ [`$${long}`]: {} }, { $match: { [long]: 1 } }, { $match: { name: { [`$${long}`]: 1 } } }, { $project: { a: `$${long}` } },
      { $project: { a: { [`$${long}`]: 1 } } }, { $project: { a: `$$${long}` } }, { $project: { [`$${long}`]: 1 } },
      { $group: { _id: `$${long}` } }, { $group: { _id: null, a: { [`$${long}`]: 1 } } }, { $group: { _id: null, [long]: 1 } },
      { $lookup: { from: long, localField: 'a', foreignField: 'b', as: 'c' } }, { $lookup: { from: of, localField: long, foreignField: long, as: 'c' } },
      { $lookup: { [long]: 1 } }, { $sort: { [long]: long } }, { $unwind: long }, { $unwind: { path: '$a', [long]: 1 } },
      { $project: { a: { $dateToString: { date: new Date(0).toISOString(), format: long, timezone: long } } } },
      { $project: { a: { $convert: { input: long, to: 'int' } } } }, { $project: { a: { $toDate: long } } }, { $project: { a: { $toInt: long } } },
      { $project: { a: { $regexMatch: { input: 'a', regex: `(${long}` } } } }, { $project: { a: { $add: [1, long] } } },
      { $project: { a: { $dateFromString: { dateString: long, timezone: long } } } },
      { $facet: { [long]: [{ $limit: 1 }, { [`$${long}`]: 1 }] } }, { $bucket: { groupBy: '$name', boundaries: [1, long] } },
      { $replaceRoot: { newRoot: long } }, { $unionWith: long }, { $out: long }, { $fill: { output: { [long]: { method: long } } } },
      { $setWindowFields: { output: { a: { [`$${long}`]: 1 } } } }, { $count: `$${long}` }, { $graphLookup: { from: long, [long]: 1 } },
    ].map((stage) => ({ class_name: of, pipeline: [stage, { $limit: 1 }] })),
  ],
  group_by: [{ class_name: long, field: 'name' }, { class_name: of, field: long }, { class_name: of, field: 'name', operation: long },
    { class_name: of, field: 'name', operation: 'sum', value_field: long }, { class_name: of, field: 'name', sort: long },
    { class_name: of, field: 'name', where: { [long]: 1 } }],
  group_by_date: [{ class_name: of, field: long, interval: 'day' }, { class_name: of, field: 'name', interval: long },
    { class_name: of, field: 'name', interval: 'day', timezone: long }],
  distinct: [{ class_name: of, field: long }, { class_name: long, field: 'name' }, { class_name: of, field: 'name', sort: long }],
  export_data: [{ class_name: long }, { class_name: of, columns: [long] }, { class_name: of, columns: [{ [long]: long }] },
    { class_name: of, format: long }, { class_name: of, where: { [long]: 1 } }, { class_name: of, pipeline: [{ [`$${long}`]: 1 }] }, { class_name: of, as: long }],
});

/** A text that fits, and no internal error. */
function fits({ status, text, message }, what) {
  const answered = message.result && !message.result.isError;
  assert.ok(text.length <= (answered ? mostOfAnswer : most), `${what}: ${text.length} characters`);
  assert.ok(status < 500, `${what}: ${status}`);
  assert.notEqual(message.error?.code, -32603, `${what}: ${text.slice(0, 300)}`);
  const error = message.result?.isError ? JSON.parse(message.result.content[0].text) : undefined;
  assert.notEqual(error?.error_code, 'internal_error', `${what}: ${text.slice(0, 300)}`);
  assert.notEqual(error?.error_code, 'timeout', what);
  if (error) assert.match(error.error, /\S+ \S+/, what);
  assert.doesNotMatch(text, /\ufffd/, `${what}: a character is cut in two`);
}

for (const [form, long] of Object.entries(names)) {
  describe(`a name of 64 KB, ${form}`, () => {
    for (const [tool, all] of Object.entries(calls(long))) {
      test(`in every argument of ${tool}`, async () => {
        let refused = 0;
        for (const [i, args] of all.entries()) {
          const answer = await modern(server, 'tools/call', { name: tool, arguments: args });
          fits(answer, `${tool} ${i}`);
          assert.doesNotMatch(answer.text, /Unknown tool/);
          if (answer.message.error || answer.message.result.isError) ++refused;
        }
        assert.ok(refused > 0);
      });
    }

    test('of a tool, a prompt, a resource, a method, a cursor, a completion', async () => {
      const session = await LegacySession.open(server, '2025-11-25');
      for (const [method, params] of [
        ['tools/call', { name: long, arguments: {} }], ['tools/list', { cursor: long }], ['tools/list', { category: long }],
        ['prompts/get', { name: long }], ['prompts/get', { name: 'class_overview', arguments: { class_name: long } }],
        ['prompts/get', { name: 'count_by', arguments: { class_name: of, group_by: long } }], ['prompts/list', { cursor: long }],
        ['resources/read', { uri: `data://${long}/count` }], ['resources/read', { uri: long }], ['resources/list', { cursor: long }],
        ['resources/subscribe', { uri: long }], ['resources/templates/list', { cursor: long }], [long, {}],
        ['completion/complete', { ref: { type: 'ref/prompt', name: long }, argument: { name: 'a', value: 'b' } }],
        ['completion/complete', { ref: { type: 'ref/prompt', name: 'class_overview' }, argument: { name: long, value: long } }],
        ['logging/setLevel', { level: long }],
      ]) fits(await session.request(method, params), `${method.slice(0, 40)} ${JSON.stringify(params).slice(0, 60)}`);
    });
  });
}

test('an error quotes the beginning and the end of a long name', async () => {
  const { message } = await modern(server, 'tools/call', { name: 'query_class', arguments: { class_name: names.ascii } });
  assert.ok(message.result, JSON.stringify(message).slice(0, 300));
  const { error, error_code: code } = message.result.structuredContent ?? JSON.parse(message.result.content[0].text);
  assert.equal(code, 'access_denied');
  assert.match(error, /^Class 'n+…n*' is not accessible to this agent/);
});
