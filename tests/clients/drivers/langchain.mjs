import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { sessionOf } from './over_sdk1.mjs';

export async function connect({ url, ...command }) {
  const client = new MultiServerMCPClient({ mcpServers: { shop: url ? { transport: 'http', url, reconnect: { enabled: true } } : { transport: 'stdio', ...command } } });
  const tools = await client.getTools();
  const inside = sessionOf(await client.getClient('shop'));
  const text = (answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer));
  return {
    list: async () => tools.map(({ name }) => name),
    call: async (name, args, { signal } = {}) => text(await tools.find((tool) => tool.name === name).invoke(args, { signal })),
    read: async (uri) => JSON.stringify(await client.readResource('shop', uri)),
    subscribe: inside.subscribe,
    cancel: true, keepsSession: true, close: () => client.close(),
  };
}
