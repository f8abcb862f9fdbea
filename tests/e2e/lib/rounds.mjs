// Calls that ask their client for input: rounds of the modern era, requests to a legacy session.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Call, until } from './events.mjs';
import { LegacySession, modernBody, modernHeaders, post } from './rpc.mjs';
import { scriptFlags, startScripts } from './script.mjs';

export const plugins = ['script-rounds'];
export const startRounds = ({ limits = {}, config = {}, ...rest } = {}) =>
  startScripts({ plugins, config: { limits, ...config }, ...rest });
export const roundsFlags = (limits = {}) => scriptFlags({ plugins, config: { limits } });

export const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
/** Steps of a handler that asks. */
export const elicit = (key = 'person') => ({ do: 'ask', key, params: { message: `${key}?`, requestedSchema: form } });
export const sample = (key = 'model') => ({
  do: 'ask', key, method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 5 },
});
export const roots = (key = 'roots') => ({ do: 'ask', key, method: 'roots/list' });
export const need = { do: 'need' };
export const keep = (body) => ({ do: 'keep', body });
export const state = { do: 'state' };

export const accepted = (name) => ({ action: 'accept', content: { name } });
export const declined = { action: 'decline' };
export const sampled = { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'm' };
export const rooted = { roots: [{ uri: 'file:///work', name: 'work' }] };

/** Notes of a handler about a question: its status and the answer. */
export const open = { status: 2, answer: null };
export const found = (answer) => ({ status: 0, answer });
export const lacking = { status: -9, answer: null };

export const capabilityKey = 'io.modelcontextprotocol/clientCapabilities';

/** One request of the modern era, with its envelope and headers: {status, message}. */
export function once(server, method, params, { capabilities = everything, headers = {} } = {}) {
  const body = modernBody(method, { ...params, _meta: { ...params._meta, [capabilityKey]: capabilities } });
  const named = params.uri ?? params.taskId;
  return post(server, body, { ...modernHeaders(body), ...(named ? { 'mcp-name': named } : {}), ...headers });
}

/** The parameters of a call of the script tool. */
export const calling = (...steps) => ({ name: 'rounds', arguments: { as: 'me', steps } });

/** The same request again, with the answers and the server's state. */
export const again = (params, { requestState }, inputResponses) => ({
  ...params, ...(inputResponses ? { inputResponses } : {}), ...(requestState === undefined ? {} : { requestState }),
});

/** The result of a request that must ask. */
export async function asks(server, params, { method = 'tools/call', ...options } = {}) {
  const { message } = await once(server, method, params, options);
  assert.equal(message.result?.resultType, 'input_required', inspect(message, { depth: 5 }));
  return message.result;
}

/** The complete result. */
export async function completes(server, params, { method = 'tools/call', ...options } = {}) {
  const { message } = await once(server, method, params, options);
  assert.equal(message.result?.resultType, 'complete', inspect(message, { depth: 5 }));
  return message.result;
}

/** The sentence of a request that must be refused with -32602. */
export async function refuses(server, params, { method = 'tools/call', ...options } = {}) {
  const { status, message } = await once(server, method, params, options);
  assert.equal(status, 200);
  assert.equal(message.error?.code, -32602, inspect(message, { depth: 5 }));
  return message.error.message;
}

/** A legacy client that can be asked: its calls stream, requests of the server among the messages. */
export class AskedSession {
  static async open(server, revision = '2025-11-25', capabilities = everything, headers = {}) {
    const asked = new AskedSession();
    asked.session = await LegacySession.open(server, revision, { capabilities, headers });
    return asked;
  }

  call(method, params, headers = {}) {
    const { session } = this;
    const body = { jsonrpc: '2.0', id: `asked-${++session.id}`, method, params };
    const call = Call.post(session.server.url, body, { ...session.headers, ...headers });
    call.id = body.id;
    return call;
  }

  run(...steps) { return this.call('tools/call', calling(...steps)); }

  /** Posts an answer; the status of the server's reply. */
  async respond(request, result) {
    return (await this.session.send({ id: request.id, ...(result.code ? { error: result } : { result }) })).status;
  }
}

/** Requests of the server that have come on a call's stream, waited for until there are `count`. */
export async function requests(call, count = 1) {
  const all = () => call.messages.filter(({ id, method }) => id !== undefined && method);
  await until(() => all().length >= count, `${count} requests of the server`);
  return all();
}
