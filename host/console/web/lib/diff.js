// Before and after, of a preview that a person approves.
import { code, empty, h } from './dom.js';
import { isObject, short, text } from './json.js';
import { column, table } from './table.js';

const cell = (kind) => (value) => (value === undefined ? h('span.none', '–') : h('code', { class: kind }, short(value)));

/** The members that differ, as rows: what was, and what is or would be. */
export function diffTable(before, after) {
  const names = isObject(before ?? after) ? [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])] : [];
  const rows = names.length ? names.map((name) => ({ name, before: before?.[name], after: after?.[name] })) : [{ name: 'value', before, after }];
  return table([column('name', 'Field', code), column('before', 'Before', cell('gone'), { sort: false }),
    column('after', 'After', cell('new'), { sort: false })],
  rows.filter((row) => text(row.before) !== text(row.after)), { key: 'name', caption: 'Before and after', empty: empty('Nothing changes.') });
}
