// The SDK's example plugin reads the operator's database through the service gantry.data/1.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './lib/gantryd.mjs';
import { people, peopleDatabase } from './lib/people.mjs';
import { call, refused } from './lib/rpc.mjs';
import { testPlugin } from './lib/script.mjs';

let server;
before(async () => {
  server = await Server.start({
    db: peopleDatabase(), flags: ['--plugin', testPlugin('example-data')] });
});
after(() => server.stop());

test('it answers from the rows of the database', async () => {
  const { content } = await call(server, 'how_many', { class_name: 'people' });
  assert.equal(content[0].text, `people has ${people.length} rows`);
});

test('a refusal of the engine keeps its code and candidates', async () => {
  const { code, message } = await refused(server, 'how_many', { class_name: 'poeple' });
  assert.equal(code, 'access_denied');
  assert.match(message, /people/);
});
