// The rows of an answer, whatever tool gave it, as lists of values in the order of the SQL columns.
import { parseCsv } from '../../e2e/lib/csv.mjs';
import { plain } from './values.mjs';

function tableRows(headers, cells) {
  return cells.map((row) => Object.fromEntries(headers.map((header, i) => [header, row[i]])));
}

function outputRows({ format, output }) {
  if (format === 'jsonl') return output.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  if (format !== 'csv') throw new Error(`no reader for ${format}`);
  const [headers, ...cells] = parseCsv(output);
  return tableRows(headers, cells);
}

function ownRows(answer) {
  if ('output' in answer) return outputRows(answer);
  if (answer.columns && answer.rows) return tableRows(answer.columns, answer.rows);
  if (answer.results) return answer.results;
  if (answer.groups) return answer.groups;
  if (answer.values) return answer.values.map((value) => ({ value }));
  if ('count' in answer) return [{ count: answer.count }];
  if (answer.object) return [answer.object];
  if (answer.objects) return Object.values(answer.objects);
  throw new Error(`an answer without rows: ${Object.keys(answer)}`);
}

/** `a.b` is the member `a.b`, else the member `b` of `a`; of a list, of its elements. */
export function at(value, path) {
  if (typeof value === 'string' && value.startsWith('{')) return at(JSON.parse(value), path);
  if (value === null || value === undefined || typeof value !== 'object') return undefined;
  if (path in value) return value[path];
  if (Array.isArray(value)) return value.map((element) => at(element, path)).filter((v) => v !== undefined);
  const dot = path.indexOf('.');
  return dot < 0 ? undefined : at(value[path.slice(0, dot)], path.slice(dot + 1));
}

/** `a|b` is `a` where the row has it, else `b`. */
const firstOf = (row, path) => path.split('|').map((one) => at(row, one)).find((value) => value !== undefined);

/** One row for each element of the list at `path`. */
const exploded = (rows, path) => rows.flatMap((row) => [at(row, path) ?? []].flat().map((element) => ({ ...row, [path]: element })));

const columnsOf = (answer, names) => {
  if (answer.groups) return names.length === 2 ? ['key', 'value'] : [...names.slice(0, -1).map((_, i) => `key.${i}`), 'value'];
  if (answer.values) return ['value'];
  return 'count' in answer && !answer.results ? ['count'] : names;
};

/** `names` are the SQL columns; `attempt` may say `columns` (paths), `member` and `explode`. */
export function answerRows(answers, attempt, names) {
  let rows = answers.flatMap(ownRows);
  if (attempt.member) rows = rows.flatMap((row) => at(row, attempt.member));
  if (attempt.explode) rows = exploded(rows, attempt.explode);
  const columns = attempt.columns ?? columnsOf(answers[0], names);
  return rows.map((row) => columns.map((path) => plain(firstOf(row, path))));
}
