// Downloads of exports over HTTP: the bytes of the resource, whole or in ranges, for one agent
// only.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { parseCsv } from '../lib/csv.mjs';
import { until } from '../lib/events.mjs';
import { cleanEnvironment, ownFlags, Server } from '../lib/gantryd.mjs';
import { gantryd, scratch } from '../lib/paths.mjs';
import { ask, modern } from '../lib/rpc.mjs';

const kRows = 300;

/** Tables whose exports are small, of many parts, empty, and hard to name. */
function database() {
  const file = join(scratch(), 'rows.db');
  const db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE small (id INTEGER PRIMARY KEY, note TEXT);
    INSERT INTO small VALUES (1, 'a "b", c'), (2, NULL), (3, ''), (4, 'Zoë' || char(10) || '€');
    CREATE TABLE large (id INTEGER PRIMARY KEY, text TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${kRows})
      INSERT INTO large SELECT i, 'é' || hex(randomblob(2000)) FROM n;
    CREATE TABLE "Größe" (id INTEGER PRIMARY KEY);
    INSERT INTO "Größe" VALUES (1)`);
  db.close();
  return file;
}

const db = database();
const config = (json) => {
  const file = join(scratch(), 'gantry.json');
  writeFileSync(file, JSON.stringify(json));
  return ['--config', file];
};
/** A pipeline of so many times the large table, each a good megabyte. */
const times = (n) => ({ pipeline: Array.from({ length: n - 1 }, () => ({ $unionWith: 'large' })) });
const link = (at, args = {}) => ask(at, 'export_data', { class_name: 'large', as: 'link', ...args });
const get = (at, path, headers = {}, method = 'GET') => fetch(new URL(path, at.url), { method, headers });
const bytesOf = async (answer) => Buffer.from(await answer.arrayBuffer());

/** The resource's bytes, read part by part. */
async function inParts(at, { uri, parts }) {
  const texts = [];
  for (let part = 1; part <= parts; ++part) {
    const name = `${uri}/${part}`;
    const { message } = await modern(at, 'resources/read', { uri: name }, { 'mcp-name': name });
    texts.push(message.result.contents[0].text);
  }
  return Buffer.from(texts.join(''));
}

/** A client that reads only when the test asks it to. */
function slowly(at, path) {
  const socket = connect({ port: at.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${at.port}\r\nConnection: close\r\n\r\n`);
  const chunks = [];
  const first = new Promise((resolve) => {
    socket.once('data', (bytes) => { chunks.push(bytes); socket.pause(); resolve(); });
  });
  const closed = new Promise((resolve) => { socket.once('close', resolve); });  // a reset closes a paused one too
  const rest = async () => {
    socket.on('data', (bytes) => chunks.push(bytes));
    socket.resume();
    await closed;
    const all = Buffer.concat(chunks);
    const end = all.indexOf('\r\n\r\n');
    return { head: all.subarray(0, end).toString(), body: all.subarray(end + 4) };
  };
  return { socket, first, rest };
}

for (const isolate of ['in-process', 'process']) {
  describe(`downloads, the data engine ${isolate}`, () => {
    let server;
    before(async () => { server = await Server.start({ db, flags: config({ plugins: { data: { isolate } } }) }); });
    after(() => server.stop());

    test('are the bytes of the resource, and hold the rows of the query', async () => {
      const said = await link(server, { order: 'id', columns: ['id', 'text'] });
      assert.match(said.download, /^\/exports\/[0-9a-f]{32}$/);
      assert.ok(said.parts > 2, `${said.parts} parts`);
      const answer = await get(server, said.download);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.equal(answer.headers.get('content-length'), `${said.bytes}`);
      assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="large.csv"');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      const whole = await bytesOf(answer);
      assert.equal(whole.compare(await inParts(server, said)), 0);
      const rows = new DatabaseSync(db, { readOnly: true }).prepare('SELECT id, text FROM large ORDER BY id').all();
      assert.deepEqual(parseCsv(whole.toString()), [['id', 'text'], ...rows.map(({ id, text }) => [`${id}`, text])]);
    });

    test('come in ranges', async () => {
      const said = await link(server, { order: 'id' });
      const whole = await bytesOf(await get(server, said.download));
      const ranges = [[0, 99], [524_000, 525_000], [said.bytes - 1, said.bytes - 1], [1, said.bytes - 2]];
      for (const [first, last] of ranges) {
        const part = await get(server, said.download, { range: `bytes=${first}-${last}` });
        assert.equal(part.status, 206);
        assert.equal(part.headers.get('content-range'), `bytes ${first}-${last}/${said.bytes}`);
        assert.equal((await bytesOf(part)).compare(whole.subarray(first, last + 1)), 0, `${first}-${last}`);
      }
      const tail = await get(server, said.download, { range: 'bytes=-10' });
      assert.equal((await bytesOf(tail)).compare(whole.subarray(-10)), 0);
      const beyond = await get(server, said.download, { range: `bytes=${said.bytes}-` });
      assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${said.bytes}`]);
      const other = await get(server, said.download, { range: 'bytes=0-9', 'if-range': '"other"' });
      assert.deepEqual([other.status, (await bytesOf(other)).length], [200, said.bytes]);
    });
  });
}

describe('downloads', () => {
  let server;
  before(async () => { server = await Server.start({ db }); });
  after(() => server.stop());

  test('answer HEAD with type and length', async () => {
    const said = await link(server, { class_name: 'small', format: 'jsonl' });
    const head = await get(server, said.download, {}, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('content-length'), head.headers.get('content-type')],
      [200, `${said.bytes}`, 'application/jsonl']);
    assert.equal(head.headers.get('content-disposition'), 'attachment; filename="small.jsonl"');
    assert.equal((await bytesOf(head)).length, 0);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await get(server, said.download, {}, method);
      assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD']);
    }
  });

  test('keep empty text and missing values apart in CSV', async () => {
    const said = await link(server, { class_name: 'small', columns: ['id', 'note'], order: 'id' });
    const text = (await bytesOf(await get(server, said.download))).toString();
    assert.equal(text, 'id,note\r\n1,"a ""b"", c"\r\n2,\r\n3,""\r\n4,"Zoë\n€"\r\n');
    const none = await link(server, { class_name: 'small', where: { id: -1 }, format: 'jsonl' });
    const empty = await get(server, none.download);
    assert.deepEqual([empty.status, empty.headers.get('content-length'), await empty.text()], [200, '0', '']);
  });

  test('have names that can be kept', async () => {
    for (const [args, name] of [
      [{ class_name: 'Größe', format: 'markdown' }, `filename="Gr__e.md"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.md`],
      [{ class_name: undefined, pipeline: [{ $documents: [{ a: 1 }] }] }, 'filename="export.csv"'],
    ]) {
      const said = await link(server, args);
      assert.equal((await get(server, said.download)).headers.get('content-disposition'), `attachment; ${name}`);
    }
  });

  test('answer every guessed path with the same 404', async () => {
    const { download } = await link(server, { class_name: 'small' });
    const seen = [];
    for (const path of [`/exports/${'0'.repeat(32)}`, `${download}0`, `${download}/1`, `${download}/about`, '/exports/', '/exports/%00', '/exports/a%2fb']) {
      const answer = await get(server, path);
      seen.push([answer.status, await answer.text()]);
    }
    for (const each of seen) assert.deepEqual(each, seen[0]);
    assert.equal(seen[0][0], 404);
    assert.equal((await get(server, download, { origin: 'https://evil.example' })).status, 403);
  });

  test('that a client cuts in the middle leave no stream behind', async () => {
    const { download, bytes } = await link(server);
    for (let i = 0; i < 3; ++i) {
      const cut = slowly(server, download);
      await cut.first;
      cut.socket.destroy();
    }
    assert.equal((await bytesOf(await get(server, download))).length, bytes);
    await until(async () => {
      const text = await (await fetch(new URL('/metrics', server.url))).text();
      return /^gantry_streams_active 0$/m.test(text);
    }, 'no stream is left');
  });

  test('wait for slow readers without delaying other clients', async () => {
    const said = await link(server, { order: 'id' });
    const whole = await inParts(server, said);
    const readers = Array.from({ length: 3 }, () => slowly(server, said.download));
    for (const reader of readers) await reader.first;
    assert.equal((await ask(server, 'count_objects', { class_name: 'large' })).count, kRows);
    for (const reader of readers) assert.equal((await reader.rest()).body.compare(whole), 0);
  });

  test('are found by the official client in the answer of the tool', async () => {
    const client = new Client({ name: 'gantry-e2e', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(server.url));
    const { structuredContent: said } = await client.callTool({ name: 'export_data', arguments: { class_name: 'small', as: 'link' } });
    const whole = await (await get(server, said.download)).text();
    const { contents } = await client.readResource({ uri: said.uri });
    assert.equal(contents[0].text, whole);
    await client.close();
  });
});

test('over stdio there is nothing to download', async () => {
  const client = new Client({ name: 'gantry-e2e', version: '1' });
  await client.connect(new StdioClientTransport({
    command: gantryd, args: ['--stdio', '--db', db, ...ownFlags()], env: cleanEnvironment(), stderr: 'ignore',
  }));
  const { structuredContent: said } = await client.callTool({ name: 'export_data', arguments: { class_name: 'small', as: 'link' } });
  assert.match(said.uri, /^export:/);
  assert.equal(said.download, undefined);
  await client.close();
});

describe('a download', () => {
  const as = (key) => ({ authorization: `Bearer ${key}` });
  const linked = async (at, key) => (await modern(at, 'tools/call', { name: 'export_data', arguments: { class_name: 'small', as: 'link' } },
    { 'mcp-name': 'export_data', ...as(key) })).message.result.structuredContent.download;

  test('is its agent\'s alone, needs the credential, and is on record', async (t) => {
    const download_path = 'https://x.example/exports/';
    const server = await Server.start({
      db, env: { GANTRY_API_KEY: 'reader', GANTRY_ADMIN_KEY: 'boss' },
      flags: ['--log-format', 'json', ...config({ plugins: { data: { config: { download_path } } } })],
    });
    t.after(() => server.stop());
    const address = await linked(server, 'reader');
    assert.ok(address.startsWith(download_path), address);
    const path = new URL(address).pathname;
    assert.equal((await get(server, path)).status, 401);
    const unknown = await get(server, `/exports/${'0'.repeat(32)}`, as('boss'));
    const foreign = await get(server, path, as('boss'));
    assert.deepEqual([foreign.status, await foreign.text()], [404, await unknown.text()]);
    assert.equal((await bytesOf(await get(server, path, as('reader')))).length > 0, true);
    await until(() => server.stderr.includes(`"tool":"export://${path.slice('/exports/'.length)}"`), 'the download is on record');
  });

  test('is removed when it expires, and is then an unknown path', async (t) => {
    const server = await Server.start({ db, flags: config({ plugins: { data: { config: { export_lifetime_ms: 1000 } } } }) });
    t.after(() => server.stop());
    // One whose time is up in the middle is cut.
    const fetched = async (path) => {
      const answer = await get(server, path);
      return [answer.status, await answer.text().catch(() => undefined)];
    };
    const path = await until(async () => {
      const { download } = await link(server, { class_name: 'small' });
      const [status, text] = await fetched(download);
      return status === 200 && text !== undefined && download;
    }, 'a download in time');
    const gone = await until(async () => {
      const [status, text] = await fetched(path);
      return status === 404 && text;
    }, 'the export goes');
    assert.equal(gone, await (await get(server, `/exports/${'0'.repeat(32)}`)).text());
  });
});

describe('a server that stops', () => {
  test('finishes a running download', async () => {
    const server = await Server.start({ db });
    const said = await link(server, times(10));
    const reader = slowly(server, said.download);
    await reader.first;
    const stopped = server.stop();
    assert.equal((await reader.rest()).body.length, said.bytes);
    await stopped;
  });

  test('cuts a download that takes longer than the grace period', async () => {
    const server = await Server.start({ db, flags: config({ shutdown_grace_ms: 100 }) });
    // More than the system's buffers take.
    const said = await link(server, times(16));
    const reader = slowly(server, said.download);
    await reader.first;
    await server.stop();
    const { head, body } = await reader.rest();
    assert.match(head, new RegExp(`Content-Length: ${said.bytes}\\b`));
    assert.ok(body.length < said.bytes, `${body.length} of ${said.bytes}`);
  });
});

test('the memory of a download does not grow with its size', async (t) => {
  const server = await Server.start({ db });
  t.after(() => server.stop());
  const maps = readFileSync(`/proc/${server.child.pid}/maps`, 'utf8');
  if (/lib(a|t|ub)san/.test(maps)) return t.skip('a sanitizer keeps what is freed');
  const said = await link(server, times(70));
  assert.ok(said.bytes > 80_000_000, `${said.bytes} bytes`);
  const peak = () => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))[1]);
  const one = await link(server);
  await bytesOf(await get(server, one.download));
  const before = peak();
  const answer = await get(server, said.download);
  let bytes = 0;
  for await (const chunk of answer.body) bytes += chunk.length;
  assert.equal(bytes, said.bytes);
  assert.ok(peak() - before < 8 * 1024, `${peak() - before} KiB more`);
});
