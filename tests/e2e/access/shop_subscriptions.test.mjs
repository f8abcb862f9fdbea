// Subscribers of the shop hear of the rows that they may see, and of no others.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { agents } from '../../fixtures/shop/questions.mjs';
import { until } from '../lib/events.mjs';
import { SessionStream, listen, told } from '../lib/listen.mjs';
import { LegacySession } from '../lib/rpc.mjs';
import { startShop } from '../lib/shop.mjs';

let shop, db;
before(async () => {
  shop = await startShop(agents);
  db = new DatabaseSync(shop.file, { enableForeignKeyConstraints: false });
});
after(async () => {
  db.close();
  await shop.server.stop();
});

const bearer = (agent) => ({ authorization: `Bearer ${shop.keys[agent]}` });
const count = 'data://customers/count', samples = 'data://customers/samples';

/** A subscriber: `heard()` are the URIs, `accepted` those it could subscribe to. */
const eras = {
  modern: async (agent, uris) => {
    const call = await listen(shop.server, { resourceSubscriptions: uris }, { headers: bearer(agent) });
    return {
      accepted: call.acknowledged.resourceSubscriptions ?? [],
      heard: () => told(call).map(([, { uri }]) => uri).sort(),
      drop: () => call.drop(),
    };
  },
  legacy: async (agent, uris) => {
    const session = await LegacySession.open(shop.server, '2025-11-25', { headers: bearer(agent) });
    const stream = await SessionStream.open(session);
    const accepted = [];
    for (const uri of uris) {
      if ((await session.request('resources/subscribe', { uri })).message.result) accepted.push(uri);
    }
    const updates = () => stream.messages.filter(({ method }) => method === 'notifications/resources/updated');
    return { accepted, heard: () => updates().map(({ params }) => params.uri).sort(), drop: () => stream.drop() };
  },
};

for (const [era, subscribe] of Object.entries(eras)) {
  describe(`a ${era} client`, () => {
    test('hears of its own tenant alone', async () => {
      const acme = await subscribe('acme_clerk', [count, samples]);
      const bolt = await subscribe('bolt_clerk', [count, samples]);
      const master = await subscribe('master', [count]);
      db.exec("INSERT INTO customers VALUES (70, 'Zoe', 'Bern', 'z@x', 'bolt')");
      await until(() => bolt.heard().length === 2 && master.heard().length === 1, 'the update');
      assert.deepEqual(bolt.heard(), [count, samples]);
      assert.deepEqual(acme.heard(), []);
      // A hidden field, of a row that it sees.
      db.exec("UPDATE customers SET email = 'other' WHERE tenant = 'acme'");
      // A row that changes hands: the number of all rows is the same.
      db.exec("UPDATE customers SET tenant = 'acme' WHERE id = 70");
      await until(() => acme.heard().length === 2 && bolt.heard().length === 4, 'the updates');
      assert.deepEqual(acme.heard(), [count, samples]);
      assert.deepEqual(master.heard(), [count]);
      db.exec('DELETE FROM customers WHERE id = 70');
      await until(() => acme.heard().length === 4 && master.heard().length === 2, 'the last updates');
      for (const each of [acme, bolt, master]) await each.drop();
    });

    test('cannot subscribe to resources that it may not read', async () => {
      const payroll = 'data://payroll/count', employees = 'data://employees/count', absent = 'data://payslips/count';
      const [clerk, other, master] = [
        await subscribe('acme_clerk', [payroll, employees, absent]), await subscribe('bolt_clerk', [payroll, employees, absent]),
        await subscribe('master', [payroll, employees, absent])];
      assert.deepEqual(clerk.accepted, [employees]);
      assert.deepEqual(other.accepted, []);
      assert.deepEqual(master.accepted, [payroll, employees]);
      for (const each of [clerk, other, master]) await each.drop();
    });
  });
}
