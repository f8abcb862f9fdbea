// One interface over the two official clients, so that one conversation runs with each of them.
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { cleanEnvironment, ownFlags } from './gantryd.mjs';
import { gantryd } from './paths.mjs';

const me = { name: 'gantry-e2e', version: '1' };
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };
const schemas = {
  'elicitation/create': types.ElicitRequestSchema, 'sampling/createMessage': types.CreateMessageRequestSchema,
  'roots/list': types.ListRootsRequestSchema, 'notifications/message': types.LoggingMessageNotificationSchema,
  'notifications/tools/list_changed': types.ToolListChangedNotificationSchema,
  'notifications/resources/updated': types.ResourceUpdatedNotificationSchema,
};

class Talker {
  constructor(client, transport) { Object.assign(this, { client, transport, errors: [] }); }

  async open() {
    this.client.onerror = (error) => { this.errors.push(error); };
    await this.client.connect(this.transport);
    this.log = '';
    this.transport.stderr?.on('data', (bytes) => { this.log += bytes; });
  }

  /** The text of a tool's answer, which every revision has. */
  async ask(name, args, options) {
    const result = await this.call({ name, arguments: args }, options);
    return { result, said: JSON.parse(result.content[0].text) };
  }
}

class TalkerV1 extends Talker {
  on(method, handle) { this.client.setNotificationHandler(schemas[method], ({ params }) => handle(params)); }
  answer(method, handle) { this.client.setRequestHandler(schemas[method], async ({ params }) => handle(params)); }
  call(params, options) { return this.client.callTool(params, undefined, options); }
}

class TalkerV2 extends Talker {
  on(method, handle) { this.client.setNotificationHandler(method, ({ params }) => handle(params)); }
  answer(method, handle) { this.client.setRequestHandler(method, async ({ params }) => handle(params)); }
  call(params, options) { return this.client.callTool(params, options); }
}

/** The revision a v1 client asks for is a constant; this asks for another. */
const asking = (transport, revision) => {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(message.method === 'initialize'
    ? { ...message, params: { ...message.params, protocolVersion: revision } } : message, options);
  return transport;
};

const soon = {
  reconnectionOptions: {
    initialReconnectionDelay: 50, maxReconnectionDelay: 200, reconnectionDelayGrowFactor: 1.5, maxRetries: 20,
  },
};
const command = (flags) => ({ command: gantryd, args: ['--stdio', ...ownFlags(), ...flags], env: cleanEnvironment(), stderr: 'pipe' });
const v1 = () => new ClientV1(me, { capabilities });
const v2 = (mode = { pin: '2026-07-28' }) => new ClientV2(me, { capabilities, versionNegotiation: { mode } });

/** What a client sends with each request: its credential. */
const withKey = (key) => (key ? { ...soon, requestInit: { headers: { authorization: `Bearer ${key}` } } } : soon);

export const httpV1 = (url, revision, key) => new TalkerV1(v1(), asking(new HttpV1(url, withKey(key)), revision));
export const stdioV1 = (flags, revision) => new TalkerV1(v1(), asking(new StdioV1(command(flags)), revision));
export const httpV2 = (url, key) => new TalkerV2(v2(), new HttpV2(url, withKey(key)));
export const httpV2Legacy = (url, key) => new TalkerV2(v2('legacy'), new HttpV2(url, withKey(key)));
export const stdioV2 = (flags) => new TalkerV2(v2(), new StdioV2(command(flags)));
