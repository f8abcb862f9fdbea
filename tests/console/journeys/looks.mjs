// Keyboard alone, both themes, narrow and wide, assistive technology; pictures of every page.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { call } from '../../e2e/lib/rpc.mjs';
import { root } from '../../e2e/lib/paths.mjs';
import { demoDatabase } from '../../e2e/lib/shared.mjs';
import { Person, pictures } from '../lib/browser.mjs';
import { operated } from '../lib/operated.mjs';
import { captioned, described } from '../lib/picture.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const views = { overview: '#/overview', calls: '#/calls', audit: '#/audit', streams: '#/streams', writes: '#/writes', tools: '#/tools/query_class',
  prompts: '#/prompts/class_overview', resources: '#/resources/data%3A%2F%2F%7Bclass%7D%2Fcount',
  data: '#/data/subdivisions', row: '#/data/countries/DE', agents: '#/agents', agent: '#/agents/local?why=1', approvals: '#/approvals',
  keys: '#/keys', plugins: '#/plugins', plugin: '#/plugins/query', settings: '#/settings' };

/** What axe finds wrong on a page, one line each. */
async function faults(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join(' | ')}`);
}

/** Calls that give the pages something to show. */
async function busy(server, rounds = 12) {
  for (let n = 0; n < rounds; ++n) {
    await call(server, 'query_class', { class_name: 'countries', limit: 5 + n });
    await call(server, 'group_by', { class_name: 'subdivisions', field: 'type' });
    await call(server, 'count_objects', { class_name: n % 3 ? 'languages' : 'salaries' });
    await call(server, 'get_schema', { class_name: 'currencies' });
  }
}

describe('looks', () => {
  let it;
  before(async () => {
    it = await operated({ db: demoDatabase() });
    await busy(it.server);
  });
  after(() => it.server.stop());

  for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing on any page, ${colorScheme}`, async (t) => {
      const person = await Person.open(t, it.server, { token: await it.token(), colorScheme });
      const found = [];
      for (const [name, view] of Object.entries(views)) {
        await person.go(view);
        await person.page.waitForTimeout(120);
        await person.picture(`${name}-${colorScheme}`);
        found.push(...(await faults(person.page)).map((fault) => `${name}: ${fault}`));
      }
      assert.deepEqual(found, []);
      const guest = await Person.open(t, it.server, { colorScheme });
      await guest.picture(`welcome-${colorScheme}`);
      assert.deepEqual(await faults(guest.page), []);
    });
  }

  // Made again by: cp build/check/console/readme.png host/console/overview.png, after a run of this journey with
  // PICTURE_SECONDS=100, which gives the charts something to show.
  test('the picture in the README is of this page', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token(), viewport: { width: 1280, height: 760 } });
    for (let second = 0; second < Number(process.env.PICTURE_SECONDS ?? 1); ++second) {
      for (let n = 4 + 3 * Math.sin(second / 9); n > 0; --n) await call(it.server, 'query_class', { class_name: 'countries', limit: 9, skip: second });
      if (second % 5 === 0) await busy(it.server, 1);
      await person.page.waitForTimeout(1000);
    }
    for (const view of ['#/calls', '#/overview']) await person.go(view);
    const shown = (await person.page.locator('main h1, main h2, main th').allInnerTexts()).map((text) => text.replace(/[\s\d↓↑]+/g, ' ').trim());
    const now = captioned(await person.page.screenshot(), shown.join('\n'));
    writeFileSync(join(pictures, 'readme.png'), now);
    const committed = readFileSync(join(root, 'host/console/overview.png'));
    assert.deepEqual(described(committed), described(now), 'the page has changed: make host/console/overview.png again');
    assert.ok(committed.length < 150_000, `${committed.length} bytes`);
    assert.match(readFileSync(join(root, 'README.md'), 'utf8'), /!\[[^\]]+\]\(host\/console\/overview\.png\)/);
  });

  test('at 360 px and at 200 % nothing needs to scroll sideways', async (t) => {
    for (const [width, deviceScaleFactor] of [[360, 1], [640, 2]]) {
      const person = await Person.open(t, it.server, { token: await it.token(), viewport: { width, height: 800 }, deviceScaleFactor });
      for (const [name, view] of Object.entries(views)) {
        await person.go(view);
        await person.page.waitForTimeout(100);
        const wide = await person.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${name} is ${wide} px too wide at ${width}`);
        if (width === 360) await person.picture(`${name}-360`);
      }
    }
  });

  test('the keyboard alone opens pages, filters, moves in rows, opens them and runs a tool', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token() });
    const { keyboard } = person.page;
    await person.role('heading', { name: 'Overview', level: 1 }).waitFor();
    await keyboard.press('g');
    await keyboard.press('p');
    await person.role('heading', { name: 'Approvals', level: 1 }).waitFor();
    await keyboard.press('g');
    await keyboard.press('c');
    await person.role('heading', { name: 'Calls', level: 1 }).waitFor();
    await keyboard.press('/');
    await keyboard.type('count_objects');
    assert.equal(await person.label('Tool', { exact: true }).inputValue(), 'count_objects');
    await keyboard.press('Tab');
    await person.page.evaluate(() => document.activeElement.blur());
    await keyboard.press('j');
    await keyboard.press('j');
    await keyboard.press('k');
    await keyboard.press('Enter');
    await person.text('Whole record').waitFor();
    await keyboard.press('?');
    await person.role('dialog', { name: 'Keyboard' }).waitFor();
    await person.label('Keys of one character work').uncheck();
    await keyboard.press('Escape');
    await person.page.evaluate(() => document.activeElement.blur());
    await keyboard.press('g');
    await keyboard.press('o');
    assert.match(person.page.url(), /#\/calls/, 'single keys are switched off');
    await person.go('#/tools/get_all_schemas');
    await person.role('button', { name: 'Run' }).waitFor();
    await keyboard.press('Control+Enter');
    await person.page.locator('[aria-label="Answer"] .badge.ok').waitFor();
  });

  test('every control is reached by Tab, and the first one skips to the content', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token() });
    await person.page.keyboard.press('Tab');
    assert.equal(await person.page.evaluate(() => document.activeElement.textContent), 'Skip to the content');
    const reached = new Set();
    for (let n = 0; n < 24; ++n) {
      await person.page.keyboard.press('Tab');
      reached.add(await person.page.evaluate(() => document.activeElement.textContent.trim()));
    }
    for (const name of ['Overview', 'Calls', 'Tools', 'Settings', '5 minutes']) assert.ok([...reached].some((text) => text.startsWith(name)), name);
  });

  test('the overview is ready soon, and all that it loads is below 110 KB', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token() });
    const times = [];
    let bytes = 0;
    for (let n = 0; n < 5; ++n) {
      const page = await person.context.newPage();
      await page.goto(`${it.server.url.origin}/#/overview`);
      await page.waitForSelector('html[data-ready]');
      times.push(await page.evaluate(() => performance.now()));
      bytes = await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/console/'))
        .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0));
      await page.close();
    }
    times.sort((a, b) => a - b);
    t.diagnostic(`ready after ${times.map(Math.round).join(', ')} ms; ${bytes} bytes of files as served`);
    // The times are printed; on a busy machine only a page that hangs fails.
    assert.ok(times[0] < 10_000, `${times} ms`);
    assert.ok(bytes > 0 && bytes < 110000, `${bytes} bytes`);
  });

  test('the overview tells whether agents may write', async (t) => {
    const shut = await Person.open(t, it.server, { path: '/#/overview', token: await it.token() });
    await shut.text(/writes off/).waitFor();
    const other = await operated({ env: { GANTRY_ALLOW_WRITE_TOOLS: '1' } });
    const open = await Person.open(t, other.server, { token: await other.token() });
    t.after(() => other.server.stop());  // after its page is closed
    await open.text(/writes on: write_tools ·/).waitFor();
  });

  // An addition has to earn its place: the bytes of all files, not compressed, as a browser gets them.
  test('all pages together load less than 150 KB', async (t) => {
    const sizes = new Map();
    const note = async (page) => {
      const entries = await page.evaluate(() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .map(({ name, decodedBodySize }) => [new URL(name).pathname, decodedBodySize]));
      entries.filter(([path]) => path === '/' || path.startsWith('/console/')).forEach(([path, size]) => sizes.set(path, Math.max(size, sizes.get(path) ?? 0)));
    };
    const person = await Person.open(t, it.server, { token: await it.token() });
    for (const view of Object.values(views)) await person.go(view);
    await note(person.page);
    const guest = await Person.open(t, it.server, { path: '/#/access' });
    await guest.go('#/login');
    await note(guest.page);
    const sum = [...sizes.values()].reduce((all, size) => all + size, 0);
    t.diagnostic(`${sum} bytes in ${sizes.size} files`);
    assert.ok(sizes.size > 40, [...sizes.keys()].join(' '));
    assert.ok(sum < 150000, `${sum} bytes: ${JSON.stringify([...sizes])}`);
  });
});
