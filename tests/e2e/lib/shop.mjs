// The shop of tests/fixtures/shop: its database, a server that knows its rules, a key for each agent.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Server } from './gantryd.mjs';
import { keysFor } from './keys.mjs';
import { root, scratch } from './paths.mjs';
import { newState } from './trials.mjs';

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

/** {server, keys, file}: the shop's server, each agent's key, the database. */
export async function startShop(agents, { config = {} } = {}) {
  const state = newState();
  const keys = await keysFor(agents, state);
  const file = join(scratch(), 'gantryd.json');
  writeFileSync(file, JSON.stringify(config));
  const db = shopDatabase();
  const server = await Server.start({
    db,
    flags: ['--state', state, '--config', file, '--model', join(shop, 'model'), '--agents', join(shop, 'agents.json')],
  });
  return { server, keys, file: db };
}
