import { MCPClient } from '@mastra/mcp';
import { textOf } from './answers.mjs';

export async function connect({ url, ...command }) {
  const client = new MCPClient({ id: `shop-${Math.random()}`, servers: { shop: url ? { url: new URL(url) } : command } });
  const tools = await client.listTools();
  return {
    list: async () => Object.keys(tools),
    call: async (name, args, { signal } = {}) => textOf(await tools[`shop_${name}`].execute(args, { abortSignal: signal })),
    read: async (uri) => JSON.stringify((await client.resources.read('shop', uri)).contents),
    subscribe: async (uri, told) => {
      await client.resources.onUpdated('shop', told);
      await client.resources.subscribe('shop', uri);
    },
    keepsSession: true, close: () => client.disconnect(),
  };
}
