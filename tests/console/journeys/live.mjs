// Calls as they happen, and the one stream of a tab.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LegacySession, modern } from '../../e2e/lib/rpc.mjs';
import { Person } from '../lib/browser.mjs';
import { operated } from '../lib/operated.mjs';
import { worldDatabase } from '../lib/world.mjs';

/** Has a page believe that its tab is hidden or shown, as a browser with many tabs tells it. */
const hide = (page, hidden) => page.evaluate((value) => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
  document.dispatchEvent(new Event('visibilitychange'));
}, hidden);

describe('live calls', () => {
  let it;
  const count = (id = 'journey') => modern(it.server, 'tools/call', { name: 'count_objects', arguments: { class_name: 'towns' },
    _meta: { 'gantry/correlationId': id } });
  before(async () => { it = await operated({ db: worldDatabase() }); });
  after(() => it.server.stop());

  test('another client’s call is there within a second, and a pause holds it back', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token() });
    await person.go('#/calls');
    await person.text('live', { exact: true }).waitFor();
    const rows = person.page.locator('#main tbody tr', { hasText: 'count_objects' });
    const before = await rows.count();
    await person.page.waitForTimeout(300);
    await count();
    const begun = performance.now();
    await person.page.waitForFunction((n) => [...document.querySelectorAll('#main tbody tr')].filter((row) => row.textContent.includes('count_objects')).length > n, before, { polling: 20 });
    const took = performance.now() - begun;
    t.diagnostic(`a call is visible ${Math.round(took)} ms after its answer`);
    assert.ok(took < 1000, `${took} ms`);

    await person.role('button', { name: 'Pause' }).click();
    await count();
    await person.text('paused, 1 new').waitFor();
    assert.equal(await rows.count(), before + 1);
    await person.role('button', { name: 'Go on' }).click();
    await person.page.waitForFunction((n) => [...document.querySelectorAll('#main tbody tr')].filter((row) => row.textContent.includes('count_objects')).length === n, before + 2);
    await rows.first().press('Enter');
    await person.role('link', { name: 'In the audit' }).click();
    await person.role('heading', { name: 'Audit', level: 1 }).waitFor();
  });

  test('seven tabs work: hidden ones hold no stream, and catch up when they are shown', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token() });
    const tabs = [];
    for (let n = 0; n < 7; ++n) {
      tabs.push(await person.tab('/#/calls'));
      if (n < 6) await hide(tabs.at(-1), true);
    }
    await hide(person.page, true);
    await tabs[6].getByText('live', { exact: true }).waitFor();
    await tabs[6].waitForTimeout(300);
    const seen = await tabs[0].locator('#main tbody tr').count();
    await count();
    await tabs[6].waitForFunction((n) => document.querySelectorAll('#main tbody tr').length > n, seen, { polling: 100 });
    assert.equal(await tabs[0].locator('#main tbody tr').count(), seen, 'a hidden tab has no stream');
    await hide(tabs[0], false);
    await tabs[0].waitForFunction((n) => document.querySelectorAll('#main tbody tr').length > n, seen, { polling: 100 });
  });

  test('records that came too fast are counted', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token() });
    await person.context.route('**/admin/events?*', (route) => route.fulfill({ contentType: 'text/event-stream', body: 'event: gap\ndata: {"missed":7}\n\n' }));
    await person.go('#/calls');
    await person.text(/^\d+ not shown$/).first().waitFor();
  });

  test('the audit is searched by correlation id, and exported', async (t) => {
    await modern(it.server, 'tools/call', { name: 'get_object', arguments: { class_name: 'nowhere', object_id: '1' },
      _meta: { 'gantry/correlationId': 'lost-1' } });
    const person = await Person.open(t, it.server, { token: await it.token() });
    await person.go('#/audit?outcome=denied&tool=get_object');
    await person.page.locator('tbody tr').first().press('Enter');
    await person.role('link', { name: 'In the audit' }).click();
    await person.text('1 record', { exact: true }).waitFor();
    const file = person.page.waitForEvent('download');
    await person.role('button', { name: 'JSONL' }).click();
    const stream = await (await file).createReadStream();
    let text = '';
    for await (const chunk of stream) text += chunk;
    const record = JSON.parse(text);
    assert.equal(record.tool, 'get_object');
    assert.equal(record.error_code, 'access_denied');
    assert.match(person.page.url(), /correlation_id=lost-1/);
  });

  test('a session of another client is listed and ended', async (t) => {
    const session = await LegacySession.open(it.server);
    const person = await Person.open(t, it.server, { token: await it.token() });
    await person.go('#/streams');
    await person.role('button', { name: 'End', exact: true }).first().click();
    const dialog = person.role('dialog');
    await dialog.getByText('No call runs in it.').waitFor();
    assert.equal(await person.page.evaluate(() => document.activeElement.textContent), 'Cancel', 'the focus is on Cancel');
    await dialog.getByRole('button', { name: 'End' }).click();
    await person.text('No sessions.').waitFor();
    assert.equal((await session.request('tools/list')).status, 404, 'the session is over for its client');
  });
});
