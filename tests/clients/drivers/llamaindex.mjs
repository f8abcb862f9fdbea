import { mcp } from '@llamaindex/tools';

export async function connect({ url, ...command }) {
  const server = mcp(url ? { url } : command);
  const tools = await server.tools();
  return {
    list: async () => tools.map(({ metadata }) => metadata.name),
    call: async (name, args) => JSON.stringify(await tools.find(({ metadata }) => metadata.name === name).call(args)).replaceAll('\\"', '"'),
    keepsSession: true, close: () => server.cleanup(),
  };
}
