import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { sessionOf } from './over_sdk1.mjs';

export async function connect({ url, ...command }) {
  const client = new Client({ name: 'clients', version: '1' });
  await client.connect(url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ ...command, stderr: 'ignore' }));
  return sessionOf(client);
}
