// Reads recorded commands with MongoDB's answers into one form:
//   {id, collections: Map(name -> documents), verb, command (Map), expected | undefined: an error,
//    options {anyOrder, anyOrderIn}, types?: kinds of typed columns that the file declares}
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { read } from './values.mjs';

const verbs = ['find', 'count', 'distinct', 'aggregate'];

export function linesOf(file) {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('//'));
}

/** The names of collections that a pipeline reads, at any depth. */
export function namesIn(value, found = new Set()) {
  if (Array.isArray(value)) value.forEach((v) => namesIn(v, found));
  if (!(value instanceof Map)) return found;
  for (const [name, inner] of value) {
    if (['$lookup', '$graphLookup'].includes(name) && inner instanceof Map) found.add(inner.get('from'));
    if (name === '$unionWith') found.add(inner instanceof Map ? inner.get('coll') : inner);
    namesIn(inner, found);
  }
  found.delete(undefined);
  return found;
}

/** A collection that a command reads and the file does not fill is empty. */
function withEmptyOnes(collections, command, verb) {
  const names = [command.get(verb), ...namesIn(command.get('pipeline'))];
  for (const name of names) {
    if (typeof name === 'string' && !collections.has(name)) collections.set(name, []);
  }
  return collections;
}

/** A recorded command; undefined when it does not read data. */
export function recordedCase(line) {
  const raw = read(line);
  const command = raw.get('cmd');
  const [verb] = command.keys();
  if (!verbs.includes(verb)) return undefined;
  const options = raw.get('opts') ?? new Map();
  return {
    id: raw.get('id'), verb, command, expected: raw.get('expected'),
    collections: withEmptyOnes(new Map(raw.get('setup') ?? []), command, verb),
    options: { anyOrder: options.get('anyOrder') === true, anyOrderIn: options.get('anyOrderIn') ?? [] },
  };
}

export function recordedCases(file, every = 1) {
  return linesOf(file).filter((_, i) => i % every === 0).map(recordedCase).filter(Boolean);
}
