// The database of the journeys: rows that point at each other, values to count, texts that would be markup, and
// numbers beyond 2^53.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { scratch } from '../../e2e/lib/paths.mjs';

export const markup = '<img src=x onerror="window.hit=1">';
export const large = '1152921504606846977';  // 2^60 + 1

export function worldDatabase() {
  const file = join(scratch(), 'world.db');
  const db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE regions (code TEXT PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, region TEXT REFERENCES regions(code), people INTEGER);
    CREATE INDEX towns_by_kind ON towns (kind);
    CREATE INDEX towns_by_region ON towns (region);
    CREATE TABLE "${markup.replaceAll('"', '""')}" (id INTEGER PRIMARY KEY, "${'<b onmouseover=x>'}" TEXT);
    INSERT INTO regions VALUES ('N', 'North'), ('S', 'South');
    BEGIN`);
  const town = db.prepare('INSERT INTO towns VALUES (?, ?, ?, ?, ?)');
  for (let id = 1; id <= 240; ++id) town.run(id, `Town ${id}`, id % 4 ? 'village' : 'city', id % 3 ? 'N' : 'S', id * 100);
  town.run(241, markup, 'city', 'S', BigInt(large));
  db.prepare(`INSERT INTO "${markup.replaceAll('"', '""')}" VALUES (1, ?)`).run(markup);
  db.exec('COMMIT');
  db.close();
  return file;
}
