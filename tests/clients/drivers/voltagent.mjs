import { MCPConfiguration } from '@voltagent/core';
import { textOf } from './answers.mjs';

export async function connect({ url, ...command }) {
  const shop = url ? { type: 'streamable-http', url } : { type: 'stdio', ...command };
  const configuration = new MCPConfiguration({ servers: { shop } });
  const tools = await configuration.getTools();
  return {
    list: async () => tools.map(({ name }) => name),
    call: async (name, args) => textOf(await tools.find((tool) => tool.name.endsWith(`_${name}`)).execute(args)),
    keepsSession: true, close: () => configuration.disconnect(),
  };
}
