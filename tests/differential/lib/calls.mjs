// Turns a MongoDB command into calls of the tools.
import { integer, Num, write } from './values.mjs';

const kMostRows = 1000;  // of query_class
const kMostValues = 5000;  // of distinct
const kMostDocuments = 10000;  // of aggregate
const kUnaskedDocuments = 200;  // of aggregate without $limit

/** The command with the collections' names replaced at any depth. */
export function renamed(value, names) {
  const other = (name) => names.get(name) ?? name;
  if (Array.isArray(value)) return value.map((v) => renamed(v, names));
  if (!(value instanceof Map)) return value;
  if (value.get('__type') === 'Pointer') return new Map([...value, ['className', other(value.get('className'))]]);
  return new Map([...value].map(([name, inner]) => {
    if (name === '$unionWith' && typeof inner === 'string') return [name, other(inner)];
    const isJoin = ['$lookup', '$graphLookup', '$unionWith'].includes(name) && inner instanceof Map;
    if (!isJoin) return [name, renamed(inner, names)];
    return [name, new Map([...inner].map(([key, v]) => [key, key === 'from' || key === 'coll' ? other(v) : renamed(v, names)]))];
  }));
}

const isEmpty = (value) => value === undefined || value === null || (value instanceof Map && value.size === 0);
const isZero = (value) => value instanceof Num && Number(value.value) === 0;

/** A sort as `order`; undefined when `order` cannot express it. */
function orderOf(sort) {
  const words = [...sort].map(([name, way]) => {
    const direction = way instanceof Num ? Number(way.value) : 0;
    return Math.abs(direction) === 1 && /^[\w.]+$/.test(name) ? `${direction < 0 ? '-' : ''}${name}` : undefined;
  });
  return words.includes(undefined) ? undefined : words.join(',');
}

/** A projection as `keys`; undefined when it leaves out or computes. */
function keysOf(projection) {
  const kept = [...projection].filter(([name]) => name !== '_id');
  const isPlain = kept.every(([name, value]) => (value === true || (value instanceof Num && Number(value.value) === 1)) && !name.includes('.'));
  return kept.length > 0 && isPlain ? kept.map(([name]) => name) : undefined;
}

/** Arguments as JSON text; those that are undefined are left out. */
const text = (args, dress) => write(new Map(Object.entries(args).filter(([, v]) => v !== undefined)), dress);

const stage = (name, spec) => new Map([[name, spec]]);

function aggregateCall(className, pipeline, dress, expected, more = {}) {
  const isLong = Array.isArray(expected) && expected.length > kUnaskedDocuments;
  const stages = isLong ? [...pipeline, stage('$limit', integer(kMostDocuments))] : pipeline;
  return { tool: 'aggregate', stages, args: text({ class_name: className, pipeline: stages, ...more }, dress), answer: 'results' };
}

/** Options of a command that change its meaning; the tools refuse all of them. */
function meaningfulOptions(command) {
  const given = ['collation', 'let'].filter((name) => command.has(name));
  return Object.fromEntries(given.map((name) => [name, command.get(name)]));
}

/** A find as stages, in the order in which a find does its parts. */
export function stagesOf(command, filter = 'filter') {
  const parts = [[filter, '$match'], ['sort', '$sort'], ['skip', '$skip'], ['limit', '$limit'], ['projection', '$project']];
  return parts.map(([part, name]) => [name, command.get(part)])
    .filter(([, spec]) => !isEmpty(spec) && !isZero(spec)).map(([name, spec]) => stage(name, spec));
}

function findCall(className, command, dress, expected) {
  const [filter, sort, projection] = ['filter', 'sort', 'projection'].map((part) => command.get(part));
  const order = sort instanceof Map && sort.size > 0 ? orderOf(sort) : '';
  const keys = isEmpty(projection) ? [] : projection instanceof Map ? keysOf(projection) : undefined;
  const isSaid = order !== undefined && keys !== undefined && (filter === undefined || filter instanceof Map)
    && (sort === undefined || sort instanceof Map);
  if (!isSaid) return aggregateCall(className, stagesOf(command), dress, expected);
  const hidesId = projection instanceof Map && isZero(projection.get('_id'));
  const shown = dress === 'document' && keys.length > 0 && !hidesId ? ['_id', ...keys] : keys;
  const limit = isEmpty(command.get('limit')) || isZero(command.get('limit')) ? integer(kMostRows) : command.get('limit');
  return {
    tool: 'query_class', answer: 'results', unordered: order === '',
    // The tools add objectId to each document.
    hidesId: hidesId || dress === 'document',
    args: text({
      ...meaningfulOptions(command), class_name: className, where: isEmpty(filter) ? undefined : filter, order: order || undefined,
      keys: shown.length > 0 ? shown : undefined, limit, skip: command.get('skip'),
    }, dress),
  };
}

function countCall(className, command, dress) {
  const isBounded = ['skip', 'limit'].some((part) => command.has(part));
  if (!isBounded) {
    const where = isEmpty(command.get('query')) ? undefined : command.get('query');
    return { tool: 'count_objects', answer: 'count', args: text({ class_name: className, where }, dress) };
  }
  const pipeline = [...stagesOf(command, 'query'), stage('$count', 'n')];
  return { ...aggregateCall(className, pipeline, dress), answer: 'counted' };
}

/** {tool, args: JSON text, answer: the member that answers, unordered?, hidesId?} */
export function callOf({ verb, command, expected }, names, dress) {
  const className = names.get(command.get(verb));
  const own = renamed(command, names);
  if (verb === 'find') return findCall(className, own, dress, expected);
  if (verb === 'count') return countCall(className, own, dress);
  if (verb === 'aggregate') return aggregateCall(className, own.get('pipeline'), dress, expected, meaningfulOptions(own));
  const where = isEmpty(own.get('query')) ? undefined : own.get('query');
  return {
    tool: 'distinct', answer: 'values', unordered: true,
    args: text({ class_name: className, field: own.get('key'), where, limit: integer(kMostValues) }, dress),
  };
}

/** The same find by aggregate, whose literals may be of any type. */
export function findAsPipeline({ command, expected }, names, dress) {
  return aggregateCall(names.get(command.get('find')), stagesOf(renamed(command, names)), dress, expected);
}
