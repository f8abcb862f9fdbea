// Clients that write over HTTP and note what was sent and what was answered, and the check of a database against the notes.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inspect } from 'node:util';
import { Governed, bearer } from '../../e2e/lib/governed.mjs';
import { gatesEnvironment, profiles, rawCrud, writeTools } from '../../e2e/lib/orders.mjs';
import { scratch } from '../../e2e/lib/paths.mjs';
import { modern, parseExact } from '../../e2e/lib/rpc.mjs';

export const journals = ['wal', 'delete'];
const besides = { wal: ['-shm', '-wal'], delete: ['-journal'] };
const batchOf = 5;

/** A new database for `clients` writers, in a folder of its own. */
export function ledger(journal, clients, folder = scratch()) {
  const file = join(folder, 'ledger.db');
  const db = new DatabaseSync(file);
  assert.equal(db.prepare(`PRAGMA journal_mode=${journal}`).get().journal_mode, journal);
  db.exec(`CREATE TABLE entries(id INTEGER PRIMARY KEY, client INTEGER NOT NULL, n INTEGER NOT NULL, part INTEGER NOT NULL, note TEXT);
    CREATE INDEX entries_by_client ON entries(client, n);
    CREATE TABLE counters(id TEXT PRIMARY KEY, value INTEGER NOT NULL, note TEXT)`);
  const insert = db.prepare('INSERT INTO counters VALUES (?, 0, NULL)');
  for (let i = 0; i < clients; ++i) for (const part of 'abc') insert.run(`${i}${part}`);
  db.close();
  return file;
}

/** A server with open gates over a database, which can be killed and started again. */
export class WriteServer {
  /** `agents`: beside the writer; `env`: beside the gates. */
  static async start(db, { agents = {}, env = {} } = {}) {
    const it = new WriteServer();
    it.governed = await Governed.start({ writer: profiles.writer, ...agents }, { db, env: { ...WriteServer.env, ...env } });
    it.headers = bearer(it.governed.keys.writer);
    return it;
  }
  static env = gatesEnvironment([writeTools, rawCrud]);
  get server() { return this.governed.server; }
  restart() { return this.governed.restart(); }
  /** The result of an operator's method. */
  async operate(name, method, params) {
    const { message } = await this.governed.admin(name, method, params);
    assert.ok(message.result, `${method}: ${inspect(message)}`);
    return message.result;
  }
  /** {result} of a tool call; throws when there is no answer. */
  async call(name, args) {
    const { message } = await modern(this.server, 'tools/call', { name, arguments: args }, this.headers);
    return message.result ?? { isError: true, content: [{ text: JSON.stringify(message.error) }] };
  }
  /** The structured result of a call that must succeed. */
  async ask(name, args) {
    const result = await this.call(name, args);
    assert.ok(!result.isError, `${name}: ${inspect(result, { depth: 6 })}`);
    return result.structuredContent;
  }
  /** {code, message} of a call that must fail. */
  async refused(name, args) {
    const result = await this.call(name, args);
    assert.equal(result.isError, true, inspect(result, { depth: 6 }));
    const said = parseExact(result.content[0].text);
    return { code: said.error_code, message: said.error };
  }
}

/** One client: its writes in order, each answered before the next is sent. */
export class Writer {
  sent = [];       // {n, rows}: entries
  answered = new Set();
  unanswered = 0;  // creations without an answer that were not there after the kill
  counter = { answered: 0, sent: 0 };
  pair = { answered: 0, sent: 0 };
  n = 0;
  constructor(target, client) { Object.assign(this, { target, client }); }

  async entries(rows) {
    const n = this.n;
    this.sent.push({ n, rows });
    const data = Array.from({ length: rows }, (_, part) => ({ client: this.client, n, part, note: 'x'.repeat(300 * (n % 9)) }));
    const what = rows === 1 ? { data: data[0] } : { objects: data.map((one) => ({ data: one })) };
    await this.target.ask('create_object', { class_name: 'entries', ...what });
    this.answered.add(n);
  }
  async count() {
    this.counter.sent = this.n;
    await this.target.ask('update_object', { class_name: 'counters', object_id: `${this.client}a`, data: { value: this.n } });
    this.counter.answered = this.n;
  }
  async countTwo() {
    this.pair.sent = this.n;
    const objects = ['b', 'c'].map((part) => ({ object_id: `${this.client}${part}`, data: { value: this.n } }));
    await this.target.ask('update_object', { class_name: 'counters', objects });
    this.pair.answered = this.n;
  }
  /** One write; throws when it is not answered, or is refused. */
  async write() {
    ++this.n;
    await [() => this.entries(1), () => this.entries(batchOf), () => this.count(), () => this.countTwo()][this.n % 4]();
  }
  /** The last write was refused: it must not be there. */
  wasRefused() {
    if (this.sent.at(-1)?.n === this.n) this.sent.pop();
    this.counter.sent = this.counter.answered;
    this.pair.sent = this.pair.answered;
  }
}

/** A server over the ledger, which ends with the test, and its clients: {target, writers}. */
export async function startWriting(t, file, clients, options) {
  const target = await WriteServer.start(file, options);
  t.after(() => target.server.stop());
  return { target, writers: Array.from({ length: clients }, (_, client) => new Writer(target, client)) };
}

/** How many creations were answered. */
export const answers = (writers) => writers.reduce((sum, { answered }) => sum + answered.size, 0);

/** Has every client write until `over()`; a write without an answer ends its client, a refusal fails. */
export const load = (writers, over) => Promise.all(writers.map(async (writer) => {
  while (!over()) {
    try {
      await writer.write();
    } catch (error) {
      if (error instanceof assert.AssertionError || !over()) throw error;
    }
  }
}));

const within = ({ answered, sent }, value, what) =>
  assert.ok(value === answered || value === sent, `${what} is ${value}: ${answered} was answered, ${sent} was sent`);

/** The files of the database's folder: itself, and what SQLite itself leaves of a program that was killed. */
export function checkFiles(file, journal) {
  const name = basename(file);
  const allowed = [name, ...besides[journal].map((end) => name + end)];
  const extra = readdirSync(dirname(file)).filter((one) => !allowed.includes(one));
  assert.deepEqual(extra, [], 'files beside the database');
}

/** Compares the database with the notes: what was answered is there, what was not is there whole or not at all. */
export function checkLedger(file, journal, writers) {
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA busy_timeout=5000');
    assert.equal(db.prepare('PRAGMA integrity_check').get().integrity_check, 'ok');
    assert.equal(db.prepare('PRAGMA journal_mode').get().journal_mode, journal, 'the journal mode is as it was');
    const values = Object.fromEntries(db.prepare('SELECT id, value FROM counters').all().map(({ id, value }) => [id, value]));
    const groups = db.prepare('SELECT client, n, count(*) AS rows, count(DISTINCT part) AS parts FROM entries GROUP BY client, n').all();
    const found = new Map(groups.map((group) => [`${group.client}/${group.n}`, group]));
    for (const writer of writers) checkWriter(writer, values, found);
    assert.deepEqual([...found.keys()], [], 'entries that no client sent');
  } finally {
    db.close();
  }
}

function checkWriter({ client, sent, answered, counter, pair }, values, found) {
  for (const { n, rows } of sent) {
    const key = `${client}/${n}`, group = found.get(key);
    found.delete(key);
    if (!group && !answered.has(n)) continue;
    assert.ok(group, `write ${key} was answered and is gone`);
    assert.deepEqual([group.rows, group.parts], [rows, rows], `write ${key} is whole`);
  }
  within(counter, values[`${client}a`], `counter ${client}`);
  assert.equal(values[`${client}b`], values[`${client}c`], `the pair of client ${client}`);
  within(pair, values[`${client}b`], `pair ${client}`);
}

/** The clients go on from what the database holds: an unanswered write that is there stays, one that is not never comes. */
export function settle(file, writers) {
  const db = new DatabaseSync(file, { readOnly: true });
  const value = (id) => db.prepare('SELECT value FROM counters WHERE id = ?').get(id).value;
  const there = db.prepare('SELECT count(*) AS rows FROM entries WHERE client = ? AND n = ?');
  for (const writer of writers) {
    const { client, counter, pair, answered } = writer;
    counter.answered = counter.sent = value(`${client}a`);
    pair.answered = pair.sent = value(`${client}b`);
    for (const { n } of writer.sent) if (!answered.has(n) && there.get(client, n).rows > 0) answered.add(n);
    writer.unanswered += writer.sent.length - answered.size;
    writer.sent = writer.sent.filter(({ n }) => answered.has(n));
  }
  db.close();
}
