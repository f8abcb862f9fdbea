// Every query stays within its time and memory budget. The requests are a few hundred bytes long;
// without the budget they block all other clients or take gigabytes.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { Server, ownFlags, runToEnd } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { ask, modernBody, modernHeaders, refused } from '../lib/rpc.mjs';

const MiB = 2 ** 20;
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** One row: t, 15 MiB of a; s, 8 MiB of a and a b at the end; u, a short text. */
function largeDatabase() {
  const file = join(scratch(), 'large.db');
  const db = new DatabaseSync(file);
  db.exec(`CREATE TABLE large (id INTEGER PRIMARY KEY, t TEXT, s TEXT, u TEXT);
    INSERT INTO large VALUES (1, replace(hex(zeroblob(${15 * MiB / 2})), '0', 'a'),
      replace(hex(zeroblob(${4 * MiB})), '0', 'a') || 'b', 'x');`);
  db.close();
  return file;
}

const db = largeDatabase();
let server;
before(async () => { server = await Server.start({ db }); });
after(() => server.stop());

const status = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.child.pid}/status`, 'latin1'))[1]) * 1024;
const isSanitized = () => /lib(a|t|ub)san/.test(readFileSync(`/proc/${server.child.pid}/maps`, 'latin1'));

/** Processor time of the server in milliseconds, by the kernel's count. */
function busy() {
  const fields = readFileSync(`/proc/${server.child.pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const twice = (text) => ({ $concat: [text, 'a'] });
const searches = {
  $indexOfBytes: { $indexOfBytes: ['$t', '$s'] },
  $indexOfCP: { $indexOfCP: ['$t', '$s'] },
  $split: { $size: { $split: [twice('$t'), '$s'] } },
  $replaceAll: { $strLenBytes: { $replaceAll: { input: '$t', find: '$s', replacement: 'x' } } },
  $replaceOne: { $strLenBytes: { $replaceOne: { input: '$t', find: '$s', replacement: 'x' } } },
  $trim: { $strLenBytes: { $trim: { input: '$t', chars: '$s' } } },
};

/** The search, repeated over different texts, so that it takes longer than any client waits. */
const endless = (search) => ({
  $sum: { $map: { input: { $range: [0, 1_000_000] }, as: 'n', in: search } },
});

/** The same request by three tools. */
const ways = {
  aggregate: (expression) => ['aggregate', { class_name: 'large', pipeline: [{ $project: { r: expression } }] }],
  count_objects: (expression) => ['count_objects', { class_name: 'large', where: { $expr: { $gt: [expression, -1_000_000_000_000] } } }],
  export_data: (expression) => ['export_data', { class_name: 'large', columns: ['id'], where: { $expr: { $gt: [expression, -1_000_000_000_000] } } }],
};

/** Sends the call and disconnects after a while; resolves to the server's CPU time after that, in ms. */
async function computedAfterLeaving([name, args]) {
  const body = modernBody('tools/call', { name, arguments: args });
  const controller = new AbortController();
  let answer;
  const done = fetch(server.url, {
    method: 'POST', signal: controller.signal, body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...modernHeaders(body) },
  }).then(async (response) => { answer = await response.text(); }).catch(() => {});
  await pause(400);
  controller.abort();
  await done;
  assert.equal(answer, undefined, 'it must run for long');
  await pause(300);
  const from = busy();
  await pause(500);
  return busy() - from;
}

describe('a search of a long text in a long text', () => {
  for (const [operator, search] of Object.entries(searches)) {
    test(`${operator} is linear`, async () => {
      const { results } = await ask(server, 'aggregate', { class_name: 'large', pipeline: [{ $project: { r: search } }] });
      assert.equal(typeof results[0].r, 'number');
    });
    for (const [tool, way] of Object.entries(ways)) {
      test(`${operator} in ${tool} ends when the client disconnects`, async () => {
        const computed = await computedAfterLeaving(way(endless(search)));
        assert.ok(computed < 150, `the server computed for ${computed} ms of the 500 that came after`);
      });
    }
  }

  test('ends with the deadline of the tool', async () => {
    const started = Date.now();
    const { code } = await refused(server, 'count_objects', ways.count_objects(endless(searches.$indexOfBytes))[1]);
    assert.equal(code, 'timeout');
    assert.ok(Date.now() - started < 20_000);
  });
});

const numbers = (count) => ({ $range: [0, count] });
const doubled = (inner) => ({ $let: { vars: { x: inner }, in: { $concatArrays: ['$$x', '$$x'] } } });
const attacks = {
  $concat: { $map: { input: numbers(1000), in: { $concat: ['$t', '$u'] } } },
  $zip: { $zip: { inputs: [numbers(2_000_000), numbers(2_000_000)] } },
  $concatArrays: doubled(doubled(doubled(numbers(1_000_000)))),
  $split: { $map: { input: numbers(100), in: { $split: [{ $substrBytes: ['$t', 0, 900_000] }, 'a'] } } },
  $range: { $map: { input: numbers(1000), in: numbers(1_000_000) } },
};

describe('a query that would take gigabytes', () => {
  for (const [operator, expression] of Object.entries(attacks)) {
    test(`is refused in the name of ${operator}`, async () => {
      const factor = isSanitized() ? 4 : 1;
      writeFileSync(`/proc/${server.child.pid}/clear_refs`, '5');
      const from = status('VmRSS');
      for (const [name, args] of Object.values(ways).map((way) => way({ $size: expression }))) {
        const { code, message } = await refused(server, name, args);
        assert.equal(code, 'invalid_query');
        assert.ok(message.startsWith(`${operator} would take more than the memory of one query allows (100 MiB).`), message);
      }
      const grown = status('VmHWM') - from;
      assert.ok(grown < (100 + 32) * MiB * factor + 48 * MiB, `grew by ${Math.round(grown / MiB)} MiB`);
    });
  }
});

const configFlags = (data) => {
  const file = join(scratch(), 'gantry.json');
  writeFileSync(file, JSON.stringify({ plugins: { data: { config: data } } }));
  return ['--config', file];
};

test('query_memory_bytes bounds the memory of one query', async () => {
  const question = { class_name: 'large', pipeline: [{ $project: { r: { $size: numbers(500_000) } } }] };
  assert.equal((await ask(server, 'aggregate', question)).results[0].r, 500_000);
  const little = await Server.start({ db, flags: configFlags({ query_memory_bytes: 4 * MiB }) });
  try {
    const { message } = await refused(little, 'aggregate', question);
    assert.match(message, /^\$range would take more than the memory of one query allows \(4 MiB\)/);
  } finally { await little.stop(); }
});

test('an invalid query_memory_bytes is refused', async () => {
  for (const bytes of [0, MiB - 1, 2 ** 34 + 1, 'many', 1.5]) {
    const { code, stderr } = await runToEnd(['--listen', '127.0.0.1:0', '--db', db, ...configFlags({ query_memory_bytes: bytes }), ...ownFlags()]);
    assert.notEqual(code, 0, `${bytes}`);
    assert.match(stderr, /query_memory_bytes/);
  }
});
