// Ways that lead to nothing are told apart from an empty server: a key that is asked for, pages and agents that are not there,
// a server that is slow; and what a first key does.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { Governed } from '../../e2e/lib/governed.mjs';
import { scratch } from '../../e2e/lib/paths.mjs';
import { Person } from '../lib/browser.mjs';
import { control, operated } from '../lib/operated.mjs';
import { worldDatabase } from '../lib/world.mjs';

describe('a server that asks for keys', () => {
  let governed;
  before(async () => { governed = await Governed.start({ reader: { permissions: 'readonly', rate_limit: 'unlimited' } }, { db: worldDatabase() }); });
  after(() => governed.stop());

  test('says so on the pages of agents, and takes a key there', async (t) => {
    for (const [view, title] of [['tools', 'Tools'], ['data/towns', 'Data'], ['access', 'My access']]) {
      const one = await Person.open(t, governed.server, { path: `/#/${view}`, expected: [/401/] });
      await one.role('heading', { name: `${title} needs a key`, level: 1 }).waitFor();
      await one.label('Key of an agent').fill('wrong');
      await one.role('button', { name: 'Use this key' }).click();
      await one.text('The server does not take this key.').waitFor();
      await one.picture(`key-needed-${title}`);
      await one.label('Key of an agent').fill(governed.keys.reader);
      await one.role('button', { name: 'Use this key' }).click();
      await one.role('heading', { name: `${title} needs a key` }).waitFor({ state: 'detached' });
      await (view === 'tools' ? one.role('link', { name: 'query_class' }) : one.text(view === 'access' ? 'readonly' : 'Town 1', { exact: true })).first().waitFor();
    }
  });
});

describe('ways', () => {
  let it;
  before(async () => { it = await operated({ db: worldDatabase() }); });
  after(() => it.server.stop());
  const person = async (t, options = {}) => Person.open(t, it.server, { token: await it.token(), ...options });

  test('a page and an agent that are not there are named under a heading', async (t) => {
    const one = await person(t, { expected: [/404/] });
    await one.go('#/nonsense');
    await one.role('heading', { name: 'No such page', level: 1 }).waitFor();
    await one.go('#/data/towns?as=ghost');
    await one.text('There is no agent ghost.').waitFor();
    await one.role('heading', { level: 1 }).waitFor();
    await one.go('#/agents/ghost');
    await one.page.locator('.problem', { hasText: 'ghost' }).waitFor();
    await one.role('heading', { name: 'Agents', level: 1 }).waitFor();
  });

  test('the sidebar holds its button to sign in', async (t) => {
    const one = await Person.open(t, it.server);
    const inside = await one.page.locator('.side-tools a').evaluate((link) => link.getBoundingClientRect().right <= link.closest('.side').getBoundingClientRect().right - 8);
    assert.ok(inside);
    await one.picture('signed-out');
  });

  test('Esc closes the menu of a narrow page; names of settings stay on one line', async (t) => {
    const one = await person(t, { viewport: { width: 360, height: 760 } });
    await one.go('#/settings');
    const broken = await one.page.locator('tbody td:first-child code').evaluateAll((all) => all
      .filter((node) => node.clientHeight > (node.textContent.length > 18 ? 70 : 28)).map((node) => `${node.textContent} ${node.clientHeight} px`));
    assert.deepEqual(broken, []);
    await one.picture('settings-narrow');
    const menu = one.role('button', { name: 'Menu' });
    await menu.click();
    assert.equal(await menu.getAttribute('aria-expanded'), 'true');
    await one.page.keyboard.press('Escape');
    assert.equal(await menu.getAttribute('aria-expanded'), 'false');
    assert.equal(await one.role('link', { name: 'Overview' }).isVisible(), false);
  });

  test('very long names of classes and fields do not widen a page', async (t) => {
    const long = 'long_name_'.repeat(30);
    const file = join(scratch(), 'long.db');
    const db = new DatabaseSync(file);
    db.exec(`CREATE TABLE ${long} (id INTEGER PRIMARY KEY, ${long}field TEXT, body TEXT); INSERT INTO ${long} VALUES (1, 'x', '${'w'.repeat(2000)}')`);
    db.close();
    const other = await operated({ db: file });
    t.after(() => other.server.stop());
    const one = await Person.open(t, other.server, { token: await other.token() });
    for (const [width, view] of [1280, 360].flatMap((size) => ['#/data', `#/data/${long}`, `#/data/${long}/1`].map((path) => [size, path]))) {
      await one.page.setViewportSize({ width, height: 900 });
      await one.go(view);
      await one.picture(`long-${width}-${view.split('/').length}`);
      const wide = await one.page.evaluate(() => [document.documentElement, ...document.querySelectorAll('.facets, .chips, .pick')]
        .map((node) => node.scrollWidth - node.clientWidth).filter((more) => more > 0));
      assert.deepEqual(wide, [], `${view} at ${width}`);
    }
  });

  test('a server that is slow: the page says that it loads', async (t) => {
    const one = await person(t);
    await one.page.route('**/admin/rpc', async (route) => {
      await new Promise((done) => { setTimeout(done, 1200); });
      await route.continue();
    });
    await one.page.evaluate(() => { location.hash = '#/streams'; });
    await one.page.waitForFunction(() => {
      const main = document.querySelector('#main');
      return main.getAttribute('aria-busy') === 'true' && getComputedStyle(main, '::before').visibility === 'visible' && getComputedStyle(main, '::before').content.includes('Loading');
    });
    await one.picture('loading');
    await one.settled();
    await one.page.unroute('**/admin/rpc');
  });

  test('the first key asks, because callers without one are refused then; a key without its profile is marked', async (t) => {
    const one = await person(t);
    await one.go('#/keys');
    await one.text('Without keys every caller of this machine is the agent local.').waitFor();
    await one.role('button', { name: 'Make a key' }).click();
    await one.role('dialog', { name: 'Make the first key?' }).getByText('they act as local', { exact: false }).waitFor();
    await one.picture('first-key');
    await one.role('button', { name: 'Cancel' }).click();
    assert.deepEqual((await control(it.path, 'key.list')).keys, []);
    await one.page.route('**/admin/rpc', async (route) => {
      const asked = route.request().postDataJSON();
      if (asked.method !== 'key.list') return route.continue();
      return route.fulfill({ json: { jsonrpc: '2.0', id: asked.id, result: { keys: [{ id: 'k1', agent: 'gone', created: new Date().toISOString(), fingerprint: 'ab' }] } } });
    });
    await one.go('#/overview');
    await one.go('#/keys');
    await one.text('no such profile').waitFor();
    await one.page.unroute('**/admin/rpc');
  });
});
