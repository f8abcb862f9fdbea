// The trials of plugins that passed, shared by the servers of a build: a server first tries every plugin
// out in a process of its own, which takes half of its start.
import { copyFileSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gantryd, scratch } from './paths.mjs';

const shared = join(dirname(gantryd), '..', 'trials');
const most = 400;  // a server ignores a file of more than 512

const lines = (file) => {
  try {
    return readFileSync(file, 'latin1').split('\n').filter(Boolean);
  } catch {
    return [];
  }
};
const age = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** What the programs of this build have tried; those of an older build count no more. */
function known() {
  const programs = [gantryd, join(dirname(gantryd), 'gantry-worker')];
  return age(shared) > Math.max(...programs.map(age)) ? lines(shared) : [];
}

/** A new state directory, which holds the trials that have passed. */
export function newState() {
  const state = scratch();
  if (known().length) copyFileSync(shared, join(state, 'trials'));
  return state;
}

/** Adds what the server that has this state directory tried. Of two at once, one is lost. */
export function keepTrials(state) {
  const before = known();
  const more = lines(join(state, 'trials')).filter((line) => !before.includes(line));
  if (!more.length) return;
  const aside = `${shared}.${process.pid}`;
  writeFileSync(aside, [...before, ...more].slice(-most).map((line) => `${line}\n`).join(''));
  renameSync(aside, shared);
}
