// The operator's gates for writes: what each combination lists and runs, and what a refusal names.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gantry } from '../lib/gantry.mjs';
import { runToEnd } from '../lib/gantryd.mjs';
import { allGates, gatesEnvironment, Orders, ordersDatabase, profiles, rawCrud, rawSchema, schemaOps, writeTools } from '../lib/orders.mjs';
import { scratch } from '../lib/paths.mjs';
import { modernRevision } from '../lib/rpc.mjs';

const needs = {
  create_object: [writeTools, rawCrud], update_object: [writeTools, rawCrud], delete_object: [writeTools, rawCrud],
  create_class: [schemaOps, rawSchema], delete_class: [schemaOps, rawSchema],
};
const argumentsOf = {
  create_object: { class_name: 'orders', data: { total: 1 } }, update_object: { class_name: 'orders', object_id: '1', data: { total: 1 } },
  delete_object: { class_name: 'orders', object_id: '1' }, create_class: { class_name: 'c', fields: { a: 'String' } },
  delete_class: { class_name: 'refunds' },
};
const subsets = Array.from({ length: 16 }, (_, bits) => allGates.filter((_gate, i) => bits & (1 << i)));
const only = { boss: profiles.boss, reader: profiles.reader };

for (const gates of subsets.filter((open) => !(open.includes(writeTools) && open.includes(rawCrud)) ||
  !(open.includes(schemaOps) && open.includes(rawSchema)))) {
  test(`open gates: ${gates.join(' ') || 'none'}`, async () => {
    const orders = await Orders.start({ gates, agents: only });
    try {
      const listed = await orders.tools('boss');
      for (const [tool, needed] of Object.entries(needs)) {
        const missing = needed.filter((gate) => !gates.includes(gate));
        assert.equal(listed.includes(tool), missing.length === 0, tool);
        if (missing.length === 0) continue;
        const { code, message, details } = await orders.refused('boss', tool, argumentsOf[tool]);
        assert.equal(code, 'access_denied');
        assert.deepEqual(details, { kind: 'gate', missing });
        for (const gate of allGates) assert.equal(message.includes(gate), missing.includes(gate), message);
      }
    } finally {
      await orders.stop();
    }
  });
}

describe('without gates', () => {
  let orders;
  const hash = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
  before(async () => { orders = await Orders.start({ gates: [] }); });
  after(() => orders.stop());

  test('no call writes, and nothing lies beside the database', async () => {
    const [bytes, beside] = [hash(orders.db), readdirSync(dirname(orders.db))];
    for (const [tool, args] of Object.entries(argumentsOf)) {
      for (const name of ['reader', 'writer', 'boss', 'asked']) {
        for (const more of [{}, { dry_run: true }]) await orders.refused(name, tool, { ...args, ...more });
      }
    }
    for (const method of ['approve', 'cancel', 'refund']) await orders.noMethod('boss', method, '1', {});
    await orders.ask('boss', 'query_class', { class_name: 'orders' });
    assert.equal(hash(orders.db), bytes);
    assert.deepEqual(readdirSync(dirname(orders.db)), beside);
  });

  test('the gate is the first of the checks', async () => {
    for (const name of ['reader', 'writer', 'boss', 'asked']) {
      assert.equal((await orders.refused(name, 'delete_object', argumentsOf.delete_object)).details.kind, 'gate', name);
    }
  });

  test('nothing in the request opens a gate', async () => {
    const { result } = await orders.modern('boss', { name: 'create_object', arguments: argumentsOf.create_object,
      _meta: { gates: allGates, GANTRY_ALLOW_RAW_CRUD: '1' } });
    assert.equal(result.isError, true);
    const { code } = await orders.refused('boss', 'create_object', { ...argumentsOf.create_object, gates: allGates });
    assert.equal(code, 'access_denied');
  });

  test('a readonly method runs, one that writes names its gate', async () => {
    assert.deepEqual((await orders.method('reader', 'count_open')).result, { count: 3 });
    const { code, details } = await orders.noMethod('boss', 'approve', '1');
    assert.deepEqual([code, details], ['access_denied', { kind: 'gate', missing: [writeTools] }]);
  });

  test('list_tools and describe_access know it', async () => {
    const { tools } = await orders.ask('boss', 'list_tools', {});
    assert.deepEqual(tools.filter(({ name }) => name in needs), []);
    const verdict = await orders.ask('boss', 'describe_access', { tool: 'create_object' });
    assert.equal(verdict.allowed, false);
    assert.match(verdict.reason, /GANTRY_ALLOW_WRITE_TOOLS and GANTRY_ALLOW_RAW_CRUD/);
  });

  test('the audit record has the kind', async () => {
    await orders.refused('boss', 'delete_class', argumentsOf.delete_class);
    assert.match(orders.server.stderr, /tool=delete_class.*denial_kind=gate/);
  });

  test('every revision hears of it alike', async () => {
    for (const revision of [modernRevision, '2025-11-25', '2025-03-26', '2024-11-05']) {
      const { result } = await orders.governed.as('boss', revision, 'tools/call', { name: 'create_class', arguments: argumentsOf.create_class });
      assert.equal(result.isError, true, revision);
      assert.deepEqual(JSON.parse(result.content[0].text).details, { kind: 'gate', missing: [schemaOps, rawSchema] });
    }
  });
});

test('1, true, yes and on open a gate, in any case; other words do not', async () => {
  for (const [word, open] of [['1', true], ['TRUE', true], ['Yes', true], ['on', true], ['0', false], ['', false], ['2', false], ['open', false]]) {
    const { stdout } = await gantry(['agent', 'gates', '--json'], { env: { [writeTools]: word } });
    assert.equal(JSON.parse(stdout)[writeTools], open, word);
    const { stderr } = await runToEnd(['--print-config'], { env: { [writeTools]: word } });
    assert.equal(stderr.includes(writeTools), open, stderr);
  }
});

test('would-permit and describe name the gate', async () => {
  const file = join(scratch(), 'agents.json');
  writeFileSync(file, JSON.stringify({ agents: { boss: { permissions: 'admin' } } }));
  const words = ['would-permit', 'boss', 'create_object', '--agents', file, '--json'];
  const db = ordersDatabase();
  const closed = await gantry(['agent', ...words, '--db', db]);
  assert.equal(JSON.parse(closed.stdout).denied_at, 'gate');
  const open = await gantry(['agent', ...words, '--db', db], { env: gatesEnvironment([writeTools, rawCrud]) });
  assert.deepEqual(JSON.parse(open.stdout), { allowed: true });
});
