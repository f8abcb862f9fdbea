import { MCPServerStdio, MCPServerStreamableHttp } from '@openai/agents';
import { textOf } from './answers.mjs';

export async function connect({ url, ...command }) {
  const server = url ? new MCPServerStreamableHttp({ url, name: 'shop' }) : new MCPServerStdio({ ...command, name: 'shop' });
  await server.connect();
  return {
    list: async () => (await server.listTools()).map(({ name }) => name),
    call: async (name, args, { signal } = {}) => textOf(await server.callTool(name, args, undefined, { signal })),
    read: async (uri) => JSON.stringify(await server.readResource(uri)),
    cancel: true, keepsSession: true, close: () => server.close(),
  };
}
