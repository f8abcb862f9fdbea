// The servers that the suite runs against.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Server } from '../../e2e/lib/gantryd.mjs';
import { ask, modern } from '../../e2e/lib/rpc.mjs';
import { testPlugin } from '../../e2e/lib/script.mjs';
import { keysFor } from '../../e2e/lib/keys.mjs';
import { gantryd, scratch } from '../../e2e/lib/paths.mjs';
import { demoDatabase } from '../../e2e/lib/shared.mjs';
import { startKeyProxy } from './key_proxy.mjs';

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

/** The plugin in a server that refuses clients without a key; the suite comes through a proxy that has one. */
async function keyed() {
  const [folder, state] = [scratch(), scratch()];
  const agents = join(folder, 'agents.json');
  writeFileSync(agents, JSON.stringify({ agents: { suite: { rate_limit: 'unlimited' } } }));
  const { suite: key } = await keysFor(['suite'], state);
  const front = async (server) => {
    assert.equal((await modern(server, 'tools/list')).status, 401, 'the server lets in a caller without a key');
    return startKeyProxy(server, key);
  };
  return { flags: ['--builtin-plugins', 'none', ...fixture('in-process'), '--state', state, '--agents', agents], front };
}

/**
 * name: the options of Server.start, a check to make before the suite runs, and what stands in front
 * of the server. `bare` is the plugin
 * alone, `worker` the plugin in a worker, `walled` a worker of a server with an ordinary user, `keyed`
 * the plugin behind a credential, `demo` the plugin beside all built-in plugins and the demo database.
 */
export const setups = {
  bare: () => ({ flags: ['--builtin-plugins', 'none', ...fixture('in-process')] }),
  worker: () => ({ flags: ['--builtin-plugins', 'none', ...fixture('process')] }),
  walled,
  keyed,
  demo: () => ({ db: demo(), flags: fixture('in-process') }),
};

/** {url, stop}: the address for the suite. */
export async function startServer(setup) {
  const { check, front, ...options } = await setups[setup]();
  const server = await Server.start(options);
  try {
    await check?.(server);
    const proxy = await front?.(server);
    return { url: proxy?.url ?? server.url, stop: async () => { await proxy?.stop(); await server.stop(); } };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
