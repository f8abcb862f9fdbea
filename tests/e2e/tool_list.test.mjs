// What tools/list costs every conversation, at four bytes a token.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './lib/gantryd.mjs';
import { demoDatabase } from './lib/paths.mjs';
import { call, modern } from './lib/rpc.mjs';
import { shapedTools } from './lib/shapes.mjs';

const most = { seen: 2000, all: 3000 };
const tokens = (text) => Buffer.byteLength(text) / 4;
const seenOf = ({ name, description, inputSchema }) =>
  tokens(name) + tokens(description) + tokens(JSON.stringify(inputSchema));

let server, answer;
before(async () => {
  server = await Server.start({ db: demoDatabase() });
  answer = await modern(server, 'tools/list');
});
after(() => server.stop());

test('what a model sees of the read-only families stays within its budget', () => {
  const costs = answer.message.result.tools.map((tool) => [tool.name, seenOf(tool)]);
  const sum = costs.reduce((total, [, cost]) => total + cost, 0);
  assert.ok(costs.length >= 14, 'every read-only family is there');
  assert.ok(sum <= most.seen, `${sum} tokens: ${costs.map(([name, cost]) => `${name} ${cost}`).join(', ')}`);
});

test('the whole answer stays within its budget', () => {
  assert.ok(tokens(answer.text) <= most.all, `${tokens(answer.text)} tokens`);
});

test('listed output schemas name the members that answers have', () => {
  for (const { name, outputSchema } of answer.message.result.tools) {
    assert.ok(shapedTools.includes(name), name);
    for (const member of Object.values(outputSchema.properties)) assert.deepEqual(member, {}, name);
  }
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
