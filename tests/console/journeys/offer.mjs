// Prompts and resources, as an agent and as an operator.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Person } from '../lib/browser.mjs';
import { operated } from '../lib/operated.mjs';
import { worldDatabase } from '../lib/world.mjs';

describe('prompts and resources', () => {
  let it;
  before(async () => { it = await operated({ db: worldDatabase() }); });
  after(() => it.server.stop());

  for (const [by, options] of [['an agent', async () => ({ path: '/#/tools' })], ['an operator', async () => ({ path: '/#/tools', token: await it.token() })]]) {
    test(`${by} completes a prompt's arguments and sees its messages`, async (t) => {
      const person = await Person.open(t, it.server, await options());
      await person.role('button', { name: 'Prompts' }).click();
      await person.role('link', { name: 'class_overview' }).click();
      await person.label('class_name').pressSequentially('tow');
      await person.page.locator('datalist option[value=towns]').waitFor({ state: 'attached' });
      await person.label('class_name').fill('towns');
      await person.page.keyboard.press('Control+Enter');
      await person.label('Messages').getByText(/towns/).first().waitFor();
      const again = await person.tab(`/${new URL(person.page.url()).hash}`);
      await again.getByLabel('Messages').getByText(/towns/).first().waitFor();
    });

    test(`${by} fills a resource's template in and reads it`, async (t) => {
      const person = await Person.open(t, it.server, await options());
      await person.role('button', { name: 'Resources' }).click();
      await person.role('link', { name: 'data://{class}/count' }).click();
      await person.label('class').pressSequentially('reg');
      await person.page.locator('datalist option[value=regions]').waitFor({ state: 'attached' });
      await person.label('class').fill('regions');
      await person.role('button', { name: 'Read' }).click();
      await person.label('Content').getByText('data://regions/count', { exact: true }).waitFor();
      await person.label('Content').getByText('2', { exact: true }).first().waitFor();
      await person.label('class').fill('nowhere');
      await person.role('button', { name: 'Read' }).click();
      await person.page.locator('.problem', { hasText: 'nowhere' }).waitFor();
    });
  }

  test('a prompt without arguments is shown at once; one that is not there says so', async (t) => {
    const person = await Person.open(t, it.server, { path: '/#/prompts/data_conventions' });
    await person.label('Messages').waitFor();
    await person.go('#/prompts/made_up');
    await person.text('There is no prompt made_up.').waitFor();
    assert.match(await person.page.title(), /Prompts/);
  });
});
