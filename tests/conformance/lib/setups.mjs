// The servers that the suite runs against.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Server } from '../../e2e/lib/gantryd.mjs';
import { ask } from '../../e2e/lib/rpc.mjs';
import { testPlugin } from '../../e2e/lib/script.mjs';
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
 * The plugin in a worker without any grant; the server runs as an ordinary user. Before the suite
 * runs, a hostile plugin in a second worker without grants proves that the walls refuse it.
 */
function walled() {
  const [folder, state] = [scratch(), scratch()];
  const file = join(folder, 'gantry.json');
  const own = { isolate: 'process', allow: [] };
  writeFileSync(file, JSON.stringify({ plugins: { conformance: own, hostile: own } }));
  const uid = process.getuid() === 0 ? 65534 : undefined;
  chmodSync(folder, 0o755);
  if (uid) for (const path of [file, state]) chownSync(path, uid, uid);
  const flags = ['--builtin-plugins', 'none', '--config', file, '--state', state, '--plugin', plugin, '--plugin', testPlugin('hostile')];
  const check = async (server) => {
    for (const path of [file, state, gantryd]) {
      const { got } = await ask(server, 'attempt', { name: 'read', path });
      assert.equal(got, 'refused', `there is no wall: a worker reads ${path}`);
    }
  };
  return { uid, flags, check };
}

/**
 * name: the options of Server.start, and a check to make before the suite runs. `bare` is the plugin
 * alone, `worker` the plugin in a worker, `walled` a worker of a server with an ordinary user, `demo`
 * the plugin beside all built-in plugins and the demo database.
 */
export const setups = {
  bare: () => ({ flags: ['--builtin-plugins', 'none', ...fixture('in-process')] }),
  worker: () => ({ flags: ['--builtin-plugins', 'none', ...fixture('process')] }),
  walled,
  demo: () => ({ db: demo(), flags: fixture('in-process') }),
};

export async function startServer(setup) {
  const { check, ...options } = setups[setup]();
  const server = await Server.start(options);
  try {
    await check?.(server);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}
