// The forms in which a case is asked: over a document class, over a table with columns, or over no
// class when the pipeline brings its own documents. Each form has its calls and its comparison.
import { callOf, findAsPipeline } from './calls.mjs';
import { comparer } from './compare.mjs';
import { generatedTables } from './generated.mjs';
import { madeNames, typedForm } from './typed.mjs';

export const storages = ['documents', 'table', 'none'];

function askOf(one, storage, names, compareOptions) {
  const dress = storage === 'table' ? 'typed' : 'document';
  const call = callOf(one, names, dress);
  const anyOrder = one.options.anyOrder || call.unordered === true;
  return {
    one, storage, names, call,
    again: storage === 'table' && call.tool === 'query_class' && one.verb === 'find' ? findAsPipeline(one, names, dress) : undefined,
    same: comparer({ ...one.options, ...compareOptions, anyOrder, typed: storage !== 'documents' || compareOptions.typed === true }),
  };
}

function documentNames(one, database) {
  const documents = one.documents ?? one.collections;
  return new Map([...documents].map(([name, list]) => [name, database.documents(list)]));
}

/** Documents as a table with columns shows them: null and missing fields are the same. */
const withoutNulls = (collections) => new Map([...collections].map(([name, list]) => [
  name, list.map((document) => new Map([...document].filter(([, value]) => value !== null)))]));

/** The asks of a case; their tables are put into the database. */
export function asksOf(one, database) {
  if (one.collections.size === 0) return [askOf(one, 'none', new Map(), {})];
  const whole = askOf(one.asDocuments ?? one, 'documents', documentNames(one, database), {});
  const asks = [whole];
  if (one.schema) {
    const bare = { ...one.asDocuments, documents: withoutNulls(one.collections) };
    asks.push({
      ...askOf(one, 'table', generatedTables(one, database), { nullIsMissing: true }),
      whole,
      bare: askOf(bare, 'documents', documentNames(bare, database), { nullIsMissing: true, typed: true }),
    });
    return asks;
  }
  const tables = typedForm(one);
  if (tables) {
    const names = new Map([...tables].map(([name, table]) => [name, database.table(table)]));
    asks.push(askOf(one, 'table', names, {}));
  }
  return asks;
}

/** A class with columns refuses a field that no document has, and a path below a scalar; a document class
 *  does not. */
export function isForeignField(ask, { message }) {
  if (ask.storage !== 'table') return false;
  const fields = new Set([...ask.one.collections.values()].flat().flatMap((d) => [...d.keys()]));
  const isMade = (name) => madeNames(ask.one.command.get('pipeline')).has(name);
  const [, name] = /has no field '([^']*)'/.exec(message) ?? [];
  if (name !== undefined) return !fields.has(name) && !isMade(name);
  // Documents that are a table have scalars alone.
  const [, scalar] = /^Nothing lies below field '([^']*)'/.exec(message) ?? [];
  return scalar !== undefined && fields.has(scalar) && !isMade(scalar);
}
