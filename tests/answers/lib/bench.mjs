// Asks every attempt of a question and says how it ended.
import { difference } from './judge.mjs';
import { isBounded, isWarned, repaired } from './repair.mjs';
import { answerRows } from './rows.mjs';
import { plain } from './values.mjs';

/** What an attempt can come to, the best first. */
export const verdicts = ['right', 'repaired', 'unrepaired', 'silent'];

async function tried(counter, call, attempt, truth, question) {
  const outcome = await counter.whole(call.tool, call.arguments);
  if (outcome.refusal) return { ...outcome, call, wrong: `refused: ${outcome.refusal.error}` };
  const given = answerRows(outcome.pages, attempt, truth.names);
  return { ...outcome, call, wrong: difference(given, truth.values, question.ordered === true) };
}

async function judged(counter, question, attempt, truth) {
  const first = await tried(counter, attempt, attempt, truth, question);
  const warned = first.answer && isWarned(first.answer);
  if (!first.wrong) return { verdict: 'right', first, warned, bytes: first.bytes };
  const next = repaired(attempt, first);
  const second = next && await tried(counter, next, attempt, truth, question);
  if (second && !second.wrong) return { verdict: 'repaired', first, second, bytes: first.bytes + second.bytes };
  return { verdict: isTold(first, second) ? 'unrepaired' : 'silent', first, second };
}

/** A wrong answer that only says that it is not whole is silent when the whole one is wrong without a word. */
function isTold(first, second) {
  if (first.refusal || isWarned(first.answer)) return true;
  return isBounded(first.answer) && second !== undefined && (second.refusal !== undefined || isWarned(second.answer));
}

function truthOf(counter, { id, sql }) {
  const { names, rows } = counter.truth(sql);
  if (rows.length === 0) throw new Error(`${id}: the true answer is empty`);
  const values = rows.map((row) => names.map((name) => plain(row[name])));
  return { names, values, bytes: Buffer.byteLength(JSON.stringify(rows)) };
}

/** The whole answer of a statement: its pages, or all at once where the answer has no next one. */
async function wholeBySql(counter, sql) {
  const first = await counter.whole('query_sql', { sql });
  const last = first.pages?.at(-1);
  if (!last?.truncated || last.next_call) return first;
  const all = await counter.whole('query_sql', { sql, limit: 1000 });
  return { ...all, bytes: first.bytes + all.bytes };
}

/** The question answered by query_sql: {wrong?, bytes}. */
async function bySql(counter, question, truth) {
  const outcome = await wholeBySql(counter, question.statement ?? question.sql);
  if (outcome.refusal) return { wrong: `refused: ${outcome.refusal.error}`, bytes: outcome.bytes };
  const given = answerRows(outcome.pages, {}, truth.names);
  return { wrong: difference(given, truth.values, question.ordered === true), bytes: outcome.bytes };
}

/** {question, results: [{attempt, verdict, …}], shortest: bytes, bySql, truth} */
export async function asked(counter, question) {
  const truth = truthOf(counter, question);
  const verdictOf = async (attempt) => ({ attempt, ...await judged(counter, question, attempt, truth) });
  const results = await Promise.all(question.attempts.map(verdictOf));
  const right = results.filter(({ verdict }) => verdict === 'right').map(({ bytes }) => bytes);
  const shortest = right.length ? Math.min(...right) : undefined;
  return { question, results, truth, shortest, bySql: await bySql(counter, question, truth) };
}
