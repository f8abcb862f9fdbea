// Texts of agents and rows that would mislead: marks that turn text, characters that are not seen, very long values; and the
// calls that wait for a person who reads them.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Orders, profiles } from '../../e2e/lib/orders.mjs';
import { root, scratch } from '../../e2e/lib/paths.mjs';
import { Person } from '../lib/browser.mjs';
import { control, tokenOf } from '../lib/operated.mjs';

const spoof = 'pay \u202E0001 ot\u202C \u009b31m\u200B!';
const unbroken = `${'w'.repeat(3000)}END`;
const agents = { ...profiles, remote: { permissions: 'write', approval: { tiers: ['write'], by: 'operators' }, rate_limit: { calls: 600, seconds: 60 } } };

describe('hostile texts', () => {
  const socket = join(scratch(), 'c.sock');
  let orders;
  before(async () => { orders = await Orders.start({ agents, flags: ['--control', socket] }); });
  after(() => orders.stop());
  const person = async (t, options = {}) => Person.open(t, orders.server, { token: await tokenOf(socket), ...options });
  const update = (agent, id, note) => orders.modern(agent, { name: 'update_object', arguments: { class_name: 'orders', object_id: id, data: { note } } });
  const raw = (one) => one.page.evaluate(() => /[\u202A-\u202E\u0080-\u009F\u200B]/.test(document.body.textContent));

  test('an approval, a write, a row and an answer show characters that turn or hide text', async (t) => {
    const one = await person(t);
    await one.go('#/approvals');
    const running = update('remote', '1', spoof);
    await one.role('button', { name: 'Review' }).click();
    await one.page.locator('code.new', { hasText: 'pay ⟨U+202E⟩0001 ot⟨U+202C⟩ ⟨U+009B⟩31m⟨U+200B⟩!' }).waitFor();
    await one.page.locator('.json .unseen', { hasText: '⟨U+202E⟩' }).first().waitFor();
    assert.equal(await raw(one), false);
    await one.picture('approval-hostile');
    await one.role('button', { name: /^Accept/ }).click();
    const { result } = await running;
    assert.ok(!result.isError, JSON.stringify(result));
    await one.text('Nothing waits.').waitFor();
    assert.equal(await one.page.evaluate(() => document.activeElement.textContent), 'Approvals', 'the focus is on the heading');
    await one.go('#/writes');
    await one.page.locator('tbody tr', { hasText: 'update' }).first().click();
    await one.page.locator('code.new .unseen').first().waitFor();
    assert.equal(await raw(one), false);
    for (const view of ['#/data/orders?as=boss', '#/data/orders/1?as=boss']) {
      await one.go(view);
      await one.page.locator('td .unseen', { hasText: '⟨U+202E⟩' }).first().waitFor();
      assert.equal(await raw(one), false, view);
    }
    await one.go(`#/tools/query_class?as=boss&args=${encodeURIComponent('{"class_name":"orders"}')}`);
    await one.role('button', { name: 'Run' }).click();
    await one.page.locator('[aria-label="Answer"] .unseen').first().waitFor();
    assert.equal(await raw(one), false);
  });

  test('emoji, right-to-left words and lines stay; all else that is not seen has its code point', async (t) => {
    const one = await person(t);
    const shown = (text) => one.page.evaluate(async (given) => (await import('/console/lib/visible.js')).visible(given), text);
    for (const text of ['plain\n\ttext', 'שלום عربي', '👩‍👩‍👧 ❤️ 👍🏽 👩🏽‍🚀', 'Ünïcode e\u0301', '日本']) assert.equal(await shown(text), text);
    const hidden = [0, 7, 0x1B, 0x7F, 0x80, 0x9F, 0xAD, 0x61C, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069,
      0x3164, 0xFEFF, 0xFFF9, 0xE0041];
    for (const point of hidden) {
      assert.equal(await shown(`a${String.fromCodePoint(point)}b`), `a⟨U+${point.toString(16).toUpperCase().padStart(4, '0')}⟩b`);
    }
  });

  test('no module puts text on the page but lib/dom.js, and the clock', () => {
    const web = join(root, 'host/console/web');
    const wrong = readdirSync(web, { recursive: true }).filter((name) => name.endsWith('.js') && !['lib/dom.js', 'lib/time.js'].includes(name))
      .filter((name) => /\.(textContent|innerText|title|ariaLabel) = |createTextNode|insertAdjacent/.test(readFileSync(join(web, name), 'utf8').replace('document.title =', '')));
    assert.deepEqual(wrong, []);
  });

  test('a row shows a long value whole, JSON in it to fold', async (t) => {
    await update('boss', '2', unbroken);
    await update('boss', '3', `[${'{"a":1},'.repeat(99)}{"last":2}]`);
    const one = await person(t);
    await one.go('#/data/orders?as=boss');
    await one.page.locator('td', { hasText: 'www' }).waitFor();
    assert.ok(await one.page.locator('.table-scroll').first().evaluate((node) => node.scrollWidth) < 3000, 'it is cut in the table');
    await one.go('#/data/orders/2?as=boss');
    const value = one.page.locator('.whole', { hasText: 'END' });
    await value.waitFor();
    const { seen, bottom } = await value.evaluate((node) => ({ seen: node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight + 1, bottom: node.clientHeight }));
    assert.ok(seen && bottom > 100, `${bottom} px high`);
    assert.ok(await value.evaluate((node) => node.getBoundingClientRect().right <= node.closest('.card').getBoundingClientRect().right));
    await one.picture('row-long');
    await one.role('button', { name: 'Copy' }).first().waitFor();
    await one.go('#/data/orders/3?as=boss');
    await one.page.locator('td .viewer').first().waitFor();
    await one.go(`#/tools/query_class?as=boss&args=${encodeURIComponent('{"class_name":"orders"}')}`);
    await one.role('button', { name: 'Run' }).click();
    const cut = one.page.locator('[aria-label="Answer"] .cell', { hasText: 'www' });
    assert.match(await cut.getAttribute('title'), /^w{1000}/);
  });

  test('a call of the form says that it waits for approval, and where to answer; the wait is no latency', async (t) => {
    const one = await person(t);
    await one.go(`#/tools/update_object?as=remote&args=${encodeURIComponent('{"class_name":"orders","object_id":"4","data":{"note":"x"}}')}`);
    await one.role('button', { name: 'Run' }).click();
    await one.role('dialog').getByRole('button', { name: 'Run' }).click();
    await one.text('Waits for approval.').waitFor();
    assert.match(await one.role('link', { name: 'Answer it' }).getAttribute('href'), /#\/approvals/);
    await one.page.waitForTimeout(2000);
    const { approvals: [{ id }] } = await control(socket, 'approval.list');
    await control(socket, 'approval.answer', { id, accept: true });
    await one.page.locator('[aria-label="Answer"] .badge.ok').waitFor();
    assert.equal(await one.text('Waits for approval.').count(), 0);
    const { tools } = await control(socket, 'tool.list', { agent: 'boss' });
    const { p95_ms: slow } = tools.find(({ name }) => name === 'update_object');
    assert.ok(slow < 1500, `${slow} ms`);
  });

  test('warnings of the overview are one line that opens; latency has its unit', async (t) => {
    const one = await person(t);
    await one.go('#/overview');
    const notice = one.page.locator('main .notice');
    assert.equal(await notice.count(), 1);
    await notice.getByText(/^\d+ warnings$/).click();
    await notice.getByText('agent writer may write without a person\'s approval').waitFor();
    await one.picture('warnings');
    const axis = await one.page.locator('svg[aria-label="Latency"] text[text-anchor=end]').allTextContents();
    assert.ok(axis.filter((text) => / m?s$/.test(text)).length >= 3, axis.join());
  });

  test('limits and approvals of an agent are words', async (t) => {
    const one = await person(t);
    await one.go('#/agents');
    await one.role('cell', { name: '600 calls in 60 s' }).waitFor();
    await one.go('#/agents/remote');
    await one.text('tier write; asks operators').waitFor();
    assert.equal(await one.page.locator('.facts', { hasText: /[{}]/ }).count(), 0);
  });
});
