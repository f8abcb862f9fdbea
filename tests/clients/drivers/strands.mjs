import { McpClient } from '@strands-agents/sdk';
import { textOf } from './answers.mjs';

export async function connect({ url, ...command }) {
  if (!url) return undefined;
  const client = new McpClient({ url });
  await client.connect();
  const tools = await client.listTools();
  return {
    list: async () => tools.map(({ name }) => name),
    call: async (name, args, options) => textOf(await client.callTool(tools.find((tool) => tool.name === name), args, options)),
    cancel: true, keepsSession: true, close: () => client.disconnect(),
  };
}
