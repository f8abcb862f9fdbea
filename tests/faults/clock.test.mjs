// The wall clock jumps there and back under a server that writes, waits and counts. What lasts a time lasts it by the
// monotonic clock: plan tokens, approvals, limits of rates, waits for a lock.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { accept, agents, detailsOf, Vault } from '../e2e/lib/approvals.mjs';
import { pause, until } from '../e2e/lib/events.mjs';
import { Orders, profiles } from '../e2e/lib/orders.mjs';
import { again } from '../e2e/lib/rounds.mjs';
import { WallClock, noClock, steps } from './lib/clock.mjs';
import { WriteServer, answers, checkFiles, checkLedger, journals, ledger, load, startWriting } from './lib/writing.mjs';

const clients = 4;
const day = 86_400_000;

describe('a wall clock that jumps', { skip: noClock }, () => {
  for (const journal of journals) {
    test(`${journal}: no write is lost or refused`, async (t) => {
      const clock = new WallClock();
      const file = ledger(journal, clients);
      const { target, writers } = await startWriting(t, file, clients, { env: clock.env });
      let over = false;
      const loaded = load(writers, () => over);
      for (const offset of [...steps, ...steps]) {
        clock.step(offset);
        const before = answers(writers);
        await until(() => answers(writers) > before + clients, `writes after ${offset}`);
      }
      over = true;
      await loaded;
      await target.server.stop();
      checkFiles(file, journal);
      checkLedger(file, journal, writers);
    });
  }

  test('a write waits for the lock of another program as long as ever', { timeout: 120_000 }, async (t) => {
    const clock = new WallClock();
    const file = ledger('wal', clients);
    const target = await WriteServer.start(file, { env: clock.env });
    t.after(() => target.server.stop());
    const other = new DatabaseSync(file);
    t.after(() => other.close());
    for (const offset of ['-1h', '+1h']) {
      other.exec('BEGIN IMMEDIATE');
      const began = Date.now();
      const waiting = target.refused('create_object', { class_name: 'entries', data: { client: 9, n: 1, part: 0 } });
      await pause(500);
      clock.step(offset);
      const { code, message } = await waiting;
      const waited = Date.now() - began;
      assert.deepEqual([code, /locked by another program/.test(message)], ['store_error', true], message);
      assert.ok(waited >= 4500 && waited < 9000, `${waited} ms after ${offset}`);
      other.exec('ROLLBACK');
      await target.ask('create_object', { class_name: 'entries', data: { client: 9, n: 2, part: 0 } });
    }
  });

  test('a plan token stays good, once', async (t) => {
    const clock = new WallClock();
    const orders = await Orders.start({ agents: { writer: profiles.writer }, env: clock.env });
    t.after(() => orders.stop());
    for (const offset of steps) {
      const args = { class_name: 'orders', object_id: '1', data: { note: `after ${offset}` } };
      const { plan_token } = await orders.ask('writer', 'update_object', { ...args, dry_run: true });
      clock.step(offset);
      const { object } = await orders.ask('writer', 'update_object', { ...args, plan_token });
      assert.equal(object.note, args.data.note);
      clock.step('+0');
      assert.match((await orders.refused('writer', 'update_object', { ...args, plan_token })).message, /used already/);
    }
  });

  test('a call waits for its approval as long as ever', async (t) => {
    const clock = new WallClock();
    const start = async (limits) => {
      const vault = await Vault.start({ profiles: { writer: agents.writer, free: agents.free }, limits, env: clock.env });
      t.after(() => vault.stop());
      return vault;
    };
    const vault = await start({});
    const params = { name: 'vault_note', arguments: { text: 'x' } };
    for (const offset of steps) {
      const before = await vault.runs();
      const first = (await vault.modern('writer', params)).result;
      clock.step(offset);
      const { result } = await vault.modern('writer', again(params, first, accept));
      assert.deepEqual(result.structuredContent, { ran: true }, `accepted after ${offset}`);
      assert.equal(await vault.runs(), before + 1);
    }
    const hasty = await start({ approval_timeout_ms: 1000 });
    for (const offset of ['-1h', '+0']) {
      const late = (await hasty.modern('writer', params)).result;
      clock.step(offset);
      await pause(1800);
      const { result } = await hasty.modern('writer', again(params, late, accept));
      assert.deepEqual(detailsOf(result), { kind: 'timed_out' }, `not in time after ${offset}`);
    }
  });

  test('a limit of a rate counts the same calls', async (t) => {
    const clock = new WallClock();
    const orders = await Orders.start({ agents: { slow: { ...profiles.reader, rate_limit: { calls: 5, seconds: 5 } } }, env: clock.env });
    t.after(() => orders.stop());
    const call = async () => {
      const { result, error } = await orders.modern('slow', { name: 'count_objects', arguments: { class_name: 'orders' } });
      return error || result.isError ? 0 : 1;
    };
    for (const offset of ['+400d', '-400d', '+0']) {
      await until(call, 'a free place');
      await pause(5100);
      const began = Date.now();
      let done = 0;
      for (let i = 0; i < 12; ++i) {
        if (i === 4) clock.step(offset);
        done += await call();
      }
      assert.ok(Date.now() - began < 4900, 'within the time');
      assert.equal(done, 5, `after ${offset}`);
    }
  });

  test('the record has the time of the clock', async (t) => {
    const clock = new WallClock();
    const orders = await Orders.start({ agents: { writer: profiles.writer }, env: clock.env });
    t.after(() => orders.stop());
    clock.step('-400d');
    await orders.ask('writer', 'update_object', { class_name: 'orders', object_id: '1', data: { note: 'x' } });
    const line = () => orders.server.stderr.split('\n').find((one) => /update_object/.test(one));
    await until(line, 'the line of the call');
    const at = Date.parse(line().split(' ')[0]);
    assert.ok(Math.abs(Date.now() - 400 * day - at) < day, `the clock was set: ${line()}`);
  });
});
