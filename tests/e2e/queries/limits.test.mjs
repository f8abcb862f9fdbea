// Statements that never end: deadlines, cancellation, disconnects and shutdown stop them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { LegacySession, ask, modernBody, modernHeaders, refused } from '../lib/rpc.mjs';
import { Stdio } from '../lib/stdio.mjs';
import { scratch } from '../lib/paths.mjs';

const endless = { name: 'query_class', arguments: { class_name: 'forever' } };
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

function endlessDatabase() {
  const file = join(scratch(), 'endless.db');
  const db = new DatabaseSync(file);
  db.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2);
    CREATE VIEW forever AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)
      SELECT n FROM c WHERE n < 0;`);
  db.close();
  return file;
}

const db = endlessDatabase();
let server;
before(async () => { server = await Server.start({ db }); });
after(() => server.stop());

const quick = async () => {
  const started = Date.now();
  assert.equal((await ask(server, 'count_objects', { class_name: 't' })).count, 2);
  return Date.now() - started;
};

/** Processor time of the server in milliseconds, by the kernel's count. */
function busy() {
  const fields = readFileSync(`/proc/${server.child.pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function idles() {
  for (const end = Date.now() + 8000; Date.now() < end;) {
    const from = busy();
    await pause(500);
    if (busy() - from < 100) return true;
  }
  return false;
}

/** A modern call on its own connection that can be dropped. */
function droppable(params) {
  const body = modernBody('tools/call', params);
  const controller = new AbortController();
  const done = fetch(server.url, {
    method: 'POST', signal: controller.signal, body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json', accept: 'application/json, text/event-stream',
      ...modernHeaders(body),
    },
  }).catch(() => {});
  return { drop: async () => { controller.abort(); await done; } };
}

describe('an endless view', () => {
  test('does not slow the catalog', async () => {
    const started = Date.now();
    assert.equal((await ask(server, 'get_all_schemas')).total, 2);
    assert.ok(Date.now() - started < 3000);
  });

  test('is stopped at the tool\'s time limit with a sentence, while others are served', async () => {
    const started = Date.now();
    const refusal = refused(server, 'get_sample_objects', { class_name: 'forever' });
    await pause(200);
    for (let i = 0; i < 5; ++i) assert.ok(await quick() < 5000);
    const { code, message } = await refusal;
    assert.equal(code, 'timeout');
    assert.match(message, /Query exceeded time limit\. Narrow the filter or add an index\./);
    assert.ok(Date.now() - started < 15000, 'the tool has 15 s');
  });

  test('is not run by a read of its schema', async () => {
    const started = Date.now();
    const { fields } = await ask(server, 'get_schema', { class_name: 'forever' });
    assert.deepEqual(fields.filter((field) => field.name === 'n').length, 1);
    assert.ok(Date.now() - started < 10000);
  });

  test('stops when the client disconnects', async () => {
    const calls = Array.from({ length: 6 }, () => droppable(endless));
    await pause(500);
    await Promise.all(calls.map((call) => call.drop()));
    assert.ok(await idles(), 'the statements still run');
    assert.ok(await quick() < 5000);
  });

  test('stops when a legacy client cancels, and the answer names the cancellation', async () => {
    const session = await LegacySession.open(server);
    const answer = session.send({ id: 'slow', method: 'tools/call', params: endless });
    await pause(500);
    const cancelled = await session.notify('notifications/cancelled', { requestId: 'slow', reason: 'enough' });
    assert.equal(cancelled.status, 202);
    const { message } = await answer;
    assert.equal(message.result.isError, true);
    assert.match(message.result.content[0].text, /Cancelled by client \(notifications_cancelled\)/);
    assert.ok(await idles());
  });

  test('does not stop when another session cancels its id', async () => {
    const [mine, other] = await Promise.all([LegacySession.open(server), LegacySession.open(server)]);
    let answered = false;
    const answer = mine.send({ id: 'slow', method: 'tools/call', params: endless });
    answer.then(() => { answered = true; });
    await pause(300);
    await other.notify('notifications/cancelled', { requestId: 'slow' });
    await pause(1000);
    assert.equal(answered, false);
    await mine.notify('notifications/cancelled', { requestId: 'slow' });
    await answer;
  });

  test('stops on stdio without another word for that id', async () => {
    const pipe = Stdio.start({ db });
    await pipe.request(modernBody('server/discover', {}, 'first'));
    pipe.send(modernBody('tools/call', endless, 'slow'));
    await pause(300);
    pipe.send({ method: 'notifications/cancelled', params: { requestId: 'slow' } });
    await pipe.request(modernBody('tools/call', { name: 'count_objects', arguments: { class_name: 't' } }, 'next'));
    await pause(1000);
    assert.deepEqual(pipe.messages.filter((message) => message.id === 'slow'), []);
    await pipe.end();
  });

  test('does not delay a shutdown beyond the grace period', async () => {
    const own = await Server.start({ db });
    const body = modernBody('tools/call', endless);
    const call = fetch(own.url, {
      method: 'POST', headers: { 'content-type': 'application/json', ...modernHeaders(body) }, body: JSON.stringify(body),
    }).catch(() => {});
    await pause(500);
    const started = Date.now();
    await own.stop();
    assert.ok(Date.now() - started < 15000);
    await call;
  });
});
