// How an operator gets in, and how others do not.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { Person } from '../lib/browser.mjs';
import { operated } from '../lib/operated.mjs';
import { worldDatabase } from '../lib/world.mjs';

describe('signing in', () => {
  let it;
  before(async () => { it = await operated({ db: worldDatabase() }); });
  after(() => it.server.stop());

  test('a link signs in once; the address is clean and scripts do not see the cookie', async (t) => {
    const token = await it.token();
    const person = await Person.open(t, it.server, { token });
    await person.role('heading', { name: 'Overview', level: 1 }).waitFor();
    assert.equal(new URL(person.page.url()).hash, '');
    assert.equal(await person.page.evaluate(() => document.cookie), '');
    const [cookie] = await person.context.cookies();
    assert.ok(cookie.httpOnly && cookie.sameSite === 'Strict', JSON.stringify(cookie));
    assert.equal(cookie.name, `gantry_console_${it.server.port}`);

    const second = await Person.open(t, it.server, { token, expected: [/40[013]/] });
    await second.role('heading', { name: 'Welcome to Gantry' }).waitFor();
    assert.equal((await second.context.cookies()).length, 0, 'a used link gives nothing');
  });

  test('a reload stays signed in, other tabs too; signing out ends it in both', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token() });
    const other = await person.tab('/#/settings');
    await other.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await person.page.reload();
    await person.role('button', { name: 'Sign out' }).click();
    await person.role('heading', { name: 'Welcome to Gantry' }).waitFor();
    await other.getByRole('heading', { name: 'Settings is for operators' }).waitFor();
    assert.equal((await person.context.cookies()).length, 0);
  });

  test('a pasted link signs in; a wrong key is refused in a sentence', async (t) => {
    const person = await Person.open(t, it.server, { path: '/#/calls', expected: [/40[013]/] });
    await person.role('heading', { name: 'Calls is for operators' }).waitFor();
    await person.label('Link or admin’s key').fill('no such key');
    await person.role('button', { name: 'Sign in', exact: true }).click();
    await person.page.locator('.toast.bad').waitFor();
    await person.label('Link or admin’s key').fill(`${it.server.url.origin}/#token=${await it.token()}`);
    await person.role('button', { name: 'Sign in', exact: true }).click();
    await person.role('heading', { name: 'Overview', level: 1 }).waitFor();
  });

  test('a page from another port reads nothing and changes nothing with the cookie of the console', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token(), expected: [/CORS|Failed to load|ERR_/] });
    const stranger = createServer((_, answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end('<p>other</p>'));
    await new Promise((ready) => { stranger.listen(0, '127.0.0.1', ready); });
    t.after(() => stranger.close());
    const page = await person.context.newPage();
    await page.goto(`http://127.0.0.1:${stranger.address().port}/`);
    const tried = await page.evaluate(async (url) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'plugin.disable', params: { name: 'query' } });
      const blind = await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body }).then(({ type }) => type, () => 'failed');
      const open = await fetch(url, { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body }).then(() => 'read', () => 'failed');
      return { blind, open };
    }, `${it.server.url.origin}/admin/rpc`);
    assert.equal(tried.open, 'failed');
    const { plugins } = await it.control('plugin.list');
    assert.equal(plugins.find(({ name }) => name === 'query').state, 'serving');
  });
});
