// The playground: from a form to a call and back.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Person } from '../lib/browser.mjs';
import { operated } from '../lib/operated.mjs';
import { large, worldDatabase } from '../lib/world.mjs';

const schema = {
  type: 'object', required: ['name'], $defs: { colour: { type: 'string', enum: ['red', 'green'] } },
  properties: {
    name: { type: 'string' }, day: { type: 'string', format: 'date' }, story: { type: 'string', maxLength: 5000 },
    count: { type: 'integer', default: 7 }, ratio: { type: 'number' }, on: { type: 'boolean' }, maybe: { type: ['string', 'null'] },
    fixed: { const: 'v1' }, colour: { $ref: '#/$defs/colour' }, words: { type: 'array', items: { type: 'string' } },
    parts: { type: 'array', items: { type: 'object', properties: { size: { type: 'integer' } } } },
    place: { type: 'object', properties: { city: { type: 'string' } } }, where: { type: 'object' },
    either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  },
};

/** A form of the page's own module over this schema; its text is window.text. */
const buildForm = (person, text) => person.page.evaluate(async ([given, start]) => {
  const { Form } = await import('/console/lib/form.js');
  window.text = start;
  window.form = new Form(given, { read: () => window.text, write: (next) => { window.text = next; } });
  document.querySelector('#main').replaceChildren(window.form.node);
}, [schema, text]);

describe('the playground', () => {
  let it;
  before(async () => { it = await operated({ db: worldDatabase() }); });
  after(() => it.server.stop());

  test('each kind of schema has a control that writes its member, and nothing else', async (t) => {
    const person = await Person.open(t, it.server, { path: '/#/access' });
    await person.settled();
    await buildForm(person, '{\n  "kept" :  1.50,\n  "big": 1152921504606846977\n}');
    await person.label('name', { exact: false }).first().fill('Ada "x"');
    await person.label('day').fill('2026-02-03');
    await person.label('story').fill('one\ntwo');
    await person.label('count').fill(large);
    await person.label('ratio').fill('1.10');
    await person.label('on', { exact: true }).selectOption('true');
    await person.label('maybe').fill('null');
    await person.label('fixed').selectOption({ label: 'v1' });
    await person.label('colour', { exact: true }).selectOption({ label: 'green' });
    const group = (name) => person.page.locator('fieldset', { has: person.page.locator('legend', { hasText: name }) });
    await group('words').getByRole('button', { name: 'Add' }).click();
    await person.label('words 1').fill('first');
    await group('words').getByRole('button', { name: 'Add' }).click();
    await person.label('words 2').fill('second');
    await group('words').getByRole('button', { name: 'Remove item 1' }).click();
    await group('parts').getByRole('button', { name: 'Add' }).click();
    await person.label('size').fill('3');
    await person.label('city').fill('Bern');
    await person.label('where').fill('{"a": {"$gt": 1.0}}');
    await person.label('either').fill('5');
    const text = await person.page.evaluate(() => window.text);
    for (const part of ['"kept" :  1.50', '"big": 1152921504606846977', `"count": ${large}`, '"ratio": 1.10', '"where": {"a": {"$gt": 1.0}}']) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    const { big, count, ratio, kept, ...value } = JSON.parse(text);
    assert.deepEqual(value, { name: 'Ada "x"', day: '2026-02-03', story: 'one\ntwo', on: true, maybe: null, fixed: 'v1', colour: 'green',
      words: ['second'], parts: [{ size: 3 }], place: { city: 'Bern' }, where: { a: { $gt: 1 } }, either: 5 });
    await person.label('day').fill('');
    assert.equal(JSON.parse(await person.page.evaluate(() => window.text)).day, undefined, 'an empty field is not sent');
    assert.equal(await person.label('count').getAttribute('placeholder'), '7', 'a default is shown, not sent');
  });

  test('form and JSON are two views of one text', async (t) => {
    const person = await Person.open(t, it.server, { path: '/#/tools/query_class' });
    await person.label('class_name').fill('towns');
    await person.role('button', { name: 'JSON', exact: true }).click();
    const editor = person.label('Arguments as JSON');
    assert.deepEqual(JSON.parse(await editor.inputValue()), { class_name: 'towns' });
    await editor.fill(`{"class_name": "towns", "where": {"people": ${large}}}`);
    await person.role('button', { name: 'Form', exact: true }).click();
    assert.equal(await person.label('where').inputValue(), `{"people": ${large}}`);
    await person.role('button', { name: 'Run' }).click();
    await person.page.locator('td', { hasText: large }).waitFor();
    assert.equal(await person.page.locator('[aria-label="Answer"] tbody tr').count(), 1, 'the number was sent with all its digits');
  });

  test('an error of the server stands at its field', async (t) => {
    const person = await Person.open(t, it.server, { path: '/#/tools/query_class' });
    await person.label('class_name').fill('towns');
    await person.label('limit').fill('many');
    await person.page.keyboard.press('Control+Enter');
    await person.page.locator('[aria-invalid=true]').waitFor();
    assert.equal(await person.label('limit').getAttribute('aria-invalid'), 'true');
    await person.page.locator('.field-error', { hasText: 'limit: expected integer' }).waitFor();
    await person.label('limit').fill('3');
    await person.page.keyboard.press('Control+Enter');
    await person.page.locator('[aria-label="Answer"] .badge.ok').waitFor();
    assert.equal(await person.page.locator('[aria-label="Answer"] tbody tr').count(), 3);
  });

  test('a call that runs too long is cancelled', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token() });
    await person.go('#/tools/query_sql');
    await person.label('sql').fill('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n');
    await person.role('button', { name: 'Run' }).click();
    await person.role('button', { name: 'Cancel' }).click();
    await person.text('Cancelled.').waitFor();
  });
});
