// What the tests of a build make once and share: the folder `shared` of the build. What an older build made counts
// no more. Two processes that make the same at once both have it, and one copy stays.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gantryd, root, scratch } from './paths.mjs';

const place = (name) => join(dirname(gantryd), '..', 'shared', name);
const age = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The path of `name` there if it is newer than `sources`; else undefined. */
export function known(name, sources) {
  const file = place(name);
  return age(file) > Math.max(...sources.map(age)) ? file : undefined;
}

/** Makes or replaces `name` there by `make(path)`. Returns its path. */
export function share(name, make) {
  const file = place(name);
  mkdirSync(dirname(file), { recursive: true });
  make(`${file}.${process.pid}`);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

/** A demo database of its own: its path. */
export function demoDatabase() {
  const demo = join(root, 'tools', 'demo');
  const made = known('demo.db', [join(demo, 'build.sh'), join(demo, 'demo.sql')])
    ?? share('demo.db', (file) => execFileSync(join(demo, 'build.sh'), [file]));
  const file = join(scratch(), 'demo.db');
  copyFileSync(made, file);
  return file;
}
