// Clients that make the server hold bytes: requests that never end, answers that the client does not
// read, sessions that the client abandons.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { until } from '../e2e/lib/events.mjs';
import { Server } from '../e2e/lib/gantryd.mjs';
import { LegacySession, modern, modernBody, modernHeaders } from '../e2e/lib/rpc.mjs';
import { scratch } from '../e2e/lib/paths.mjs';
import { Wire, postBytes } from '../e2e/lib/wire.mjs';

const MiB = 1 << 20;

// A sanitizer keeps freed memory, which would count as memory of the server.
const env = { ASAN_OPTIONS: 'quarantine_size_mb=1:malloc_context_size=2', GANTRY_API_KEY: 'a key of the honest' };
const headers = { 'x-mcp-api-key': env.GANTRY_API_KEY };

const large = 3_000_000;
const db = join(scratch(), 'texts.db');
const filled = new DatabaseSync(db);
filled.exec('CREATE TABLE texts (id INTEGER PRIMARY KEY, body TEXT)');
filled.prepare('INSERT INTO texts VALUES (1, ?), (2, ?), (3, ?)').run('x', 'y'.repeat(large), 'z'.repeat(300_000));
filled.close();

// The key of the environment acts as this profile, so that its calls are not limited.
const agents = join(scratch(), 'agents.json');
writeFileSync(agents, JSON.stringify({ agents: { honest: { rate_limit: 'unlimited' } } }));

async function start(t, http) {
  const file = join(scratch(), 'gantry.json');
  writeFileSync(file, JSON.stringify({ http, agents, agent: 'honest' }));
  const server = await Server.start({ db, env, flags: ['--config', file] });
  t.after(() => server.stop());
  return server;
}

const object = (id) => ({ name: 'aggregate', arguments: { class_name: 'texts', pipeline: [{ $match: { id } }] } });

const resident = (server) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'latin1'))[1]) * 1024;

async function honest(server) {
  const { status, message } = await modern(server, 'tools/call', object(1), headers);
  assert.equal(status, 200, JSON.stringify(message));
  assert.equal(message.result?.structuredContent?.results[0].body, 'x', JSON.stringify(message));
}

/** {held, refused} of `what`, from the metrics. */
async function bytes(server, what) {
  const text = await (await fetch(new URL('/metrics', server.url), { headers })).text();
  const of = (name) => Number(new RegExp(`^${name}\\{what="${what}"\\} (\\d+)`, 'm').exec(text)[1]);
  return { held: of('gantry_bytes_held'), refused: of('gantry_bytes_refused_total') };
}

/** Many bare connections, each of which sends these bytes; 50 at a time. */
async function crowd(t, server, count, sends, each = () => {}) {
  const wires = [];
  t.after(() => wires.forEach((wire) => wire.close()));
  for (let i = 0; i < count; i += 50) {
    const some = await Promise.all(Array.from({ length: 50 }, () => Wire.open(server.port)));
    wires.push(...some);
    await Promise.all(some.map((wire) => Promise.race([wire.write(sends), wire.closed(30_000)])));
    await each(i);
  }
  return wires;
}

test('unfinished bodies of all clients share one bound, with and without a credential, and others are served', { timeout: 120_000 }, async (t) => {
  const most = 16 * MiB;
  const server = await start(t, { max_pending_bytes: most });
  await honest(server);
  const before = resident(server);
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${MiB}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), Buffer.alloc(MiB - 10, 32)]);
  let peak = 0;
  const wires = await crowd(t, server, 400, body, async () => {
    await honest(server);
    peak = Math.max(peak, resident(server));
    assert.ok((await bytes(server, 'pending')).held <= most);
  });
  assert.ok(peak - before <= most + 36 * MiB, `grew by ${(peak - before) / MiB} MiB`);
  assert.ok((await bytes(server, 'pending')).refused >= 300);
  const answers = await Promise.all(wires.slice(0, 50).map((wire) => wire.read()));
  const told = answers.filter((answer) => answer !== undefined);
  assert.ok(told.length > 0, 'at least one client gets the reason');
  for (const { status, text } of told) {
    assert.equal(status, 503);
    assert.deepEqual(JSON.parse(text), { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'server busy' } });
  }
  t.diagnostic(`400 bodies of 1 MiB: ${((peak - before) / MiB).toFixed(0)} MiB`);
});

test('unfinished heads count against the same bound', { timeout: 60_000 }, async (t) => {
  const server = await start(t, { max_pending_bytes: MiB, max_head_bytes: 16_384 });
  const head = Buffer.from(`GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Pad: ${'p'.repeat(15_000)}`);
  const wires = await crowd(t, server, 200, head, () => honest(server));
  const { held, refused } = await bytes(server, 'pending');
  assert.ok(held <= MiB && refused >= 100, `${held} bytes are held, ${refused} were refused`);
  assert.equal((await wires[0].read()).status, 503);
});

test('unread answers of all clients share one bound, and a client that reads gets its answer', { timeout: 120_000 }, async (t) => {
  const most = 8 * MiB;  // an answer is twice its text, of which the system takes less than half
  const server = await start(t, { max_unread_bytes: most });
  const call = modernBody('tools/call', object(2));
  const request = postBytes(server.port, JSON.stringify(call), { ...modernHeaders(call), ...headers });
  await honest(server);
  const before = resident(server);
  let peak = 0;
  for (let i = 0; i < 16; ++i) {
    const wire = await Wire.open(server.port);
    t.after(() => wire.close());
    wire.socket.pause();
    await wire.write(request);
    if (i % 4 !== 3) continue;
    await until(async () => (await bytes(server, 'unread')).held > 0, 'an answer waits');
    peak = Math.max(peak, resident(server));
    const { status, message } = await modern(server, 'tools/call', object(2), headers);
    assert.equal(status, 200);
    assert.equal(message.result.structuredContent.results[0].body.length, large);
  }
  await until(async () => (await bytes(server, 'unread')).refused >= 10, 'those that do not read are cut');
  assert.ok((await bytes(server, 'unread')).held <= most);
  assert.ok(peak - before <= most + 80 * MiB, `grew by ${(peak - before) / MiB} MiB`);
  t.diagnostic(`16 answers of 6 MB: ${((peak - before) / MiB).toFixed(0)} MiB`);
});

test('replays of abandoned sessions count against that bound and are dropped first', { timeout: 120_000 }, async (t) => {
  const most = 4 * MiB;
  const server = await start(t, { max_unread_bytes: most });
  const sessions = [];
  for (let i = 0; i < 24; ++i) {
    const session = await LegacySession.open(server, '2025-11-25', { headers });
    sessions.push(session);
    session.headers.accept = 'text/event-stream';  // so that the answer is a stream, which is kept
    const answer = await session.request('tools/call', object(3));
    assert.equal(answer.message.result.structuredContent.results[0].body.length, 300_000);
    assert.ok((await bytes(server, 'unread')).held <= most, `after ${i + 1} sessions`);
  }
  const { held, refused } = await bytes(server, 'unread');
  assert.ok(held > MiB && refused >= 12, `${held} bytes are held, ${refused} were dropped`);
  await honest(server);
  assert.equal((await sessions[0].request('ping')).status, 200, 'the session itself goes on');
});
