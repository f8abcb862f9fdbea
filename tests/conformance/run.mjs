// usage: node run.mjs [SETUP [RUN]]
// Runs the MCP conformance suite against the real gantryd: every server of lib/setups.mjs with every
// run that lib/runs.mjs has for it, or only those named. Ends with 1 when a check failed. Counts are
// also written to the folder COUNTS, one file a run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countsLine, problems, table } from './lib/report.mjs';
import { runs, runsOf } from './lib/runs.mjs';
import { setups, startServer } from './lib/setups.mjs';
import { runSuite } from './lib/suite.mjs';

const [onlySetup, onlyRun] = process.argv.slice(2);
const counts = process.env.COUNTS;

function chosen(all, only) {
  if (only !== undefined && !Object.hasOwn(all, only)) {
    console.error(`run.mjs: no '${only}'; there is: ${Object.keys(all).join(', ')}`);
    process.exit(2);
  }
  return only === undefined ? Object.keys(all) : [only];
}

async function check(setup, name) {
  const [flags, expectedScenarios, expectedPassed] = runs[name];
  const server = await startServer(setup);
  const result = await runSuite(server.url, flags);
  await server.stop();
  const wrong = problems(result, expectedScenarios, expectedPassed);
  const complaints = result.scenarios.flatMap((scenario) => scenario.complaints);
  if (result.scenarios.length === 0) console.log(result.output);
  console.log([`\n== ${setup}, ${name}`, table(result.scenarios), ...complaints, ...wrong].join('\n'));
  if (counts) {
    mkdirSync(counts, { recursive: true });
    writeFileSync(join(counts, `${setup}-${name}.txt`), countsLine(setup, name, result.scenarios));
  }
  return wrong.length === 0;
}

let good = true;
for (const setup of chosen(setups, onlySetup)) {
  for (const name of onlyRun ? chosen(runs, onlyRun) : runsOf[setup] ?? Object.keys(runs)) good = await check(setup, name) && good;
}
process.exitCode = good ? 0 : 1;
