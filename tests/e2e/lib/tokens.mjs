// A server whose callers bear tokens, on a port that is known before it starts: tokens name its address.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server } from './gantryd.mjs';
import { freePort, scratch } from './paths.mjs';
import { scriptFlags } from './script.mjs';

export const scopes = { 'data.read': 'readonly', 'data.write': 'write' };

/** An agents file with one profile, `sales`, and these issuers. */
export const agentsOf = (jwt, profile = {}) => ({ agents: { sales: { permissions: 'write', ...profile } }, roles: { seller: ['employee'] }, jwt });

/** One entry of the section jwt. */
export const entry = (issuer, audience, more = {}) => ({
  issuer: issuer.url, audience, jwks: issuer.jwks, algorithms: ['ES256'], agent: 'sales', scopes, ...more,
});

/** Starts it; `jwt` gives the entries for the audience. The server has `audience` and `write(agents)`. */
export async function startWithTokens(jwt, { flags = [], env, config, plugins, profile, host = '127.0.0.1' } = {}) {
  const port = await freePort();
  const audience = `http://127.0.0.1:${port}/mcp`;
  const file = join(scratch(), 'agents.json');
  const write = (agents) => writeFileSync(file, JSON.stringify(agents));
  write(agentsOf(jwt(audience), profile));
  const server = await Server.start({
    listen: `${host}:${port}`, env, flags: [...scriptFlags({ config, plugins }), '--agents', file, ...flags],
  });
  return Object.assign(server, { audience, write });
}
