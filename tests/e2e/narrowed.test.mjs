// A call that is narrowed to some classes sees no others, through every tool, in both eras.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { peopleDatabase } from './lib/people.mjs';
import { modernRevision, peer } from './lib/rpc.mjs';
import { isolate, script, startScripts } from './lib/script.mjs';

let server;
before(async () => {
  server = await startScripts({
    plugins: ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-async', 'script-other'],
    config: { builtin_plugins: undefined, plugins: { data: { isolate } } }, flags: ['--db', peopleDatabase()],
  });
});
after(() => server.stop());

const noTeams = { classes: { except: ['teams'] } };
const open = {};

for (const revision of ['2025-06-18', modernRevision]) describe(`a call narrowed to classes, ${revision}`, () => {
  let send;
  before(async () => { send = await peer(server, revision); });

  /** What a tool answers to a plugin that calls it with this narrowing: the value, or {error_code, error}. */
  const tool = async (narrowing, name, args) => {
    const step = { do: 'invoke', kind: 'tool', name, ...(args ? { arguments: args } : {}), ...(narrowing === open ? {} : { narrowing }) };
    const result = await send('tools/call', { name: 'script', arguments: script(step) });
    assert.ok(result.structuredContent, JSON.stringify(result));
    const [{ parts }] = result.structuredContent.journal;
    return JSON.parse((parts.find(([type]) => type === 'error' || type === 'json') ?? parts[0])[1]);
  };

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

  test('reaches it by no other way', async () => {
    const aggregate = (stage) => tool(noTeams, 'aggregate', { class_name: 'people', pipeline: [stage] });
    for (const stage of [{ $lookup: { from: 'teams', localField: 'team', foreignField: 'id', as: 't' } }, { $unionWith: 'teams' }]) {
      assert.equal((await aggregate(stage)).error_code, 'access_denied');
    }
    const where = { team: { $inQuery: { className: 'teams', where: { name: 'Red' } } } };
    assert.match((await tool(noTeams, 'query_class', { class_name: 'people', where })).error, /not visible/);
    assert.match((await tool(noTeams, 'query_class', { class_name: 'people', where: { team: 1 } })).error, /not visible/);
    assert.match((await tool(noTeams, 'export_data', { class_name: 'teams' })).error, /not accessible/);
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
