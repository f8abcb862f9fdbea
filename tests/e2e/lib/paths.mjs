// Paths of the repository and of the server under test; scratch folders that are removed at the
// end.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
export const gantryd = process.env.GANTRY ?? join(root, 'build', 'check', 'bin', 'gantryd');

const folders = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder, removed when the process ends. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-e2e-'));
  folders.push(folder);
  return folder;
}

/** Builds the demo database and returns its path. */
export function demoDatabase() {
  const file = join(scratch(), 'demo.db');
  execFileSync(join(root, 'tools', 'demo', 'build.sh'), [file]);
  return file;
}
