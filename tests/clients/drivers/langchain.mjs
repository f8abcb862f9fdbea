import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { textOf } from './answers.mjs';
import { sessionOf } from './over_sdk1.mjs';

export async function connect({ url, ...command }) {
  const shop = url ? { transport: 'http', url, reconnect: { enabled: true } } : { transport: 'stdio', ...command };
  const client = new MultiServerMCPClient({ mcpServers: { shop } });
  const tools = await client.getTools();
  const inside = sessionOf(await client.getClient('shop'));
  return {
    list: async () => tools.map(({ name }) => name),
    call: async (name, args, { signal } = {}) => textOf(await tools.find((tool) => tool.name === name).invoke(args, { signal })),
    read: async (uri) => JSON.stringify(await client.readResource('shop', uri)),
    subscribe: inside.subscribe,
    cancel: true, keepsSession: true, close: () => client.close(),
  };
}
