// Counts of a run and the limits that they must keep.
import { verdicts } from './bench.mjs';

export const limits = { right: 0.85, repaired: 0.98, tokens: 1, seen: 2000, list: 3000 };

export const tokens = (bytes) => Math.round(bytes / 4);
export const percent = (share) => `${(100 * share).toFixed(1)} %`;

const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
const bytesOf = (value) => Buffer.byteLength(JSON.stringify(value));

/** What a model sees of tools/list, and all of it, in tokens. */
export function listed({ tools }) {
  const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { seen: tokens(bytesOf(seen)), list: tokens(bytesOf({ tools })) };
}

/** Attempts by verdict, questions without a right one, tokens of the shortest right ones and of the SQL. */
export function counted(done) {
  const all = done.flatMap(({ results }) => results);
  const answered = done.filter(({ shortest }) => shortest !== undefined);
  return {
    ...Object.fromEntries(verdicts.map((verdict) => [verdict, all.filter((one) => one.verdict === verdict).length])),
    attempts: all.length,
    unanswered: done.filter(({ shortest }) => shortest === undefined).map(({ question }) => question.id),
    noisy: all.filter(({ verdict, warned }) => verdict === 'right' && warned).length,
    mine: tokens(sum(answered, ({ shortest }) => shortest)),
    rows: tokens(sum(answered, ({ truth }) => truth.bytes)),
    bySql: tokens(sum(answered, ({ bySql }) => bySql.bytes)),
    wrongBySql: done.filter(({ bySql }) => bySql.wrong).map(({ question }) => question.id),
    statements: tokens(sum(answered, ({ question }) => bytesOf({ sql: question.sql }))),
  };
}

function attemptFaults({ silent, right, repaired, attempts, unanswered }) {
  const [first, second] = [right / attempts, (right + repaired) / attempts];
  return [
    silent > 0 && `${silent} attempts are silently wrong; none may be`,
    first < limits.right && `${percent(first)} of attempts are right, at least ${percent(limits.right)} must be`,
    second < limits.repaired && `${percent(second)} are right after one repair, at least ${percent(limits.repaired)} must be`,
    unanswered.length > 0 && `no attempt is right of ${unanswered.join(', ')}`,
  ];
}

function listFaults(name, { seen, list }) {
  return [
    seen > limits.seen && `${name}: a model sees ${seen} tokens of tools/list, at most ${limits.seen} are allowed`,
    list > limits.list && `${name}: tools/list has ${list} tokens, at most ${limits.list} are allowed`,
  ];
}

/** A sentence for each limit that is not kept; `lists` by database. */
export function faults(counts, lists) {
  const { mine, rows, wrongBySql } = counts;
  return [
    ...attemptFaults(counts),
    wrongBySql.length > 0 && `query_sql does not answer ${wrongBySql.join(', ')} rightly; all must be right`,
    mine > limits.tokens * rows && `the shortest right attempts take ${mine} tokens, more than the ${rows} of the rows`,
    ...Object.entries(lists).flatMap(([name, sizes]) => listFaults(name, sizes)),
  ].filter(Boolean);
}
