// Every place in which a request names a class, for callers that see people and no teams: to them teams is a class that
// does not exist, so the answers to both names differ in the name alone.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { peopleDatabase } from './people.mjs';

/** The people database with one more column: pointers from people to people. */
export function chiefsDatabase() {
  const file = peopleDatabase();
  const db = new DatabaseSync(file);
  db.exec('ALTER TABLE people ADD COLUMN chief INTEGER REFERENCES people(id); UPDATE people SET chief = id % 5');
  db.close();
  return file;
}

const alone = { hidden: 'teams', absent: 'teamX' };  // no call with `people` in this place succeeds
const classes = { ...alone, seen: 'people' };
const paths = { hidden: 'team.name', absent: 'team.namX', seen: 'chief.name' };
const pointers = { hidden: 'team.boss', absent: 'team.bosX', seen: 'chief.chief' };

const pointer = (className) => ({ __type: 'Pointer', className, objectId: '1' });
const pointerTo = (name) => (name === 'people' ? 'chief' : 'team');
const people = (more) => ({ class_name: 'people', ...more });
const first = { $match: { id: { $lt: 3 } } };

const tools = [
  ...['query_class', 'count_objects', 'get_schema', 'get_sample_objects', 'explain_query', 'export_data', 'describe_access']
    .map((tool) => [tool, (class_name) => ({ class_name })]),
  ['get_schema', (name) => ({ class_names: ['people', name] })],
  ['get_all_schemas', (name) => ({ names: [name] })],
  ['get_all_schemas', (prefix) => ({ prefix })],
  ['get_object', (class_name) => ({ class_name, object_id: '1' })],
  ['get_objects', (class_name) => ({ class_name, ids: ['1', '2'] })],
  ['group_by', (class_name) => ({ class_name, field: 'name' })],
  ['group_by_date', (class_name) => ({ class_name, field: 'joined', interval: 'year' })],
  ['distinct', (class_name) => ({ class_name, field: 'name' })],
  ['aggregate', (class_name) => ({ class_name, pipeline: [first] })],
  ['aggregate', (class_name) => ({ class_name, pipeline: [first], plan: true })],
  ['export_data', (class_name) => ({ class_name, pipeline: [first] })],
  ['describe_access', (class_name) => ({ tool: 'query_class', class_name })],
  ['call_method', (class_name) => ({ class_name, method_name: 'x', object_id: '1' }), alone],
];

const selected = (className) => ({ id: { $select: { query: { className, where: {} }, key: 'id' } } });
const wheres = [
  (name) => ({ [pointerTo(name)]: pointer(name) }),
  (name) => ({ [pointerTo(name)]: { $in: [pointer(name)] } }),
  (className) => ({ chief: { $inQuery: { className, where: { id: 1 } } } }),
  (className) => ({ [pointerTo(className)]: { $inQuery: { className, where: { id: 1 } } } }),
  (className) => ({ chief: { $notInQuery: { className, where: { id: 1 } } } }),
  selected,
  (className) => ({ id: { $dontSelect: { query: { className, where: {} }, key: 'id' } } }),
  (name) => ({ chief: { $inQuery: { className: 'people', where: selected(name) } } }),
  (name) => ({ $or: [{ id: 1 }, { $nor: [selected(name)] }] }),
];
const conditions = [
  ...wheres.map((where) => ['query_class', (name) => people({ where: where(name), limit: 1 })]),
  ...['count_objects', 'explain_query', 'export_data'].map((tool) => [tool, (name) => people({ where: selected(name) })]),
  ...['group_by', 'distinct'].map((tool) => [tool, (name) => people({ field: 'name', where: selected(name) })]),
  ['group_by_date', (name) => people({ field: 'joined', interval: 'year', where: selected(name) })],
];

const lookup = (from) => ({ $lookup: { from, localField: 'id', foreignField: 'id', as: 't' } });
const joins = [
  lookup,
  (from) => ({ $lookup: { from, let: { i: '$id' }, pipeline: [{ $match: { $expr: { $eq: ['$id', '$$i'] } } }], as: 't' } }),
  (from) => ({ $graphLookup: { from, startWith: '$id', connectFromField: 'id', connectToField: 'id', as: 't' } }),
  (name) => ({ $unionWith: name }),
  (coll) => ({ $unionWith: { coll, pipeline: [first] } }),
];
const stages = joins.flatMap((stage) => [
  ['aggregate', (name) => people({ pipeline: [first, stage(name)] })],
  ['aggregate', (name) => people({ pipeline: [first, { $facet: { all: [stage(name)] } }] })],
  ['export_data', (name) => people({ pipeline: [first, stage(name)] })],
]).concat([
  ['aggregate', (from) => people({ pipeline: [first, lookup(from)], plan: true })],
  ['aggregate', (from) => people({ pipeline: [{ $match: { id: -1 } }, lookup(from)] })],
  ['aggregate', (from) => ({ pipeline: [{ $documents: [{ id: 1 }] }, lookup(from)] })],
  ['aggregate', (from) => people({ pipeline: [first, { $lookup: { from: 'people', pipeline: [first, lookup(from)], as: 'u' } }] })],
  ['aggregate', (from) => people({ pipeline: [first, { $unionWith: { coll: 'people', pipeline: [first, lookup(from)] } }] })],
]);

const fields = [
  ['query_class', (path) => people({ limit: 9, include: [path] }), pointers],
  ['get_object', (path) => people({ object_id: '1', include: [path] }), pointers],
  ['get_objects', (path) => people({ ids: ['1'], include: [path] }), pointers],
  ['query_class', (path) => people({ limit: 9, keys: [path] }), paths], ['get_object', (path) => people({ object_id: '1', keys: [path] }), paths],
  ['get_objects', (path) => people({ ids: ['1'], keys: [path] }), paths], ['export_data', (path) => people({ limit: 9, columns: [path] }), paths],
  ...['query_class', 'export_data', 'explain_query'].map((tool) => [tool, (order) => people({ limit: 9, order }), paths]),
  ['query_class', (path) => people({ limit: 9, where: { [path]: { $exists: true } } }), paths],
  ['group_by', (field) => people({ field }), paths], ['distinct', (field) => people({ field }), paths],
  ['aggregate', (path) => people({ pipeline: [first, { $group: { _id: `$${path}` } }] }), paths],
  ['aggregate', (path) => people({ pipeline: [{ $match: { [path]: { $gt: '' } } }, { $limit: 3 }] }), paths],
];

const statements = [
  (name) => `SELECT count(*) FROM ${name}`, (name) => `SELECT count(*) FROM "${name.toUpperCase()}"`,
  (name) => `SELECT a.id FROM people a JOIN ${name} b ON a.id = b.id`, (name) => `SELECT id FROM people UNION SELECT id FROM ${name}`,
  (name) => `SELECT 1 WHERE EXISTS (SELECT 1 FROM ${name})`, (name) => `SELECT (SELECT max(id) FROM ${name})`,
  (name) => `WITH w AS (SELECT id FROM ${name}) SELECT count(*) FROM w`,
];
const sql = statements.flatMap((statement) => ['query_sql', 'explain_query'].map((tool) => [tool, (name) => ({ sql: statement(name) })]));

/** Tools that read, by the way the name is given: rows of [tool, its arguments for a name, the names]. */
export const reads = { 'its name': tools, 'a condition': conditions, 'a stage': stages, 'a path': fields, SQL: sql };

const changes = [
  ['create_object', (class_name) => ({ class_name, data: { name: 'x' } })],
  ['create_object', (class_name) => ({ class_name, objects: [{ data: { name: 'x' } }] })],
  ['create_object', (name) => people({ data: { [pointerTo(name)]: pointer(name) } })],
  ['create_object', (name) => people({ data: { profile: pointer(name) } })],
  ['update_object', (class_name) => ({ class_name, object_id: '1', data: { name: 'x' } })],
  ['update_object', (class_name) => ({ class_name, objects: [{ object_id: '1', data: { name: 'x' } }] })],
  ['update_object', (name) => people({ object_id: '1', data: { [pointerTo(name)]: pointer(name) } })],
  ['update_object', (name) => people({ object_id: '1', data: { tags: { __op: 'AddUnique', objects: [pointer(name)] } } })],
  ['delete_object', (class_name) => ({ class_name, object_id: '50' })],
  ['delete_object', (class_name) => ({ class_name, objects: [{ object_id: '50' }] })],
  ['create_class', (target_class) => ({ class_name: 'fresh', fields: { a: { type: 'Pointer', target_class } } })],
  ['delete_class', (class_name) => ({ class_name }), alone],
];
/** Previews of the tools that write; `fresh` is a class that may be created. */
export const previews = changes.map(([tool, args, names]) => [tool, (name) => ({ ...args(name), dry_run: true }), names]);
/** Writes that are no previews, of teams and their objects: to be asked without `free`, which would write. */
export const writes = changes.filter(([, args]) => args('teams').class_name === 'teams');

const prompt = (name, args) => ['prompts/get', (value) => ({ name, arguments: args(value) })];
const completion = (name, argument, value = (cls) => cls, known = () => ({})) => ['completion/complete', (cls) => ({
  ref: { type: 'ref/prompt', name }, argument: { name: argument, value: value(cls) }, context: { arguments: known(cls) },
})];

/** What a client asks that is no call of a tool: [method, its parameters for a name]. */
export const requests = [
  ...['schema', 'count', 'samples'].map((part) => ['resources/read', (name) => ({ uri: `data://${name}/${part}` })]),
  ['completion/complete', (value) => ({ ref: { type: 'ref/resource', uri: 'data://{class}/count' }, argument: { name: 'class', value } })],
  ...['class_overview', 'recent_activity'].map((name) => prompt(name, (class_name) => ({ class_name }))),
  ...[(name) => name, (name) => `people,${name}`].map((list) => prompt('data_relations', (name) => ({ classes: list(name) }))),
  prompt('count_by', (class_name) => ({ class_name, group_by: 'name' })),
  prompt('created_in_range', (class_name) => ({ class_name, since: '2020-01-01' })),
  prompt('find_relationship', (name) => ({ parent_class: name, parent_id: '1', child_class: 'people', pointer_field: pointerTo(name) })),
  prompt('find_relationship', (name) => ({ parent_class: 'people', parent_id: '1', child_class: name,
    pointer_field: name === 'people' ? 'chief' : 'boss' })),
  ...['class_overview', 'count_by', 'recent_activity', 'created_in_range'].map((name) => completion(name, 'class_name')),
  completion('class_overview', 'class_name', (name) => name.slice(0, 4)),
  completion('data_relations', 'classes'), completion('data_relations', 'classes', (name) => `people,${name}`),
  completion('find_relationship', 'parent_class'), completion('find_relationship', 'child_class'),
  completion('count_by', 'group_by', () => '', (class_name) => ({ class_name })),
  completion('find_relationship', 'pointer_field', () => '', (child_class) => ({ child_class, parent_class: 'people' })),
];

// Sealed, and so another one in each answer.
const unsealed = (text) => text.replace(/(plan_token\\*":\\*")[^"\\]+/g, '$1');

/**
 * Asks each of `rows` with `ask(what, arguments)`, which gives a text, as a caller that sees no teams. With `free`, a caller
 * that sees them, it also asks what the row can tell, and whether the same succeeds with a name that is seen.
 */
export async function assertHidden(rows, ask, free) {
  for (const [what, args, { hidden, absent, seen } = classes] of rows) {
    const about = `${what} ${JSON.stringify(args(hidden))}`;
    const [secret, missing] = (await Promise.all([hidden, absent].map((name) => ask(what, args(name))))).map(unsealed);
    const renamed = missing.replaceAll(absent, hidden).replaceAll(absent.toUpperCase(), hidden.toUpperCase());
    assert.equal(secret, renamed, about);
    if (!free) continue;
    assert.notEqual(unsealed(await free(what, args(hidden))), secret, `${about}: nothing is hidden here`);
    if (seen) assert.doesNotMatch(await ask(what, args(seen)), /"error(_code)?\\*":/, `${what} ${JSON.stringify(args(seen))}`);
  }
}
