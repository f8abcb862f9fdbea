// The wall clock of one server, which a test sets: libfaketime (Debian: faketime) between the server and the C library. The
// monotonic clock goes on, as it does when an administrator or NTP sets the time.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gantryd, scratch } from '../../e2e/lib/paths.mjs';

const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
/** The reason for which a test cannot set the clock; false: it can. */
export const noClock = library ? false : 'libfaketime is missing; install it (Debian: apt-get install faketime)';

/** The run-time library of a sanitizer, which must be the first in LD_PRELOAD. */
function sanitizer() {
  const lines = execFileSync('ldd', [gantryd], { encoding: 'utf8' }).split('\n');
  return lines.map((line) => /lib[at]san\S* => (\S+)/.exec(line)?.[1]).find((path) => path && existsSync(path));
}

export class WallClock {
  file = join(scratch(), 'clock');
  constructor() { this.step('+0'); }
  /** What the environment of the server needs for this clock. */
  get env() {
    return {
      LD_PRELOAD: [sanitizer(), library].filter(Boolean).join(' '), FAKETIME_TIMESTAMP_FILE: this.file,
      FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }
  /** Sets it: `+1d`, `-3h` from the true time. */
  step(offset) {
    writeFileSync(`${this.file}.new`, `${offset}\n`);
    renameSync(`${this.file}.new`, this.file);
  }
}

/** Offsets that a test sets in this order: large ones forth and back, and two that are shorter than its waits. */
export const steps = ['+1h', '-1h', '+400d', '-400d', '+2s', '-2s', '+0'];
