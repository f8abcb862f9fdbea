// The servers the suite is run against.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Server } from '../../e2e/lib/gantryd.mjs';
import { demoDatabase, gantryd, scratch } from '../../e2e/lib/paths.mjs';

export const plugin = join(dirname(gantryd), '..', 'test-plugins', 'conformance.so');

let database;
const demo = () => { database ??= demoDatabase(); return database; };

/** Flags that run the plugin `isolate`: in-process or process. */
function fixture(isolate) {
  const file = join(scratch(), 'gantry.json');
  writeFileSync(file, JSON.stringify({ plugins: { conformance: { isolate } } }));
  return ['--config', file, '--plugin', plugin];
}

/**
 * name: what Server.start takes. `bare` is the plugin alone, `worker` the same in a process of its
 * own, `demo` stands beside everything else.
 */
export const setups = {
  bare: () => ({ flags: ['--builtin-plugins', 'none', ...fixture('in-process')] }),
  worker: () => ({ flags: ['--builtin-plugins', 'none', ...fixture('process')] }),
  demo: () => ({ db: demo(), flags: fixture('in-process') }),
};

export const startServer = (setup) => Server.start(setups[setup]());
