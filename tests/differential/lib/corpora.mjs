// The corpora: where their files are, their samples and the least share of right answers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../e2e/lib/paths.mjs';
import { recordedCases } from './cases.mjs';
import { generatedCases } from './generated.mjs';

const folder = process.env.GANTRY_CASES ?? join(root, '..', 'shared', 'data');

/** every: of a sample, one case in so many; right: the least share of right answers, in percent. */
const corpora = [
  { name: 'own', file: join(import.meta.dirname, '..', 'cases.jsonl'), read: recordedCases, every: 1, right: 100 },
  { name: 'recorded', file: join(folder, 'mongo-cases.dev.jsonl.gz'), read: recordedCases, every: 12, right: 99.6 },
  { name: 'generated', file: join(folder, 'mingo-cases.seed1.jsonl.gz'), read: generatedCases, every: 12, right: 100 },
];

/** A file given by name: recorded, unless its name says that it was generated. */
function corpusOf(file) {
  const isGenerated = /mingo|generated/.test(file);
  return { ...corpora[isGenerated ? 2 : 1], name: file, file };
}

/** The corpora of these names or files; a missing one is reported and skipped. */
export function chosenCorpora(names) {
  const chosen = names.length === 0 ? corpora
    : names.map((name) => corpora.find((corpus) => corpus.name === name) ?? corpusOf(name));
  return chosen.filter(({ name, file }) => {
    if (existsSync(file)) return true;
    console.log(`There is no ${file}: the ${name} cases are left out; the project's own are in cases.jsonl.`);
    return false;
  });
}
