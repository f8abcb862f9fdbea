// Runs the conformance suite once and reads its results.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratch } from '../../e2e/lib/paths.mjs';

const here = join(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(here, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

// A server under a sanitizer on a busy machine is slow; a scenario that hangs is caught anyway.
const scenarioTimeout = 60000;

const announced = /^Running .* \((\d+) scenarios\) against /m;
const summaryLine = /^[✓✗] (\S+): (\d+) passed, (\d+) failed$/gm;

/** {code, output, announced, scenarios: [{name, passed, failed, warnings, skipped, complaints}]} */
export async function runSuite(url, flags) {
  const folder = scratch();
  const { code, output } = await run(['server', '--url', String(url), ...flags,
    '--timeout', String(scenarioTimeout), '-o', folder]);
  return {
    code, output, announced: Number(announced.exec(output)?.[1] ?? 0),
    scenarios: scenarios(output, checksByScenario(folder)),
  };
}

async function run(args) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (bytes) => { output += bytes; });
  child.stderr.on('data', (bytes) => { output += bytes; });
  const [code, signal] = await once(child, 'close');
  return { code: code ?? signal, output };
}

// The suite writes one folder a scenario, "server-<scenario>-<time>", with checks.json in it.
function checksByScenario(folder) {
  return new Map(readdirSync(folder).map((name) => [
    name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, ''),
    JSON.parse(readFileSync(join(folder, name, 'checks.json'))),
  ]));
}

function scenarios(output, checks) {
  return [...output.matchAll(summaryLine)].map(([, name, passed, failed]) => {
    const made = checks.get(name) ?? [];
    const count = (status) => made.filter((check) => check.status === status).length;
    return {
      name, passed: Number(passed), failed: Number(failed),
      warnings: count('WARNING'), skipped: count('SKIPPED'),
      complaints: made.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .map((check) => `${check.status} ${name} / ${check.id}: ${check.errorMessage ?? check.description}`),
    };
  });
}
