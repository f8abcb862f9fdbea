// Runs a program to its end; the output of one that fails is its error.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program of an installed package. */
export const installed = (...path) => join(process.cwd(), 'node_modules', ...path);

/** Of a program in JavaScript. */
export const output = (program, args, options) => execute(process.execPath, [program, ...args], options);

export async function execute(program, args, { signal, env = {} } = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], signal });
  let text = '';
  let errors = '';
  child.on('error', () => {});
  child.stdout.on('data', (bytes) => { text += bytes; });
  child.stderr.on('data', (bytes) => { errors += bytes; });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${code}: ${(text + errors).slice(-300)}`);
  return text;
}
