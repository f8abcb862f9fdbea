// A session over a client of the SDK 1.x, which many clients have inside.
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

export const texts = (result) => (result.content ?? []).map(({ text }) => text ?? '').join('');

export const sessionOf = (client, more = {}) => ({
  list: async () => (await client.listTools()).tools.map(({ name }) => name),
  call: async (name, args, options) => texts(await client.callTool({ name, arguments: args }, undefined, options)),
  read: async (uri) => JSON.stringify((await client.readResource({ uri })).contents),
  subscribe: async (uri, told) => {
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, told);
    await client.subscribeResource({ uri });
  },
  cancel: true, keepsSession: true, close: () => client.close(), ...more,
});
