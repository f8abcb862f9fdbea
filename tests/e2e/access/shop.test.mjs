// One story: a shop of two tenants, asked the same questions by every agent with both official clients.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { agents, questions, resources } from '../../fixtures/shop/questions.mjs';
import { post } from '../lib/rpc.mjs';
import { startShop } from '../lib/shop.mjs';
import { httpV1, httpV2 } from '../lib/talkers.mjs';

let shop;
before(async () => {
  shop = await startShop(agents, { config: { plugins: { data: { config: { expose_explain: true } } } } });
});
after(() => shop.server.stop());

/** What a tool answered: the part that is compared, or {denied, kind?}. */
function shown({ result, said }, as, wanted) {
  if (!result.isError) return as(said);
  const refused = { denied: said.error_code };
  return wanted?.kind ? { ...refused, kind: said.details?.kind } : refused;
}

const clients = [
  ['1.x', (key) => httpV1(shop.server.url, '2025-11-25', key)],
  ['2.x', (key) => httpV2(shop.server.url, key)],
];

for (const [version, connect] of clients) {
  agents.forEach((agent, at) => describe(`${agent}, client ${version}`, () => {
    let talker;
    before(async () => {
      talker = connect(shop.keys[agent]);
      await talker.open();
    });
    after(() => talker.client.close());

    for (const { ask, tool, args, as, answers } of questions) {
      test(ask, async () => {
        const answer = await talker.ask(tool, args);
        const wanted = answers[at];
        assert.deepEqual(shown(answer, as, wanted), wanted, JSON.stringify(answer.said).slice(0, 2000));
      });
    }

    test('resources', async () => {
      const listed = new Set((await talker.client.listResources()).resources.map(({ uri }) => uri));
      for (const [uri, answers] of resources) {
        const read = await talker.client.readResource({ uri })
          .then(({ contents }) => JSON.parse(contents[0].text).count, () => undefined);
        assert.equal(read, answers[at], uri);
        assert.equal(listed.has(uri), answers[at] !== undefined, `${uri} in the list`);
      }
    });

    test('a hidden class and an absent one get the same answer', async () => {
      const of = async (class_name) => JSON.stringify((await talker.ask('query_class', { class_name })).said);
      if (agent === 'master') return;
      assert.equal((await of('payroll')).replaceAll('payroll', 'CLASS'), (await of('payslip')).replaceAll('payslip', 'CLASS'));
    });
  }));
}

test('a client without a key, or with a wrong one, is refused', async () => {
  const key = shop.keys.master;
  for (const authorization of [undefined, 'Bearer gnt_nonsense', `Bearer ${key.slice(0, -1)}`]) {
    const { status, text } = await post(shop.server, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, authorization ? { authorization } : {});
    assert.equal(status, 401);
    assert.equal(text, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unauthorized"}}');
  }
});
