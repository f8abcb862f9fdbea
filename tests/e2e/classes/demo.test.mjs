// The demo database as tools/demo/build.sh builds it, read without a server.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { root, scratch } from '../lib/paths.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const builder = join(root, 'tools', 'demo', 'build.sh');
const source = (name) => Object.values(
  JSON.parse(readFileSync(`/usr/share/iso-codes/json/iso_${name}.json`)))[0];

test('every record of iso-codes is in its table', () => {
  const db = new DatabaseSync(demoDatabase(), { readOnly: true });
  const tables = {
    countries: '3166-1', former_countries: '3166-3', subdivisions: '3166-2', languages: '639-3',
    language_families: '639-5', scripts: '15924', currencies: '4217',
  };
  for (const [table, file] of Object.entries(tables)) {
    const { n } = db.prepare(`SELECT count(*) AS n FROM ${table}`).get();
    assert.equal(n, source(file).length, table);
    assert.ok(n > 0, table);
  }
});

test('every pointer resolves and every parent that the source names is there', () => {
  const db = new DatabaseSync(demoDatabase(), { readOnly: true });
  assert.deepEqual(db.prepare('PRAGMA foreign_key_check').all(), []);
  const { n } = db.prepare('SELECT count(parent) AS n FROM subdivisions').get();
  assert.equal(n, source('3166-2').filter((record) => record.parent).length);
  const strays = db.prepare(`SELECT s.code FROM subdivisions s JOIN subdivisions p ON p.code = s.parent
    WHERE p.country <> s.country`).all();
  assert.deepEqual(strays, []);
});

test('values are those of iso-codes', () => {
  const db = new DatabaseSync(demoDatabase(), { readOnly: true });
  const get = (sql) => ({ ...db.prepare(sql).get() });
  assert.deepEqual(get(`SELECT * FROM countries WHERE alpha_2 = 'AF'`), {
    alpha_2: 'AF', alpha_3: 'AFG', numeric: '004', name: 'Afghanistan',
    official_name: 'Islamic Republic of Afghanistan', common_name: null, flag: '🇦🇫',
  });
  assert.deepEqual(
    get(`SELECT parent, country FROM subdivisions WHERE code = 'GB-ABD'`), { parent: 'GB-SCT', country: 'GB' });
  assert.deepEqual(
    get(`SELECT withdrawal_year, withdrawn_on, successor FROM former_countries WHERE alpha_4 = 'DDDE'`),
    { withdrawal_year: 1990, withdrawn_on: '1990-10-30', successor: 'DE' });
  assert.deepEqual(
    get(`SELECT withdrawn_on FROM former_countries WHERE alpha_4 = 'SKIN'`), { withdrawn_on: null });
});

test('two builds are the same file', () => {
  assert.deepEqual(readFileSync(demoDatabase()), readFileSync(demoDatabase()));
});

test('a rebuild replaces the file and leaves nothing beside it', () => {
  const folder = scratch();
  const file = join(folder, 'demo.db');
  writeFileSync(file, 'not a database');
  execFileSync(builder, [file]);
  assert.deepEqual(readdirSync(folder), ['demo.db']);
  new DatabaseSync(file, { readOnly: true }).prepare('SELECT name FROM countries').get();
});

test('without iso-codes the build names the package and leaves the old file alone', () => {
  const file = join(scratch(), 'demo.db');
  writeFileSync(file, 'old');
  const { status, stderr } = spawnSync(builder, [file],
    { env: { ...process.env, GANTRY_ISO_CODES: scratch() }, encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /iso_3166-1\.json is missing; install the package iso-codes/);
  assert.equal(readFileSync(file, 'utf8'), 'old');
});
