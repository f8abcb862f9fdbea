// A server with an agents file and a key for each of its profiles.
import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gantry } from './gantry.mjs';
import { Server } from './gantryd.mjs';
import { scratch } from './paths.mjs';
import { modern, modernRevision, post } from './rpc.mjs';

export const bearer = (key) => ({ authorization: `Bearer ${key}` });

/** A server with an agents file that can be replaced, and a key for each of its profiles. */
export class Governed {
  static async start(agents, { db, flags = [], env = {}, rest = {}, listen } = {}) {
    const it = new Governed();
    it.state = scratch();
    chmodSync(it.state, 0o700);
    it.file = join(scratch(), 'agents.json');
    writeFileSync(it.file, JSON.stringify({ agents, ...rest }, null, 1));
    it.keys = {};
    for (const name of Object.keys(agents)) {
      const made = await gantry(['key', 'create', name, '--state', it.state, '--json']);
      it.keys[name] = JSON.parse(made.stdout).key;
    }
    it.server = await Server.start({ db, env, listen, flags: ['--state', it.state, '--agents', it.file, ...flags] });
    return it;
  }
  replace(text) {
    writeFileSync(`${this.file}.new`, text);
    renameSync(`${this.file}.new`, this.file);
  }
  stop() { return this.server.stop(); }

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
