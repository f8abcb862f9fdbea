// Keys of agents, shared by the servers of a build: `gantry key create` of a sanitized build takes half a
// second, and most tests want keys for all of their agents.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gantry, gantryProgram } from './gantry.mjs';
import { scratch } from './paths.mjs';
import { known, share } from './shared.mjs';

/** A new key: {key, record}, with its record in the server's store. */
async function make(agent) {
  const state = scratch();
  const made = await gantry(['key', 'create', agent, '--state', state, '--json']);
  assert.equal(made.code, 0, made.stderr);
  const { keys: [record] } = JSON.parse(readFileSync(join(state, 'keys.json')));
  return { key: JSON.parse(made.stdout).key, record };
}

/** A key for each agent, in a state directory that has no key yet: {agent: key}. */
export async function keysFor(agents, state) {
  const file = known('keys.json', [gantryProgram]);
  const all = file ? JSON.parse(readFileSync(file)) : {};
  const missing = agents.filter((agent) => !Object.hasOwn(all, agent));
  for (const agent of missing) all[agent] = await make(agent);
  if (missing.length) share('keys.json', (at) => writeFileSync(at, JSON.stringify(all), { mode: 0o600 }));
  const records = agents.map((agent) => all[agent].record);
  writeFileSync(join(state, 'keys.json'), JSON.stringify({ keys: records }), { mode: 0o600 });
  return Object.fromEntries(agents.map((agent) => [agent, all[agent].key]));
}
