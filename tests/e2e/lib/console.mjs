// A browser's side of the web console, without a browser: requests with the headers that one sends.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';

/** One request of an operator over the control socket: the JSON-RPC message. */
export const askSocket = (path, method, params = {}) => new Promise((resolve, reject) => {
  const socket = connect(path);
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
    if (!text.endsWith('\n')) return;
    socket.end();
    resolve(JSON.parse(text));
  });
  socket.on('error', reject);
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
});

/** One HTTP request with exactly these headers: {status, headers, text}. A header of undefined is not sent. */
export const send = (server, method, path, headers = {}, body = undefined) => new Promise((resolve, reject) => {
  const all = { host: `127.0.0.1:${server.port}`, ...headers };
  for (const name of Object.keys(all)) if (all[name] === undefined) delete all[name];
  const out = request({ host: '127.0.0.1', port: server.port, method, path, headers: all, setHost: false }, (answer) => {
    let text = '';
    answer.on('data', (bytes) => { text += bytes; });
    answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
  });
  out.on('error', reject);
  out.end(body);
});

/** A page of this server, logged in or not. */
export class Page {
  constructor(server, cookie) {
    this.server = server;
    this.cookie = cookie;
    this.origin = `http://127.0.0.1:${server.port}`;
  }
  static async open(server, control) {
    const page = new Page(server);
    const answer = await page.login({ token: await linkToken(control) });
    assert.equal(answer.status, 204, answer.text);
    return page;
  }
  headers(more = {}) {
    return { origin: this.origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie: this.cookie, ...more };
  }
  async login(body, more = {}) {
    const answer = await send(this.server, 'POST', '/console/login', this.headers(more), JSON.stringify(body));
    if (answer.status === 204) this.cookie = answer.headers['set-cookie'][0].split(';')[0];
    return answer;
  }
  logout() { return send(this.server, 'POST', '/console/logout', this.headers(), '{}'); }
  /** A command: {status, headers, text}. */
  command(method, params = {}, more = {}) {
    return send(this.server, 'POST', '/admin/rpc', this.headers(more), JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }));
  }
  /** Its result; an error fails the test. */
  async ask(method, params = {}) {
    const answer = await this.command(method, params);
    const message = JSON.parse(answer.text);
    assert.ok(message.result, answer.text);
    return message.result;
  }
  events(topics, more = {}) { return EventPage.open(this, topics, more); }
}

/** The secret of a new link. */
export async function linkToken(control) {
  const { result, error } = await askSocket(control, 'console.link');
  assert.ok(result, JSON.stringify(error));
  assert.match(result.url, /^http:\/\/127\.0\.0\.1:\d+\/#token=[0-9a-f]{64}$/);
  return result.url.split('#token=')[1];
}

/** The stream /admin/events as it comes in. */
class EventPage {
  static open(page, topics, more) {
    return new Promise((resolve, reject) => {
      const it = new EventPage();
      it.all = [];
      it.rest = '';
      it.waiting = [];
      const headers = page.headers({ accept: 'text/event-stream', host: `127.0.0.1:${page.server.port}`, origin: undefined, 'content-type': undefined, ...more });
      for (const name of Object.keys(headers)) if (headers[name] === undefined) delete headers[name];
      const path = `/admin/events${topics === undefined ? '' : `?topics=${topics}`}`;
      it.request = request({ host: '127.0.0.1', port: page.server.port, path, headers, setHost: false }, (answer) => {
        it.answer = answer;
        it.status = answer.statusCode;
        answer.on('data', (bytes) => it.#take(String(bytes)));
        answer.on('end', () => { it.ended = true; it.#tell(); });
        answer.on('error', () => { it.ended = true; it.#tell(); });
        resolve(it);
      });
      it.request.on('error', (error) => (it.answer ? undefined : reject(error)));
      it.request.end();
    });
  }
  #take(text) {
    this.rest += text;
    for (let at = this.rest.indexOf('\n\n'); at >= 0; at = this.rest.indexOf('\n\n')) {
      const lines = this.rest.slice(0, at).split('\n');
      this.rest = this.rest.slice(at + 2);
      const field = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      if (field('data') !== undefined) this.all.push({ id: field('id'), event: field('event'), data: JSON.parse(field('data')) });
    }
    this.#tell();
  }
  #tell() { this.waiting.splice(0).forEach((wake) => wake()); }
  /** The first event for which `is` holds, which has come or will. */
  async find(is, what = 'an event') {
    for (const end = Date.now() + 20000; ;) {
      const found = this.all.find(is);
      if (found) return found;
      assert.ok(Date.now() < end && !this.ended, `${what} did not come: ${JSON.stringify(this.all).slice(-500)}`);
      await new Promise((resolve) => { this.waiting.push(resolve); setTimeout(resolve, 250); });
    }
  }
  async end() {
    for (const end = Date.now() + 20000; !this.ended;) {
      assert.ok(Date.now() < end, 'the stream goes on');
      await new Promise((resolve) => { this.waiting.push(resolve); setTimeout(resolve, 250); });
    }
  }
  pause() { this.answer.pause(); }
  resume() { this.answer.resume(); }
  close() { this.request.destroy(); }
}
