import { MCPClient } from 'mcp-client';

export async function connect({ url, ...command }) {
  const client = new MCPClient({ name: 'clients', version: '1' });
  await client.connect(url ? { type: 'httpStream', url } : { type: 'stdio', ...command, stderr: 'ignore' });
  return {
    list: async () => (await client.getAllTools()).map(({ name }) => name),
    call: async (name, args, { signal } = {}) =>
      (await client.callTool({ name, arguments: args }, { requestOptions: { signal } })).content[0].text,
    read: async (uri) => JSON.stringify((await client.getResource({ uri })).contents),
    cancel: true, keepsSession: true, close: () => client.close(),
  };
}
