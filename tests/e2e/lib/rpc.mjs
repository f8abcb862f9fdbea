// Requests of both eras over plain HTTP, without any SDK between the test and the wire.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { checkShape } from './shapes.mjs';

export const modernRevision = '2026-07-28';
const key = (name) => `io.modelcontextprotocol/${name}`;

/** The `_meta` that every modern request carries. */
export const envelope = (extra = {}) => ({
  [key('protocolVersion')]: modernRevision,
  [key('clientCapabilities')]: {},
  [key('clientInfo')]: { name: 'gantry-e2e', version: '1' },
  ...extra,
});

/** Integers beyond 2^53 come back as BigInt, everything else as JSON.parse gives it. */
export function parseExact(text) {
  return JSON.parse(text, (_, value, { source }) =>
    (typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '')
      ? BigInt(source) : value));
}

/** The JSON-RPC message of an answer, whether it came as JSON or as the last event of a stream. */
export function messageOf(type, text) {
  if (!type?.startsWith('text/event-stream')) return text === '' ? undefined : parseExact(text);
  const last = text.trim().split(/\n\n/).at(-1);
  const data = last.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
  return parseExact(data.join('\n'));
}

/** Posts a body as it is: {status, headers, text, message}. */
export async function post(server, body, headers = {}) {
  const answer = await fetch(server.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers,
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  const message = /json|event-stream/.test(answer.headers.get('content-type') ?? '')
    ? messageOf(answer.headers.get('content-type'), text) : undefined;
  return { status: answer.status, headers: answer.headers, text, message };
}

let lastId = 0;

/** The body of a modern request. */
export const modernBody = (method, params = {}, id = ++lastId) =>
  ({ jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope(params._meta) } });

/** The headers that go with a modern body. */
export const modernHeaders = (body) => ({
  'mcp-protocol-version': modernRevision,
  'mcp-method': body.method,
  ...(['tools/call', 'prompts/get'].includes(body.method) && typeof body.params.name === 'string'
    ? { 'mcp-name': body.params.name } : {}),
});

/** One modern request with everything that belongs to it. */
export async function modern(server, method, params, headers = {}) {
  const body = modernBody(method, params);
  return post(server, body, { ...modernHeaders(body), ...headers });
}

/** The result of a tool call, good or bad; a protocol error fails the test, and so does another shape. */
export async function call(server, name, args = {}) {
  const { status, message } = await modern(server, 'tools/call', { name, arguments: args });
  assert.equal(status, 200, inspect(message));
  assert.equal(message.error, undefined, inspect(message.error));
  checkShape(name, message.result);
  return message.result;
}

/** The structured content of a call that must succeed. */
export async function ask(server, name, args = {}) {
  const result = await call(server, name, args);
  assert.notEqual(result.isError, true, `${name} ${JSON.stringify(args)}: ${result.content?.[0]?.text}`);
  return result.structuredContent;
}

/** {code, message, details} of a call that must fail as a tool. */
export async function refused(server, name, args = {}) {
  const result = await call(server, name, args);
  assert.equal(result.isError, true, `${name} ${JSON.stringify(args)} should have been refused`);
  const said = { ...result, ...(result.structuredContent ?? parseExact(result.content[0].text)) };
  return { code: said.error_code, message: said.error, details: said.details ?? {} };
}

/** A legacy session: `initialize`, `initialized`, then `request` and `notify`. */
export class LegacySession {
  static async open(server, protocolVersion = '2025-11-25', { capabilities = {}, headers = {} } = {}) {
    const session = new LegacySession();
    Object.assign(session, { server, id: 0, headers: { ...headers } });
    const answer = await session.send({
      id: session.id, method: 'initialize',
      params: { protocolVersion, capabilities, clientInfo: { name: 'gantry-e2e', version: '1' } },
    });
    assert.equal(answer.status, 200, answer.text);
    session.opened = answer.message.result;
    const id = answer.headers.get('mcp-session-id');
    if (id) session.headers['mcp-session-id'] = id;
    if (protocolVersion >= '2025-06-18') session.headers['mcp-protocol-version'] = protocolVersion;
    assert.equal((await session.notify('notifications/initialized')).status, 202);
    return session;
  }

  send(message) { return post(this.server, { jsonrpc: '2.0', ...message }, this.headers); }
  notify(method, params) { return this.send({ method, ...(params ? { params } : {}) }); }
  request(method, params) { return this.send({ id: ++this.id, method, ...(params ? { params } : {}) }); }
}

/** Requests of one revision, legacy or modern: the result, or the error. */
export async function peer(at, revision) {
  const result = ({ message }) => message.result ?? message.error;
  if (revision === modernRevision) {
    return async (method, params = {}) => result(await modern(at, method, params, params.uri ? { 'mcp-name': params.uri } : {}));
  }
  const session = await LegacySession.open(at, revision);
  return async (method, params) => result(await session.request(method, params));
}
