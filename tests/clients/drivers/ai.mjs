import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';

export async function connect({ url, ...command }) {
  const transport = url ? { type: 'http', url } : new Experimental_StdioMCPTransport({ ...command, stderr: 'ignore' });
  const client = await createMCPClient({ transport });
  const said = (result) => (result.content ?? []).map(({ text }) => text).join('');
  const tools = await client.tools();
  return {
    list: async () => Object.keys(tools),
    call: async (name, args, { signal } = {}) => said(await tools[name].execute(args, { toolCallId: '1', messages: [], abortSignal: signal })),
    read: async (uri) => JSON.stringify((await client.readResource({ uri })).contents),
    cancel: true, keepsSession: true, close: () => client.close(),
  };
}
