// Raw writes of objects and classes: batches, previews, plan tokens, approvals. What was shown is what is written, or nothing.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, beforeEach, describe, test } from 'node:test';
import { accept, decline, key } from '../lib/approvals.mjs';
import { Orders, profiles } from '../lib/orders.mjs';
import { again, requests } from '../lib/rounds.mjs';
import { modernRevision } from '../lib/rpc.mjs';
import { httpV1, httpV2 } from '../lib/talkers.mjs';

let orders;
before(async () => { orders = await Orders.start(); });
after(() => orders.stop());
// Each test begins with the same four orders; another program writes them.
beforeEach(() => {
  const db = new DatabaseSync(orders.db);
  db.exec(`PRAGMA busy_timeout=5000; DELETE FROM refunds; DELETE FROM orders;
    INSERT INTO orders(id, status, total, owner) VALUES (1,'open',10,'ann'),(2,'open',20,'bea'),(3,'sent',30,'ann'),(4,'open',40,'bea')`);
  db.close();
});

const outside = (sql) => {
  const db = new DatabaseSync(orders.db);
  db.exec(`PRAGMA busy_timeout=5000; ${sql}`);
  db.close();
};
const order = (id) => orders.rows(`SELECT * FROM orders WHERE id = ${id}`)[0];
const update = (object_id, data, more = {}) => ({ class_name: 'orders', object_id, data, ...more });
const plan = (name, tool, args) => orders.ask(name, tool, { ...args, dry_run: true });

describe('one object', () => {
  test('is created, changed and deleted', async () => {
    const { object } = await orders.ask('writer', 'create_object', { class_name: 'orders', data: { total: 5, note: 'new' } });
    assert.equal(object.status, 'open', 'a default of the table');
    assert.deepEqual(order(object.id), { id: object.id, status: 'open', total: 5, refunded: 0, note: 'new', owner: null });
    const changed = await orders.ask('writer', 'update_object', update(String(object.id), { note: null, refunded: { __op: 'Increment', amount: 2 } }));
    assert.equal(changed.object.refunded, 2);
    assert.equal(order(object.id).note, null);
    const gone = await orders.ask('boss', 'delete_object', { class_name: 'orders', object_id: String(object.id) });
    assert.deepEqual([gone.deleted, gone.object_id], [true, String(object.id)]);
    assert.equal(order(object.id), undefined);
  });

  test('takes others with it by foreign keys, which its preview counts', async () => {
    outside(`CREATE TABLE stamps(id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id) ON DELETE CASCADE);
      INSERT INTO stamps(order_id) VALUES (1),(1),(2)`);
    const args = { class_name: 'orders', object_id: '1' };
    const { rows, cascades, plan_token } = await plan('boss', 'delete_object', args);
    assert.deepEqual([rows, cascades], [3, [{ class_name: 'stamps', operation: 'delete', rows: 2 }]]);
    outside('INSERT INTO stamps(order_id) VALUES (1)');
    assert.match((await orders.refused('boss', 'delete_object', { ...args, plan_token })).message, /not as they were shown/);
    const again_ = await plan('boss', 'delete_object', args);
    await orders.ask('boss', 'delete_object', { ...args, plan_token: again_.plan_token });
    assert.deepEqual(orders.rows('SELECT order_id FROM stamps').map(({ order_id }) => order_id), [2]);
    outside('DROP TABLE stamps');
  });

  test('points to objects by the ids that rows show, whatever their type', async () => {
    outside(`CREATE TABLE files(id BLOB PRIMARY KEY); CREATE TABLE rates(id REAL PRIMARY KEY);
      INSERT INTO files VALUES (x'00ff'); INSERT INTO rates VALUES (1.5);
      CREATE TABLE uses(id INTEGER PRIMARY KEY, file BLOB REFERENCES files(id), rate REAL REFERENCES rates(id));
      INSERT INTO uses VALUES (1, x'00ff', 1.5)`);
    const stored = (id) => orders.rows(`SELECT hex(file) AS file, rate FROM uses WHERE id = ${id} AND typeof(file) = 'blob'`);
    for (const rows of ['plain', 'parse']) {
      const { object: { file, rate } } = await orders.ask('writer', 'get_object', { class_name: 'uses', object_id: '1', rows });
      for (const data of [{ file, rate }, { file: file.objectId ?? file, rate: rate.objectId ?? rate }]) {
        const { object } = await orders.ask('writer', 'create_object', { class_name: 'uses', data });
        assert.deepEqual(stored(object.id), [{ file: '00FF', rate: 1.5 }], JSON.stringify(data));
      }
    }
    for (const file of ['no!', '0x01ff']) {
      assert.match((await orders.refused('writer', 'create_object', { class_name: 'uses', data: { file } })).message,
        /^Field 'file' of class 'uses' refers to an object that does not exist/);
    }
    outside('DROP TABLE uses; DROP TABLE files; DROP TABLE rates');
  });

  test('stores a pointer in the type of the key, which the column may leave open', async () => {
    outside(`CREATE TABLE codes(id TEXT PRIMARY KEY); CREATE TABLE sums(id DECIMAL PRIMARY KEY); CREATE TABLE days(id DATE PRIMARY KEY);
      CREATE TABLE marks(id BLOB PRIMARY KEY); INSERT INTO codes VALUES ('17'); INSERT INTO sums VALUES (9007199254740993), (1.5);
      INSERT INTO days VALUES (1767225600); INSERT INTO marks VALUES ('aGk=');
      CREATE TABLE bills(id INTEGER PRIMARY KEY, code REFERENCES codes(id), sum DECIMAL REFERENCES sums(id), day DATE REFERENCES days(id), mark BLOB REFERENCES marks(id))`);
    const stored = async (data) => {
      const { object } = await orders.ask('writer', 'create_object', { class_name: 'bills', data });
      const [name] = Object.keys(data);
      return orders.rows(`SELECT typeof(${name}) || ' ' || ${name} AS stored FROM bills WHERE id = ${object.id}`)[0].stored;
    };
    assert.equal(await stored({ code: 17 }), 'text 17');
    assert.equal(await stored({ sum: '9007199254740993' }), 'integer 9007199254740993');
    assert.equal(await stored({ sum: 1.5 }), 'real 1.5');
    assert.equal(await stored({ day: '2026-01-01T00:00:00Z' }), 'integer 1767225600');
    assert.equal(await stored({ mark: 'aGk=' }), 'text aGk=');
    outside('DROP TABLE bills; DROP TABLE codes; DROP TABLE sums; DROP TABLE days; DROP TABLE marks');
  });

  test('needs the tier', async () => {
    assert.equal((await orders.refused('reader', 'create_object', { class_name: 'orders', data: {} })).code, 'permission_denied');
    assert.equal((await orders.refused('writer', 'delete_object', { class_name: 'orders', object_id: '1' })).code, 'permission_denied');
    assert.ok(order(1));
  });

  test('of a class that the agent may not see is refused like one of no class', async () => {
    const hidden = await orders.refused('no_orders', 'update_object', update('1', { note: 'x' }));
    const absent = await orders.refused('no_orders', 'update_object', { ...update('1', { note: 'x' }), class_name: 'orderX' });
    assert.deepEqual(hidden, JSON.parse(JSON.stringify(absent).replaceAll('orderX', 'orders')));
  });

  test('is refused in a form that is neither one object nor several', async () => {
    for (const args of [{}, { data: { note: 'x' } }, { object_id: '1' }, { object_id: '1', data: {}, objects: [] }]) {
      assert.equal((await orders.refused('writer', 'update_object', { class_name: 'orders', ...args })).code, 'invalid_argument');
    }
  });
});

describe('a batch', () => {
  test('is one transaction: all or nothing', async () => {
    const objects = [{ object_id: '1', data: { note: 'a' } }, { object_id: '2', data: { note: 'b' } }];
    const { rows, objects: after_ } = await orders.ask('writer', 'update_object', { class_name: 'orders', objects });
    assert.deepEqual([rows, after_.map(({ note }) => note)], [2, ['a', 'b']]);
    const bad = [{ object_id: '3', data: { note: 'c' } }, { object_id: '99', data: { note: 'd' } }];
    await orders.refused('writer', 'update_object', { class_name: 'orders', objects: bad });
    assert.equal(order(3).note, null);
  });

  test('of more than a hundred is refused', async () => {
    const objects = Array.from({ length: 101 }, (_, i) => ({ data: { total: i } }));
    const { code, message } = await orders.refused('writer', 'create_object', { class_name: 'orders', objects });
    assert.equal(code, 'invalid_argument');
    assert.match(message, /100/);
    await orders.ask('writer', 'create_object', { class_name: 'orders', objects: objects.slice(1) });
    assert.equal(orders.rows('SELECT count(*) AS n FROM orders')[0].n, 104);
  });
});

describe('a preview', () => {
  test('shows before and after and writes nothing', async () => {
    const shown = await plan('writer', 'update_object', update('1', { note: 'x' }));
    assert.deepEqual([shown.dry_run, shown.rows, shown.before.id, shown.after.note], [true, 1, 1, 'x']);
    assert.equal(shown.before.note, undefined);
    assert.ok(shown.plan_token && shown.expires_in === 600);
    assert.equal(order(1).note, null);
    const made = await plan('writer', 'create_object', { class_name: 'orders', data: { total: 7 } });
    assert.deepEqual([made.before, made.after.total], [null, 7]);
    const gone = await plan('boss', 'delete_object', { class_name: 'orders', objects: [{ object_id: '1' }, { object_id: '2' }] });
    assert.deepEqual([gone.rows, gone.before.length, gone.after], [2, 2, [null, null]]);
    assert.equal(orders.rows().length, 4);
  });

  test('of a write that would fail is the failure', async () => {
    assert.equal((await orders.refused('writer', 'update_object', update('99', { note: 'x' }, { dry_run: true }))).code, 'not_found');
  });
});

describe('a plan token', () => {
  const args = update('1', { note: 'planned' });
  const commit = (name, token, given = args, tool = 'update_object') => orders.modern(name, { name: tool, arguments: { ...given, plan_token: token } });
  const refusal = async (...words) => {
    const { result } = await commit(...words);
    assert.equal(result.isError, true, JSON.stringify(result));
    const said = JSON.parse(result.content[0].text);
    assert.equal(said.error_code, 'invalid_argument');
    return said;
  };

  test('commits the shown write once', async () => {
    const { plan_token } = await plan('writer', 'update_object', args);
    const { result } = await commit('writer', plan_token);
    assert.equal(result.structuredContent.object.note, 'planned');
    assert.match((await refusal('writer', plan_token)).error, /used already/);
  });

  test('is refused tampered, for another agent, other arguments or another tool', async () => {
    const { plan_token } = await plan('boss', 'update_object', args);
    const other = plan_token.slice(0, -1) + (plan_token.endsWith('A') ? 'B' : 'A');
    for (const token of [other, plan_token.slice(1), `${plan_token}A`, '', 'x']) await refusal('boss', token);
    await refusal('writer', plan_token);
    await refusal('boss', plan_token, update('2', { note: 'planned' }));
    await refusal('boss', plan_token, update('1', { note: 'other' }));
    await refusal('boss', plan_token, { class_name: 'orders', object_id: '1' }, 'delete_object');
    assert.equal(order(1).note, null);
    assert.equal((await commit('boss', plan_token)).result.isError ?? false, false, 'and stays good for its own call');
  });

  test('is refused when the row has changed since, naming it', async () => {
    const { plan_token } = await plan('writer', 'update_object', args);
    outside("UPDATE orders SET status = 'sent' WHERE id = 1");
    const { details } = await refusal('writer', plan_token);
    assert.equal(details.kind, 'changed_since');
    assert.equal(details.class_name, 'orders');
    assert.deepEqual(details.object_ids.map(String), ['1']);
    assert.equal(order(1).note, null);
  });

  test('is not of use with dry_run, and does not outlive a restart', async () => {
    const { plan_token } = await plan('writer', 'update_object', args);
    assert.equal((await orders.refused('writer', 'update_object', { ...args, dry_run: true, plan_token })).code, 'invalid_argument');
    const other = await Orders.start({ agents: { writer: profiles.writer } });
    try {
      assert.equal((await other.refused('writer', 'update_object', { ...args, plan_token })).code, 'invalid_argument');
    } finally {
      await other.stop();
    }
  });

  test('counts once among calls at the same time', async () => {
    const increment = update('2', { refunded: { __op: 'Increment', amount: 1 } });
    const { plan_token } = await plan('writer', 'update_object', increment);
    const answers = await Promise.all(Array.from({ length: 20 }, () => commit('writer', plan_token, increment)));
    assert.equal(answers.filter(({ result }) => !result.isError).length, 1);
    assert.equal(order(2).refunded, 1);
  });
});

describe('a version', () => {
  test('makes an update and a deletion conditional', async () => {
    const { version } = await orders.ask('writer', 'get_object', { class_name: 'orders', object_id: '1', version: true });
    await orders.ask('writer', 'update_object', update('1', { note: 'first' }, { if_unchanged: version }));
    await orders.refused('writer', 'update_object', update('1', { note: 'second' }, { if_unchanged: version }));
    assert.equal(order(1).note, 'first');
    const stale = await orders.refused('writer', 'update_object', update('1', { note: 'x' }, { if_unchanged: 'nonsense' }));
    assert.equal(stale.code, 'invalid_argument');
    assert.equal(order(1).note, 'first');
    await orders.refused('boss', 'delete_object', { class_name: 'orders', object_id: '1', if_unchanged: 'nonsense' });
    assert.ok(order(1));
  });

  test('comes with the object by id, and holds until that object changes', async () => {
    const read = (more = {}) => orders.ask('writer', 'get_object', { class_name: 'orders', object_id: '1', ...more });
    assert.equal((await read()).version, undefined);
    assert.equal((await read({ version: false })).version, undefined);
    const { version, object } = await read({ version: true });
    assert.equal(object.status, 'open');
    for (const more of [{ keys: ['status'] }, { rows: 'parse' }]) {
      assert.equal((await read({ version: true, ...more })).version, version, 'of the whole object, in any form');
    }
    await orders.ask('writer', 'update_object', update('1', { note: 'first' }, { if_unchanged: version }));
    const { details } = await orders.refused('writer', 'update_object', update('1', { note: 'second' }, { if_unchanged: version }));
    assert.equal(details.kind, 'changed_since');
    assert.equal(order(1).note, 'first');
    const { version: later } = await read({ version: true });
    assert.notEqual(later, version);
    await orders.ask('boss', 'delete_object', { class_name: 'orders', object_id: '1', if_unchanged: later });
    assert.equal((await orders.refused('writer', 'get_object', { class_name: 'orders', object_id: '1', version: true })).code, 'not_found');
  });

  test('lets no update be lost between clients that read, compute and write', async () => {
    const add = async () => {
      const { object, version } = await orders.ask('writer', 'get_object', { class_name: 'orders', object_id: '2', version: true });
      const change = update('2', { refunded: object.refunded + 1 }, { if_unchanged: version });
      return !(await orders.modern('writer', { name: 'update_object', arguments: change })).result.isError;
    };
    const clients = Array.from({ length: 8 }, async () => {
      for (let done = 0; done < 25;) if (await add()) ++done;
    });
    await Promise.all(clients);
    assert.equal(order(2).refunded, 200);
  });
});

describe('an approval', () => {
  const params = { name: 'update_object', arguments: update('4', { note: 'asked' }) };

  test('shows the preview, and the shown write is made once', async () => {
    const first = (await orders.modern('asked', params)).result;
    assert.equal(first.resultType, 'input_required', JSON.stringify(first));
    const { message } = first.inputRequests[key].params;
    assert.match(message, /"before":\{"id":4/);
    assert.match(message, /"note":"asked"/);
    assert.doesNotMatch(JSON.stringify(first), /plan_token/);
    assert.equal(order(4).note, null);
    const { result } = await orders.modern('asked', again(params, first, accept));
    assert.equal(result.structuredContent.object.note, 'asked');
    const replay = await orders.modern('asked', again({ ...params }, first, accept));
    assert.ok(replay.error ?? replay.result.isError);
  });

  test('declined, or of a row that has changed meanwhile, writes nothing', async () => {
    const first = (await orders.modern('asked', params)).result;
    assert.equal((await orders.modern('asked', again(params, first, decline))).result.isError, true);
    const second = (await orders.modern('asked', params)).result;
    outside('UPDATE orders SET total = 41 WHERE id = 4');
    const { result } = await orders.modern('asked', again(params, second, accept));
    assert.equal(result.isError, true);
    assert.equal(JSON.parse(result.content[0].text).details.kind, 'changed_since');
    assert.equal(order(4).note, null);
  });

  test('is asked above a number of rows', async () => {
    const objects = [1, 2].map((id) => ({ object_id: String(id), data: { note: 'many' } }));
    const many = { name: 'update_object', arguments: { class_name: 'orders', objects } };
    assert.equal((await orders.modern('by_rows', many)).result.resultType, 'input_required');
    const { object } = await orders.ask('by_rows', 'update_object', update('1', { note: 'one' }));
    assert.equal(object.note, 'one');
  });

  test('of a legacy client is asked on the stream of its call', async () => {
    for (const [answer, note] of [[decline, null], [accept, 'asked']]) {
      const client = await orders.legacy('asked');
      const running = client.call('tools/call', params);
      const [request] = await requests(running);
      assert.match(request.params.message, /"note":"asked"/);
      assert.equal(await client.respond(request, answer[key]), 202);
      await running.result();
      assert.equal(order(4).note, note);
    }
  });

  for (const [name, open] of [['v1', (own) => httpV1(orders.server.url, '2025-11-25', own)], ['v2', (own) => httpV2(orders.server.url, own)]]) {
    test(`is answered by the official client ${name}`, async () => {
      const talker = open(orders.governed.keys.asked);
      const shown = [];
      let reply = { action: 'decline' };
      talker.answer('elicitation/create', (asked) => { shown.push(asked.message); return reply; });
      await talker.open();
      try {
        const declined = await talker.call(params);
        assert.equal(declined.isError, true);
        assert.equal(order(4).note, null);
        reply = { action: 'accept', content: {} };
        const { structuredContent } = await talker.call(params);
        assert.equal(structuredContent.object.note, 'asked');
        assert.match(shown.at(-1), /"note":"asked"/);
      } finally {
        await talker.client.close();
      }
    });
  }
});

describe('a class', () => {
  test('is created, used and deleted', async () => {
    const fields = { name: 'String', due: 'Date', count: { type: 'Number', required: true } };
    const shown = await plan('boss', 'create_class', { class_name: 'tasks', fields });
    assert.ok(shown.plan_token);
    assert.deepEqual(orders.rows("SELECT name FROM sqlite_master WHERE name = 'tasks'"), []);
    const made = await orders.ask('boss', 'create_class', { class_name: 'tasks', fields, plan_token: shown.plan_token });
    assert.equal(made.class_name, 'tasks');
    const { object } = await orders.ask('boss', 'create_object', { class_name: 'tasks', data: { name: 'a', count: 1 } });
    assert.equal(object.name, 'a');
    assert.equal((await orders.refused('boss', 'create_class', { class_name: 'orders', fields })).code, 'invalid_argument');
    const gone = await orders.ask('boss', 'delete_class', { class_name: 'tasks' });
    assert.deepEqual([gone.class_name, gone.rows], ['tasks', 1]);
    assert.equal((await orders.refused('boss', 'query_class', { class_name: 'tasks' })).code, 'access_denied');
  });

  test('needs the tier admin', async () => {
    assert.equal((await orders.refused('writer', 'create_class', { class_name: 'x', fields: {} })).code, 'permission_denied');
    assert.equal((await orders.refused('writer', 'delete_class', { class_name: 'refunds' })).code, 'permission_denied');
  });
});

test('every revision writes', async () => {
  for (const revision of [modernRevision, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    const { result } = await orders.governed.as('writer', revision, 'tools/call',
      { name: 'update_object', arguments: update('1', { note: revision }) });
    assert.equal(JSON.parse(result.content[0].text).object.note, revision);
  }
});
