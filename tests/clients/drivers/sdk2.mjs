import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const isModern = process.env.CLIENT_ERA === 'modern';

export async function connect({ url, ...command }) {
  const client = new Client({ name: 'clients', version: '1' }, isModern ? { versionNegotiation: { mode: 'auto' } } : {});
  await client.connect(url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ ...command, stderr: 'ignore' }));
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, options) => (await client.callTool({ name, arguments: args }, options)).content[0].text,
    read: async (uri) => JSON.stringify((await client.readResource({ uri })).contents),
    subscribe: async (uri, told) => {
      client.setNotificationHandler('notifications/resources/updated', told);
      await (isModern ? client.listen({ resourceSubscriptions: [uri] }) : client.subscribeResource({ uri }));
    },
    cancel: true, keepsSession: true, close: () => client.close(),
  };
}
