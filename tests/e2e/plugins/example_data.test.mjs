// The SDK's example plugin reads the operator's database through the service gantry.data/1.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gantry } from '../lib/gantry.mjs';
import { Server } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { people, peopleDatabase } from '../lib/people.mjs';
import { call, refused } from '../lib/rpc.mjs';
import { testPlugin } from '../lib/script.mjs';

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

test('gantry plugin test --db calls it beside the data engine, without a server', async () => {
  const tested = (className, ...flags) =>
    gantry(['plugin', 'test', testPlugin('example-data'), 'how_many', JSON.stringify({ class_name: className }), ...flags]);
  const db = peopleDatabase();
  const answered = await tested('people', '--db', db);
  assert.equal(answered.code, 0, answered.stderr);
  assert.equal(answered.stdout, `text: people has ${people.length} rows\n`);
  const wrong = await tested('poeple', '--db', db);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /access_denied: Class 'poeple' .*did you mean 'people'/);
  const missing = await tested('people', '--db', join(scratch(), 'no.db'));
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /no\.db does not exist/);
  const nowhere = await tested('people', '--db', db, '--builtin-plugins', scratch());
  assert.equal(nowhere.code, 2);
  assert.match(nowhere.stderr, /offers gantry\.data\/1; .*--builtin-plugins DIR/);
});

test('a refusal of the engine keeps its code and candidates', async () => {
  const { code, message } = await refused(server, 'how_many', { class_name: 'poeple' });
  assert.equal(code, 'access_denied');
  assert.match(message, /people/);
});
