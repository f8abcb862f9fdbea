// A bridge from stdio to HTTP.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { installed } from './command.mjs';
import { sessionOf } from './over_sdk1.mjs';

export async function connect({ url }) {
  if (!url) return undefined;
  const client = new Client({ name: 'clients', version: '1' });
  const args = [installed('mcp-remote/dist/proxy.js'), url, '--allow-http', '--transport', 'http-only'];
  const env = { ...process.env, MCP_REMOTE_CONFIG_DIR: process.cwd() };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore', env }));
  return sessionOf(client);
}
