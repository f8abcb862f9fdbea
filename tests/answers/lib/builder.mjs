// Writes a database by prepared statements in one transaction.
import { DatabaseSync } from 'node:sqlite';

export class Builder {
  #db;
  #inserts = new Map();

  constructor(file, schema) {
    this.#db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    this.#db.exec(`PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; BEGIN; ${schema}`);
  }

  add(table, row) {
    const names = Object.keys(row);
    const key = `${table}(${names.join()})`;
    if (!this.#inserts.has(key)) {
      this.#inserts.set(key, this.#db.prepare(`INSERT INTO ${key} VALUES(${names.map(() => '?').join()})`));
    }
    this.#inserts.get(key).run(...Object.values(row).map(stored));
  }

  run(sql) { this.#db.exec(sql); }

  end() {
    this.#db.exec('COMMIT');
    this.#db.close();
  }
}

function stored(value) {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
}
