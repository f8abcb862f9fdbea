// The server goes and comes back under an open page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Person } from '../lib/browser.mjs';
import { operated } from '../lib/operated.mjs';
import { worldDatabase } from '../lib/world.mjs';

test('a restart: a banner, a new sign-in in place, and the form keeps its text', async (t) => {
  const db = worldDatabase();
  let it = await operated({ db });
  t.after(() => it.server.stop());
  const listen = `127.0.0.1:${it.server.port}`;
  const person = await Person.open(t, it.server, { token: await it.token(), expected: [/ERR_|40[13]|503|Failed to fetch|network/i] });
  await person.go('#/tools/query_class');
  await person.label('class_name').fill('towns');
  await it.server.stop();
  await person.text('The server does not answer.').waitFor();
  it = await operated({ db, listen });
  await person.text('The server does not answer.').waitFor({ state: 'detached' });
  await person.role('button', { name: 'Run' }).click();
  await person.role('button', { name: 'Sign in again' }).click();
  await person.role('dialog').getByLabel('Link or admin’s key').fill(`x#token=${await it.token()}`);
  await person.role('dialog').getByRole('button', { name: 'Sign in', exact: true }).click();
  await person.role('button', { name: 'Sign in again' }).waitFor({ state: 'detached' });
  assert.equal(await person.label('class_name').inputValue(), 'towns', 'the form keeps its text');
  await person.role('button', { name: 'Run' }).click();
  await person.page.locator('[aria-label="Answer"] .badge.ok').waitFor();
});
