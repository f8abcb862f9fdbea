// Starts the test file again in a mount namespace of its own, so it must be the first import. The mounts end with the
// process, also if it is killed, and other programs do not see them. An ordinary user also needs a user namespace.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const moved = 'GANTRY_TEST_OWN_MOUNTS';
const ways = [['--mount'], ['--mount', '--user', '--map-root-user']];
const reasons = [];

function isAllowed(way) {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-mount-'));
  try {
    execFileSync('unshare', [...way, 'sh', '-c', `mount -t tmpfs -o size=64k none ${folder}; status=$?; umount ${folder}; rmdir ${folder}; exit $status`],
      { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
    return true;
  } catch (error) {
    reasons.push(`unshare ${way.join(' ')}: ${(error.stderr || error.message).trim()}`);
    return false;
  }
}

if (!process.env[moved]) {
  const way = ways.find(isAllowed);
  if (way) {
    const words = ['unshare', ...way, process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    process.execve('/usr/bin/unshare', words, { ...process.env, [moved]: '1' });
  }
}

/** The reason for which a test cannot mount anything; false: it can. */
export const noMounts = process.env[moved] ? false : `nothing can be mounted: ${reasons.join('; ')}`;

const mounted = [];
// This module is imported before the one that removes the scratch folders, so they are unmounted first.
process.on('exit', () => mounted.forEach((folder) => execFileSync('umount', ['--lazy', folder])));

/** Mounts a file system in memory of `kib` KiB over the folder. */
export function mountSmall(folder, kib) {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k,mode=755`, 'none', folder]);
  mounted.push(folder);
}
/** Mounts it again, `ro` or `rw`; throws while a file in it is open for writing. */
export const remount = (folder, how) => execFileSync('mount', ['-o', `remount,${how}`, folder], { stdio: 'pipe' });
