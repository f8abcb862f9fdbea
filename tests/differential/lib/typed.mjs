// Collections as tables with columns, where that does not change the meaning of a command.
//
// Documents allow it when each has the same fields, each field one kind of scalar and no null: then
// a column says all that the documents say. Their ids become text, so a command may not compute
// with them unless they were text before.
import { Instant, Num, write } from './values.mjs';

const scalarKind = (value) => {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (value instanceof Instant) return 'date';
  return value instanceof Num ? value.kind : undefined;
};

/** The type and the check of a column that prove its kind to the engine. */
const declarations = {
  int: (c) => `INTEGER CHECK (typeof(${c}) = 'integer')`,
  long: (c) => `INTEGER CHECK (typeof(${c}) = 'integer')`,
  double: (c) => `REAL CHECK (typeof(${c}) = 'real')`,
  string: (c) => `TEXT CHECK (typeof(${c}) = 'text')`,
  boolean: (c) => `BOOLEAN CHECK (${c} IN (0, 1))`,
  date: (c) => `DATETIME CHECK (typeof(${c}) = 'text')`,
};

const firstFitting = -62135596800000n;
const lastFitting = 253402300799999n;

/** A long that fits 32 bits would read back as an int; zero's sign and NaN are not kept. */
function keeps(kind, value) {
  if (kind === 'long') return BigInt.asIntN(32, value.value) !== value.value;
  if (kind === 'double') return !Number.isNaN(value.value) && !Object.is(value.value, -0);
  if (kind === 'date') return value.ms >= firstFitting && value.ms <= lastFitting;
  return kind !== 'string' || !/^\s*[[{]|\0|^\d{4}-/.test(value);
}

const reserved = /^(_|objectid$|createdat$|updatedat$|rowid$|oid$|id$|uuid$)|[.$\0]|^$/i;

function columnsOf(documents) {
  const names = [...documents[0].keys()].filter((name) => name !== '_id');
  if (new Set(names.map((name) => name.toLowerCase())).size !== names.length) return undefined;
  const columns = [];
  for (const name of names) {
    const kind = scalarKind(documents[0].get(name));
    const isWhole = documents.every((d) => scalarKind(d.get(name)) === kind && keeps(kind, d.get(name)));
    if (kind === undefined || reserved.test(name) || !isWhole) return undefined;
    columns.push({ name, kind });
  }
  return columns;
}

/** Whole numbers of one length order as their texts do. */
function idKind(documents) {
  const ids = documents.map((document) => document.get('_id'));
  if (ids.every((id) => typeof id === 'string' && id !== '')) return 'string';
  const isPlain = ids.every((id) => id instanceof Num && id.kind !== 'double' && id.value >= 0n);
  if (!isPlain) return undefined;
  return new Set(ids.map((id) => String(id.value).length)).size === 1 ? 'number' : undefined;
}

export const cell = (value) => {
  if (value instanceof Num) return value.value;
  if (value instanceof Instant) return new Date(Number(value.ms)).toISOString();
  return typeof value === 'boolean' ? Number(value) : value;
};

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** {ids, body: what follows CREATE TABLE name, names, rows}, or undefined. */
function tableOf(documents) {
  if (documents.length === 0 || documents.some((d) => !(d instanceof Map))) return undefined;
  const columns = columnsOf(documents);
  const ids = idKind(documents);
  const isEven = documents.every((document) => document.size === (columns?.length ?? 0) + 1);
  if (!columns || !ids || !isEven) return undefined;
  const lines = columns.map(({ name, kind }) => `${quoted(name)} ${declarations[kind](quoted(name))} NOT NULL`);
  return {
    ids, names: columns.map(({ name }) => name),
    body: `(objectId TEXT PRIMARY KEY NOT NULL${lines.map((line) => `, ${line}`).join('')})`,
    rows: documents.map((d) => [String(cell(d.get('_id'))), ...columns.map(({ name }) => cell(d.get(name)))]),
  };
}

const isFlag = (value) => typeof value === 'boolean' || (value instanceof Num && [0, 1, -1].includes(Number(value.value)));

/** Nothing below speaks of ids, or of documents as a whole. */
const isSilent = (value) => {
  if (typeof value === 'string') return !/(^|[$.])_id($|\.)|\$\$(ROOT|CURRENT)/.test(value);
  if (Array.isArray(value)) return value.every(isSilent);
  if (!(value instanceof Map)) return true;
  return [...value].every(([name, inner]) => !/^_id($|\.)/.test(name) && isSilent(inner));
};

const shows = (spec) => spec instanceof Map && [...spec].every(([name, value]) => (name === '_id' ? isFlag(value) : isSilent(value)));

/** A stage that treats number ids no otherwise than their texts. */
function allowsText(stage) {
  if (!(stage instanceof Map)) return true;
  return [...stage].every(([name, spec]) => {
    if (name === '$project' || name === '$sort') return shows(spec);
    if (name === '$group') return spec instanceof Map && [...spec].every(([, inner]) => isSilent(inner));
    return isSilent(spec);
  });
}

function commandAllowsText({ verb, command }) {
  if (verb === 'aggregate') {
    const stages = command.get('pipeline');
    return Array.isArray(stages) && stages.every(allowsText);
  }
  const parts = [command.get('filter'), command.get('query'), command.get('key')].filter((p) => p !== undefined);
  return parts.every(isSilent) && ['sort', 'projection'].every((part) => shows(command.get(part) ?? new Map()));
}

/** Map(collection -> table) when all of a case's collections can be tables; else undefined. */
export function typedForm(one) {
  const tables = new Map();
  for (const [name, documents] of one.collections) {
    const table = tableOf(documents);
    if (!table) return undefined;
    tables.set(name, table);
  }
  if (tables.size === 0) return undefined;
  const hasText = [...tables.values()].every((table) => table.ids === 'string');
  return hasText || commandAllowsText(one) ? tables : undefined;
}

const firstPart = (value) => (typeof value === 'string' ? value.split('.')[0] : undefined);

function namesMadeIn(value, found) {
  if (Array.isArray(value)) value.forEach((v) => namesMadeIn(v, found));
  if (!(value instanceof Map)) return found;
  for (const [name, inner] of value) {
    if (name === '$match') continue;
    found.add(firstPart(name));
    if (['as', '$count', 'includeArrayIndex'].includes(name)) found.add(firstPart(inner));
    namesMadeIn(inner, found);
  }
  return found;
}

/** The names that stages of a pipeline may have made before they are used: not those of the last
 *  stage, unless it has a pipeline of its own. */
export function madeNames(stages) {
  if (!Array.isArray(stages)) return new Set();
  const last = stages.at(-1);
  const hasOwn = last instanceof Map && /"pipeline":|"\$facet":/.test(write(last));
  return namesMadeIn(hasOwn ? stages : stages.slice(0, -1), new Set());
}
