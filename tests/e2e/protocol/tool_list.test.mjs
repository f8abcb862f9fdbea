// What tools/list costs every conversation, at four bytes a token.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { Orders } from '../lib/orders.mjs';
import { call, modern } from '../lib/rpc.mjs';
import { shapedTools } from '../lib/shapes.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const most = { seen: 2000, all: 3000 };
const tokens = (text) => Buffer.byteLength(text) / 4;
const seenOf = ({ name, description, inputSchema }) =>
  tokens(name) + tokens(description) + tokens(JSON.stringify(inputSchema));

let server, answer, writing;
before(async () => {
  server = await Server.start({ db: demoDatabase() });
  answer = await modern(server, 'tools/list');
  const orders = await Orders.start();
  writing = await modern(orders.server, 'tools/list', {}, orders.headers('boss'));
  await orders.stop();
});
after(() => server.stop());

test('the text that a model sees of the read-only families stays within its budget', () => {
  const costs = answer.message.result.tools.map((tool) => [tool.name, seenOf(tool)]);
  const sum = costs.reduce((total, [, cost]) => total + cost, 0);
  assert.ok(costs.length >= 14, 'every read-only family is there');
  assert.ok(sum <= most.seen, `${sum} tokens: ${costs.map(([name, cost]) => `${name} ${cost}`).join(', ')}`);
});

test('the whole answer stays within its budget', () => {
  assert.ok(tokens(answer.text) <= most.all, `${tokens(answer.text)} tokens`);
});

test('with every family on the list stays within its larger budget', () => {
  const { tools } = writing.message.result;
  for (const name of ['call_method', 'create_object', 'update_object', 'delete_object', 'create_class', 'delete_class']) {
    assert.ok(tools.some((tool) => tool.name === name), name);
  }
  const sum = tools.reduce((total, tool) => total + seenOf(tool), 0);
  assert.ok(sum <= 3500, `${sum} tokens`);
  assert.ok(tokens(writing.text) <= 5500, `${tokens(writing.text)} tokens`);
});

test('tools that change something say so', () => {
  const hints = Object.fromEntries(writing.message.result.tools.map(({ name, annotations }) => [name, annotations]));
  for (const name of ['call_method', 'create_object', 'update_object', 'delete_object', 'create_class', 'delete_class']) {
    assert.equal(hints[name].readOnlyHint, false, name);
    assert.equal(hints[name].destructiveHint, !name.startsWith('create'), name);
  }
});

test('listed output schemas name the members that answers have', () => {
  for (const { name, outputSchema } of writing.message.result.tools) {
    assert.ok(shapedTools.includes(name), name);
    for (const member of Object.values(outputSchema.properties)) assert.deepEqual(member, {}, name);
  }
});

/** What keeps a client from using the input schema, by place; nothing that constrains values is left out. */
function faultsOf(schema, place = '') {
  const { type, properties = {}, items, anyOf, oneOf, allOf } = schema;
  const faults = [];
  const fault = (text) => faults.push(`${place || 'schema'}: ${text}`);
  if (typeof type !== 'string') fault(`type is ${JSON.stringify(type)}`);
  if (type === 'object' && Object.keys(properties).length === 0) fault('object without properties');
  if (type === 'array' && items === undefined) fault('array without items');
  if (anyOf || oneOf || allOf || schema.$ref || schema.not) fault('combines schemas');
  for (const [name, part] of Object.entries(properties)) faults.push(...faultsOf(part, `${place}/${name}`));
  if (items !== undefined) faults.push(...faultsOf(items, `${place}[]`));
  return faults;
}

/** The same of an output schema, which may leave types out. */
function outputFaultsOf(schema) {
  if (typeof schema !== 'object') return [];
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...(Array.isArray(schema.type) ? ['type list'] : []),
    ...(alternatives.some((part) => part.type === undefined) ? ['alternatives without type'] : []),
    ...Object.values(schema).flatMap((part) => (part && typeof part === 'object' ? outputFaultsOf(part) : [])),
  ];
}

test('every listed schema is one that all clients can use', () => {
  for (const { name, inputSchema, outputSchema } of writing.message.result.tools) {
    assert.deepEqual(faultsOf(inputSchema), [], name);
    assert.deepEqual(outputFaultsOf(outputSchema), [], name);
    for (const argument of Object.keys(inputSchema.properties)) assert.match(argument, /^[a-zA-Z0-9_.-]{1,64}$/, name);
  }
});

test('a schema that some clients refuse is recognised', () => {
  const text = { type: 'string' };
  const argument = (schema) => ({ type: 'object', properties: { argument: schema } });
  for (const bad of [
    { properties: { a: text } }, { type: 'object' }, { type: 'object', properties: {} },
    argument({ enum: ['a'] }), argument({ type: ['string', 'object'] }), argument({ type: 'object' }), argument({}),
    argument({ type: 'array' }), argument({ type: 'array', items: {} }), argument({ anyOf: [text, { type: 'integer' }] }),
    argument({ type: 'array', items: { type: ['string', 'null'] } }), argument(argument({ type: 'object' })),
    { ...argument(text), anyOf: [{ required: ['a'] }] },
  ]) {
    assert.notEqual(faultsOf(bad).length, 0, JSON.stringify(bad));
  }
  for (const bad of [
    { type: 'object', anyOf: [{ required: ['a'] }] }, { type: 'object', oneOf: [{ type: 'object' }, { required: ['a'] }] },
    { type: 'object', properties: { a: { type: ['string', 'null'] } } },
  ]) {
    assert.notEqual(outputFaultsOf(bad).length, 0, JSON.stringify(bad));
  }
});

test('arguments are taken in every documented form, also in one that the list does not name', async () => {
  const exported = async (columns) =>
    (await call(server, 'export_data', { class_name: 'countries', columns, limit: 1 })).structuredContent;
  const { headers } = await exported(['name', { alpha_2: 'Code' }]);
  assert.deepEqual(headers, ['name', 'Code']);
  assert.deepEqual((await exported(['name', '{"alpha_2":"Code"}'])).headers, headers);
});

test('bounds that the list does not name are kept', async () => {
  const many = (count) => Array.from({ length: count }, (_, i) => `field_${i}`);
  for (const [tool, args, said] of [
    ['query_class', { keys: many(201) }, /'keys' has 201 elements; it may have at most 200/],
    ['query_class', { include: many(21) }, /'include' has 21 elements; it may have at most 20/],
    ['get_object', { object_id: 'CH', include: many(21) }, /'include' has 21 elements/],
    ['get_objects', { ids: many(1001) }, /'ids' has 1001 elements; it may have at most 1000/],
    ['get_objects', { ids: [] }, /'ids' must name at least one id/],
    ['query_class', { limit: 0 }, /'limit' must be an integer from 1 to 1000/],
    ['query_class', { limit: 1001 }, /'limit' must be an integer from 1 to 1000/],
    ['get_sample_objects', { limit: 21 }, /'limit' must be an integer from 1 to 20/],
    ['explain_query', { limit: 1001 }, /'limit' must be an integer from 1 to 1000/],
    ['group_by', { field: 'name', limit: 1001 }, /'limit' must be an integer from 1 to 1000/],
    ['group_by_date', { field: 'name', interval: 'day', limit: 1001 }, /'limit' must be an integer from 1 to 1000/],
    ['distinct', { field: 'name', limit: 5001 }, /'limit' must be an integer from 1 to 5000/],
    ['query_class', { skip: -1 }, /'skip' must be an integer from 0/],
    ['export_data', { columns: [] }, /'columns' must be an array of at least one path/],
    ['distinct', { field: '' }, /./],
    ['query_class', { class_name: '' }, /./],
  ]) {
    const result = await call(server, tool, { class_name: 'countries', ...args });
    assert.equal(result.isError, true, tool);
    assert.match(result.content[0].text, said);
    assert.doesNotMatch(result.content[0].text, /internal_error/);
  }
});
