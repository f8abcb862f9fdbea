// The built-in prompts over HTTP in both eras, on the demo database: lists, texts, completion. The
// calls that a prompt names work.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { LegacySession, ask, modern } from '../lib/rpc.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const names = ['data_conventions', 'data_relations', 'explore_database', 'class_overview', 'count_by',
  'recent_activity', 'find_relationship', 'created_in_range'];

/** Ready arguments for every prompt that the demo database can fill. */
const filled = {
  data_conventions: {},
  data_relations: { classes: 'countries,subdivisions' },
  explore_database: {},
  class_overview: { class_name: 'countries' },
  count_by: { class_name: 'languages', group_by: 'scope' },
  find_relationship: { parent_class: 'countries', parent_id: 'FR', child_class: 'subdivisions', pointer_field: 'country' },
};

const eras = {
  modern: async (server) => async (method, params) => (await modern(server, method, params)).message,
  legacy: async (server) => {
    const session = await LegacySession.open(server);
    return async (method, params) => (await session.request(method, params)).message;
  },
};

for (const [era, open] of Object.entries(eras)) {
  describe(`a ${era} client`, () => {
    let server, request;
    before(async () => {
      server = await Server.start({ db: demoDatabase() });
      request = await open(server);
    });
    after(() => server.stop());

    const text = async (name, args = {}) => {
      const { result, error } = await request('prompts/get', { name, arguments: args });
      assert.ok(result, JSON.stringify(error));
      assert.equal(result.messages[0].role, 'user');
      return result.messages[0].content.text;
    };
    const suggest = async (name, argument, value, known = {}) => (await request('completion/complete', {
      ref: { type: 'ref/prompt', name }, argument: { name: argument, value }, context: { arguments: known },
    })).result.completion;

    test('finds eight prompts with their arguments', async () => {
      const { prompts } = (await request('prompts/list')).result;
      const ours = prompts.filter(({ name }) => names.includes(name));
      assert.deepEqual(ours.map(({ name }) => name), names);
      const named = Object.fromEntries(ours.map((each) => [each.name,
        (each.arguments ?? []).map((one) => one.name + (one.required ? '' : '?'))]));
      assert.deepEqual(named, {
        data_conventions: [], explore_database: [], data_relations: ['classes?'], class_overview: ['class_name'],
        count_by: ['class_name', 'group_by'], recent_activity: ['class_name', 'limit?'],
        find_relationship: ['parent_class', 'parent_id', 'child_class', 'pointer_field'],
        created_in_range: ['class_name', 'since', 'until?'],
      });
    });

    test('gets texts whose calls work', async () => {
      let calls = 0;
      for (const [name, args] of Object.entries(filled)) {
        const said = await text(name, args);
        for (const [, tool, json] of said.matchAll(/`([a-z_]+) (\{.*?\})`/g)) {
          if (json.includes('…') || json.includes('VALUE')) continue;
          await ask(server, tool, JSON.parse(json));
          ++calls;
        }
      }
      assert.ok(calls >= 10, `${calls} calls`);
    });

    test('sees pointers as a diagram', async () => {
      assert.match(await text('data_relations', filled.data_relations), /"subdivisions" \}o--.. "countries"/);
    });

    test('gets the list of classes for a wrong one', async () => {
      const { error } = await request('prompts/get', { name: 'class_overview', arguments: { class_name: 'contries' } });
      assert.match(error.message, /countries/);
      const missing = await request('prompts/get', { name: 'class_overview', arguments: {} });
      assert.match(missing.error.message, /class_name/);
    });

    test('is refused a limit or date that makes no sense', async () => {
      const refused = async (name, args) => (await request('prompts/get', { name, arguments: args })).error.message;
      assert.match(await refused('recent_activity', { class_name: 'countries', limit: '1000' }), /1 to 100/);
      assert.match(await refused('created_in_range', { class_name: 'countries', since: 'soon' }), /ISO 8601/);
    });

    test('completes classes, lists, fields and pointers', async () => {
      assert.deepEqual((await suggest('class_overview', 'class_name', 'COUNTRI')).values, ['countries']);
      assert.deepEqual((await suggest('data_relations', 'classes', 'countries,lang')).values,
        ['countries,language_families', 'countries,language_scopes', 'countries,language_types', 'countries,languages']);
      const fields = await suggest('count_by', 'group_by', 's', { class_name: 'languages' });
      assert.ok(fields.values.includes('scope'), fields.values);
      const pointers = await suggest('find_relationship', 'pointer_field', '',
        { child_class: 'subdivisions', parent_class: 'countries' });
      assert.equal(pointers.values[0], 'country');
      assert.deepEqual((await suggest('count_by', 'group_by', '', { class_name: 'nothing' })).values, []);
    });
  });
}

test('without a database there are no prompts', async () => {
  const server = await Server.start();
  const { message } = await modern(server, 'prompts/list');
  assert.deepEqual((message.result?.prompts ?? []).filter(({ name }) => names.includes(name)), []);
  await server.stop();
});
