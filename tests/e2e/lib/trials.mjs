// The trials of plugins that passed, shared by the servers of a build: a server first tries every plugin
// out in a process of its own, which takes half of its start.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gantryd, scratch } from './paths.mjs';
import { known, share } from './shared.mjs';

const programs = [gantryd, join(dirname(gantryd), 'gantry-worker')];
const most = 400;  // a server ignores a file of more than 512

const lines = (file) => {
  try {
    return readFileSync(file, 'latin1').split('\n').filter(Boolean);
  } catch {
    return [];
  }
};
const passed = () => known('trials', programs);

/** A new state directory, which holds the trials that have passed. */
export function newState() {
  const state = scratch();
  if (passed()) copyFileSync(passed(), join(state, 'trials'));
  return state;
}

/** Adds what the server that has this state directory tried. Of two at once, one is lost. */
export function keepTrials(state) {
  const before = passed() ? lines(passed()) : [];
  const more = lines(join(state, 'trials')).filter((line) => !before.includes(line));
  if (!more.length) return;
  const all = [...before, ...more].slice(-most).map((line) => `${line}\n`).join('');
  share('trials', (file) => writeFileSync(file, all));
}
