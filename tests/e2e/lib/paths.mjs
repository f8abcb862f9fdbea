// Paths of the repository and of the server under test; scratch folders that are removed at the end; free ports.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
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

/** A port that was free a moment ago. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
