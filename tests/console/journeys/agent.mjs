// Without a session the console is an MCP client like any other.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Person } from '../lib/browser.mjs';
import { operated } from '../lib/operated.mjs';
import { worldDatabase } from '../lib/world.mjs';

describe('without a session', () => {
  let it;
  before(async () => { it = await operated({ db: worldDatabase() }); });
  after(() => it.server.stop());

  test('Tools, Data and My access work, and /admin is never asked', async (t) => {
    const person = await Person.open(t, it.server);
    const asked = [];
    person.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await person.role('link', { name: 'Tools', exact: true }).first().click();
    await person.role('link', { name: 'count_objects' }).click();
    await person.label('class_name').fill('towns');
    await person.role('button', { name: 'Run' }).click();
    await person.page.getByLabel('Answer', { exact: true }).getByText('241', { exact: true }).first().waitFor();
    await person.go('#/data/towns');
    await person.role('cell', { name: 'Town 1', exact: true }).waitFor();
    await person.go('#/access');
    await person.text('readonly', { exact: true }).waitFor();
    assert.ok(asked.includes('/mcp'));
    assert.deepEqual(asked.filter((path) => path.startsWith('/admin')), []);
  });

  test('the pages of operators say how to get in', async (t) => {
    const person = await Person.open(t, it.server, { path: '/#/plugins' });
    await person.role('heading', { name: 'Plugins is for operators' }).waitFor();
    await person.text('gantry open', { exact: true }).waitFor();
  });
});
