// A call that is narrowed to some classes sees no others, through every tool, in both eras.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assertHidden, chiefsDatabase, previews, reads, writes } from '../lib/class_names.mjs';
import { allGates, gatesEnvironment } from '../lib/orders.mjs';
import { scratch } from '../lib/paths.mjs';
import { modernRevision, peer } from '../lib/rpc.mjs';
import { isolate, script, startScripts } from '../lib/script.mjs';

const db = chiefsDatabase();
let server, writing;
before(async () => {
  server = await startScripts({
    plugins: ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-async', 'script-other'],
    config: { builtin_plugins: undefined, plugins: { data: { isolate } } }, flags: ['--db', db],
  });
  const agents = join(scratch(), 'agents.json');
  writeFileSync(agents, JSON.stringify({ agents: { boss: { permissions: 'admin', rate_limit: 'unlimited' } } }));
  writing = await startScripts({ config: { builtin_plugins: undefined }, env: gatesEnvironment(allGates),
    flags: ['--db', db, '--agents', agents, '--agent', 'boss'] });
});
after(async () => { await server.stop(); await writing.stop(); });

const noTeams = { classes: { except: ['teams'] } };
const open = {};

for (const revision of ['2025-06-18', modernRevision]) describe(`a call narrowed to classes, ${revision}`, () => {
  /** Calls tools from a plugin with a narrowing: what they answer, the value or {error_code, error}. */
  const toolsOf = async (at) => {
    const send = await peer(at, revision);
    return async (narrowing, name, args) => {
      const step = { do: 'invoke', kind: 'tool', name, ...(args ? { arguments: args } : {}), ...(narrowing === open ? {} : { narrowing }) };
      const result = await send('tools/call', { name: 'script', arguments: script(step) });
      assert.ok(result.structuredContent, JSON.stringify(result));
      const [{ parts }] = result.structuredContent.journal;
      return JSON.parse((parts.find(([type]) => type === 'error' || type === 'json') ?? parts[0])[1]);
    };
  };
  let tool, writingTool;
  before(async () => { tool = await toolsOf(server); writingTool = await toolsOf(writing); });

  const as = (call, narrowing) => async (name, args) => JSON.stringify(await call(narrowing, name, args));
  const lists = [noTeams, { classes: ['people', 'fresh'] }];

  test('does not find another class, as if it were not there', async () => {
    for (const name of ['query_class', 'count_objects', 'get_schema', 'get_sample_objects']) {
      const [hidden, absent] = await Promise.all(['teams', 'teamX'].map((class_name) => tool(noTeams, name, { class_name })));
      assert.equal(hidden.error_code, 'access_denied', `${name}: ${JSON.stringify(hidden)}`);
      assert.equal(JSON.stringify(hidden), JSON.stringify(absent).replaceAll('teamX', 'teams'));
    }
    const classes = JSON.stringify(await tool(noTeams, 'get_all_schemas'));
    assert.match(classes, /people/);
    assert.doesNotMatch(classes, /teams/);
  });

  for (const [way, rows] of Object.entries(reads)) {
    test(`does not reach it by ${way}`, async () => {
      for (const narrowing of lists) await assertHidden(rows, as(tool, narrowing), as(tool, open));
    });
  }

  test('does not reach it by a write', async () => {
    for (const narrowing of lists) {
      const narrowed = as(writingTool, { ...narrowing, permissions: 'admin' });
      await assertHidden(previews, narrowed, as(writingTool, open));
      await assertHidden(writes, narrowed);
    }
  });

  test('may not compare an id of its objects', async () => {
    assert.match((await tool(noTeams, 'query_class', { class_name: 'people', where: { team: 1 } })).error, /not visible/);
  });

  test('shows no id of its objects, and shares no answer with a call that may', async () => {
    const args = { class_name: 'people', where: { id: 1 }, limit: 1 };
    for (let turn = 0; turn < 4; ++turn) {
      assert.equal((await tool(open, 'query_class', args)).results[0].team, 2);
      assert.deepEqual((await tool(noTeams, 'query_class', args)).results[0].team, { className: 'teams', __redacted: true });
    }
    assert.equal((await tool({ classes: ['teams'] }, 'query_class', args)).error_code, 'access_denied');
    assert.equal((await tool({ classes: ['teams'] }, 'count_objects', { class_name: 'teams' })).count, 5);
  });
});

for (const revision of ['2025-06-18', modernRevision]) test(`the answer of another plugin has no id of a hidden class, ${revision}`, async () => {
  const send = await peer(server, revision);
  const pointer = (className) => ({ __type: 'Pointer', className, objectId: '7' });
  const value = { hidden: pointer('_Session'), shown: pointer('teams') };
  const expected = { hidden: { className: '_Session', __redacted: true }, shown: pointer('teams') };
  const steps = [{ do: 'json_begin' }, { do: 'json_raw', body: JSON.stringify(value) }, { do: 'json_end' }];
  for (const name of ['script', 'serial']) {
    const result = await send('tools/call', { name, arguments: script(...steps) });
    assert.deepEqual(result.structuredContent, expected, name);
    assert.deepEqual(JSON.parse(result.content[0].text), expected, name);
  }
  const text = await send('tools/call', { name: 'script', arguments: script({ do: 'write', body: JSON.stringify(value) }) });
  assert.deepEqual(JSON.parse(text.content.find(({ text }) => text.includes('className')).text), expected);
});
