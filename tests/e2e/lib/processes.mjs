// The processes below a server, from /proc.
import { readFileSync, readdirSync } from 'node:fs';

/** A file of /proc; empty when the process is gone. */
export function ofProcess(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

const isSpare = (pid) => /^gantry-worker\0 +\0$/.test(ofProcess(pid, 'cmdline'));

/** The numbers of the processes that the server `pid` has started, zombies too, but for the one that waits for a plugin. */
export const workersOf = (pid) => readdirSync('/proc')
  .filter((one) => ofProcess(one, 'stat').split(') ')[1]?.split(' ')[1] === String(pid) && !isSpare(one));
