// A bridge from HTTP to `gantryd --stdio`; what it serves over HTTP is asked here.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { installed } from './command.mjs';
import { sessionOf } from './over_sdk1.mjs';

const own = JSON.parse(process.env.CLIENT_TARGET).command;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Connects as soon as the bridge serves. */
async function patiently(client, url, tries = 50) {
  for (let i = 1; ; i += 1) {
    try {
      return await client().connect(new StreamableHTTPClientTransport(url));
    } catch (error) {
      if (i === tries) throw error;
      await new Promise((resolve) => { setTimeout(resolve, 200); });
    }
  }
}

export async function connect({ url }) {
  if (url === undefined) return undefined;
  const port = await freePort();
  const flags = ['--port', String(port), '--host', '127.0.0.1', '--server', 'stream', '--', own.command, ...own.args];
  const bridge = spawn(process.execPath, [installed('mcp-proxy/dist/bin/mcp-proxy.mjs'), ...flags], { stdio: 'ignore', env: own.env });
  let client;
  const another = () => { client = new Client({ name: 'clients', version: '1' }); return client; };
  await patiently(another, new URL(`http://127.0.0.1:${port}/mcp`));
  const close = async () => { await client.close(); bridge.kill(); };
  return sessionOf(client, { keepsSession: false, cancel: false, close });
}
