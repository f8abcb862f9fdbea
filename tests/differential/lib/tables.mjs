// Counts of verdicts, by operator and by form.
import { operatorsIn } from './scope.mjs';
import { write } from './values.mjs';

export const verdicts = ['right', 'wrong', 'refused', 'accepted', 'out'];
const worst = ['wrong', 'accepted', 'refused', 'right'];
const formNames = ['documents on', 'documents off', 'table on', 'table off', 'none on', 'none off'];

/** The verdict of a case: the worst of its forms; undefined when it was not asked. */
export function verdictOf(record) {
  const seen = Object.values(record.forms).map((form) => form.verdict);
  if (record.rule && seen.length > 0) return 'out';
  return worst.find((verdict) => seen.includes(verdict));
}

const formVerdict = (name) => (record) => (record.forms[name] && (record.rule ? 'out' : record.forms[name].verdict));

/** Map(name -> {right, wrong, …}); `namesOf` gives the names that a record counts for. */
function countBy(records, namesOf, judged = verdictOf) {
  const table = new Map();
  for (const record of records) {
    const verdict = judged(record);
    if (!verdict) continue;
    for (const name of namesOf(record)) {
      if (!table.has(name)) table.set(name, Object.fromEntries(verdicts.map((v) => [v, 0])));
      table.get(name)[verdict] += 1;
    }
  }
  return new Map([...table].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The operators a case uses; the verb where it uses none. */
const operatorsOf = ({ one }) => {
  const found = [...operatorsIn(one.command)];
  return found.length > 0 ? found : [one.verb];
};

export const byVerb = (records) => countBy(records, ({ one }) => ['all', one.verb]);

export const byForm = (records) => new Map(formNames
  .flatMap((name) => [...countBy(records, () => [name], formVerdict(name))]));

/** {documents, table, none}: counts by operator, with pushdown. */
export const byOperator = (records) => new Map(['documents', 'table', 'none']
  .map((storage) => [storage, countBy(records, operatorsOf, formVerdict(`${storage} on`))]));

export function markdown(title, table) {
  const head = `| ${title} | ${verdicts.join(' | ')} |\n|---|${verdicts.map(() => '---:|').join('')}\n`;
  const row = ([name, counts]) => `| \`${name}\` | ${verdicts.map((v) => counts[v]).join(' | ')} |\n`;
  return head + [...table].map(row).join('');
}

const answerText = ({ value, message }) => (value === undefined ? message ?? '' : write(value));

/** Forms that differ: with pushdown and without it, and documents and table. */
export function disagreements(records) {
  const differs = ({ forms }, a, b) => forms[a] && forms[b] && (forms[a].verdict !== forms[b].verdict
    || (forms[a].verdict === 'wrong' && answerText(forms[a]) !== answerText(forms[b])));
  return {
    pushdown: records.filter((r) => ['documents', 'table', 'none'].some((s) => differs(r, `${s} on`, `${s} off`))),
    storage: records.filter((r) => !r.rule && r.one.expected !== undefined && differs(r, 'documents on', 'table on')),
  };
}

/** Shares of the cases in scope, in percent, and their numbers. */
export function shares(records) {
  const { right = 0, wrong = 0, refused = 0, accepted = 0, out = 0 } = byVerb(records).get('all') ?? {};
  const scope = right + wrong + refused + accepted;
  const share = (n) => (scope === 0 ? 0 : (100 * n) / scope);
  return { scope, out, wrong, right: share(right), accepted: share(accepted) };
}
