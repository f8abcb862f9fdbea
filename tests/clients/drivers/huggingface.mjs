// Calls go to the client's own connection, as its turns do; a turn itself needs a model.
import { McpClient } from '@huggingface/mcp-client';
import { texts } from './over_sdk1.mjs';

export async function connect({ url, ...command }) {
  const client = new McpClient({ endpointUrl: 'http://127.0.0.1:9', model: 'none' });
  await client.addMcpServer(url ? { type: 'http', config: { url } } : { type: 'stdio', config: command });
  return {
    list: async () => client.availableTools.map((tool) => tool.function.name),
    call: async (name, args, options) => texts(await client.clients.get(name).callTool({ name, arguments: args }, undefined, options)),
    cancel: true, keepsSession: true, close: () => client.cleanup(),
  };
}
