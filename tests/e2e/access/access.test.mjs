// describe_access: what an agent may do and why not, in its own scope; and where list_tools is listed.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { Governed } from '../lib/governed.mjs';
import { scratch } from '../lib/paths.mjs';
import { peopleDatabase } from '../lib/people.mjs';
import { ask, modern, modernRevision } from '../lib/rpc.mjs';
import { plugins } from '../lib/rounds.mjs';
import { isolate, noted, testPlugin } from '../lib/script.mjs';
import { checkShape } from '../lib/shapes.mjs';

const db = peopleDatabase();
const model = join(scratch(), 'model');
mkdirSync(model);
writeFileSync(join(model, 'people.json'), JSON.stringify({ class: 'people', agent_fields: ['objectId', 'name', 'age'],
  class_permissions: { find: ['role:clerk'], get: ['*'] } }));

for (const revision of ['2025-06-18', modernRevision]) describe(`describe_access, ${revision}`, () => {
  let it;
  before(async () => {
    it = await Governed.start({
      all: {}, few: { tools: ['describe_access', 'query_class', 'count_objects'], caps: { rows: 7, bytes: 50000 } },
      no_team: { classes: { except: ['teams'] }, rate_limit: { calls: 50, seconds: 30 } },
      clerk: { user: 'u1', roles: ['clerk'] }, guest: { user: 'u2' },
    }, { db, flags: ['--model', model] });
  });
  after(() => it.stop());

  const access = async (profile, args = {}) => {
    const { result } = await it.as(profile, revision, 'tools/call', { name: 'describe_access', arguments: args });
    assert.notEqual(result.isError, true, JSON.stringify(result));
    const answer = result.structuredContent;
    checkShape('describe_access', result);
    return answer;
  };

  test('tells tier, tools, classes and limits of the caller alone', async () => {
    const all = await access('all');
    assert.deepEqual([all.agent, all.permissions], ['all', 'readonly']);
    assert.deepEqual(all.classes.map(({ name }) => name), ['people', 'teams']);
    const listed = (await it.as('all', revision, 'tools/list')).result.tools.map(({ name }) => name);
    assert.deepEqual(all.tools.filter((name) => name !== 'list_tools'), listed);
    assert.deepEqual(all.limits, { bytes: 4194304, calls: 60, seconds: 60 });
    const few = await access('few');
    assert.deepEqual(few.tools.sort(), ['count_objects', 'describe_access', 'query_class']);
    assert.deepEqual([few.limits.rows, few.limits.bytes], [7, 50000]);
    const narrow = await access('no_team');
    assert.deepEqual([narrow.limits.calls, narrow.limits.seconds], [50, 30]);
    assert.doesNotMatch(JSON.stringify(narrow), /teams"/);
  });

  test('says why a tool is refused, and names the tools that may be called', async () => {
    assert.deepEqual(await access('few', { tool: 'query_class' }), { tool: 'query_class', allowed: true });
    const denied = await access('few', { tool: 'export_data' });
    assert.equal(denied.allowed, false);
    assert.match(denied.reason, /'export_data' is not among the tools of this agent/);
    assert.equal(denied.suggestion, 'You may call: query_class, count_objects, describe_access');
    assert.match((await access('few', { tool: 'no_such' })).reason, /No tool of that name/);
    // The class is not looked at where the tool is refused.
    assert.equal((await access('few', { tool: 'export_data', class_name: 'people' })).fields, undefined);
  });

  test('has one answer for absent and filtered classes', async () => {
    const [hidden, absent] = [await access('no_team', { class_name: 'teams' }), await access('no_team', { class_name: 'teamX' })];
    assert.equal(hidden.allowed, false);
    assert.equal(JSON.stringify(hidden), JSON.stringify(absent).replaceAll('teamX', 'teams'));
    assert.match(hidden.suggestion, /get_all_schemas/);
    const [one, other] = [await access('no_team', { tool: 'query_class', class_name: 'teams' }),
      await access('no_team', { tool: 'query_class', class_name: 'teamX' })];
    assert.equal(JSON.stringify(one), JSON.stringify(other).replaceAll('teamX', 'teams'));
  });

  test('tells operations and permitted fields of a class, and other ways where one is refused', async () => {
    const clerk = await access('clerk', { class_name: 'people' });
    assert.deepEqual(clerk, { class_name: 'people', allowed: true, operations: ['find', 'get'], fields: ['objectId', 'name', 'age'] });
    assert.equal((await access('clerk', { tool: 'query_class', class_name: 'people' })).allowed, true);
    const guest = await access('guest', { tool: 'query_class', class_name: 'people' });
    assert.equal(guest.allowed, false);
    assert.match(guest.reason, /The permissions of class 'people'/);
    assert.equal(guest.suggestion, 'For this class you may call: get_object');
    assert.equal((await access('guest', { tool: 'get_object', class_name: 'people' })).allowed, true);
    const real = await it.as('guest', revision, 'tools/call', { name: 'query_class', arguments: { class_name: 'people' } });
    assert.ok(real.result.content[0].text.includes(guest.reason), 'the sentence of the real call');
  });
});

test('without a database it tells of tools alone', async (t) => {
  const server = await Server.start();
  t.after(() => server.stop());
  const own = await ask(server, 'describe_access');
  assert.ok(own.tools.includes('describe_access'));
  assert.equal(own.classes, undefined);
  const { allowed, reason } = await ask(server, 'describe_access', { class_name: 'people' });
  assert.deepEqual([allowed, reason], [false, 'This server has no database']);
});

describe('list_tools', () => {
  const start = async (t, config) => {
    const file = join(scratch(), 'gantry.json');
    writeFileSync(file, JSON.stringify({ plugin_files: plugins.map(testPlugin),
      plugins: Object.fromEntries(plugins.map((name) => [name, { isolate }])), ...config }));
    const server = await Server.start({ flags: ['--config', file] });
    t.after(() => server.stop());
    return server;
  };
  const names = async (server, params = {}) =>
    (await modern(server, 'tools/list', params)).message.result.tools.map(({ name }) => name);
  const tool = (name) => ({ kind: 'tool', name, description: 'D.', inputSchema: { type: 'object' } });
  const offer = (server, count) => noted(server, 'rounds', { do: 'offer', items: JSON.stringify(
    ['rounds', 'rounds_journal', ...Array.from({ length: count }, (_, i) => `n${i}`)].map(tool)) });

  test('is listed first where more than 40 other tools are, and can be called in every case', async (t) => {
    const server = await start(t, {});
    await offer(server, 0);
    const least = (await names(server)).length;
    assert.ok(!(await names(server)).includes('list_tools'));
    await offer(server, 40 - least);
    assert.equal((await names(server)).length, 40);
    assert.equal((await ask(server, 'list_tools')).tools.length, 41);
    await offer(server, 41 - least);
    const many = await names(server);
    assert.deepEqual([many.length, many[0]], [42, 'list_tools']);
    assert.deepEqual(await names(server, { category: 'discovery' }), ['list_tools', 'describe_access']);
  });

  test('is listed always or never where the configuration says so', async (t) => {
    const always = await start(t, { discovery: 'always' });
    assert.equal((await names(always))[0], 'list_tools');
    const never = await start(t, { discovery: 'never' });
    await offer(never, 50);
    assert.ok(!(await names(never)).includes('list_tools'));
    assert.ok((await ask(never, 'list_tools')).tools.length > 50);
  });
});
