import { MCPServerStdio, MCPServerStreamableHttp } from '@openai/agents';

export async function connect({ url, ...command }) {
  const server = url ? new MCPServerStreamableHttp({ url, name: 'shop' }) : new MCPServerStdio({ ...command, name: 'shop' });
  await server.connect();
  return {
    list: async () => (await server.listTools()).map(({ name }) => name),
    call: async (name, args, { signal } = {}) => JSON.stringify(await server.callTool(name, args, undefined, { signal })).replaceAll('\\"', '"'),
    read: async (uri) => JSON.stringify(await server.readResource(uri)),
    cancel: true, keepsSession: true, close: () => server.close(),
  };
}
