// What agents wrote, shown with its rows before and after, and undone.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Orders } from '../../e2e/lib/orders.mjs';
import { scratch } from '../../e2e/lib/paths.mjs';
import { Person } from '../lib/browser.mjs';
import { tokenOf } from '../lib/operated.mjs';

describe('writes', () => {
  const control = join(scratch(), 'c.sock');
  let orders;
  before(async () => { orders = await Orders.start({ flags: ['--control', control] }); });
  after(() => orders.stop());
  const person = async (t) => Person.open(t, orders.server, { token: await tokenOf(control) });
  const note = () => orders.rows('SELECT note FROM orders WHERE id = 1')[0].note;

  test('a write is listed, shown and undone once; of one agent alone, too', async (t) => {
    const was = note();
    const one = await person(t);
    await one.go('#/writes');
    await one.text('No writes.').waitFor();
    await orders.ask('clerk', 'update_object', { class_name: 'orders', object_id: '1', data: { note: 'written by clerk' } });
    await orders.ask('writer', 'create_object', { class_name: 'orders', data: { total: 5, note: 'by writer' } });
    await one.go('#/overview');
    await one.go('#/writes');
    const row = one.page.locator('tbody tr', { hasText: 'update_object' });
    await row.waitFor();
    await one.label('Agent', { exact: true }).selectOption('clerk');
    await one.page.locator('tbody tr', { hasText: 'create_object' }).waitFor({ state: 'detached' });
    await row.getByText('clerk').click();
    await one.page.locator('code.new', { hasText: 'written by clerk' }).waitFor();
    await one.picture('writes-undo');
    await one.role('button', { name: 'Undo' }).click();
    await one.text('1 row of orders will be as before', { exact: false }).waitFor();
    await one.role('dialog').getByRole('button', { name: 'Undo' }).click();
    await row.getByText('undone', { exact: true }).waitFor();
    assert.equal(note(), was);
    await row.getByText('clerk').click();
    await one.page.locator('code.new', { hasText: 'written by clerk' }).waitFor();
    assert.equal(await one.role('button', { name: 'Undo' }).count(), 0, 'once');
  });
});
