// A server with an agents file and a key for each of its profiles.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server } from './gantryd.mjs';
import { keysFor } from './keys.mjs';
import { scratch } from './paths.mjs';
import { modern, modernRevision, post } from './rpc.mjs';
import { newState } from './trials.mjs';

export const bearer = (key) => ({ authorization: `Bearer ${key}` });

/** A server with an agents file that can be replaced, and a key for each of its profiles. */
export class Governed {
  static async start(agents, { db, flags = [], env = {}, rest = {}, listen } = {}) {
    const it = new Governed();
    it.options = { db, flags, env, listen };
    it.state = newState();
    it.file = join(scratch(), 'agents.json');
    writeFileSync(it.file, JSON.stringify({ agents, ...rest }, null, 1));
    it.keys = await keysFor(Object.keys(agents), it.state);
    await it.#serve(it.options);
    return it;
  }
  async #serve({ flags, ...options }) {
    this.server = await Server.start({ ...options, flags: ['--state', this.state, '--agents', this.file, ...flags] });
  }
  /** Again, with the same state and keys; `kill`: without a chance to end in order; `more`: in place of the first options. */
  async restart({ kill = false, ...more } = {}) {
    await (kill ? this.server.kill() : this.server.stop());
    await this.#serve({ ...this.options, ...more });
  }
  replace(text) {
    writeFileSync(`${this.file}.new`, text);
    renameSync(`${this.file}.new`, this.file);
  }
  stop() { return this.server.stop(); }

  /** A command of an operator over HTTP: {status, message}. */
  admin(name, method, params = {}) {
    return post({ url: new URL('/admin/rpc', this.server.url) }, { jsonrpc: '2.0', id: 7, method, params }, bearer(this.keys[name]));
  }

  /** One request as a profile, in an era: the result. */
  async as(name, revision, method, params = {}) {
    if (revision === modernRevision) return (await modern(this.server, method, params, bearer(this.keys[name]))).message;
    const session = await this.session(name, revision);
    return (await post(this.server, { jsonrpc: '2.0', id: 2, method, params }, session)).message;
  }
  async session(name, revision = '2025-11-25') {
    const begun = await post(this.server, { jsonrpc: '2.0', id: 1, method: 'initialize',
      params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } } }, bearer(this.keys[name]));
    const headers = { ...bearer(this.keys[name]), 'mcp-session-id': begun.headers.get('mcp-session-id') };
    await post(this.server, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
    return headers;
  }
}
