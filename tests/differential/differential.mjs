// The differential test: MongoDB's recorded answers against those of the tools.
//
//   differential.mjs [CORPUS…] [--all] [--only TEXT] [--storages documents,table,none]
//                    [--results FILE] [--failures FILE] [--summary FILE]
//
// CORPUS: own, recorded, generated, or a file of recorded cases; all that are there without any.
// Large corpora are sampled in a fixed way unless --all or GANTRY_DIFFERENTIAL=all is given.
// --summary puts the figures between the marks of a Markdown file.
// Ends with 1 when answers are wrong, too few right, too many errors missed or forms disagree.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chosenCorpora } from './lib/corpora.mjs';
import { failureTexts } from './lib/failures.mjs';
import { storages } from './lib/forms.mjs';
import { pushdownText, pushedShare } from './lib/pushdown.mjs';
import { resultsText, writeSummary } from './lib/results.mjs';
import { runCases } from './lib/run.mjs';
import { Scope } from './lib/scope.mjs';
import { byForm, byVerb, disagreements, markdown, shares } from './lib/tables.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: process.env.GANTRY_DIFFERENTIAL === 'all' },
    only: { type: 'string', default: '' }, storages: { type: 'string', default: storages.join(',') },
    results: { type: 'string' }, failures: { type: 'string' }, summary: { type: 'string' },
  },
});
const kMostAccepted = 3;  // percent
const kLeastPushed = 90;  // percent
const kFewBeginnings = 50;  // with fewer cases the share is not meaningful
const here = (name) => join(import.meta.dirname, name);
const scope = new Scope(here('scope.json'), here('exceptions.json'));

async function resultOf({ file, read, every }) {
  const cases = read(file, options.all ? 1 : every).filter((one) => one.id.includes(options.only));
  const { records, pushdown } = await runCases(cases, { storages: options.storages.split(',') });
  return { records: records.map((record) => ({ ...record, rule: scope.ruleFor(record.one) })), pushdown };
}

/** The thresholds that a corpus misses, as sentences. */
function missesOf({ name, right }, records, measured) {
  const share = shares(records);
  const { pushdown, storage } = disagreements(records);
  return [
    [share.right < right, `${share.right.toFixed(2)} % of the ${name} cases are right, which must be ${right}`],
    [share.wrong > 0, `${share.wrong} of the ${name} cases are answered wrongly`],
    [share.accepted > kMostAccepted, `${share.accepted.toFixed(2)} % of the ${name} cases should have been refused`],
    [pushdown.length > 0, `pushdown changes the answer to ${pushdown.map(({ one }) => one.id).slice(0, 5).join(', ')}`],
    [storage.length > 0, `documents and columns disagree on ${storage.map(({ one }) => one.id).slice(0, 5).join(', ')}`],
    [measured.prefixes.all >= kFewBeginnings && pushedShare(measured) < kLeastPushed, `${pushedShare(measured).toFixed(1)} % of what the database could begin with is pushed, which must be ${kLeastPushed}`],
  ].filter(([isMissed]) => isMissed).map(([, sentence]) => sentence);
}

const done = [];
for (const corpus of chosenCorpora(positionals)) {
  const { records, pushdown } = await resultOf(corpus);
  const share = shares(records);
  console.log(`\n${corpus.name}\n\n${markdown('command', byVerb(records))}\n${markdown('form', byForm(records))}`);
  console.log(`${share.scope} cases in scope, ${share.out} out of it; ${share.right.toFixed(2)} % right\n\n${pushdownText(pushdown)}`);
  done.push({ corpus, records, pushdown, misses: missesOf(corpus, records, pushdown) });
}
if (options.results) writeFileSync(options.results, resultsText(done));
if (options.failures) writeFileSync(options.failures, done.map(({ records }) => failureTexts(records)).join('\n'));
if (options.summary) writeSummary(options.summary, done);
for (const sentence of done.flatMap(({ misses }) => misses)) console.error(`missed: ${sentence}`);
process.exitCode = done.some(({ misses }) => misses.length > 0) ? 1 : 0;
