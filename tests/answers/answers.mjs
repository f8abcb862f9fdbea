// node answers.mjs [--only ID]… [--verbose]: the question bench; README.md says how it counts.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { asked } from './lib/bench.mjs';
import { Counter } from './lib/counter.mjs';
import { counted, faults, listed, percent, tokens } from './lib/totals.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: flags } = parseArgs({ options: { only: { type: 'string', multiple: true }, verbose: { type: 'boolean' } } });
const marks = { right: '+', repaired: 'r', unrepaired: 'x', silent: '!' };
const kShown = 400;  // characters of a difference or a warning

/** Questions of all files; those of `--only`, where it is given. */
function questions() {
  const folder = join(here, 'questions');
  const all = readdirSync(folder).filter((name) => name.endsWith('.json')).sort()
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const ids = all.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice) throw new Error(`two questions are called ${twice}`);
  const missing = flags.only?.find((id) => !ids.includes(id));
  if (missing) throw new Error(`no question is called ${missing}`);
  return flags.only ? all.filter(({ id }) => flags.only.includes(id)) : all;
}

function printAttempt({ attempt, verdict, warned, first, second }) {
  const isShown = flags.verbose || verdict === 'silent' || verdict === 'unrepaired';
  if (!isShown) return;
  const line = (text) => console.log(`      ${text}`);
  console.log(`    ${verdict.toUpperCase()}${warned ? ' (warned)' : ''}  ${attempt.note ?? ''}`);
  line(`${attempt.tool} ${JSON.stringify(attempt.arguments)}`);
  if (first.wrong) line(first.wrong.slice(0, kShown));
  for (const warning of first.answer?.warnings ?? []) line(`warning: ${JSON.stringify(warning).slice(0, kShown)}`);
  if (!second) return;
  line(`then ${second.call.tool} ${JSON.stringify(second.call.arguments)}`);
  line(second.wrong?.slice(0, kShown) ?? 'right');
}

function printQuestion({ question, results, shortest, bySql, truth }, ms) {
  const tries = results.map(({ verdict }) => marks[verdict]).join('').padEnd(9);
  const mine = String(shortest === undefined ? '-' : tokens(shortest)).padStart(6);
  const asSql = `${tokens(bySql.bytes)}${bySql.wrong ? '!' : ' '}`.padStart(7);
  const theirs = String(tokens(truth.bytes)).padStart(6);
  console.log(`${question.id.padEnd(4)} ${tries}${mine} ${asSql} ${theirs}  ${question.question}${flags.verbose ? ` (${ms} ms)` : ''}`);
  if (bySql.wrong) console.log(`    query_sql: ${bySql.wrong.slice(0, kShown)}`);
  for (const result of results) printAttempt(result);
}

function printTotals(done, counts, lists) {
  const { attempts, right, repaired, unrepaired, silent, noisy, mine, rows, statements, bySql, wrongBySql } = counts;
  const after = percent((right + repaired) / attempts);
  console.log(`\n${done.length} questions, ${attempts} attempts: ${right} right (${percent(right / attempts)}), ${repaired} after one repair `
    + `(${after} in all), ${unrepaired} refused or warned without a repair, ${silent} silently wrong; ${noisy} right ones with a warning`);
  console.log(`tokens of the shortest right attempts: ${mine}; of the SQL's rows: ${rows} (${(mine / rows).toFixed(2)}), `
    + `with its statements ${rows + statements} (${(mine / (rows + statements)).toFixed(2)})`);
  console.log(`query_sql: ${done.length - wrongBySql.length} of ${done.length} right, ${bySql} tokens of statements and answers `
    + `(${(bySql / mine).toFixed(2)} of the query tools, ${(bySql / (rows + statements)).toFixed(2)} of statements and rows)`);
  for (const [name, { seen, list }] of Object.entries(lists)) {
    console.log(`tools/list of ${name}: a model sees ${seen} tokens, the whole has ${list}`);
  }
}

/** Asks the questions of one database and prints them. */
async function served(db, mine) {
  const counter = await Counter.open(db);
  const done = [];
  for (const question of mine) {
    const start = Date.now();
    done.push(await asked(counter, question));
    printQuestion(done.at(-1), Date.now() - start);
  }
  const list = listed(await counter.tools());
  await counter.close();
  return { done, list };
}

const chosen = questions();
const done = [];
const lists = {};
console.log('id   tries    tokens query_sql rows  question (+ right, r repaired, x refused or warned, ! silently wrong)');
for (const db of new Set(chosen.map((question) => question.db))) {
  const answered = await served(db, chosen.filter((question) => question.db === db));
  done.push(...answered.done);
  lists[db] = answered.list;
}
const counts = counted(done);
printTotals(done, counts, lists);
const found = flags.only ? [] : faults(counts, lists);
for (const fault of found) console.log(`FAIL: ${fault}`);
process.exitCode = found.length > 0 ? 1 : 0;
