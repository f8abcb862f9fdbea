// Servers with the script plugins (tests/fixtures/plugins/script) and nothing else.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Server } from './gantryd.mjs';
import { until } from './events.mjs';
import { ask } from './rpc.mjs';
import { gantryd, scratch } from './paths.mjs';

const build = join(dirname(gantryd), '..');
export const testPlugin = (name) => join(build, 'test-plugins', `${name}.so`);
export const fixture = (kind, name) => join(build, 'fixtures', kind, `${name}.so`);

const all = ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-async'];

/** Where these plugins run; a suite of ctest runs once for each. */
export const isolate = process.env.GANTRY_ISOLATE ?? 'in-process';

// Some of the runs stay in a call that is over for as long as the test wants.
const where = isolate === 'process' ? { isolate, worker: { kill_after_ms: 60_000 } } : { isolate };

/** Flags for a server with these plugins and this configuration. */
export function scriptFlags({ plugins = all, config = {}, flags = [] } = {}) {
  const file = join(scratch(), 'gantry.json');
  const sections = { ...config.plugins };
  for (const name of plugins) sections[name] = { ...where, ...sections[name] };
  const whole = { builtin_plugins: 'none', plugin_files: plugins.map(testPlugin), ...config, plugins: sections };
  writeFileSync(file, JSON.stringify(whole));
  return ['--config', file, ...flags];
}

export const startScripts = ({ env, shell, ...rest } = {}) => Server.start({ env, shell, flags: scriptFlags(rest) });

/** One that ends with the test, however that ends. */
export async function startScriptsFor(t, options = {}) {
  const server = await startScripts(options);
  t.after(() => server.stop());
  return server;
}

/** A copy of a script plugin that has another state_version: one digit in its manifest. */
export function withStateVersion(name, version) {
  const bytes = readFileSync(testPlugin(name));
  const digit = /"state_version"\s*:\s*(\d)/.exec(bytes.toString('latin1'));
  assert.ok(digit, `${name} says no state_version`);
  bytes[digit.index + digit[0].length - 1] = 48 + version;
  const file = join(scratch(), `${name}.so`);
  writeFileSync(file, bytes);
  return file;
}

/** Runs steps and returns their notes; a step is an object, or the name of a step without settings. */
export async function noted(server, tool, ...steps) {
  return (await ask(server, tool, script(...steps))).journal;
}

export const script = (...steps) =>
  ({ steps: steps.map((step) => (typeof step === 'string' ? { do: step } : step)) });

/** The same under a name, whose journal can be taken later. */
export const named = (as, ...steps) => ({ as, ...script(...steps) });

/** Takes the journal of a named run, which may have more to note. */
export async function journal(server, as, tool = 'script_journal') {
  return (await ask(server, tool, { as })).journal;
}

/** The first `count` notes of a named run whose call was answered before it ended. */
export async function notes(server, as, count) {
  const taken = [];
  await until(async () => {
    taken.push(...await journal(server, as));
    return taken.length >= count;
  }, `${count} notes of ${as}`);
  return taken;
}

/** The number of calls that have not ended, queued ones too. */
export async function callsActive(server) {
  const metrics = await (await fetch(new URL('/metrics', server.url))).text();
  return Number(metrics.match(/^gantry_calls_active (\d+)$/m)[1]);
}

/** A log line that contains `text`, waited for. */
export async function logged(server, text, timeout = 10000) {
  for (const end = Date.now() + timeout; ;) {
    const line = server.stderr.split('\n').find((one) => one.includes(text));
    if (line) return line;
    assert.ok(Date.now() < end, `the log never said '${text}':\n${server.stderr.slice(-3000)}`);
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
}
