// One SQLite file with the collections of all cases, each once: as a table of documents and, where its
// documents allow it, as a table with columns. Also writes the model that names the document tables.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { scratch } from '../../e2e/lib/paths.mjs';
import { write } from './values.mjs';

export class Database {
  #names = new Map();  // content -> table

  constructor() {
    const folder = scratch();
    this.file = join(folder, 'cases.db');
    this.model = join(folder, 'model');
    mkdirSync(this.model);
    this.db = new DatabaseSync(this.file);
    this.db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN');
  }

  /** The name of the table with this content; `make` is called for a new one. */
  #once(prefix, content, make) {
    const known = this.#names.get(content);
    if (known) return known;
    const name = `${prefix}${this.#names.size}`;
    this.#names.set(content, name);
    make(name);
    return name;
  }

  #fill(table, rows) {
    if (rows.length === 0) return;
    const insert = this.db.prepare(`INSERT INTO ${table} VALUES (${rows[0].map(() => '?').join(', ')})`);
    for (const row of rows) insert.run(...row);
  }

  documents(documents) {
    const rows = documents.map((document) => [write(document)]);
    return this.#once('d', rows.join('\n'), (name) => {
      this.db.exec(`CREATE TABLE ${name} (document TEXT NOT NULL)`);
      this.#fill(name, rows);
      writeFileSync(join(this.model, `${name}.json`), JSON.stringify({ class: name, table: name, document: 'document' }));
    });
  }

  /** `body`: what follows CREATE TABLE name; `rows` in its order. */
  table({ body, rows }) {
    const content = `${body}${JSON.stringify(rows, (_, v) => (typeof v === 'bigint' || typeof v === 'number' ? `#${v}` : v))}`;
    return this.#once('t', content, (name) => {
      this.db.exec(`CREATE TABLE ${name} ${body}`);
      this.#fill(name, rows);
    });
  }

  close() {
    this.db.exec('COMMIT');
    this.db.close();
  }
}
