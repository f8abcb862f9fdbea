// Calls that are answered by an event stream. Messages are kept in order; tests can wait for them.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { modernBody, modernHeaders, parseExact } from './rpc.mjs';

export const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Asks again until the answer is truthy; the last answer. */
export async function until(ask, what, timeout = 40000) {
  for (const end = Date.now() + timeout; ;) {
    const answer = await ask();
    if (answer) return answer;
    assert.ok(Date.now() < end, `not in time: ${what}`);
    await pause(20);
  }
}

export class Call {
  static post(url, body, headers) {
    const call = new Call();
    call.messages = [];
    call.controller = new AbortController();
    call.answer = call.#read(url, body, headers);
    call.answer.catch(() => {});
    return call;
  }

  async #read(url, body, headers) {
    const response = await fetch(url, {
      method: 'POST', signal: this.controller.signal, body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers,
      },
    });
    this.status = response.status;
    this.type = response.headers.get('content-type') ?? '';
    const decoder = new TextDecoder();
    let text = '';
    for await (const bytes of response.body) {
      text += decoder.decode(bytes, { stream: true });
      if (this.type.startsWith('text/event-stream')) text = this.#take(text);
    }
    if (this.type.startsWith('application/json')) this.messages.push(parseExact(text));
    return this.messages.find((message) => message.id === body.id);
  }

  #take(text) {
    const events = text.split('\n\n');
    for (const event of events.slice(0, -1)) {
      const data = event.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
      if (data.join('').trim()) this.messages.push(parseExact(data.join('\n')));
    }
    return events.at(-1);
  }

  /** Notifications of a kind, as far as they have come. */
  heard(method) { return this.messages.filter((message) => message.method === method).map(({ params }) => params); }
  progress() { return this.heard('notifications/progress'); }
  logs() { return this.heard('notifications/message'); }

  /** Disconnects without waiting for the answer. */
  async drop() {
    this.controller.abort();
    await this.answer.catch(() => {});
  }

  /** The result; a protocol error fails the test. */
  async result() {
    const message = await this.answer;
    assert.ok(message?.result, inspect(message));
    return message.result;
  }
}

/** The same calls in both eras: `open` starts one, `ask` waits for its result. */
export class ModernClient {
  constructor(server) { Object.assign(this, { server, era: 'modern' }); }

  open(name, args = {}, { token, level } = {}) {
    const meta = {
      ...(token === undefined ? {} : { progressToken: token }),
      ...(level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level }),
    };
    const body = modernBody('tools/call', { name, arguments: args, _meta: meta });
    return Call.post(this.server.url, body, modernHeaders(body));
  }

  ask(name, args, options) { return this.open(name, args, options).result(); }
}

export class LegacyClient {
  constructor(session) { Object.assign(this, { session, era: 'legacy' }); }

  open(name, args = {}, { token, id } = {}) {
    const request = id ?? `call-${++this.session.id}`;
    const body = {
      jsonrpc: '2.0', id: request, method: 'tools/call',
      params: { name, arguments: args, ...(token === undefined ? {} : { _meta: { progressToken: token } }) },
    };
    return Call.post(this.session.server.url, body, this.session.headers);
  }

  ask(name, args, options) { return this.open(name, args, options).result(); }
}
