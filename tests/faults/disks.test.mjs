// Writes to disks that fill up, are read-only or become so, on small file systems that the test mounts for itself.
import { mountSmall, noMounts, remount } from './lib/own_mounts.mjs';  // first: it starts the file again
import assert from 'node:assert/strict';
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pause, until } from '../e2e/lib/events.mjs';
import { rowsOf } from '../e2e/lib/orders.mjs';
import { scratch } from '../e2e/lib/paths.mjs';
import { answers, checkFiles, checkLedger, journals, ledger, load, settle, startWriting } from './lib/writing.mjs';

const clients = 4;
const kib = 8192;
const readOnly = /store_error.*ledger\.db.*(read-only|Make the directory writable)/s;
const count = (target) => target.ask('count_objects', { class_name: 'entries' }).then(({ count: rows }) => rows);

/** A ledger alone on a small disk, and its folder. */
function smallLedger(journal) {
  const folder = scratch();
  mountSmall(folder, kib);
  return { folder, file: ledger(journal, clients, folder) };
}
const serve = (t, file) => startWriting(t, file, clients);

/** Fills the disk with a file until `left` KiB are free; the function that it returns removes the file. */
function ballast(folder, left) {
  const { bavail, bsize } = statfsSync(folder);
  const file = join(folder, 'ballast');
  writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - left * 1024)));
  return () => rmSync(file);
}

/** Has the writer write until it is refused, and returns the refusal. What was refused may not be there. */
async function untilRefused(writer) {
  for (;;) {
    try {
      await writer.write();
    } catch (error) {
      assert.ok(error instanceof assert.AssertionError, error);
      writer.wasRefused();
      return error.message;
    }
  }
}

/** Whether it could be mounted so: not while a file is open for writing. */
function isRemounted(folder, how) {
  try {
    remount(folder, how);
    return true;
  } catch {
    return false;
  }
}

describe('a full disk', { skip: noMounts }, () => {
  for (const journal of journals) {
    test(`${journal}: is named, loses nothing, and does not stop reads; with room the same server writes again`, async (t) => {
      const { folder, file } = smallLedger(journal);
      const { target, writers } = await serve(t, file);
      for (let round = 0; round < 3; ++round) {
        const free = ballast(folder, 200);
        const refusals = await Promise.all(writers.map(untilRefused));
        for (const message of refusals) assert.match(message, /store_error.*the disk of .*ledger\.db is full/s);
        // What is small enough may still find room: each kind of write in turn, until all are refused.
        for (let i = 0; i < 8; ++i) await untilRefused(writers[i % clients]);
        assert.equal(await count(target), rowsOf(file, 'SELECT count(*) AS n FROM entries')[0].n);
        free();
        checkFiles(file, journal);
        checkLedger(file, journal, writers);
        const before = answers(writers);
        await load(writers, () => answers(writers) > before + 2 * clients);
        checkLedger(file, journal, writers);
      }
      await target.server.stop();
      checkFiles(file, journal);
      checkLedger(file, journal, writers);
    });

    test(`${journal}: a server that is killed on it leaves files that SQLite can recover, and starts again`, async (t) => {
      const { folder, file } = smallLedger(journal);
      const { target, writers } = await serve(t, file);
      for (let round = 0; round < 2; ++round) {
        const free = ballast(folder, 100 + 30 * round);
        await Promise.all(writers.map(untilRefused));
        let over = false;
        const loaded = Promise.all(writers.map(async (writer) => {
          while (!over) await untilRefused(writer).catch(() => {});
        }));
        await pause(50);
        over = true;
        await target.server.kill();
        await loaded;
        free();
        checkFiles(file, journal);
        // In turn SQLite itself and the next server recover what the killed one left.
        if (round % 2 === 0) checkLedger(file, journal, writers);
        await target.restart();
        await count(target);
        checkLedger(file, journal, writers);
        settle(file, writers);
      }
    });
  }
});

describe('a read-only disk', { skip: noMounts }, () => {
  for (const journal of journals) {
    test(`${journal}: is named in a store_error, and reads go on; once it is writable the same server writes`, async (t) => {
      const { folder, file } = smallLedger(journal);
      remount(folder, 'ro');
      const before = readFileSync(file);
      const { target, writers } = await serve(t, file);
      for (let i = 0; i < 3; ++i) {
        assert.match(await untilRefused(writers[i]), readOnly);
      }
      assert.equal((await target.ask('count_objects', { class_name: 'counters' })).count, 3 * clients);
      assert.ok(readFileSync(file).equals(before), 'not a byte has changed');
      checkFiles(file, journal);
      remount(folder, 'rw');
      await load(writers, () => answers(writers) > 2 * clients);
      checkLedger(file, journal, writers);
    });

    test(`${journal}: that becomes so under an idle server is named too`, async (t) => {
      const { folder, file } = smallLedger(journal);
      const { target, writers } = await serve(t, file);
      await load(writers, () => answers(writers) > clients);
      const rows = rowsOf(file, 'SELECT count(*) AS n FROM entries')[0].n;
      // The server closes its connections after three seconds without a call.
      await until(() => isRemounted(folder, 'ro'), 'no file is open for writing', 15_000);
      const bytes = readFileSync(file);
      for (const writer of writers) assert.match(await untilRefused(writer), readOnly);
      assert.equal(await count(target), rows);
      assert.ok(readFileSync(file).equals(bytes), 'not a byte has changed');
      remount(folder, 'rw');
      const before = answers(writers);
      await load(writers, () => answers(writers) > before + clients);
      checkLedger(file, journal, writers);
    });
  }
});
