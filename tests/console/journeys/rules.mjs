// Agents, denials, keys and approvals.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Vault } from '../../e2e/lib/approvals.mjs';
import { gantry, testPlugin } from '../../e2e/lib/gantry.mjs';
import { Person } from '../lib/browser.mjs';
import { control, tokenOf } from '../lib/operated.mjs';

describe('rules', () => {
  let vault;
  const person = async (t, options = {}) => Person.open(t, vault.server, { token: await tokenOf(vault.control), ...options });
  const set = (value, rows = 1) => vault.modern('remote', { name: 'vault_set', arguments: { value, rows } });
  before(async () => { vault = await Vault.start({ limits: { approval_timeout_ms: 20000 } }); });
  after(() => vault.stop());

  test('why a call is denied stands there in the words of the command line', async (t) => {
    const said = await gantry(['agent', 'would-permit', 'writer', 'vault_drop', '--json', '--agents', vault.governed.file,
      '--plugin', testPlugin('vault'), '--builtin-plugins', 'none']);
    const { reason } = JSON.parse(said.stdout);
    const one = await person(t);
    await one.go('#/agents/writer');
    await one.label('Tool', { exact: true }).selectOption('vault_drop');
    await one.role('button', { name: 'Ask' }).click();
    await one.text(reason).waitFor();
    await one.go('#/tools/vault_drop?as=writer');
    await one.text(/Hidden from writer/).waitFor();
  });

  test('an approval shows before and after, is accepted only after that, and runs once; another tab follows', async (t) => {
    await vault.clear();
    const one = await person(t);
    await one.go('#/approvals');
    await one.text('Nothing waits.').waitFor();
    const other = await one.tab('/#/approvals');
    const before = await vault.runs();
    const running = set('second');
    await one.role('button', { name: 'Review' }).waitFor();
    await other.getByRole('button', { name: 'Review' }).waitFor();
    assert.match(await one.page.title(), /^\(1\)/);
    assert.equal(await one.role('button', { name: /^Accept/ }).count(), 0, 'no Accept before the preview');
    await one.role('button', { name: 'Review' }).click();
    await one.page.locator('code.gone', { hasText: 'first' }).waitFor();
    await one.page.locator('code.new', { hasText: 'second' }).waitFor();
    await one.picture('approval');
    await one.role('button', { name: 'Accept: 1 row' }).click();
    const { result } = await running;
    assert.ok(!result.isError, JSON.stringify(result));
    assert.equal(await vault.runs(), before + 1);
    await one.text('Nothing waits.').waitFor();
    await other.getByText('Nothing waits.').waitFor();
  });

  test('a declined approval runs nothing', async (t) => {
    const one = await person(t);
    await one.go('#/approvals');
    const before = await vault.runs();
    const running = set('third', 12);
    await one.role('button', { name: 'Review' }).click();
    await one.role('button', { name: 'Accept: 12 rows' }).waitFor();
    await one.label('Note').fill('not today');
    await one.role('button', { name: 'Decline' }).click();
    const { result } = await running;
    assert.ok(result.isError);
    assert.equal(await vault.runs(), before);
  });

  test('a key is shown once, and revoked by its id', async (t) => {
    const one = await person(t);
    await one.go('#/keys');
    await one.label('Agent', { exact: true }).selectOption('other');
    await one.label('Note').fill('for the test');
    await one.role('button', { name: 'Make a key' }).click();
    const secret = await one.role('dialog').locator('pre').textContent();
    await one.role('button', { name: 'Done' }).click();
    const row = one.page.locator('tbody tr', { hasText: 'for the test' });
    await row.waitFor();
    assert.ok(!(await one.page.content()).includes(secret), 'the key is nowhere on the page any more');
    const { keys } = await control(vault.control, 'key.list');
    const { id } = keys.find(({ note }) => note === 'for the test');
    await row.getByRole('button', { name: 'Revoke' }).click();
    await one.label(`Type ${id} to confirm`).fill(id);
    await one.role('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('a tool that asks its caller is answered in the page', async (t) => {
    const one = await person(t);
    await one.go('#/tools/vault_ask?as=free');
    await one.role('button', { name: 'Run' }).click();
    await one.text('A word?').waitFor();
    await one.role('button', { name: 'Accept' }).click();
    await one.page.locator('[aria-label="Answer"] .badge.ok').waitFor();
  });
});
