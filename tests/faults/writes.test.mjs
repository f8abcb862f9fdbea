// Writes under faults: killed and stopped servers, another program's lock, files that cannot be written.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, copyFileSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { until, pause } from '../e2e/lib/events.mjs';
import { Server } from '../e2e/lib/gantryd.mjs';
import { bearer } from '../e2e/lib/governed.mjs';
import { profiles, rowsOf } from '../e2e/lib/orders.mjs';
import { scratch } from '../e2e/lib/paths.mjs';
import { dice, seedOf } from './lib/damage.mjs';
import { WriteServer, Writer, answers, checkFiles, checkLedger, journals, ledger, load, settle, startWriting } from './lib/writing.mjs';

const kills = Number(process.env.GANTRY_WRITE_KILLS ?? 6);
const clients = 4;
const adminKey = 'an admin of this test';
const start = async (t, journal, options) => {
  const file = ledger(journal, clients);
  return { file, ...await startWriting(t, file, clients, options) };
};
const entry = (n) => ({ class_name: 'entries', data: { client: 0, n, part: 0 } });
const gone = (writers) => writers.reduce((sum, writer) => sum + writer.unanswered, 0);
const unanswered = (writers) => writers.reduce((sum, { sent, answered }) => sum + sent.length - answered.size, 0);

describe('kill -9 of the server at a random moment under writes', () => {
  for (const journal of journals) {
    test(`${journal}: answered writes are there, the others whole or not at all`, { timeout: 60_000 + kills * 10_000 }, async (t) => {
      const random = dice(seedOf(t));
      const { file, target, writers } = await start(t, journal);
      let hot = 0;
      for (let i = 0; i < kills / 2; ++i) {
        const before = answers(writers);
        let over = false;
        const loaded = load(writers, () => over);
        await until(() => answers(writers) > before, 'a write is answered');
        await pause(random() * 300);
        over = true;
        await target.server.kill();
        await loaded;
        checkFiles(file, journal);
        if (readdirSync(dirname(file)).length > 1) ++hot;
        // In turn SQLite itself and the next server recover what the killed one left.
        if (i % 2 === 0) checkLedger(file, journal, writers);
        await target.restart();
        const { count } = await target.ask('count_objects', { class_name: 'entries' });
        checkLedger(file, journal, writers);
        assert.equal(count, rowsOf(file, 'SELECT count(*) AS n FROM entries')[0].n);
        settle(file, writers);
      }
      // A journal without content stays until the next transaction.
      await writers[0].write();
      await target.server.stop();
      checkLedger(file, journal, writers);
      assert.deepEqual(readdirSync(dirname(file)), ['ledger.db'], 'nothing stays once SQLite has closed it');
      t.diagnostic(`${Math.ceil(kills / 2)} kills, ${hot} with a journal left, ${answers(writers)} creations are there, ${gone(writers)} without an answer are not`);
    });
  }

  for (const journal of journals) {
    test(`${journal}: the journal of writes has every committed one, and each can be undone`, { timeout: 120_000 }, async (t) => {
      const { file, target, writers } = await start(t, journal, { agents: { boss: profiles.boss } });
      for (let i = 0; i < 2; ++i) {
        let over = false;
        const loaded = load(writers, () => over);
        await pause(200);
        over = true;
        await target.server.kill();
        await loaded;
        await target.restart();
        settle(file, writers);
      }
      const writes = [];
      for (let cursor; ;) {
        const page = await target.operate('boss', 'writes.list', { limit: 1000, ...(cursor ? { cursor } : {}) });
        writes.push(...page.writes);
        if (!(cursor = page.next_cursor)) break;
      }
      const created = writes.filter(({ operation }) => operation === 'create').reduce((sum, { rows }) => sum + rows, 0);
      assert.equal(created, rowsOf(file, 'SELECT count(*) AS n FROM entries')[0].n, 'no committed write lacks a record, and no record a write');
      for (const { id } of writes) await target.operate('boss', 'writes.undo', { id });
      assert.equal(rowsOf(file, 'SELECT count(*) AS n FROM entries')[0].n, 0);
      assert.deepEqual(rowsOf(file, 'SELECT DISTINCT value FROM counters'), [{ value: 0 }]);
      t.diagnostic(`${writes.length} writes undone after 2 kills`);
    });
  }

  test('the check sees a lost write, a torn batch and a stray file', async () => {
    const file = ledger('delete', 1);
    const target = { ask: async () => {} };
    const lost = new Writer(target, 0);
    await lost.write();
    await assert.rejects(async () => checkLedger(file, 'delete', [lost]), /was answered and is gone/);
    const insert = (n, part) => {
      const db = new DatabaseSync(file);
      db.exec(`INSERT INTO entries(client, n, part) VALUES (0, ${n}, ${part})`);
      db.close();
    };
    const torn = new Writer({ ask: async () => { throw new Error('no answer'); } }, 0);
    torn.n = 4;
    await torn.write().catch(() => {});
    checkLedger(file, 'delete', [torn]);
    insert(5, 0);
    await assert.rejects(async () => checkLedger(file, 'delete', [torn]), /write 0\/5 is whole/);
    await assert.rejects(async () => checkLedger(file, 'delete', [new Writer(target, 0)]), /no client sent/);
    copyFileSync(file, `${file}-wal2`);
    await assert.rejects(async () => checkFiles(file, 'delete'), /files beside the database/);
  });
});

for (const journal of journals) {
  test(`${journal}: a server that is stopped and continued under writes loses none and refuses none`, async (t) => {
    const { file, target, writers } = await start(t, journal);
    let over = false;
    const loaded = load(writers, () => over);
    for (let i = 0; i < 5; ++i) {
      await pause(100);
      target.server.child.kill('SIGSTOP');
      const at = answers(writers);
      await pause(200);
      assert.ok(answers(writers) - at <= clients, 'it stands');
      target.server.child.kill('SIGCONT');
      await until(() => answers(writers) > at + clients, 'it goes on');
    }
    over = true;
    await loaded;
    assert.equal(unanswered(writers), 0);
    await target.server.stop();
    checkFiles(file, journal);
    checkLedger(file, journal, writers);
  });

  test(`${journal}: a write waits for another program's lock, at most for a bounded time`, async (t) => {
    const { file, target } = await start(t, journal);
    await target.ask('create_object', entry(1));
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE; INSERT INTO entries(client, n, part) VALUES (9, 9, 9)');
    const began = Date.now();
    const waiting = target.refused('create_object', entry(2));
    const { count } = await target.ask('count_objects', { class_name: 'entries' });
    assert.equal(count, 1, 'reads go on, of what is committed');
    assert.ok(Date.now() - began < 3000);
    const { code, message } = await waiting;
    const waited = Date.now() - began;
    assert.equal(code, 'store_error', message);
    assert.match(message, /locked by another program/);
    assert.ok(waited >= 4500 && waited < 9000, `${waited} ms`);
    const patient = target.ask('create_object', entry(3));
    await pause(1000);
    other.exec('COMMIT');
    other.close();
    await patient;
    assert.deepEqual(rowsOf(file, 'SELECT n FROM entries ORDER BY n').map(({ n }) => n), [1, 3, 9]);
  });
}

describe('a database that cannot be written', { skip: process.getuid() !== 0 && 'needs root, to run the server as another user' }, () => {
  const unprivileged = 65534;
  const cases = [
    { name: 'a read-only file', journal: 'delete', file: 0o444, folder: 0o755 },
    { name: 'a read-only directory', journal: 'delete', file: 0o644, folder: 0o555 },
    { name: 'a read-only file', journal: 'wal', file: 0o444, folder: 0o755 },
    { name: 'a read-only directory', journal: 'wal', file: 0o644, folder: 0o555 },
  ];
  for (const { name, journal, file: mode, folder: folderMode } of cases) {
    test(`${journal}: ${name} is named in a store_error, and reads go on`, async () => {
      const file = ledger(journal, 1);
      const folder = dirname(file);
      chownSync(file, unprivileged, unprivileged);
      chownSync(folder, unprivileged, unprivileged);
      chmodSync(file, mode);
      chmodSync(folder, folderMode);
      const before = readFileSync(file);
      const home = scratch();
      chownSync(home, unprivileged, unprivileged);
      chmodSync(home, 0o700);
      const server = await Server.start({ db: file, uid: unprivileged, env: { ...WriteServer.env, GANTRY_ADMIN_KEY: adminKey }, flags: ['--state', join(home, 'state')] });
      try {
        const target = Object.assign(new WriteServer(), { governed: { server }, headers: bearer(adminKey) });
        const { code, message } = await target.refused('create_object', entry(1));
        assert.equal(code, 'store_error', message);
        assert.match(message, /ledger\.db.*(read-only|Make the directory writable)/);
        assert.equal((await target.ask('count_objects', { class_name: 'counters' })).count, 3);
      } finally {
        await server.stop();
      }
      // SQLite leaves the two files of a database in WAL mode that it could read but not write.
      checkFiles(file, journal);
      assert.ok(readFileSync(file).equals(before), 'not a byte has changed');
    });
  }
});
