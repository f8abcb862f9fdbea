// Subscribers: a modern request that stays open, a session's GET stream, a socket that never reads.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { connect } from 'node:net';
import { Call, until } from './events.mjs';
import { envelope, modernHeaders, parseExact } from './rpc.mjs';
import { postBytes } from './wire.mjs';

export const idKey = 'io.modelcontextprotocol/subscriptionId';

let lastId = 1000;

export const listenBody = (notifications, { id = ++lastId, capabilities = {} } = {}) => ({
  jsonrpc: '2.0', id, method: 'subscriptions/listen',
  params: { notifications, _meta: envelope({ 'io.modelcontextprotocol/clientCapabilities': capabilities }) },
});

/** An open subscription of the modern era, acknowledged: `acknowledged` is the subset. */
export async function listen(server, notifications, options = {}) {
  const body = listenBody(notifications, options);
  const call = Call.post(server.url, body, { ...modernHeaders(body), ...options.headers });
  call.id = body.id;
  await until(() => call.messages.length > 0, 'the acknowledgement');
  const [first] = call.messages;
  assert.equal(first.method, 'notifications/subscriptions/acknowledged', inspect(first));
  assert.equal(first.params._meta[idKey], body.id);
  call.acknowledged = first.params.notifications;
  return call;
}

/** [method, params without the id] of all that came after the acknowledgement; the id is checked. */
export const told = (call) => call.messages.slice(1).filter(({ method }) => method).map(({ method, params }) => {
  const { _meta: { [idKey]: id, ...meta }, ...rest } = params;
  assert.equal(id, call.id);
  return [method.replace('notifications/', ''), { ...rest, ...(Object.keys(meta).length ? { _meta: meta } : {}) }];
});

export const lists = (call, list) => told(call).filter(([method]) => method === `${list}/list_changed`).length;

/** A legacy session's GET stream; `messages` grows. */
export class SessionStream {
  static async open(session) {
    const stream = new SessionStream();
    stream.messages = [];
    stream.controller = new AbortController();
    const answer = await fetch(session.server.url, {
      signal: stream.controller.signal, headers: { accept: 'text/event-stream', ...session.headers },
    });
    assert.equal(answer.status, 200);
    stream.ended = stream.#read(answer).catch(() => {});
    return stream;
  }

  async #read(answer) {
    const decoder = new TextDecoder();
    let text = '';
    for await (const bytes of answer.body) {
      const events = (text + decoder.decode(bytes, { stream: true })).split('\n\n');
      text = events.pop();
      for (const event of events) {
        const data = event.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
        if (data.join('').trim()) this.messages.push(parseExact(data.join('\n')));
      }
    }
  }

  async drop() {
    this.controller.abort();
    await this.ended;
  }
}

/** Sends a listening request and reads nothing until `read`. */
export class DeafListener {
  static async open(server, notifications) {
    const deaf = new DeafListener();
    const body = listenBody(notifications);
    deaf.id = body.id;
    deaf.text = '';
    deaf.ended = false;
    deaf.socket = connect({ port: server.port, host: '127.0.0.1' });
    deaf.socket.pause();
    deaf.socket.on('error', () => {});
    deaf.socket.on('close', () => { deaf.ended = true; });
    deaf.socket.write(postBytes(server.port, JSON.stringify(body), { ...modernHeaders(body), Connection: 'close' }));
    return deaf;
  }

  /** Everything, once the server has ended the stream. */
  async read(timeout = 40000) {
    this.socket.on('data', (bytes) => { this.text += bytes.toString('latin1'); });
    this.socket.resume();
    await until(() => this.ended || this.text.endsWith('\r\n0\r\n\r\n'), 'the end of the stream', timeout);
    return this.text;
  }

  close() { this.socket.destroy(); }
}
