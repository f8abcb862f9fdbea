// The shop of tests/fixtures/shop: its database, a server that knows its rules, a key for each agent.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gantry } from './gantry.mjs';
import { Server } from './gantryd.mjs';
import { root, scratch } from './paths.mjs';

export const shop = join(root, 'tests', 'fixtures', 'shop');

/** Makes the database from the JSON files and returns its path. */
export function shopDatabase() {
  const file = join(scratch(), 'shop.db');
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  db.exec(readFileSync(join(shop, 'schema.sql'), 'utf8'));
  for (const name of readdirSync(join(shop, 'rows'))) {
    const rows = JSON.parse(readFileSync(join(shop, 'rows', name), 'utf8'));
    const columns = Object.keys(rows[0]);
    const insert = db.prepare(`INSERT INTO ${name.replace('.json', '')}(${columns}) VALUES(${columns.map(() => '?')})`);
    for (const row of rows) insert.run(...columns.map((column) => row[column]));
  }
  db.exec("INSERT INTO reviews_words(reviews_words) VALUES('rebuild')");
  db.close();
  return file;
}

/** A new key for an agent, in a state directory. */
export async function keyOf(agent, state) {
  const made = await gantry(['key', 'create', agent, '--state', state, '--json']);
  assert.equal(made.code, 0, made.stderr);
  return JSON.parse(made.stdout).key;
}

/** {server, keys, file}: the shop's server, each agent's key, the database. */
export async function startShop(agents, { config = {} } = {}) {
  const folder = scratch();
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  const keys = {};
  for (const agent of agents) keys[agent] = await keyOf(agent, state);
  const file = join(folder, 'gantryd.json');
  writeFileSync(file, JSON.stringify(config));
  const db = shopDatabase();
  const server = await Server.start({
    db,
    flags: ['--state', state, '--config', file, '--model', join(shop, 'model'), '--agents', join(shop, 'agents.json')],
  });
  return { server, keys, file: db };
}
