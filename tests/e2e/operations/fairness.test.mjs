// Long calls of other clients neither delay a client nor delay the shutdown of the server.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { Client, figures, isSanitized } from '../lib/clients.mjs';
import { Server } from '../lib/gantryd.mjs';
import { Governed } from '../lib/governed.mjs';
import { scratch } from '../lib/paths.mjs';
import { script, startScripts } from '../lib/script.mjs';

const attackers = 32;
const honestCalls = 240;
const limitMs = 300;
const sanitizedFactor = 10;  // with -O0 and two sanitizers every step of the way takes longer

// Two legal requests that run until their time limit: a pipeline that unwinds into ten thousand
// million rows, and a statement that finds nothing among endless rows.
const explosion = {
  class_name: 't',
  pipeline: [
    { $project: { a: { $range: [0, 100000] } } }, { $unwind: '$a' },
    { $project: { b: { $range: [0, 100000] } } }, { $unwind: '$b' },
    { $match: { b: { $lt: 0 } } }, { $limit: 1 },
  ],
};
const endless = { class_name: 'forever' };

function database() {
  const file = join(scratch(), 'fair.db');
  const db = new DatabaseSync(file);
  db.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
    CREATE VIEW forever AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)
      SELECT n FROM c WHERE n < 0;`);
  const insert = db.prepare('INSERT INTO t (name) VALUES (?)');
  for (let i = 0; i < 1000; ++i) insert.run(`name ${i}`);
  db.close();
  return file;
}

async function start(settings) {
  const config = join(scratch(), 'gantry.json');
  writeFileSync(config, JSON.stringify(settings));
  return Server.start({ db: database(), flags: ['--config', config] });
}

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Milliseconds of each of the honest client's calls; a wrong answer fails the test. */
async function honest(client) {
  const asked = [
    ['count_objects', { class_name: 't' }, (result) => result.count === 1000],
    ['get_object', { class_name: 't', object_id: '7' }, (result) => result.object?.name === 'name 6'],
    ['list_tools', {}, (result) => result.tools?.length > 5],
  ];
  const times = [];
  for (let i = 0; i < honestCalls; ++i) {
    const [name, args, isRight] = asked[i % asked.length];
    const { status, message, ms } = await client.call(name, args, { timeout: 10000 });
    assert.equal(status, 200, `${name}: ${JSON.stringify(message)}`);
    const answer = message.result?.structuredContent;
    assert.ok(answer && isRight(answer), `${name}: ${JSON.stringify(message).slice(0, 500)}`);
    times.push(ms);
  }
  return times;
}

async function underAttack(t, server, attackerKey, honestKey) {
  const all = Array.from({ length: attackers }, () => new Client(server, attackerKey));
  const client = new Client(server, honestKey);
  const limit = limitMs * (isSanitized(server) ? sanitizedFactor : 1);
  try {
    const alone = figures(await honest(client));
    all.forEach((each, i) => (i % 2 ? each.repeat('aggregate', explosion) : each.repeat('query_class', endless)));
    await pause(500);
    const attacked = figures(await honest(client));
    t.diagnostic(`alone ${JSON.stringify(alone)}, beside ${attackers} attackers ${JSON.stringify(attacked)} ms; limit ${limit}`);
    assert.ok(attacked.p99 <= limit, `p99 ${attacked.p99} ms`);
  } finally {
    await Promise.all([client, ...all].map((each) => each.stop()));
  }
}

describe(`${attackers} clients whose calls do not end`, () => {
  test('do not slow another credential', async (t) => {
    const unlimited = { rate_limit: 'unlimited' };
    const { server, keys } = await Governed.start({ many: unlimited, one: unlimited }, { db: database() });
    try {
      await underAttack(t, server, keys.many, keys.one);
    } finally {
      await server.stop();
    }
  });

  test('do not slow another connection where there are no credentials', async (t) => {
    const server = await start({});
    try {
      await underAttack(t, server);
    } finally {
      await server.stop();
    }
  });
});

test('long calls are cancelled after the grace period, and no call is left running', async (t) => {
  const grace = 1000;
  const server = await start({ shutdown_grace_ms: grace });
  const slow = Array.from({ length: 4 }, () => new Client(server));
  const calls = slow.map((client) => client.call('aggregate', explosion).catch((error) => error));
  await pause(700);
  const slack = isSanitized(server) ? 3000 : 1000;
  const begun = performance.now();
  server.child.kill('SIGTERM');
  const [code] = await server.ended;
  const took = performance.now() - begun;
  server.child = undefined;
  t.diagnostic(`ended after ${Math.round(took)} ms, grace ${grace}`);
  await Promise.all(calls);
  await Promise.all(slow.map((client) => client.stop()));
  assert.equal(code, 0, server.stderr);
  assert.doesNotMatch(server.stderr, /still in use at the deadline|did not go/);
  assert.ok(took >= grace - 50, 'they had the grace');
  assert.ok(took < grace + slack, `${took} ms`);
});

test('a call that ignores its cancellation does not delay the shutdown, and the log names its plugin', async (t) => {
  const grace = 500;
  const server = await startScripts({
    config: { shutdown_grace_ms: grace, limits: { pool_threads: 1, blocking_threads: 0 } },
  });
  const clients = [new Client(server), new Client(server)];
  const calls = [clients[0].call('script_long', script({ do: 'sleep', ms: 60000 }))];
  await pause(300);
  calls.push(clients[1].call('serial', script()));  // waits for the thread
  await pause(300);
  const begun = performance.now();
  server.child.kill('SIGTERM');
  const [code] = await server.ended;
  const took = performance.now() - begun;
  server.child = undefined;
  t.diagnostic(`ended after ${Math.round(took)} ms, grace ${grace}`);
  await Promise.allSettled(calls);
  await Promise.all(clients.map((client) => client.stop()));
  assert.equal(code, 0, server.stderr);
  // The call holds the generations of all plugins that it might call.
  assert.match(server.stderr, /still in use at the deadline.* plugin=script$/m);
  assert.match(server.stderr, /plugins did not go.*in_use=/);
  // 2 s after the cancellation, 2 s to unload, and what a slow machine adds.
  assert.ok(took < grace + 4000 + 3000, `${took} ms`);
});
