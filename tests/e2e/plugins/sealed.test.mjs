// The code of plugins is mapped from sealed memory only. No file of the state directory holds code
// or may be executed, not even during a reload.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, openSync, closeSync, readSync, readdirSync, renameSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { until } from '../lib/events.mjs';
import { Server } from '../lib/gantryd.mjs';
import { ask } from '../lib/rpc.mjs';
import { script, withStateVersion } from '../lib/script.mjs';
import { scratch } from '../lib/paths.mjs';
import { ofProcess, workersOf } from '../lib/processes.mjs';

const elf = Buffer.from('\x7fELF', 'latin1');

function begins(file) {
  const bytes = Buffer.alloc(4);
  const fd = openSync(file, 'r');
  try { readSync(fd, bytes, 0, 4, 0); } finally { closeSync(fd); }
  return bytes;
}

/** Files below a folder that hold machine code or may be executed. */
function executables(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => existsSync(file) && (statSync(file).mode & 0o111 || begins(file).equals(elf)));
}

/** Names that come below a folder from now on. */
function names(folder) {
  const seen = [];
  const watcher = watch(folder, { recursive: true }, (_, name) => seen.push(name));
  return { seen, stop: () => watcher.close() };
}

const executableMappings = (pid) => ofProcess(pid, 'maps').split('\n')
  .filter((line) => /^\S+ ..x/.test(line)).map((line) => line.split(/\s+/).slice(5).join(' ')).filter(Boolean);

describe('the state directory', () => {
  const builds = [1, 2].map((version) => withStateVersion('script-rounds', version));
  const generation = async (server) => {
    const text = await (await fetch(new URL('/metrics', server.url))).text();
    return Number(/gantry_plugin_generation\{plugin="script-rounds"\} (\d+)/.exec(text)?.[1] ?? 0);
  };

  for (const isolate of ['in-process', 'process']) {
    test(`never holds code of plugins: ${isolate}`, async (t) => {
      const [folder, state] = [scratch(), scratch()];
      const plugins = join(folder, 'plugins');
      mkdirSync(plugins);
      const file = join(plugins, 'rounds.so');
      copyFileSync(builds[0], file);
      const config = join(folder, 'gantry.json');
      writeFileSync(config, JSON.stringify({ builtin_plugins: 'none', plugin_directories: [plugins], plugins: { 'script-rounds': { isolate } } }));
      const watched = names(state);
      t.after(watched.stop);
      const server = await Server.start({ flags: ['--config', config, '--state', state] });
      t.after(() => server.stop());
      for (let swap = 1; swap <= 6; ++swap) {
        const before = await generation(server);
        copyFileSync(builds[swap % 2], join(plugins, '.next'));
        renameSync(join(plugins, '.next'), file);
        await until(async () => {
          assert.deepEqual(executables(state), []);
          return ![0, before].includes(await generation(server));
        }, `swap ${swap}`);
        await ask(server, 'rounds', { as: `swap-${swap}`, ...script('cancelled') });
        for (const pid of [server.child.pid, ...workersOf(server.child.pid)]) {
          const mapped = executableMappings(pid);
          assert.deepEqual(mapped.filter((path) => path.startsWith(state) || path.startsWith(folder)), []);
        }
        const running = isolate === 'process' ? workersOf(server.child.pid) : [server.child.pid];
        assert.ok(running.some((pid) => executableMappings(pid).some((path) => path.startsWith('/memfd:'))), 'it is mapped from memory');
      }
      assert.deepEqual(watched.seen.filter((name) => /\.so\b/.test(name)), []);
      assert.deepEqual(executables(state), []);
    });
  }
});
