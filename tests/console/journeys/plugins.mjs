// Plugins that change under an open page.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { scratch } from '../../e2e/lib/paths.mjs';
import { withStateVersion } from '../../e2e/lib/script.mjs';
import { Person } from '../lib/browser.mjs';
import { operated } from '../lib/operated.mjs';
import { worldDatabase } from '../lib/world.mjs';

describe('plugins', () => {
  const folder = join(scratch(), 'plugins');
  const file = join(folder, 'rounds.so');
  let it;
  const put = (make) => {
    make(`${file}.new`);
    renameSync(`${file}.new`, file);
  };
  before(async () => {
    mkdirSync(folder);
    copyFileSync(withStateVersion('script-rounds', 1), file);
    it = await operated({ db: worldDatabase(), config: { plugin_directories: [folder] } });
  });
  after(() => it.server.stop());

  test('a new file is a new generation at once; a broken one says why, and the old one serves', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token() });
    await person.go('#/plugins');
    const row = person.page.locator('tbody tr', { hasText: 'script-rounds' });
    await row.getByText('serving').waitFor();
    const generation = Number(await row.locator('td').nth(1).textContent());
    put((to) => copyFileSync(withStateVersion('script-rounds', 2), to));
    await person.page.waitForFunction((old) => [...document.querySelectorAll('tbody tr')].some((one) =>
      one.textContent.includes('script-rounds') && Number(one.cells[1].textContent) > old), generation);
    put((to) => writeFileSync(to, 'this is no plugin'));
    await row.getByText('still serves').waitFor();
    await person.role('link', { name: /Plugins 1/ }).waitFor();
    await row.getByRole('link').click();
    await person.page.locator('.problem').waitFor();
  });

  test('disabling asks first and names the effect; to unload a built-in its name is typed', async (t) => {
    const person = await Person.open(t, it.server, { token: await it.token() });
    await person.go('#/plugins/export');
    await person.role('button', { name: 'Disable' }).click();
    await person.role('dialog').getByText('export finishes the calls that run').waitFor();
    await person.page.keyboard.press('Escape');
    await person.role('button', { name: 'Unload' }).click();
    const unload = person.role('dialog').getByRole('button', { name: 'Unload' });
    assert.ok(await unload.isDisabled());
    await person.label('Type export to confirm').fill('export');
    await unload.click();
    await person.page.locator('.toast', { hasText: 'export: unload is done' }).waitFor();
    const { plugins } = await it.control('plugin.list');
    assert.ok(!plugins.some(({ name, state }) => name === 'export' && state === 'serving'));
  });
});
