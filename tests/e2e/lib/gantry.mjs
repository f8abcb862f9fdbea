// Runs the real `gantry` beside the gantryd under test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { cleanEnvironment, endsWithUs } from './gantryd.mjs';
import { gantryd } from './paths.mjs';

export const gantryProgram = join(dirname(gantryd), 'gantry');

/** A plugin that this build made for tests. */
export const testPlugin = (name) => join(dirname(gantryd), '..', 'test-plugins', `${name}.so`);

/** Runs it to its end: {code, stdout, stderr}. */
export async function gantry(flags, { env = {}, cwd, timeout = 60000 } = {}) {
  const child = endsWithUs(spawn(gantryProgram, flags,
    { env: { ...cleanEnvironment(), ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] }));
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (bytes) => { stdout += bytes; });
  child.stderr.on('data', (bytes) => { stderr += bytes; });
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  return { code: code ?? signal, stdout, stderr };
}
