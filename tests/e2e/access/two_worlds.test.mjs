// Whole servers over two databases that differ only in what an agent may not see (tests/worlds): it gets the same lists,
// answers, prompts, completions and resources from both, before and after writes, whose answers are the same too, and
// hears the same when only hidden rows change.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { pause, until } from '../lib/events.mjs';
import { testPlugin } from '../lib/gantry.mjs';
import { Server } from '../lib/gantryd.mjs';
import { bearer, Governed } from '../lib/governed.mjs';
import { listen, told } from '../lib/listen.mjs';
import { allGates, gatesEnvironment } from '../lib/orders.mjs';
import { gantryd, scratch } from '../lib/paths.mjs';
import { modern } from '../lib/rpc.mjs';

const program = join(dirname(gantryd), '..', 'tests', 'worlds_twins');
const seeds = (process.env.GANTRY_WORLDS_SEEDS ?? '2,3,5').split(',');
const calls = process.env.GANTRY_WORLDS ?? '60';

// Rows of the catalogue of leaks (tests/worlds/README.md) that whole servers are asked about. A request is a hit on its rows
// if servers without rules answer it differently; each row needs one.
const catalogue = {
  1: 'classes: total, names', 8: 'lists, describe_access', 42: 'cacheScope', 44: 'subscribing', 45: 'updates', 46: 'contents of updates',
  47: 'lists that change', 48: 'resources', 49: 'completion, prompts', 58: 'methods',
};
const mayShare = (answer) => answer.includes('"cacheScope":"public"');
const hits = new Map(Object.keys(catalogue).map((row) => [row, 0]));
const hit = (rows, count = 1) => rows.forEach((row) => hits.set(String(row), hits.get(String(row)) + count));

/** The profile of the agents file that a call's scope came from. */
function profileOf(scope) {
  const { permissions, user, roles, tenant_id: tenant, classes, filters } = JSON.parse(scope);
  const profile = { permissions, user, roles, tenant_id: tenant, classes, filters: Object.assign({}, ...filters) };
  return { ...profile, rate_limit: 'unlimited' };
}

/** One of the two: a server over its own database file. `twin` is the agent, `beta` one that sees other rows, `bare` a server
 *  without rules over the same file. `written`: the gates are open, and both agents may write. */
async function startWorld(sql, { model, agent }, written = false) {
  const folder = scratch();
  const file = join(folder, 'world.db');
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  db.exec(`PRAGMA busy_timeout=10000; BEGIN;${sql}COMMIT;`);
  mkdirSync(join(folder, 'model'));
  for (const [name, text] of Object.entries(model)) writeFileSync(join(folder, 'model', `${name}.json`), text);
  const permissions = written ? 'admin' : 'readonly';
  const agents = { twin: { ...profileOf(agent), permissions }, beta: { tenant_id: 'beta', permissions, rate_limit: 'unlimited' } };
  const flags = ['--model', join(folder, 'model'), ...(written ? ['--plugin', testPlugin('example-orders')] : [])];
  const it = await Governed.start(agents, { db: file, env: gatesEnvironment(written ? allGates : []), flags });
  const bare = written ? undefined : await Server.start({ db: file });
  const ask = (as, method, params) => (as === 'bare' ? answerOf(bare, method, params)
    : answerOf(it.server, method, params, bearer(it.keys[as])));
  return { db, it, bare, ask };
}

async function answerOf(server, method, params, headers) {
  const { message, status } = await modern(server, method, params, headers);
  return JSON.stringify([status, message.result ?? message.error]);
}

// Texts that are random by design.
const unsealed = (text) => text.replace(/(plan_token\\*":\\*")[^"\\]+/g, '$1').replace(/\b[0-9a-f]{24}\b/g, 'id');

/** Calls of methods, which are entered with an object that is read under the agent's rules. */
function* methodCalls() {
  const calls = { approve: {}, cancel: { reason: 'late' }, refund: { amount: 1, reason: 'x' } };
  for (let id = 1; id <= 31; ++id) {
    for (const [method_name, given] of Object.entries(calls)) {
      yield { class_name: 'orders', method_name, object_id: String(id), arguments: { ...given, dry_run: true } };
    }
    yield { class_name: 'orders', method_name: 'cancel', object_id: String(id), arguments: calls.cancel };
  }
  yield { class_name: 'orders', method_name: 'absent', object_id: '1', arguments: {} };
  yield { class_name: 'orders', method_name: 'count_open', arguments: {} };
}

/** Every way but tools in which an agent asks: the row of the catalogue and the request. */
function* furniture({ visible, hidden }) {
  for (const list of ['tools', 'prompts']) yield [8, `${list}/list`, {}];
  for (const list of ['resources', 'resources/templates']) yield [48, `${list}/list`, {}];
  for (const name of ['list_tools', 'describe_access']) yield [8, 'tools/call', { name, arguments: {} }];
  yield [1, 'tools/call', { name: 'get_all_schemas', arguments: {} }];
  for (const name of ['data_conventions', 'data_relations', 'explore_database']) yield [49, 'prompts/get', { name }];
  const classes = [...visible, ...hidden, 'nothing'];
  for (const cls of classes) {
    for (const part of ['schema', 'count', 'samples']) yield [48, 'resources/read', { uri: `data://${cls}/${part}` }];
    yield [49, 'prompts/get', { name: 'data_relations', arguments: { classes: `orders,${cls}` } }];
    for (const name of ['class_overview', 'recent_activity']) yield [49, 'prompts/get', { name, arguments: { class_name: cls } }];
    for (const field of ['status', 'secret', 'payroll_id', 'n']) {
      yield [49, 'prompts/get', { name: 'count_by', arguments: { class_name: cls, group_by: field } }];
    }
    yield [49, 'prompts/get', { name: 'created_in_range', arguments: { class_name: cls, since: '2020-01-01' } }];
    for (const id of ['1', '2', '11', '17']) {
      yield [49, 'prompts/get', { name: 'find_relationship',
        arguments: { parent_class: cls, parent_id: id, child_class: 'orders', pointer_field: 'customer_id' } }];
    }
  }
  for (const value of ['', 'p', 'va', 'o', 's']) {
    yield [49, 'completion/complete', { ref: { type: 'ref/resource', uri: 'data://{class}/count' }, argument: { name: 'class', value } }];
    for (const name of ['class_overview', 'count_by']) {
      yield [49, 'completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: 'class_name', value } }];
    }
    for (const cls of classes) {
      yield [49, 'completion/complete', { ref: { type: 'ref/prompt', name: 'count_by' }, argument: { name: 'group_by', value },
        context: { arguments: { class_name: cls } } }];
    }
  }
}

/** Commits that change nothing that the agent sees. `created` is a class that its list leaves out. */
const hiddenCommits = (created) => [
  "INSERT INTO orders(id, tenant, total, status, note) VALUES (901, 'beta', 1, 'open', 'a')",
  "UPDATE orders SET total = 2, note = 'b' WHERE id = 901",
  "INSERT INTO customer(id, name, tenant) VALUES (902, 'Hidden', 'beta')",
  'UPDATE customer SET salary = coalesce(salary, 0) + 1, secret = secret || secret',
  "UPDATE person SET phone = phone || '9'",
  "INSERT INTO note(id, title, tenant) VALUES (903, 'tea', 'beta')",
  `INSERT INTO doc(k, d) VALUES (904, '{"_id":904,"tenant":"beta","new_key":1}')`,
  'INSERT INTO payroll(id, amount) VALUES (905, 1)',
  'DELETE FROM orders WHERE id = 901',
  'ALTER TABLE payroll ADD COLUMN bonus INTEGER',
  ...created,
  'DROP TABLE IF EXISTS vault',
];

const made = new Map();
/** The worlds of a seed, made once. */
function twinsOf(seed) {
  if (!made.has(seed)) made.set(seed, JSON.parse(execFileSync(program, [seed, calls], { encoding: 'utf8', maxBuffer: 1 << 28 })));
  return made.get(seed);
}

/** Ends both, as far as they were started. */
async function end(...worlds) {
  for (const world of worlds) {
    world?.db.close();
    await world?.it.stop();
    await world?.bare?.stop();
  }
}

for (const seed of seeds) describe(`the worlds of seed ${seed}`, () => {
  let twins, one, other;
  before(async () => {
    twins = twinsOf(seed);
    one = await startWorld(twins.one, twins);
    other = await startWorld(twins.other, twins);
  });
  after(() => end(one, other));

  /** Asks both as the agent, and as one that sees other rows: how often the latter tells them apart. */
  async function compare(requests) {
    let told = 0;
    for (const [row, method, params] of requests) {
      const [left, right] = [await one.ask('twin', method, params), await other.ask('twin', method, params)];
      assert.equal(left, right, `${method} ${JSON.stringify(params)}`);
      assert.ok(!mayShare(left), 'an answer to an agent may be cached for others');
      told += await one.ask('beta', method, params) !== await other.ask('beta', method, params);
      if (!row) continue;
      const [bareLeft, bareRight] = [await one.ask('bare', method, params), await other.ask('bare', method, params)];
      if (bareLeft !== bareRight) hit([row]);
      if (mayShare(bareLeft)) hit([42]);
    }
    return told;
  }

  test('lists, prompts, completions and resources are the same', async (t) => {
    const requests = [...furniture(twins)];
    const told = await compare(requests);
    t.diagnostic(`${requests.length} requests, ${told} tell another agent the worlds apart`);
    assert.ok(told > 5, `${told} requests`);
  });

  test('answers of tools are the same', async (t) => {
    const requests = twins.calls.map(({ tool, arguments: text }) => [0, 'tools/call', { name: tool, arguments: JSON.parse(text) }]);
    const told = await compare(requests);
    t.diagnostic(`${requests.length} calls, ${told} tell another agent the worlds apart`);
    assert.ok(told > 0, 'no call could tell');
  });

  test('subscribers hear the same after commits of data that they may not see', async () => {
    const parts = ['schema', 'count', 'samples'];
    const uris = [...twins.visible, ...twins.hidden, 'nothing'].flatMap((cls) => parts.map((part) => `data://${cls}/${part}`));
    const lists = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const open = (server, headers) => listen(server, { resourceSubscriptions: uris, ...lists }, { headers });
    const as = (world, agent) => open(world.it.server, bearer(world.it.keys[agent]));
    const [left, right, noisy] = [await as(one, 'twin'), await as(other, 'twin'), await as(other, 'beta')];
    const [bareLeft, bareRight] = [await open(one.bare), await open(other.bare)];
    assert.deepEqual(left.acknowledged, right.acknowledged);
    if (JSON.stringify(bareLeft.acknowledged) !== JSON.stringify(bareRight.acknowledged)) hit([44]);
    const isListed = JSON.parse(twins.agent).classes.only;
    for (const sql of hiddenCommits(isListed ? ['CREATE TABLE newcomer(id INTEGER PRIMARY KEY)'] : [])) {
      other.db.exec(sql);
      await pause(300);
    }
    await until(() => told(noisy).length > 0, 'what another agent hears');
    const hearsOfLists = () => told(bareRight).some(([method]) => method.endsWith('list_changed'));
    if (isListed) await until(hearsOfLists, 'a list that changes');
    assert.deepEqual(told(left), []);
    assert.deepEqual(told(right), [], 'hidden changes are heard');
    hit([45, 46], told(bareRight).filter(([method]) => method === 'resources/updated').length);
    hit([47], told(bareRight).filter(([method]) => method.endsWith('list_changed')).length);
    for (const world of [one, other]) world.db.exec("INSERT INTO shelf(id, label) VALUES (99, 'new')");
    for (const call of [left, right]) {
      await until(() => told(call).some(([, { uri }]) => uri === 'data://shelf/count'), 'a visible change');
    }
    await pause(500);
    const heard = (call) => told(call).map((one) => JSON.stringify(one)).sort();
    assert.deepEqual(heard(left), heard(right));
    for (const call of [left, right, noisy, bareLeft, bareRight]) await call.drop();
  });
});

for (const seed of seeds) describe(`the written worlds of seed ${seed}`, () => {
  let twins, one, other;
  before(async () => {
    twins = twinsOf(seed);
    one = await startWorld(twins.one + twins.last_rows, twins, true);
    other = await startWorld(twins.other + twins.last_rows, twins, true);
  });
  after(() => end(one, other));

  /** Has the agent write in both; one that sees other rows only previews. How often the latter tells them apart. */
  async function compare(requests, preview) {
    const counts = { told: 0, done: 0 };
    for (const params of requests) {
      const ask = async (world, as, what) => unsealed(await world.ask(as, 'tools/call', what));
      const [left, right] = [await ask(one, 'twin', params), await ask(other, 'twin', params)];
      assert.equal(left, right, JSON.stringify(params));
      counts.done += !left.includes('"isError":true');
      counts.told += await ask(one, 'beta', preview(params)) !== await ask(other, 'beta', preview(params));
    }
    return counts;
  }

  test('answers to writes, previews and later reads are the same', async (t) => {
    const requests = twins.writes.map(({ tool, arguments: text }) => ({ name: tool, arguments: JSON.parse(text) }));
    const { told, done } = await compare(requests, (params) => ({ ...params, arguments: { ...params.arguments, dry_run: true } }));
    t.diagnostic(`${requests.length} writes, ${done} done or previewed, ${told} tell another agent the worlds apart`);
    assert.ok(told > 0 && done > 0, `${told} told, ${done} done`);
    for (const class_name of twins.visible) {
      const params = { name: 'query_class', arguments: { class_name, limit: 100 } };
      // Ids that the server made are random, and so is the order of their rows.
      const rows = async (world) => JSON.parse(await world.ask('twin', 'tools/call', params))[1].structuredContent.results.map((row) => unsealed(JSON.stringify(row))).sort();
      assert.deepEqual(await rows(one), await rows(other), class_name);
    }
  });

  test('methods of hidden objects are those of no object', async (t) => {
    const requests = [...methodCalls()].map((given) => ({ name: 'call_method', arguments: given }));
    const preview = ({ name, arguments: given }) => ({ name, arguments: { ...given, arguments: { ...given.arguments, dry_run: true } } });
    const { told, done } = await compare(requests, preview);
    t.diagnostic(`${requests.length} calls, ${done} done or previewed, ${told} tell another agent the worlds apart`);
    assert.ok(told > 0 && done > 0, `${told} told, ${done} done`);
    hit([58], told);
  });
});

test('each row of the catalogue was tried', (t) => {
  for (const [row, count] of hits) t.diagnostic(`${row.padStart(2)} ${String(count).padStart(5)}  ${catalogue[row]}`);
  const missing = [...hits].filter(([, count]) => count === 0).map(([row]) => `${row} (${catalogue[row]})`);
  assert.deepEqual(missing, []);
});
