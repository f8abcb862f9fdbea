// The operators' door: POST /admin/rpc with the console's cookie. Also knows whether there is a session and
// whether the server answers.
import { membersText, parse } from './json.js';
import { recall, remember, signal, watch } from './store.js';

/** True while this browser holds a session of the console; the cookie itself is hidden from scripts. */
export const session = signal(recall('session', false));
/** True while the server does not answer. */
export const lost = signal(false);
/** True when the session ended under an open page. */
export const ended = signal(false);

watch('session', (value) => {
  session.set(Boolean(value));
  if (value) ended.set(false);
});

/** An error of the server: {message, code, data}, or only its text. */
export class ApiError extends Error {
  constructor(error, status) {
    const { message, ...rest } = typeof error === 'string' ? { message: error } : error ?? {};
    super(message || `The server answered ${status}.`);
    Object.assign(this, rest, { status });
  }
}

/** Marks the session as begun or ended, in this tab and in the others. */
function setSession(on) {
  remember('session', on || undefined);
  session.set(on);
  ended.set(false);
}

let retry;

/** A fetch that notices a server that is gone, and waits for it. */
export async function reach(path, options) {
  try {
    const answer = await fetch(path, options);
    lost.set(false);
    return answer;
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    lose();
    throw new ApiError('The server does not answer.');
  }
}

/** Notes that the server is gone, and asks every second whether it is back. */
export function lose() {
  lost.set(true);
  clearTimeout(retry);
  retry = setTimeout(() => reach('/health').catch(() => {}), 1000);
}

/** Sends JSON text with the cookie. */
const post = (path, body, signal) => reach(path, { method: 'POST', credentials: 'same-origin', signal,
  headers: { 'Content-Type': 'application/json' }, body });

/** What the server answered, as a value; text that is none becomes an error. */
export async function messageOf(answer) {
  const body = await answer.text();
  try {
    return body ? parse(body) : {};
  } catch {
    throw new ApiError(body.slice(0, 300), answer.status);
  }
}

let lastId = 0;

/** Calls a method; `argumentsText` is put in as it is, as the member `arguments` of the parameters. */
export async function rpc(method, params = {}, { signal: abort, argumentsText } = {}) {
  const all = membersText(params, { arguments: argumentsText });
  const answer = await post('/admin/rpc', `{"jsonrpc":"2.0","id":${++lastId},"method":${JSON.stringify(method)},"params":{${all}}}`, abort);
  const message = await messageOf(answer);
  // A refusal of the door has no id; a method's own 403 has.
  if ((answer.status === 401 || (answer.status === 403 && (message.id ?? null) === null)) && session.get()) {
    remember('session', undefined);
    ended.set(true);
  }
  if (message.error || !answer.ok) throw new ApiError(message.error ?? message, answer.status);
  return message.result;
}

/** Exchanges a link's token or an admin's key for a session. */
export async function login(secret) {
  const answer = await post('/console/login', JSON.stringify(secret));
  if (answer.ok) return setSession(true);
  const { error } = await messageOf(answer);
  throw new ApiError(error ?? 'This link is not valid any more. Make another with: gantry open', answer.status);
}

export async function logout() {
  await post('/console/logout', '{}');
  setSession(false);
}
