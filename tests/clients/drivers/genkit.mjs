import { genkit } from 'genkit';
import { createMcpClient } from '@genkit-ai/mcp';

export async function connect({ url, ...command }) {
  const client = createMcpClient({ name: 'shop', mcpServer: url ? { url } : command });
  await client.ready();
  const ai = genkit({});
  const tools = await client.getActiveTools(ai);
  const named = (name) => tools.find((tool) => tool.__action.name.endsWith(`/${name}`));
  return {
    list: async () => tools.map((tool) => tool.__action.name.split('/').at(-1)),
    call: async (name, args) => JSON.stringify(await named(name)(args)).replaceAll('\\"', '"'),
    keepsSession: true, close: () => client.disable(),
  };
}
