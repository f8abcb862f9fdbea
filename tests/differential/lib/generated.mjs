// Generated cases: rows of classes with a declared schema, and the answers of another engine.
//   {id, schema {field: kind}, rows, other {class: rows}, op, where | pipeline, sort, skip, limit,
//    ordered, anyOrderIn, expected}
import { linesOf } from './cases.mjs';
import { Instant, Num, read } from './values.mjs';
import { cell } from './typed.mjs';

const kMain = 'Main';
const verbOf = { query_class: 'find', count_objects: 'count', aggregate: 'aggregate' };

const optional = (entries) => new Map(entries.filter(([, value]) => value !== undefined));

function commandOf(raw) {
  const part = (name) => raw.get(name);
  const verb = verbOf[part('op')];
  const condition = verb === 'count' ? 'query' : 'filter';
  return optional([[verb, kMain], ['pipeline', part('pipeline')], [condition, part('where')],
    ['sort', part('sort')], ['skip', part('skip')], ['limit', part('limit')]]);
}

/** Replaces pointers by their ids, as documents store them. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  if (value.get('__type') === 'Pointer') return value.get('objectId');
  return new Map([...value].map(([name, inner]) => [name, plain(inner)]));
}

export function generatedCase(line) {
  const raw = read(line);
  const command = commandOf(raw);
  const verb = verbOf[raw.get('op')];
  const collections = new Map([[kMain, raw.get('rows')], ...(raw.get('other') ?? [])]);
  const one = {
    id: raw.get('id'), verb, command, collections, schema: raw.get('schema'),
    // A query's answer is given as the rows' ids.
    expected: raw.get('expected'), idsOnly: verb === 'find',
    options: { anyOrder: raw.get('ordered') !== true, anyOrderIn: raw.get('anyOrderIn') ?? [] },
  };
  one.asDocuments = { ...one, command: plain(command) };
  return one;
}

export function generatedCases(file, every = 1) {
  return linesOf(file).filter((_, i) => i % every === 0).map(generatedCase);
}

const types = { String: 'TEXT', Number: 'REAL', Boolean: 'BOOLEAN', Date: 'DATETIME', Array: 'JSON', Object: 'JSON' };

/** `name TYPE` and constraints for a kind of the schema: "Number!", "Pointer<Owner>", "String?". */
function column(name, kind, tableNames) {
  const [, type, target] = /^(\w+)(?:<(\w+)>)?/.exec(kind);
  const must = name === 'objectId' ? ' PRIMARY KEY NOT NULL' : kind.endsWith('!') ? ' NOT NULL' : '';
  const leads = target ? ` REFERENCES ${tableNames.get(target)}(objectId)` : '';
  return `"${name}" ${types[type] ?? 'TEXT'}${must}${leads}`;
}

const asText = (value) => {
  if (value instanceof Map) return `{${[...value].map(([k, v]) => `${JSON.stringify(k)}:${asText(v)}`).join(',')}}`;
  if (Array.isArray(value)) return `[${value.map(asText).join(',')}]`;
  if (value instanceof Num) return String(value.value);
  return value instanceof Instant ? JSON.stringify(cell(value)) : JSON.stringify(value);
};

const stored = (value) => (value instanceof Map || Array.isArray(value) ? asText(value) : cell(value ?? null));

/** The kinds of a class whose schema is not given, from its rows. */
function kindsOf(rows) {
  const kinds = new Map([['objectId', 'String!']]);
  for (const row of rows) {
    for (const [name, value] of row) {
      if (!kinds.has(name)) kinds.set(name, value instanceof Num ? 'Number' : 'String');
    }
  }
  return kinds;
}

/** Puts the rows into tables; Map(collection -> table). */
export function generatedTables(one, database) {
  const names = new Map();
  const put = (name, kinds) => {
    const columns = [...kinds].map(([field, kind]) => column(field, kind, names));
    const rows = one.collections.get(name).map((row) => [...kinds.keys()].map((field) => stored(row.get(field))));
    names.set(name, database.table({ body: `(${columns.join(', ')})`, rows }));
  };
  for (const [name, rows] of one.collections) if (name !== kMain) put(name, kindsOf(rows));
  put(kMain, one.schema);
  return names;
}

