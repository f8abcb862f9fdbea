// node answers.mjs [--only ID]… [--verbose]: the question bench; README.md says how it counts.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { asked, verdicts } from './lib/bench.mjs';
import { Counter } from './lib/counter.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: flags } = parseArgs({ options: { only: { type: 'string', multiple: true }, verbose: { type: 'boolean' } } });
const limits = { right: 0.85, repaired: 0.98, tokens: 1, seen: 2000, list: 3000 };
const tokens = (bytes) => Math.round(bytes / 4);
const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** Questions of all files; those of `--only`, where it is given. */
function questions() {
  const folder = join(here, 'questions');
  const all = readdirSync(folder).filter((name) => name.endsWith('.json')).sort()
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const ids = all.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice) throw new Error(`two questions are called ${twice}`);
  return flags.only ? all.filter(({ id }) => flags.only.includes(id)) : all;
}

function printAttempt({ attempt, verdict, warned, first, second }) {
  const isShown = flags.verbose || verdict === 'silent' || verdict === 'unrepaired';
  if (!isShown) return;
  console.log(`    ${verdict.toUpperCase()}${warned ? ' (warned)' : ''}  ${attempt.note ?? ''}`);
  console.log(`      ${attempt.tool} ${JSON.stringify(attempt.arguments)}`);
  if (first.wrong) console.log(`      ${first.wrong.slice(0, 400)}`);
  for (const warning of first.answer?.warnings ?? []) console.log(`      warning: ${JSON.stringify(warning).slice(0, 400)}`);
  if (second) console.log(`      then ${JSON.stringify(second.call.arguments)}\n      ${second.wrong?.slice(0, 400) ?? 'right'}`);
}

function printQuestion({ question, results, shortest, truth }, ms) {
  const marks = results.map(({ verdict }) => ({ right: '+', repaired: 'r', unrepaired: 'x', silent: '!' })[verdict]).join('');
  const mine = shortest === undefined ? '-' : tokens(shortest);
  console.log(`${question.id.padEnd(5)}${marks.padEnd(6)}${String(mine).padStart(7)} ${String(tokens(truth.bytes)).padStart(7)}  ${question.question}${flags.verbose ? ` (${ms} ms)` : ''}`);
  for (const result of results) printAttempt(result);
}

/** What a model sees of the list, and all of it, in tokens. */
function listed({ tools }) {
  const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { seen: tokens(Buffer.byteLength(JSON.stringify(seen))), list: tokens(Buffer.byteLength(JSON.stringify({ tools }))) };
}

function counted(done) {
  const all = done.flatMap(({ results }) => results);
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, all.filter((r) => r.verdict === verdict).length]));
  const answered = done.filter(({ shortest }) => shortest !== undefined);
  const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
  return {
    ...counts, attempts: all.length, unanswered: done.filter(({ shortest }) => shortest === undefined).map(({ question }) => question.id),
    noisy: all.filter(({ verdict, warned }) => verdict === 'right' && warned).length,
    mine: tokens(sum(answered, ({ shortest }) => shortest)), rows: tokens(sum(answered, ({ truth }) => truth.bytes)),
    statements: tokens(sum(answered, ({ question }) => Buffer.byteLength(JSON.stringify({ sql: question.sql })))),
  };
}

/** Sentences for all that is beyond its limit. */
function faults(c, lists) {
  const found = [];
  if (c.silent > 0) found.push(`${c.silent} attempts are silently wrong; none may be`);
  if (c.right < limits.right * c.attempts) found.push(`${percent(c.right / c.attempts)} of attempts are right, at least ${percent(limits.right)} must be`);
  if (c.right + c.repaired < limits.repaired * c.attempts) {
    found.push(`${percent((c.right + c.repaired) / c.attempts)} are right after one repair, at least ${percent(limits.repaired)} must be`);
  }
  if (c.unanswered.length > 0) found.push(`no attempt is right of ${c.unanswered.join(', ')}`);
  if (c.mine > limits.tokens * c.rows) found.push(`the shortest ways take ${c.mine} tokens, more than ${limits.tokens} × ${c.rows}`);
  for (const [name, { seen, list }] of Object.entries(lists)) {
    if (seen > limits.seen) found.push(`${name}: a model sees ${seen} tokens of tools/list, at most ${limits.seen} are allowed`);
    if (list > limits.list) found.push(`${name}: tools/list has ${list} tokens, at most ${limits.list} are allowed`);
  }
  return found;
}

function printTotals(done, c, lists) {
  console.log(`\n${done.length} questions, ${c.attempts} attempts: ${c.right} right (${percent(c.right / c.attempts)}), ${c.repaired} after one repair `
    + `(${percent((c.right + c.repaired) / c.attempts)} in all), ${c.unrepaired} refused or warned without a repair, ${c.silent} silently wrong; `
    + `${c.noisy} right ones with a warning`);
  console.log(`tokens of the shortest right ways: ${c.mine}; JSON rows of the SQL: ${c.rows} (${(c.mine / c.rows).toFixed(2)}), with its statements ${c.rows + c.statements}`);
  for (const [name, { seen, list }] of Object.entries(lists)) console.log(`tools/list of ${name}: a model sees ${seen} tokens, the whole has ${list}`);
}

const chosen = questions();
const done = [];
const lists = {};
console.log('id   tries    tokens    SQL  question (+ right, r repaired, x refused or warned, ! silently wrong)');
for (const db of ['shop', 'desk']) {
  const mine = chosen.filter((question) => question.db === db);
  if (mine.length === 0) continue;
  const counter = await Counter.open(db);
  lists[db] = listed(await counter.tools());
  for (const question of mine) {
    const start = Date.now();
    done.push(await asked(counter, question));
    printQuestion(done.at(-1), Date.now() - start);
  }
  await counter.close();
}
const counts = counted(done);
printTotals(done, counts, lists);
const found = flags.only ? [] : faults(counts, lists);
for (const fault of found) console.log(`FAIL: ${fault}`);
process.exitCode = found.length > 0 ? 1 : 0;
