// Schemas of classes as an agent sees them, and conditions on their fields.
import { ask } from './caller.js';
import { isNumberText, isObject } from './json.js';

const known = new Map();
const keyOf = (agent, name) => `${agent ?? ''}\n${name}`;

/** The schemas of several classes; the server gives up to 20 at once. */
export async function all(agent, names) {
  const missing = names.filter((name) => !known.has(keyOf(agent, name)));
  for (let at = 0; at < missing.length; at += 20) {
    const { classes } = await ask(agent, 'get_schema', { class_names: missing.slice(at, at + 20) });
    for (const schema of Object.values(classes)) known.set(keyOf(agent, schema.class_name), schema);
  }
  return names.map((name) => known.get(keyOf(agent, name))).filter(Boolean);
}

/** The schema of one class. Asked alone, so that the server says why there is none. */
export async function one(agent, name) {
  const key = keyOf(agent, name);
  if (!known.has(key)) known.set(key, await ask(agent, 'get_schema', { class_name: name }));
  return known.get(key);
}

/** The fields to show. A class whose key is a field of its own does not need objectId too. */
export const fieldsOf = ({ fields = [], id_field: id }) => fields.filter(({ name }) => name !== 'objectId' || !id || id === 'objectId');

export const idOf = ({ id_field: id }, row) => {
  const value = row[id] ?? row.objectId;
  return isObject(value) ? JSON.stringify(value) : value?.rawJSON ?? String(value);
};

/** {className, id} of a pointer's value, a key or an object. */
export function pointerOf(field, value) {
  if (isObject(value) && value.className && value.objectId !== undefined) return { className: value.className, id: String(value.objectId) };
  if (!field.target_class || Array.isArray(value) || isObject(value)) return undefined;
  return { className: field.target_class, id: value?.rawJSON ?? String(value) };
}

const composite = ['Object', 'Array', 'Bytes', 'File', 'GeoPoint'];
export const sorts = ({ type }) => !composite.includes(type);

/** Fields whose values are worth counting: not keys, not composite. */
export const facets = ({ name, type, target_class: to }, { id_field: id, indexes = [] }) => name !== id && name !== 'objectId'
  && (to || ['String', 'Boolean'].includes(type)) && !indexes.some(({ unique, fields }) => unique && fields.length === 1 && fields[0] === name);

/** What a filter row offers: its words, and the condition of a value; `bare` ones take none. */
export const operators = {
  is: { label: 'is', make: (value) => value },
  not: { label: 'is not', make: (value) => ({ $ne: value }) },
  lt: { label: '<', make: (value) => ({ $lt: value }) },
  lte: { label: '≤', make: (value) => ({ $lte: value }) },
  gt: { label: '>', make: (value) => ({ $gt: value }) },
  gte: { label: '≥', make: (value) => ({ $gte: value }) },
  has: { label: 'contains', text: true, make: (value) => ({ $regex: value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), $options: 'i' }) },
  empty: { label: 'is empty', bare: true, make: () => null },
  set: { label: 'is set', bare: true, make: () => ({ $ne: null }) },
};

/** A typed-in value as the field's type has it; digits stay as they were typed. */
function typed(field, value) {
  const type = field.target_class ? field.query_hint?.split(', ').pop() : field.type;
  if (/^(Number|Integer)$/.test(type) && isNumberText(value)) return JSON.rawJSON?.(value) ?? Number(value);
  if (type === 'Boolean' && /^(true|false)$/.test(value)) return value === 'true';
  return value;
}

/** The where of filter rows [[field, operator, value]], or undefined without any. */
export function whereOf(filters, fields) {
  const parts = filters.filter(([, operator]) => operators[operator]).map(([name, operator, value]) => {
    const { text, make } = operators[operator];
    return { [name]: make(text ? value : typed(fields.find((field) => field.name === name) ?? {}, value)) };
  });
  return parts.length < 2 ? parts[0] : { $and: parts };
}
