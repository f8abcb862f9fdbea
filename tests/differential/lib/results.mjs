// The results as Markdown with tables.
import { readFileSync, writeFileSync } from 'node:fs';
import { reasons } from './failures.mjs';
import { pushdownText, pushedShare } from './pushdown.mjs';
import { byForm, byOperator, byVerb, markdown, shares } from './tables.mjs';

/** How many cases were judged by more than one call. */
function notes(records) {
  const count = (flag) => records.filter(({ forms }) => forms['table on']?.[flag]).length;
  return `${count('askedAgain')} finds that \`where\` of a class with columns refuses were asked by \`aggregate\`; `
    + `${count('asBare')} tables were compared with documents without their nulls.\n`;
}

function corpusText({ corpus, records, pushdown }) {
  const operators = [...byOperator(records)].map(([storage, table]) => (
    table.size === 0 ? '' : `\n### By operator: ${storage}\n\n${markdown('operator', table)}`));
  const left = reasons(records).map(([reason, count]) => `- ${count} × ${reason}\n`).join('');
  return `## ${corpus.name}\n\n${markdown('command', byVerb(records))}\n${markdown('form', byForm(records))}\n${pushdownText(pushdown)}\n${notes(records)}`
    + `${left ? `\n### What remains\n\n${left}` : ''}${operators.join('')}\n`;
}

export const resultsText = (done) => done.map(corpusText).join('\n');

const begin = '<!-- differential: begin -->\n';
const end = '<!-- differential: end -->\n';

function summaryRow({ corpus, records, pushdown }) {
  const { scope, out, wrong, right, accepted } = shares(records);
  return `| ${corpus.name} | ${scope} | ${right.toFixed(2)} % | ${wrong} | ${accepted.toFixed(2)} % | ${out} | ${pushedShare(pushdown).toFixed(1)} % |\n`;
}

function remaining({ corpus, records }) {
  return reasons(records).map(([reason, count]) => `- ${corpus.name}, ${count} ×: ${reason}\n`).join('');
}

/** Writes the summary and the remaining failures between the marks of a file. */
export function writeSummary(file, done) {
  const old = readFileSync(file, 'utf8');
  const [before, rest] = old.split(begin);
  const text = '| cases | in scope | right | wrong | wrongly accepted | out of scope | beginnings in SQL |\n'
    + `|---|---:|---:|---:|---:|---:|---:|\n${done.map(summaryRow).join('')}\nWhat remains:\n\n${done.map(remaining).join('')}`;
  writeFileSync(file, `${before}${begin}${text}${end}${rest.split(end)[1] ?? ''}`);
}
