// The demo shop: always the same file, what its two agents see, and a call that waits for an operator.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../lib/events.mjs';
import { gantry } from '../lib/gantry.mjs';
import { Server } from '../lib/gantryd.mjs';
import { root, scratch } from '../lib/paths.mjs';
import { ask, call, refused } from '../lib/rpc.mjs';

const shop = join(root, 'tools', 'demo', 'shop');
const build = () => {
  const file = join(scratch(), 'shop.db');
  execFileSync(join(root, 'tools', 'demo', 'build.sh'), [file, 'shop']);
  return file;
};
const db = build();
const serve = (agent, more = []) => Server.start({ db, flags: ['--model', join(shop, 'model'), '--agents', join(shop, 'agents.json'), '--agent', agent, ...more] });

test('the file is always the same', () => assert.ok(readFileSync(db).equals(readFileSync(build()))));

test('the model fits the database', async () => {
  const { code, stdout, stderr } = await gantry(['model', 'audit', '--db', db, '--model', join(shop, 'model')]);
  assert.equal(code, 0, stdout + stderr);
});

test('support sees its region with customers, and an operator approves its exports', async () => {
  const control = join(scratch(), 'control.sock');
  const server = await serve('support', ['--control', control]);
  const { results } = await ask(server, 'query_class', { class_name: 'customers', limit: 1000 });
  assert.deepEqual([...new Set(results.map((one) => one.region))], ['north']);
  assert.match(results[0].email, /@example\.com$/);
  const { groups } = await ask(server, 'group_by', { class_name: 'orders', field: 'status' });
  assert.ok(groups.length >= 4 && !groups.some((one) => one.key === 'draft'));
  assert.match(JSON.stringify(await refused(server, 'count_objects', { class_name: 'salaries' })), /not accessible/);
  const waiting = call(server, 'export_data', { class_name: 'customers', columns: ['name', 'email'], limit: 5 });
  const [one] = await until(async () => {
    const { approvals } = JSON.parse((await gantry(['approvals', 'list', '--json', '--control', control])).stdout);
    return approvals.length > 0 && approvals;
  }, 'the export waits');
  assert.equal(one.tool, 'export_data');
  assert.equal((await gantry(['approvals', 'accept', one.id, '--yes', '--control', control])).code, 0);
  assert.match(JSON.stringify(await waiting), /customer1@example\.com/);
  await server.stop();
});

test('analyst counts both regions without customers', async () => {
  const server = await serve('analyst');
  const { groups } = await ask(server, 'group_by', { class_name: 'orders', field: 'region' });
  assert.deepEqual(groups.map((one) => one.key).sort(), ['north', 'south']);
  assert.match(JSON.stringify(await refused(server, 'query_class', { class_name: 'customers' })), /not accessible/);
  const { groups: months } = await ask(server, 'group_by_date', { class_name: 'orders', field: 'ordered_at', interval: 'month', operation: 'sum', value_field: 'total_cents' });
  assert.equal(months.length, 11);
  await server.stop();
});
