// The data browser: facets, pointers, Back, and texts that would be markup elsewhere.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Person } from '../lib/browser.mjs';
import { operated } from '../lib/operated.mjs';
import { large, markup, worldDatabase } from '../lib/world.mjs';

describe('the data browser', () => {
  let it;
  before(async () => { it = await operated({ db: worldDatabase() }); });
  after(() => it.server.stop());

  test('a facet filters, a pointer leads to its row, and Back returns to the same rows', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token() });
    await person.go('#/data/towns');
    await person.text('241 rows').waitFor();
    await person.role('complementary', { name: 'Facets' }).getByRole('link', { name: /^city/ }).click();
    await person.text('61 rows').waitFor();
    const filtered = person.page.url();
    await person.role('cell', { name: 'S', exact: true }).first().getByRole('link').click();
    await person.role('heading', { name: 'regions S' }).waitFor();
    await person.role('link', { name: 'towns.region' }).waitFor();
    await person.page.goBack();
    await person.text('61 rows').waitFor();
    assert.equal(person.page.url(), filtered);
    await person.role('button', { name: 'Remove the filter kind' }).click();
    await person.text('241 rows').waitFor();
  });

  test('filters, order, pages and columns are in the address', async (t) => {
    const person = await Person.open(t, it.server, { path: '/#/data/towns' });
    await person.label('Field', { exact: true }).selectOption('people');
    await person.label('Condition').selectOption('gte');
    await person.label('Value', { exact: true }).fill('18000');
    await person.role('button', { name: 'Filter', exact: true }).click();
    await person.text('62 rows').waitFor();
    await person.role('button', { name: 'people', exact: true }).click();
    await person.page.locator('th[aria-sort=ascending]', { hasText: 'people' }).waitFor();
    await person.role('cell', { name: 'Town 180', exact: true }).waitFor();
    await person.role('button', { name: 'Next' }).click();
    await person.text('Rows 51 to 62').waitFor();
    const again = await person.tab(`/${new URL(person.page.url()).hash}`);
    await again.getByText('Rows 51 to 62').waitFor();
    await again.getByText(large, { exact: true }).waitFor();
  });

  test('markup in names and values is text', async (t) => {
    const person = await Person.open(t, it.server, { path: '/#/data' });
    await person.role('link', { name: markup }).click();
    await person.role('cell', { name: markup }).first().waitFor();
    await person.go('#/data/towns/241');
    await person.text(markup).first().waitFor();
    await person.go(`#/tools/query_class?args=${encodeURIComponent(JSON.stringify({ class_name: 'towns', where: { id: 241 } }))}`);
    await person.role('button', { name: 'Run' }).click();
    await person.page.locator('[aria-label="Answer"]').getByText(markup).first().waitFor();
    assert.equal(await person.page.evaluate(() => window.hit), undefined);
    assert.equal(await person.page.locator('img').count(), 0);
    const refused = await person.page.evaluate(() => {
      try {
        document.createElement('p').innerHTML = '<b>x</b>';
        return 'taken';
      } catch ({ name }) {
        return name;
      }
    });
    assert.equal(refused, 'TypeError', 'the policy forbids innerHTML altogether');
    person.wrong = person.wrong.filter((text) => !/TrustedHTML/.test(text));
  });
});
