import { mcp } from '@llamaindex/tools';
import { textOf } from './answers.mjs';

export async function connect({ url, ...command }) {
  const server = mcp(url ? { url } : command);
  const tools = await server.tools();
  return {
    list: async () => tools.map(({ metadata }) => metadata.name),
    call: async (name, args) => textOf(await tools.find(({ metadata }) => metadata.name === name).call(args)),
    keepsSession: true, close: () => server.cleanup(),
  };
}
