// The servers the suite is run against.
import { dirname, join } from 'node:path';
import { Server } from '../../e2e/lib/gantryd.mjs';
import { demoDatabase, gantryd } from '../../e2e/lib/paths.mjs';

export const plugin = join(dirname(gantryd), '..', 'test-plugins', 'conformance.so');

let database;
const demo = () => { database ??= demoDatabase(); return database; };

/** name: what Server.start takes. `bare` is the plugin alone, `demo` stands beside everything else. */
export const setups = {
  bare: () => ({ flags: ['--builtin-plugins', 'none', '--plugin', plugin] }),
  demo: () => ({ db: demo(), flags: ['--plugin', plugin] }),
};

export const startServer = (setup) => Server.start(setups[setup]());
