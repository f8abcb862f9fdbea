// Describes the cases whose verdict is not `right`.
import { verdictOf } from './tables.mjs';
import { write } from './values.mjs';

const shown = (value) => (value === undefined ? 'an error' : write(value).slice(0, 700));

function failureText(record) {
  const { one } = record;
  const lines = Object.entries(record.forms).map(([name, form]) => (
    `  ${name}: ${form.verdict} ${form.message ?? shown(form.value)}\n    ${form.call.tool} ${form.call.args.slice(0, 700)}`));
  const setup = [...one.collections].map(([name, list]) => `${name}: ${write(list).slice(0, 500)}`).join(' ');
  return `${verdictOf(record).toUpperCase()} ${one.id}\n  wanted ${shown(one.expected)}\n  setup ${setup}\n${lines.join('\n')}\n`;
}

export const failed = (records) => records
  .filter((record) => ['wrong', 'refused', 'accepted'].includes(verdictOf(record)));

export const failureTexts = (records) => failed(records).map(failureText).join('\n');

/** Reasons of refused or accepted cases: text without names, and its count. */
export function reasons(records) {
  const counts = new Map();
  for (const record of failed(records)) {
    const form = Object.values(record.forms).find(({ verdict }) => verdict !== 'right');
    const reason = form.message ? form.message.replace(/^\w+: /, '').slice(0, 140) : `${form.verdict}: ${record.one.id}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}
