// The server only reads the user's database file: its bytes and its folder stay unchanged, also in
// WAL mode, in read-only places and while tables are created and dropped.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { classes, nastyDatabase } from '../lib/nasty.mjs';
import { ask, refused } from '../lib/rpc.mjs';
import { scratch } from '../lib/paths.mjs';

const kUnprivileged = 65534;  // uid and gid of `nobody`
const digest = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
const count = async (server, name) => (await ask(server, 'count_objects', { class_name: name })).count;

async function eventually(check, timeout = 5000) {
  for (const end = Date.now() + timeout; ;) {
    try { return await check(); } catch (error) { if (Date.now() > end) throw error; }
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
}

function walDatabase(folder) {
  const file = join(folder, 'wal.db');
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
    INSERT INTO t VALUES (1, 'one'), (2, 'two');`);
  return { file, db };
}

test('reading everything leaves the bytes, the time and the folder as they were', async () => {
  const file = nastyDatabase();
  const before = digest(file);
  const server = await Server.start({ db: file });
  for (const name of Object.keys(classes)) {
    await ask(server, 'query_class', { class_name: name });
    await ask(server, 'get_schema', { class_name: name });
  }
  assert.deepEqual(readdirSync(dirname(file)).filter((name) => name.endsWith('-journal')), []);
  await server.stop();
  assert.equal(digest(file), before);
  assert.equal(readdirSync(dirname(file)).length, 1);
});

describe('a WAL database', () => {
  test('is read while its writer writes, and the writer meets no lock', async () => {
    const { file, db } = walDatabase(scratch());
    const server = await Server.start({ db: file });
    assert.equal(await count(server, 't'), 2);
    for (let id = 3; id <= 50; ++id) {
      db.prepare('INSERT INTO t VALUES (?, ?)').run(id, 'more');
      assert.equal(await count(server, 't'), id);
    }
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    assert.equal(await count(server, 't'), 50);
    await server.stop();
    db.close();
  });

  // root may write everywhere, so both tests switch to an unprivileged user
  const unprivileged = { skip: process.getuid() !== 0 && 'needs root to switch the user' };

  test('is served from a folder that cannot be written when it is checkpointed', unprivileged, async () => {
    const { file, db } = walDatabase(scratch());
    db.close();
    const folder = readOnlyCopy([file]);
    const server = await startUnprivileged(join(folder, 'wal.db'));
    assert.equal(await count(server, 't'), 2);
    await server.stop();
    assert.deepEqual(readdirSync(folder), ['wal.db']);
  });

  test('is served there with the rows that a crashed writer left in its -wal', unprivileged, async () => {
    const { file, db } = walDatabase(scratch());
    const folder = readOnlyCopy([file, `${file}-wal`]);
    db.close();
    const before = everythingIn(folder);
    const server = await startUnprivileged(join(folder, 'wal.db'));
    assert.equal(await count(server, 't'), 2);
    await server.stop();
    assert.deepEqual(everythingIn(folder), before);
  });

  for (const left of [['-wal'], ['-wal', '-shm']]) {
    test(`that a crash left with ${left.join(' and ')} is read and stays as it is`, async () => {
      const { file, db } = walDatabase(scratch());
      const folder = scratch();
      for (const end of ['', ...left]) copyFileSync(file + end, join(folder, `wal.db${end}`));
      db.close();
      const before = everythingIn(folder);
      const server = await Server.start({ db: join(folder, 'wal.db') });
      const { results } = await ask(server, 'query_class', { class_name: 't' });
      assert.deepEqual(results.map(({ v }) => v), ['one', 'two']);
      assert.equal(await count(server, 't'), 2);
      await server.stop();
      assert.deepEqual(everythingIn(folder), before);
    });
  }

  test('is checkpointed by a writer that closes it a while after the last read', async () => {
    const { file, db } = walDatabase(scratch());
    const config = join(scratch(), 'gantry.json');
    writeFileSync(config, JSON.stringify({ plugins: { data: { config: { idle_close_ms: 300 } } } }));
    const server = await Server.start({ db: file, flags: ['--config', config] });
    for (let id = 3; id < 20; ++id) {
      db.prepare('INSERT INTO t VALUES (?, ?)').run(id, 'more');
      assert.equal(await count(server, 't'), id);
    }
    await new Promise((resolve) => { setTimeout(resolve, 2500); });
    db.close();
    assert.deepEqual(readdirSync(dirname(file)), ['wal.db']);
    assert.equal(await count(server, 't'), 19);
    assert.deepEqual(readdirSync(dirname(file)), ['wal.db']);
    const alone = new DatabaseSync(file);
    alone.exec('INSERT INTO t VALUES (20, \'again\')');
    assert.equal(await count(server, 't'), 20);
    alone.close();
    await server.stop();
  });
});

/** Names, sizes, times of the last change and bytes of the files in a folder. */
const everythingIn = (folder) => Object.fromEntries(readdirSync(folder).sort().map((name) => {
  const { size, ino, ctimeMs } = statSync(join(folder, name));
  return [name, { size, ino, ctimeMs, bytes: digest(join(folder, name)) }];
}));

/** A folder with copies of the files, which an unprivileged user can read but not write. */
function readOnlyCopy(files) {
  const folder = scratch();
  for (const file of files) {
    const copy = join(folder, file.slice(dirname(file).length + 1));
    copyFileSync(file, copy);
    chmodSync(copy, 0o444);
  }
  chmodSync(folder, 0o555);
  return folder;
}

/** A server under an uid that owns nothing but its state folder. */
async function startUnprivileged(db) {
  const state = scratch();
  chownSync(state, kUnprivileged, kUnprivileged);
  return Server.start({ db, flags: ['--state', join(state, 'own')], uid: kUnprivileged });
}

describe('while the server runs', () => {
  test('a new table, a new column and a dropped table are seen', async () => {
    const file = join(scratch(), 'growing.db');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE first (id INTEGER PRIMARY KEY); INSERT INTO first VALUES (1);');
    const server = await Server.start({ db: file });
    assert.equal(await count(server, 'first'), 1);
    await refused(server, 'count_objects', { class_name: 'second' });

    db.exec('CREATE TABLE second (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO second VALUES (7, \'x\');');
    assert.equal(await eventually(() => count(server, 'second')), 1);
    assert.equal((await ask(server, 'get_all_schemas')).total, 2);

    db.exec('ALTER TABLE first ADD COLUMN added TEXT DEFAULT \'new\'');
    await eventually(async () => {
      const { results } = await ask(server, 'query_class', { class_name: 'first', where: { added: 'new' } });
      assert.deepEqual(results, [{ id: 1, added: 'new' }]);
    });

    db.exec('DROP TABLE second');
    await eventually(async () => {
      const { code } = await refused(server, 'count_objects', { class_name: 'second' });
      assert.equal(code, 'access_denied');
    });
    await server.stop();
    db.close();
  });

  test('a column that changes its place does not shift values', async () => {
    const file = join(scratch(), 'moving.db');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT); INSERT INTO t VALUES (1, \'a\', \'b\');');
    const server = await Server.start({ db: file });
    await ask(server, 'query_class', { class_name: 't' });
    db.exec('BEGIN; DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, a TEXT); '
      + 'INSERT INTO t VALUES (1, \'b\', \'a\'); COMMIT;');
    await eventually(async () => {
      const { results } = await ask(server, 'query_class', { class_name: 't' });
      assert.deepEqual(results, [{ id: 1, b: 'b', a: 'a' }]);
    });
    await server.stop();
    db.close();
  });

  test('a writer that holds an exclusive lock costs an error or a wait, not the server', async () => {
    const file = join(scratch(), 'locked.db');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1);');
    const server = await Server.start({ db: file });
    assert.equal(await count(server, 't'), 1);
    db.exec('BEGIN EXCLUSIVE; INSERT INTO t VALUES (2);');
    const waiting = count(server, 't').catch((error) => error);
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    db.exec('COMMIT');
    await waiting;
    assert.equal(await eventually(() => count(server, 't')), 2);
    await server.stop();
    db.close();
  });
});

test('no error contains the path of the file', async () => {
  const folder = scratch();
  const { file, db } = walDatabase(folder);
  db.close();
  const server = await Server.start({ db: file });
  const hidden = async (what) => {
    for (const [tool, args] of [['count_objects', {}], ['query_class', {}], ['aggregate', { pipeline: [] }], ['get_object', { object_id: '1' }]]) {
      const { code, message, details } = await refused(server, tool, { class_name: 't', ...args });
      assert.equal(code, 'store_error', `${what}: ${message}`);
      assert.ok(!`${message}${JSON.stringify(details)}`.includes(folder), `${what}: ${message}`);
      assert.match(message, /wal\.db/, what);
    }
  };
  rmSync(file);
  await hidden('removed');
  writeFileSync(file, 'this is no database, and it is long enough to be looked at'.repeat(100));
  await hidden('overwritten');
  await server.stop();
});

test('a name that looks like a URI is a file name', async () => {
  const folder = join(scratch(), 'a?mode=rwc#%20');
  mkdirSync(folder);
  const file = join(folder, 'db?x=1');
  const db = new DatabaseSync(file);
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1);');
  db.close();
  const server = await Server.start({ db: file });
  assert.equal(await count(server, 't'), 1);
  await server.stop();
  assert.ok(existsSync(file));
  rmSync(folder, { recursive: true });
});
