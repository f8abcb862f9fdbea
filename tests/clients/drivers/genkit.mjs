import { genkit } from 'genkit';
import { createMcpClient } from '@genkit-ai/mcp';
import { textOf } from './answers.mjs';

export async function connect({ url, ...command }) {
  const client = createMcpClient({ name: 'shop', mcpServer: url ? { url } : command });
  await client.ready();
  const ai = genkit({});
  const tools = await client.getActiveTools(ai);
  const named = (name) => tools.find((tool) => tool.__action.name.endsWith(`/${name}`));
  return {
    list: async () => tools.map((tool) => tool.__action.name.split('/').at(-1)),
    call: async (name, args) => textOf(await named(name)(args)),
    keepsSession: true, close: () => client.disable(),
  };
}
