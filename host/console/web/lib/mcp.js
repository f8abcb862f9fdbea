// An MCP client of revision 2026-07-28 at /mcp, the same endpoint that agents use. The cookie of the console is
// never sent there; a key that was typed in is kept in memory only.
import { ApiError, messageOf, reach } from './api.js';
import { eventsOf } from './events.js';
import { membersText, parse } from './json.js';
import { signal } from './store.js';

export const revision = '2026-07-28';
const prefix = 'io.modelcontextprotocol/';
let key = '';
let lastId = 0;

export const setKey = (text) => { key = text.trim(); };
/** True once the server asked for a key that this page does not have. */
export const locked = signal(false);

const meta = (token) => JSON.stringify({
  [`${prefix}protocolVersion`]: revision,
  [`${prefix}clientInfo`]: { name: 'gantry-console', version: '1' },
  [`${prefix}clientCapabilities`]: { elicitation: { form: {} } },
  'gantry/correlationId': `console-${Math.random().toString(36).slice(2)}`,
  ...(token ? { progressToken: token } : {}),
});

// A header may hold only some characters; the others travel in base64.
const headerText = (text) => (/^[!-~]([ -~]*[!-~])?$/.test(text) && !text.startsWith('=?base64?') ? text
  : `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`);

/**
 * Sends a request and resolves with its result. `argumentsText` is sent as it is, as params.arguments. Aborting
 * `signal` cancels the call.
 */
export async function request(method, params = {}, { argumentsText, signal: abort, onProgress } = {}) {
  const id = ++lastId;
  const name = params.name ?? params.uri;
  const members = membersText(params, { arguments: argumentsText, _meta: meta(onProgress && `p${id}`) });
  const answer = await reach('/mcp', {
    method: 'POST', credentials: 'omit', signal: abort, body: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${members}}}`,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': revision, 'Mcp-Method': method,
      ...(name ? { 'Mcp-Name': headerText(name) } : {}), ...(key ? { Authorization: `Bearer ${key}` } : {}) },
  });
  if (answer.status === 401) {
    locked.set(true);
    throw new ApiError(key ? 'The server does not take this key.' : 'The server asks for a key.', 401);
  }
  locked.set(false);
  const message = /event-stream/.test(answer.headers.get('content-type') ?? '')
    ? await lastMessage(answer.body, id, onProgress) : await messageOf(answer);
  if (message.error || !answer.ok) throw new ApiError(message.error, answer.status);
  return message.result;
}

async function lastMessage(body, id, onProgress) {
  for await (const { data } of eventsOf(body)) {
    const message = parse(data);
    if (message.id === id) return message;
    if (message.method === 'notifications/progress') onProgress?.(message.params);
  }
  throw new ApiError('The answer ended before its result.');
}
