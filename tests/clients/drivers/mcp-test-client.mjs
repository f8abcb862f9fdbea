import { MCPTestClient } from 'mcp-test-client';
import { texts } from './over_sdk1.mjs';

export const isStdioOnly = true;

export async function connect({ command, args }) {
  const client = new MCPTestClient({ serverCommand: command, serverArgs: args });
  await client.init();
  return {
    list: async () => (await client.listTools()).map(({ name }) => name),
    call: async (name, given) => texts(await client.callTool(name, given)),
    close: () => client.cleanup(),
  };
}
