import { MCPToolset } from '@google/adk';
import { textOf } from './answers.mjs';

export async function connect({ url, ...command }) {
  const toolset = new MCPToolset(url ? { type: 'StreamableHTTPConnectionParams', url }
    : { type: 'StdioConnectionParams', serverParams: { ...command, stderr: 'ignore' } });
  const tools = await toolset.getTools();
  return {
    list: async () => tools.map((tool) => tool._getDeclaration().name),
    call: async (name, args) => textOf(await tools.find((tool) => tool.name === name).runAsync({ args, toolContext: {} })),
    keepsSession: true, close: () => toolset.close(),
  };
}
