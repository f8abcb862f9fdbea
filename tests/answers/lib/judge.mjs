// Compares the rows of an answer with the truth.
import { same, sortText } from './values.mjs';

const order = ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0);
const sorted = (rows) => rows.map((row) => [sortText(row), row]).sort(order).map(([, row]) => row);

/** What differs, as a sentence; undefined when nothing does. */
export function difference(given, truth, isOrdered) {
  if (given.length !== truth.length) return `${given.length} rows, true are ${truth.length}; ${shown(given)}, true: ${shown(truth)}`;
  const [mine, theirs] = isOrdered ? [given, truth] : [sorted(given), sorted(truth)];
  const i = mine.findIndex((row, n) => !same(row, theirs[n]));
  return i < 0 ? undefined : `row ${i} is ${JSON.stringify(mine[i])}, true is ${JSON.stringify(theirs[i])}`;
}

const shown = (rows) => (rows.length ? `first ${JSON.stringify(rows[0])}` : 'none');
