// A bridge from stdio to HTTP.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { installed } from './command.mjs';
import { sessionOf } from './over_sdk1.mjs';

export async function connect({ url }) {
  if (!url) return undefined;
  const client = new Client({ name: 'clients', version: '1' });
  const args = [installed('supergateway/dist/index.js'), '--streamableHttp', url, '--outputTransport', 'stdio', '--logLevel', 'none'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return sessionOf(client);
}
