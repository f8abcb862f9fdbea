// One event stream on a bare socket: a test reads events one by one and cuts the stream anywhere.
import assert from 'node:assert/strict';
import { Wire, postBytes } from './wire.mjs';
import { parseExact } from './rpc.mjs';

export class EventStream {
  /** A legacy call whose answer may become a stream. */
  static async post(session, body) {
    return EventStream.#open(session, postBytes(session.server.port, JSON.stringify(body), session.headers));
  }

  /** Listens, or resumes after the event `last`. */
  static async get(session, last, headers = {}) {
    const all = {
      host: `127.0.0.1:${session.server.port}`, accept: 'text/event-stream', ...session.headers,
      ...(last ? { 'last-event-id': last } : {}), ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return EventStream.#open(session, `GET /mcp HTTP/1.1\r\n${lines}\r\n`);
  }

  static async #open(session, bytes) {
    const stream = new EventStream();
    stream.wire = await Wire.open(session.server.port);
    stream.text = '';
    stream.ended = false;  // properly: by the last chunk
    await stream.wire.write(bytes);
    return stream;
  }

  /** The answer's head: {status, type}. */
  async head(timeout = 10000) {
    if (!this.answer) {
      await this.#until(() => this.wire.bytes.includes('\r\n\r\n'), timeout);
      const end = this.wire.bytes.indexOf('\r\n\r\n');
      const lines = this.wire.bytes.subarray(0, end).toString('latin1').split('\r\n');
      this.wire.bytes = this.wire.bytes.subarray(end + 4);
      const type = lines.find((line) => /^content-type:/i.test(line)) ?? '';
      this.answer = { status: Number(lines[0].split(' ')[1]), type: type.slice(13).trim() };
    }
    return this.answer;
  }

  /** The next event {id, retry, message}, or undefined when the stream has ended or was cut. */
  async next(timeout = 10000) {
    await this.head(timeout);
    for (const end = Date.now() + timeout; ;) {
      this.#dechunk();
      const at = this.text.indexOf('\n\n');
      if (at >= 0) {
        const event = read(this.text.slice(0, at));
        this.text = this.text.slice(at + 2);
        if (event) return event;
        continue;  // a comment
      }
      if (this.ended || this.wire.ended) return undefined;
      assert.ok(Date.now() < end, 'no event in time');
      await this.#wait();
    }
  }

  /** All events until the stream's proper end. */
  async rest() {
    const events = [];
    for (let event; (event = await this.next());) events.push(event);
    assert.ok(this.ended, 'cut instead of ended');
    return events;
  }

  cut() { this.wire.close(); }

  #dechunk() {
    for (;;) {
      const eol = this.wire.bytes.indexOf('\r\n');
      if (eol < 0) return;
      const size = parseInt(this.wire.bytes.subarray(0, eol).toString(), 16);
      if (this.wire.bytes.length < eol + 2 + size + 2) return;
      this.text += this.wire.bytes.subarray(eol + 2, eol + 2 + size).toString();
      this.wire.bytes = this.wire.bytes.subarray(eol + 2 + size + 2);
      if (size === 0) { this.ended = true; return; }
    }
  }

  #wait() { return new Promise((resolve) => { this.wire.wake = resolve; setTimeout(resolve, 100); }); }

  async #until(there, timeout) {
    for (const end = Date.now() + timeout; !there();) {
      assert.ok(!this.wire.ended && Date.now() < end, 'no answer in time');
      await this.#wait();
    }
  }
}

function read(text) {
  const fields = Object.fromEntries(text.split('\n').filter((line) => !line.startsWith(':')).map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
  }));
  if (Object.keys(fields).length === 0) return undefined;
  return { id: fields.id, retry: fields.retry, message: fields.data ? parseExact(fields.data) : undefined };
}
