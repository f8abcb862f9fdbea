// A database with difficult names, keys and values. For each class the expected rows are written
// down independently of the server: keyed by object id, values as JSON.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { scratch } from './paths.mjs';

const pointer = (className, objectId) => ({ __type: 'Pointer', className, objectId });
const bytes = (...values) => ({ __type: 'Bytes', base64: Buffer.from(values).toString('base64') });
const date = (iso) => ({ __type: 'Date', iso });

export const weird = 'weird name; "quoted"';
const allBytes = Uint8Array.from({ length: 256 }, (_, i) => i);
const awkward = 'a\u0000b\u0001\t\n\r"\\/\u2028\u2029é🎈';

/** Class name → {sql, rows: {id: object without objectId}}. Inserts may use `bind`. */
export const classes = {
  authors: {
    sql: `CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, mentor INTEGER REFERENCES authors(id));
      INSERT INTO authors VALUES (1, 'Ada', NULL), (2, 'Ben', 1), (3, 'Cyd', 3), (-4, '', 2);`,
    rows: {
      1: { id: 1, name: 'Ada', mentor: null },
      2: { id: 2, name: 'Ben', mentor: pointer('authors', '1') },
      3: { id: 3, name: 'Cyd', mentor: pointer('authors', '3') },
      '-4': { id: -4, name: '', mentor: pointer('authors', '2') },
    },
  },
  books: {
    sql: `CREATE TABLE books (isbn TEXT PRIMARY KEY, title TEXT, author_id INTEGER REFERENCES authors(id));
      INSERT INTO books VALUES ('a/1', 'One', 1), ('b 2', 'Two', 999), ('ç,3%', NULL, NULL);`,
    rows: {
      'a/1': { isbn: 'a/1', title: 'One', author_id: pointer('authors', '1') },
      'b 2': { isbn: 'b 2', title: 'Two', author_id: pointer('authors', '999') },
      'ç,3%': { isbn: 'ç,3%', title: null, author_id: null },
    },
  },
  no_key: {
    sql: `CREATE TABLE no_key (a TEXT, b INTEGER);
      INSERT INTO no_key VALUES ('x', 1), ('x', 1), (NULL, NULL);`,
    rows: { 1: { a: 'x', b: 1 }, 2: { a: 'x', b: 1 }, 3: { a: null, b: null } },
  },
  composite: {
    sql: `CREATE TABLE composite (region TEXT, number INTEGER, note TEXT, PRIMARY KEY (region, number));
      INSERT INTO composite VALUES ('no,rth', 1, 'comma'), ('no%2Crth', 1, 'percent'), ('', 2, 'empty');`,
    rows: {
      'no%2Crth,1': { region: 'no,rth', number: 1, note: 'comma' },
      'no%252Crth,1': { region: 'no%2Crth', number: 1, note: 'percent' },
      ',2': { region: '', number: 2, note: 'empty' },
    },
  },
  clustered: {
    sql: `CREATE TABLE clustered (k TEXT, n INTEGER, v TEXT, PRIMARY KEY (k, n)) WITHOUT ROWID;
      INSERT INTO clustered VALUES ('k', 2, 'two'), ('k', 10, 'ten');`,
    rows: { 'k,2': { k: 'k', n: 2, v: 'two' }, 'k,10': { k: 'k', n: 10, v: 'ten' } },
  },
  text_clustered: {
    sql: `CREATE TABLE text_clustered (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
      INSERT INTO text_clustered VALUES ('1', 1), ('01', 'one');`,
    rows: { 1: { k: '1', v: 1 }, '01': { k: '01', v: 'one' } },
  },
  select: {
    sql: `CREATE TABLE "select" ("from" INTEGER PRIMARY KEY, "where" TEXT, "order" TEXT, "group" TEXT, "limit" INTEGER);
      INSERT INTO "select" VALUES (1, 'w', 'o', 'g', 5);`,
    rows: { 1: { from: 1, where: 'w', order: 'o', group: 'g', limit: 5 } },
  },
  [weird]: {
    sql: `CREATE TABLE "weird name; ""quoted""" (id INTEGER PRIMARY KEY, "a column" TEXT, "dou""ble" TEXT,
        "semi;colon" TEXT, "it's" TEXT, "ünïcode 🎈" TEXT, "back\\slash" TEXT, "new\nline" TEXT, [bra]]ket] TEXT);
      INSERT INTO "weird name; ""quoted""" VALUES (1, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');`
      .replace('[bra]]ket]', '"bra]ket"'),
    rows: {
      1: {
        id: 1, 'a column': 'a', 'dou"ble': 'b', 'semi;colon': 'c', "it's": 'd', 'ünïcode 🎈': 'e',
        'back\\slash': 'f', 'new\nline': 'g', 'bra]ket': 'h',
      },
    },
  },
  'таблица 🎈': {
    sql: `CREATE TABLE "таблица 🎈" ("ключ" TEXT PRIMARY KEY); INSERT INTO "таблица 🎈" VALUES ('значение');`,
    rows: { значение: { ключ: 'значение' } },
  },
  nocase: {
    sql: `CREATE TABLE nocase (code TEXT COLLATE NOCASE PRIMARY KEY, label TEXT COLLATE RTRIM);
      INSERT INTO nocase VALUES ('Abc', 'x  '), ('abd', 'x');`,
    rows: { Abc: { code: 'Abc', label: 'x  ' }, abd: { code: 'abd', label: 'x' } },
  },
  strict: {
    sql: `CREATE TABLE strict (id INTEGER PRIMARY KEY, r REAL, t TEXT, b BLOB, a ANY) STRICT;
      INSERT INTO strict VALUES (1, 1, 't', x'00', '5'), (2, 0.1, NULL, NULL, 5), (3, NULL, '', x'', x'ff');`,
    rows: {
      1: { id: 1, r: 1, t: 't', b: bytes(0), a: '5' },
      2: { id: 2, r: 0.1, t: null, b: null, a: 5 },
      3: { id: 3, r: null, t: '', b: bytes(), a: bytes(255) },
    },
  },
  generated: {
    sql: `CREATE TABLE generated (id INTEGER PRIMARY KEY, w INTEGER, h INTEGER,
        area INTEGER GENERATED ALWAYS AS (w * h) STORED, label TEXT AS (w || 'x' || h) VIRTUAL);
      INSERT INTO generated (id, w, h) VALUES (1, 3, 4), (2, NULL, 1);`,
    rows: {
      1: { id: 1, w: 3, h: 4, area: 12, label: '3x4' },
      2: { id: 2, w: null, h: 1, area: null, label: null },
    },
  },
  numbers: {
    sql: `CREATE TABLE numbers (id INTEGER PRIMARY KEY, i INTEGER, r REAL);
      INSERT INTO numbers VALUES (1, 9007199254740993, 9e999), (2, 9223372036854775807, -9e999),
        (3, -9223372036854775807 - 1, 0.1 + 0.2), (4, 9007199254740992, 5e-324), (5, -1, 1.7976931348623157e308),
        (6, 0, 1e15), (7, 2147483648, 123456789.123456789), (8, NULL, NULL), (9, 'text in it', 'here too');`,
    rows: {
      1: { id: 1, i: 9007199254740993n, r: 'Infinity' },
      2: { id: 2, i: 9223372036854775807n, r: '-Infinity' },
      3: { id: 3, i: -9223372036854775808n, r: 0.1 + 0.2 },
      4: { id: 4, i: 9007199254740992n, r: 5e-324 },
      5: { id: 5, i: -1, r: 1.7976931348623157e308 },
      6: { id: 6, i: 0, r: 1e15 },
      7: { id: 7, i: 2147483648, r: 123456789.123456789 },
      8: { id: 8, i: null, r: null },
      9: { id: 9, i: 'text in it', r: 'here too' },
    },
  },
  big_keys: {
    sql: `CREATE TABLE big_keys (id INTEGER PRIMARY KEY, v TEXT);
      INSERT INTO big_keys VALUES (9223372036854775807, 'max'), (9007199254740993, 'odd');`,
    rows: {
      '9223372036854775807': { id: 9223372036854775807n, v: 'max' },
      '9007199254740993': { id: 9007199254740993n, v: 'odd' },
    },
  },
  texts: {
    sql: `CREATE TABLE texts (id INTEGER PRIMARY KEY, t TEXT);
      INSERT INTO texts VALUES (1, CAST(x'ff' AS TEXT)), (2, ''), (3, CAST(x'61c3' AS TEXT)),
        (4, CAST(x'eda080' AS TEXT)), (5, CAST(x'c0af' AS TEXT)), (7, 'null'), (8, '{"a":1}');`,
    bind: [['INSERT INTO texts VALUES (6, ?)', awkward]],
    rows: {
      1: { id: 1, t: bytes(0xff) }, 2: { id: 2, t: '' }, 3: { id: 3, t: bytes(0x61, 0xc3) },
      4: { id: 4, t: bytes(0xed, 0xa0, 0x80) }, 5: { id: 5, t: bytes(0xc0, 0xaf) },
      6: { id: 6, t: awkward }, 7: { id: 7, t: 'null' }, 8: { id: 8, t: '{"a":1}' },
    },
  },
  blobs: {
    sql: 'CREATE TABLE blobs (id INTEGER PRIMARY KEY, b BLOB); INSERT INTO blobs VALUES (1, x\'\'), (2, NULL);',
    bind: [['INSERT INTO blobs VALUES (3, ?)', allBytes]],
    rows: { 1: { id: 1, b: bytes() }, 2: { id: 2, b: null }, 3: { id: 3, b: bytes(...allBytes) } },
  },
  documents: {
    sql: `CREATE TABLE documents (id INTEGER PRIMARY KEY, doc JSON);
      INSERT INTO documents VALUES (1, '{"a":{"b":[1,2,{"c":"x"}]},"n":null,"big":9007199254740993}'),
        (2, '[1,"two",null]'), (3, '"text"'), (4, NULL), (5, 'not { json');`,
    rows: {
      1: { id: 1, doc: { a: { b: [1, 2, { c: 'x' }] }, n: null, big: 9007199254740993n } },
      2: { id: 2, doc: [1, 'two', null] },
      3: { id: 3, doc: 'text' },
      4: { id: 4, doc: null },
      5: { id: 5, doc: 'not { json' },
    },
  },
  dates: {
    sql: `CREATE TABLE dates (id INTEGER PRIMARY KEY, at DATETIME, seconds TIMESTAMP, millis TIMESTAMP, plain INTEGER);
      INSERT INTO dates VALUES (1, '2026-11-21T20:00:00.000Z', 1795291200, 1795291200123, 1795291200),
        (2, '2026-11-21T20:00:00.500Z', 1000000000, 1795291200000, 0), (3, NULL, NULL, NULL, NULL);`,
    rows: {
      1: {
        id: 1, at: date('2026-11-21T20:00:00.000Z'), seconds: date('2026-11-21T20:00:00.000Z'),
        millis: date('2026-11-21T20:00:00.123Z'), plain: 1795291200,
      },
      2: {
        id: 2, at: date('2026-11-21T20:00:00.500Z'), seconds: date('2001-09-09T01:46:40.000Z'),
        millis: date('2026-11-21T20:00:00.000Z'), plain: 0,
      },
      3: { id: 3, at: null, seconds: null, millis: null, plain: null },
    },
  },
  mixed: {
    sql: `CREATE TABLE mixed (id INTEGER PRIMARY KEY, x);
      INSERT INTO mixed VALUES (1, 1), (2, 1.5), (3, '1'), (4, x'31'), (5, NULL), (6, '2026-11-21');`,
    rows: {
      1: { id: 1, x: 1 }, 2: { id: 2, x: 1.5 }, 3: { id: 3, x: '1' }, 4: { id: 4, x: bytes(0x31) },
      5: { id: 5, x: null }, 6: { id: 6, x: '2026-11-21' },
    },
  },
  own_ids: {
    sql: `CREATE TABLE own_ids (objectId TEXT PRIMARY KEY, createdAt TEXT, updatedAt TEXT, score INTEGER);
      INSERT INTO own_ids VALUES ('r1', '2026-11-21T20:00:00.000Z', '2026-11-21T21:00:00.000Z', 7);`,
    rows: {
      r1: { createdAt: '2026-11-21T20:00:00.000Z', updatedAt: '2026-11-21T21:00:00.000Z', score: 7 },
    },
  },
  orphan: {
    sql: `CREATE TABLE orphan (id INTEGER PRIMARY KEY, ref INTEGER REFERENCES nowhere(id));
      INSERT INTO orphan VALUES (1, 5);`,
    rows: { 1: { id: 1 } },  // any value of `ref` is accepted, as long as the row is returned
    free: ['ref'],
  },
  _internal: {
    sql: `CREATE TABLE _internal (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO _internal VALUES (1, 'v');`,
    rows: { 1: { id: 1, v: 'v' } },
    builtIn: true,
  },
  empty: { sql: 'CREATE TABLE empty (id INTEGER PRIMARY KEY, v TEXT);', rows: {} },
  one: { sql: 'CREATE TABLE one (x TEXT); INSERT INTO one VALUES (\'only\');', rows: { 1: { x: 'only' } } },
  wide: {
    sql: `CREATE TABLE wide (id INTEGER PRIMARY KEY, ${range(900).map((i) => `c${i} INTEGER`).join(', ')});
      INSERT INTO wide VALUES (1, ${range(900).join(', ')});`,
    rows: { 1: { id: 1, ...Object.fromEntries(range(900).map((i) => [`c${i}`, i])) } },
  },
};

function range(n) { return Array.from({ length: n }, (_, i) => i); }

/** Makes the database and returns its path. */
export function nastyDatabase() {
  const file = join(scratch(), 'na sty;\'"db.sqlite');
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  for (const { sql, bind = [] } of Object.values(classes)) {
    db.exec(sql);
    for (const [statement, ...values] of bind) db.prepare(statement).run(...values);
  }
  db.exec(`
    CREATE VIEW "book view" AS SELECT b.title, a.name AS author FROM books b LEFT JOIN authors a ON a.id = b.author_id;
    CREATE VIEW broken AS SELECT gone FROM nowhere;
    CREATE INDEX books_by_expression ON books (lower(title));
    CREATE INDEX books_partial ON books (title) WHERE title IS NOT NULL;
    CREATE VIRTUAL TABLE words USING fts5 (body);
    INSERT INTO words VALUES ('the quick brown fox');
    CREATE TABLE accounts (id INTEGER PRIMARY KEY, name TEXT, password_hash TEXT);
    INSERT INTO accounts VALUES (1, 'ada', 'sekrit-hash');
    CREATE TRIGGER no_writes BEFORE INSERT ON empty BEGIN SELECT raise(ABORT, 'never'); END;`);
  db.close();
  return file;
}
