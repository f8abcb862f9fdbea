// A gantryd that does not wait for calls (see CMakeLists.txt): the hammer of swap.test.mjs must
// notice, or it proves nothing.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gantryd } from '../e2e/lib/paths.mjs';

const mutant = join(dirname(gantryd), 'gantryd-without-drain');

/** The swap test against a gantryd: {code, text}. */
function swapTest(program, swaps) {
  const file = fileURLToPath(new URL('swap.test.mjs', import.meta.url));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--test', '--test-reporter=tap', '--test-name-pattern=by command$', file], {
      env: { ...env, GANTRY: program, GANTRY_SWAPS: String(swaps) }, timeout: 120_000, maxBuffer: 1 << 26,
    }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, text: stdout + stderr }));
  });
}

test('the swap test fails on a server that does not wait for calls', { timeout: 500_000 }, async (t) => {
  assert.ok(existsSync(mutant), `${mutant} is not built`);
  // Whether a call is in a library at the moment that it goes is a matter of chance.
  let [code, text] = [0, ''];
  for (let round = 0; round < 12 && code === 0; ++round) ({ code, text } = await swapTest(mutant, 40));
  const reason = /error: (?:'|\|-\n\s*)(.*)/.exec(text)?.[1] ?? '';
  t.diagnostic(`it said: ${reason}`);
  assert.notEqual(code, 0, `it passed:\n${text.slice(-3000)}`);
  assert.match(text, /calls failed|wrong answers|the control socket closed|ECONNREFUSED|ECONNRESET|ENOENT|Sanitizer/,
    `it failed for another reason:\n${text.slice(-3000)}`);
});
