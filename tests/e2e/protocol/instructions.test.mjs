// How the server introduces itself: instructions of both eras, over HTTP and stdio.
import assert from 'node:assert/strict';
import { basename, dirname, join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { LegacySession, modern } from '../lib/rpc.mjs';
import { demoDatabase } from '../lib/shared.mjs';
import { stdioV1, stdioV2 } from '../lib/talkers.mjs';

const db = demoDatabase();

const told = {
  'a modern client': async (server) => (await modern(server, 'server/discover')).message.result,
  ...Object.fromEntries(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map((revision) => [
    `a client of ${revision}`, async (server) => (await LegacySession.open(server, revision)).opened,
  ])),
};

function checkText(text) {
  assert.ok(Buffer.byteLength(text) <= 1000, `${Buffer.byteLength(text)} bytes`);
  assert.ok(text.startsWith(`Read-only SQLite database ${basename(db)}. It has 10 classes: countries, `), text);
  assert.ok(!text.includes(dirname(db)), 'no path');
  assert.deepEqual([...text.matchAll(/^(\d)\. /gm)].map(([, number]) => number), ['1', '2', '3', '4', '5', '6']);
  for (const name of ['get_all_schemas', 'class_names', 'aggregate', 'group_by', 'warnings', 'next_call', 'csv']) {
    assert.ok(text.includes(name), name);
  }
}

describe('a server with a database', () => {
  let server;
  before(async () => { server = await Server.start({ db }); });
  after(() => server.stop());

  for (const [agent, open] of Object.entries(told)) {
    test(`tells ${agent} which database it is and the rules of querying it`, async () => {
      const result = await open(server);
      checkText(result.instructions);
      if (result.cacheScope) assert.equal(result.cacheScope, 'private');
    });
  }

  test('says the same in the prompt data_conventions', async () => {
    const { instructions } = await told['a modern client'](server);
    const prompt = (await modern(server, 'prompts/get', { name: 'data_conventions' })).message.result;
    assert.equal(prompt.messages[0].content.text, instructions);
  });

  test('tells many clients at once', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => LegacySession.open(server)));
    for (const { opened } of all) checkText(opened.instructions);
    assert.equal(new Set(all.map((session) => session.headers['mcp-session-id'])).size, 50);
  });
});

for (const [name, make, revision] of [['v1', stdioV1, '2025-11-25'], ['v2', stdioV2, '2026-07-28']]) {
  test(`a ${name} client over stdio gets them`, async (t) => {
    const talker = make(['--db', db], revision);
    t.after(() => talker.client.close());
    await talker.open();
    checkText(talker.client.getInstructions());
  });
}

test('the instructions of the operator replace them', async () => {
  const file = join(scratch(), 'gantry.json');
  writeFileSync(file, JSON.stringify({ instructions: 'Ask first.' }));
  const server = await Server.start({ db, flags: ['--config', file] });
  for (const open of Object.values(told)) assert.equal((await open(server)).instructions, 'Ask first.');
  await server.stop();
});

test('without a database there are none', async () => {
  const server = await Server.start({});
  for (const open of Object.values(told)) assert.equal((await open(server)).instructions, undefined);
  await server.stop();
});
