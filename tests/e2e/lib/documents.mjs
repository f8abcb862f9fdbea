// A database with a document class and a typed table, and the model that describes it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { scratch } from './paths.mjs';

/** As stored: relaxed Extended JSON, key order and all. */
export const stored = [
  { _id: 1, name: 'Ada', age: 36, tags: ['a', 'b'], born: { $date: '1990-05-01T00:00:00.000Z' }, home: 'ber' },
  { _id: 'two', name: 'Bob', age: { $numberLong: '17' }, score: { $numberDouble: 'NaN' }, home: 'par' },
  { _id: { $oid: '0123456789abcdef01234567' }, name: 'Cyd', age: null, deep: { z: 1, a: [{ b: 2 }] } },
  { _id: 4.5, age: 40, name: 'Dan', home: 'ber', _hashed_password: 'secret' },
  { name: 'Eve', boss: { __type: 'Pointer', className: 'city', objectId: 'ber' } },
];

export function documentsDatabase(rows = stored.map((row) => JSON.stringify(row))) {
  const file = join(scratch(), 'documents.db');
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  db.exec(`CREATE TABLE people_docs(n INTEGER PRIMARY KEY, doc TEXT);
    CREATE TABLE city(code TEXT PRIMARY KEY, name TEXT, mayor INTEGER REFERENCES people_docs(n));
    INSERT INTO city VALUES('ber','Berlin',1),('par','Paris',NULL);`);
  const insert = db.prepare('INSERT INTO people_docs(doc) VALUES(?)');
  for (const row of rows) insert.run(row);
  db.close();
  return file;
}

/** A directory with one file for each class: {NAME: content}. */
export function modelDirectory(files) {
  const directory = join(scratch(), 'model');
  mkdirSync(directory, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeModel(directory, name, content);
  return directory;
}

export function writeModel(directory, name, content) {
  writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
}

export const people = { class: 'people', table: 'people_docs', document: 'doc' };
