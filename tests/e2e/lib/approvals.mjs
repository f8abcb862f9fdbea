// A server whose agents need approvals, with the vault plugin (tests/fixtures/plugins/vault), and operators.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './events.mjs';
import { gantry, testPlugin } from './gantry.mjs';
import { Governed, bearer } from './governed.mjs';
import { scratch } from './paths.mjs';
import { AskedSession, once } from './rounds.mjs';

export const form = { elicitation: { form: {} } };
export const key = 'gantry-approval';
export const accept = { [key]: { action: 'accept', content: {} } };
export const decline = { [key]: { action: 'decline' } };
export const close = { [key]: { action: 'cancel' } };
export const codeOf = (result) => JSON.parse(result.content.at(-1).text).error_code;
export const detailsOf = (result) => JSON.parse(result.content.at(-1).text).details;

export const agents = {
  writer: { permissions: 'write', user: 'ann', approval: { tiers: ['write'] }, rate_limit: 'unlimited' },
  other: { permissions: 'write', approval: { tiers: ['write'] }, rate_limit: 'unlimited' },
  remote: { permissions: 'write', approval: { tiers: ['write'], by: 'operators' }, rate_limit: 'unlimited' },
  counted: { permissions: 'write', approval: { rows: 10 }, rate_limit: 'unlimited' },
  listed: { permissions: 'admin', approval: { tools: ['vault_note'] }, rate_limit: 'unlimited' },
  free: { permissions: 'write', rate_limit: 'unlimited' },
  boss: { permissions: 'admin', rate_limit: 'unlimited' },
};

/** A server with the vault; `operators: false` leaves no one to answer out of band. */
export class Vault {
  static async start({ operators = true, profiles = agents, limits = {}, env = {} } = {}) {
    const vault = new Vault();
    const file = join(scratch(), 'gantry.json');
    writeFileSync(file, JSON.stringify({ builtin_plugins: 'none', plugin_files: [testPlugin('vault')],
      plugins: { vault: { isolate: 'in-process' } }, limits }));
    vault.control = operators ? join(scratch(), 'control') : 'none';
    vault.governed = await Governed.start(profiles, { env, flags: ['--config', file, '--control', vault.control] });
    return vault;
  }
  get server() { return this.governed.server; }
  restart(options) { return this.governed.restart(options); }
  stop() { return this.governed.stop(); }
  headers(name) { return bearer(this.governed.keys[name]); }

  /** One modern request: its message. */
  async modern(name, params, { capabilities = form } = {}) {
    return (await once(this.server, 'tools/call', params, { capabilities, headers: this.headers(name) })).message;
  }
  legacy(name, revision = '2025-11-25', capabilities = form) {
    return AskedSession.open(this.server, revision, capabilities, this.headers(name));
  }
  async state() {
    const { result } = await this.modern('free', { name: 'vault_state', arguments: {} });
    return result.structuredContent;
  }
  async runs() { return (await this.state()).runs; }

  /** `gantry approvals …` over the control socket: {code, stdout, stderr}. */
  cli(...words) { return gantry(['approvals', ...words, '--control', this.control]); }
  /** `gantry call …` as that profile, which waits where its call waits. */
  call(name, ...words) {
    return gantry(['call', ...words, '--url', this.server.url.href, '--key', this.governed.keys[name]]);
  }
  async waiting() { return JSON.parse((await this.cli('list', '--json')).stdout).approvals; }
  /** Declines all that wait: what earlier tests left. */
  async clear() {
    for (const { id } of await this.waiting()) await this.admin('boss', 'approval.answer', { id, accept: false });
  }
  /** The one call that waits, once it does. */
  async one() {
    let all = [];
    await until(async () => { all = await this.waiting(); return all.length > 0; }, 'a call that waits');
    assert.equal(all.length, 1);
    return all[0];
  }
  admin(name, method, params) { return this.governed.admin(name, method, params); }
}
