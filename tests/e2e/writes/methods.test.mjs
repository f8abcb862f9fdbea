// Methods of classes: which agent may call which, what they take, previews, approvals, and what they write in one transaction.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { accept, decline, key } from '../lib/approvals.mjs';
import { pause, until } from '../lib/events.mjs';
import { gantry, testPlugin } from '../lib/gantry.mjs';
import { methodCall, Orders, ordersDatabase, profiles } from '../lib/orders.mjs';
import { again, requests } from '../lib/rounds.mjs';
import { modernRevision } from '../lib/rpc.mjs';
import { httpV1, httpV2 } from '../lib/talkers.mjs';

const model = {
  orders: { class: 'orders', class_permissions: {
    find: ['*'], get: ['*'], count: ['*'], create: ['role:clerk'], update: ['role:clerk'], delete: [] } },
};
let orders;
before(async () => { orders = await Orders.start({ model }); });
after(() => orders.stop());

const order = (id) => orders.rows(`SELECT * FROM orders WHERE id = ${id}`)[0];
const params = (...words) => ({ name: 'call_method', arguments: methodCall(...words) });
const methodsOf = async (name) =>
  ((await orders.ask(name, 'get_schema', { class_name: 'orders' })).methods ?? []).map((method) => method.name);

describe('the methods that an agent sees', () => {
  test('get_schema lists the methods that it may call, with their contract', async () => {
    assert.deepEqual(await methodsOf('writer'), ['approve', 'cancel', 'refund', 'count_open']);
    assert.deepEqual(await methodsOf('reader'), ['count_open']);
    assert.deepEqual(await methodsOf('one_method'), ['approve']);
    assert.deepEqual(await methodsOf('without_method'), ['approve', 'refund', 'count_open']);
    const { methods } = await orders.ask('writer', 'get_schema', { class_name: 'orders' });
    const cancel = methods.find(({ name }) => name === 'cancel');
    assert.equal(cancel.parameters.properties.reason.type, 'string');
    assert.deepEqual({ ...cancel, parameters: undefined }, { name: 'cancel', type: 'instance', permission: 'write',
      description: 'Cancels an order that was not sent.', supports_dry_run: true, parameters: undefined });
    assert.equal(methods.at(-1).type, 'class');
    assert.equal((await orders.ask('writer', 'get_schema', { class_name: 'refunds' })).methods, undefined);
  });

  test('call_method is listed where it may call one', async () => {
    assert.ok((await orders.tools('reader')).includes('call_method'));
    const none = await Orders.start({ gates: [], agents: { a: { permissions: 'write', methods: { except: ['count_open'] } } } });
    try {
      assert.ok(!(await none.tools('a')).includes('call_method'));
    } finally {
      await none.stop();
    }
  });
});

describe('a call', () => {
  test('runs on the object that the agent may read', async () => {
    const answer = await orders.method('writer', 'approve', '1');
    assert.equal(answer.result.rows[0].status, 'approved');
    assert.deepEqual([answer.class_name, answer.method, answer.object_id], ['orders', 'approve', '1']);
    assert.equal(order(1).status, 'approved');
  });

  test('is refused for an object that is not there, and as get_object refuses it', async () => {
    const read = await orders.refused('writer', 'get_object', { class_name: 'orders', object_id: '99' });
    assert.deepEqual(await orders.noMethod('writer', 'approve', '99'), read);
  });

  test('of a class that the agent may not see is no different from one of no class', async () => {
    const hidden = await orders.noMethod('no_orders', 'approve', '1');
    const absent = await orders.refused('no_orders', 'call_method', { ...methodCall('approve', '1'), class_name: 'orderX' });
    assert.equal(hidden.code, 'access_denied');
    assert.deepEqual(hidden, JSON.parse(JSON.stringify(absent).replaceAll('orderX', 'orders')));
  });

  test('passes gate, tier, lists and the permission of the class, in this order', async () => {
    assert.equal((await orders.noMethod('reader', 'approve', '1')).code, 'permission_denied');
    assert.equal((await orders.noMethod('one_method', 'cancel', '1', { reason: 'x' })).code, 'tool_filtered');
    assert.equal((await orders.noMethod('guest', 'cancel', '2', { reason: 'x' })).details.kind, 'class_permission');
    assert.deepEqual((await orders.method('guest', 'count_open')).result.count >= 0, true);
    assert.equal((await orders.method('clerk', 'cancel', '2', { reason: 'late' })).result.rows[0].note, 'late');
  });

  test('names an argument that the method does not take, and not the list', async () => {
    for (const args of [{ reason: 'x', status: 'sent' }, { reason: 'x', objectId: '3' }]) {
      const { code, message } = await orders.noMethod('writer', 'cancel', '4', args);
      assert.equal(code, 'invalid_argument');
      assert.match(message, new RegExp(Object.keys(args).at(-1)));
      assert.doesNotMatch(message, /reason/);
    }
    assert.match((await orders.noMethod('writer', 'cancel', '4', {})).message, /reason/);
    assert.match((await orders.noMethod('writer', 'cancel', undefined, { reason: 'x' })).message, /object_id/);
    assert.match((await orders.noMethod('writer', 'count_open', '4')).message, /without object_id/);
    assert.match((await orders.noMethod('writer', 'sell', '4')).message, /it has: approve, cancel, refund, count_open/);
    assert.match((await orders.noMethod('one_method', 'sell', '4')).message, /it has: approve$/);
    assert.equal(order(4).status, 'open');
  });

  test('writes all or nothing', async () => {
    const done = await orders.method('writer', 'refund', '3', { amount: 12.5, reason: 'broken' });
    assert.equal(done.result.rows.length, 2);
    assert.equal(order(3).refunded, 12.5);
    const before_ = orders.rows('SELECT * FROM refunds');
    assert.deepEqual(before_, [{ id: 1, order_id: 3, amount: 12.5, reason: 'broken' }]);
    assert.match((await orders.noMethod('writer', 'refund', '3', { amount: 18, reason: 'x' })).message, /at most 17.5/);
    assert.equal(order(3).refunded, 12.5);
    const many = await Promise.all(Array.from({ length: 20 }, () =>
      orders.modern('writer', params('refund', '3', { amount: 1, reason: 'many' }))));
    const good = many.filter(({ result }) => !result.isError).length;
    assert.ok(good > 0);
    assert.equal(order(3).refunded, 12.5 + good);
    assert.equal(orders.rows('SELECT count(*) AS n FROM refunds')[0].n, 1 + good);
  });
});

test('a call whose method its agent may no longer call is cancelled while it runs', async () => {
  const lock = new DatabaseSync(orders.db);
  lock.exec('BEGIN IMMEDIATE');
  try {
    const running = orders.modern('one_method', params('approve', '4'));
    await pause(500);
    orders.governed.replace(JSON.stringify({ agents: { ...profiles, one_method: { ...profiles.one_method, methods: ['orders.cancel'] } } }));
    const { result } = await running;
    assert.equal(result.isError, true);
    assert.equal(result.cancelled ?? result.structuredContent?.cancelled ?? /"cancelled":true/.test(result.content[0].text), true);
  } finally {
    lock.exec('ROLLBACK');
    lock.close();
    orders.governed.replace(JSON.stringify({ agents: profiles }));
  }
  await until(async () => (await methodsOf('one_method'))[0] === 'approve', 'the profiles as before');
  assert.equal(order(4).status, 'open');
});

describe('a preview', () => {
  test('of a method that has one shows rows before and after, and writes nothing', async () => {
    const shown = await orders.method('writer', 'cancel', '4', { reason: 'late', dry_run: true });
    assert.deepEqual([shown.dry_run, shown.supports_real_dry_run, shown.rows], [true, true, 1]);
    assert.equal(shown.result.before[0].status, 'open');
    assert.equal(shown.result.after[0].status, 'cancelled');
    assert.equal(order(4).status, 'open');
  });

  test('of a method without one shows the call, and the method does not see it', async () => {
    const shown = await orders.method('writer', 'approve', '4', { dry_run: true });
    assert.ok(shown.note);
    assert.deepEqual({ ...shown, note: undefined }, { class_name: 'orders', method: 'approve', object_id: '4', dry_run: true,
      supports_real_dry_run: false, would_call: { class: 'orders', method: 'approve', type: 'instance', object_id: '4', args: {} },
      note: undefined });
    assert.equal(order(4).status, 'open');
  });

  test('passes every check of the call', async () => {
    assert.equal((await orders.noMethod('reader', 'approve', '4', { dry_run: true })).code, 'permission_denied');
    assert.equal((await orders.noMethod('writer', 'approve', '99', { dry_run: true })).code, 'not_found');
    assert.match((await orders.noMethod('writer', 'approve', '4', { dry_run: true, x: 1 })).message, /'x'/);
  });
});

describe('an approval', () => {
  const clean = async () => { if (order(4).status !== 'open') assert.fail('the order was changed'); };

  test('is asked by the tier of the method, with its preview, and runs it once', async () => {
    const call = params('cancel', '4', { reason: 'asked' });
    const first = (await orders.modern('asked', call)).result;
    assert.equal(first.resultType, 'input_required');
    const { message } = first.inputRequests[key].params;
    assert.match(message, /'call_method'/);
    assert.match(message, /"after":\[\{[^\]]*"status":"cancelled"/);
    await clean();
    const no = (await orders.modern('asked', again(call, first, decline))).result;
    assert.equal(no.isError, true);
    await clean();
    const second = (await orders.modern('asked', call)).result;
    const { result } = await orders.modern('asked', again(call, second, accept));
    assert.equal(result.structuredContent.result.rows[0].note, 'asked');
    const replayed = await orders.modern('asked', again(call, second, accept));
    assert.ok(replayed.error ?? replayed.result.isError, 'an approval counts once');
    assert.equal(order(4).note, 'asked');
  });

  test('is not asked for a readonly method, or a preview', async () => {
    assert.ok((await orders.method('asked', 'count_open')).result);
    assert.ok(await orders.method('asked', 'approve', '1', { dry_run: true }));
  });

  test('is asked for a method by its name', async () => {
    const first = (await orders.modern('by_method', params('cancel', '1', { reason: 'x' }))).result;
    assert.equal(first.resultType, 'input_required');
    const { result } = await orders.modern('by_method', params('approve', '99'));
    assert.equal(result.isError, true, 'not asked: the object is not there');
  });

  test('is asked above a number of rows that the preview shows', async () => {
    const first = (await orders.modern('by_rows', params('refund', '3', { amount: 0.5, reason: 'two rows' }))).result;
    assert.equal(first.resultType, 'input_required', JSON.stringify(first));
    assert.match(first.inputRequests[key].params.message, /"rows":2/);
    const unasked = (await orders.modern('by_rows', params('cancel', '1', { reason: 'one row' }))).result;
    assert.equal(unasked.structuredContent?.result.rows[0].note, 'one row', JSON.stringify(unasked));
  });

  test('of a legacy client is asked on the stream of its call', async () => {
    const client = await orders.legacy('asked');
    const running = client.call('tools/call', params('cancel', '1', { reason: 'legacy' }));
    const [request] = await requests(running);
    assert.equal(await client.respond(request, accept[key]), 202);
    assert.equal((await running.result()).structuredContent.result.rows[0].note, 'legacy');
  });
});

for (const [name, open] of [['v1', (url, own) => httpV1(url, '2025-11-25', own)], ['v2', httpV2]]) {
  test(`the official client ${name} calls methods`, async () => {
    const talker = open(orders.server.url, orders.governed.keys.writer);
    await talker.open();
    try {
      const { said } = await talker.ask('call_method', methodCall('cancel', '2', { reason: name }));
      assert.equal(said.result.rows[0].note, name);
      const { tools } = await talker.client.listTools();
      assert.ok(tools.some((tool) => tool.name === 'call_method'));
    } finally {
      await talker.client.close();
    }
  });
}

test('every revision calls methods', async () => {
  for (const revision of [modernRevision, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    const { result } = await orders.governed.as('writer', revision, 'tools/call', params('cancel', '2', { reason: revision }));
    assert.equal(JSON.parse(result.content[0].text).result.rows[0].note, revision);
  }
});

test('gantry plugin test enters a method without a server', async () => {
  const { stdout } = await gantry(['plugin', 'test', testPlugin('example-orders'), 'orders.count_open', '{}', '--db', ordersDatabase()]);
  assert.match(stdout, /"count": ?3/);
});

test('an agent whose profile debugs is shown the permitted keys', async () => {
  const { methods } = await orders.ask('debug', 'get_schema', { class_name: 'orders' });
  assert.equal(methods.find(({ name }) => name === 'approve').permitted_keys, undefined, 'it declares none');
  assert.ok(profiles.debug.agent_debug);
});
