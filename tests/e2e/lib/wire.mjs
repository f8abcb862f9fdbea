// A bare socket: bytes out exactly as given, whole HTTP answers back.
import { connect } from 'node:net';
import { once } from 'node:events';

export class Wire {
  static async open(port, host = '127.0.0.1') {
    const wire = new Wire();
    wire.socket = connect({ port, host, noDelay: true });
    wire.bytes = Buffer.alloc(0);
    wire.ended = false;
    wire.wake = () => {};
    wire.socket.on('data', (bytes) => { wire.bytes = Buffer.concat([wire.bytes, bytes]); wire.wake(); });
    wire.socket.on('close', () => { wire.ended = true; wire.wake(); });
    wire.socket.on('error', () => {});
    await once(wire.socket, 'connect');
    return wire;
  }

  /** Resolves when the kernel has the bytes; a connection the server has closed is not an error. */
  write(bytes) {
    return new Promise((resolve) => { this.socket.write(bytes, () => resolve()); });
  }

  close() { this.socket.destroy(); }

  /** The next answer, or undefined if the server closes or does not answer in time. */
  async read(timeout = 10000) {
    const end = Date.now() + timeout;
    for (;;) {
      const [answer, used] = parseAnswer(this.bytes);
      if (answer) {
        this.bytes = this.bytes.subarray(used);
        if (answer.status >= 200) return answer;
        continue;  // an interim answer
      }
      const left = end - Date.now();
      if (this.ended || left <= 0) return undefined;
      await new Promise((resolve) => { this.wake = resolve; setTimeout(resolve, Math.min(left, 250)); });
    }
  }

  /** True when the server has closed within the time. */
  async closed(timeout = 5000) {
    const end = Date.now() + timeout;
    while (!this.ended && Date.now() < end) await new Promise((resolve) => { setTimeout(resolve, 20); });
    return this.ended;
  }
}

function parseAnswer(bytes) {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return [undefined, 0];
  const [line, ...fields] = bytes.subarray(0, head).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(fields.map((field) => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  }));
  const status = Number(line.split(' ')[1]);
  const body = headers['transfer-encoding'] === 'chunked'
    ? chunked(bytes, head + 4) : counted(bytes, head + 4, Number(headers['content-length'] ?? 0));
  return body ? [{ status, headers, text: body.text }, body.end] : [undefined, 0];
}

function counted(bytes, start, length) {
  if (bytes.length < start + length) return undefined;
  return { text: bytes.subarray(start, start + length).toString(), end: start + length };
}

function chunked(bytes, start) {
  const parts = [];
  for (let at = start; ;) {
    const eol = bytes.indexOf('\r\n', at);
    if (eol < 0) return undefined;
    const size = parseInt(bytes.subarray(at, eol).toString(), 16);
    if (bytes.length < eol + 2 + size + 2) return undefined;
    parts.push(bytes.subarray(eol + 2, eol + 2 + size));
    at = eol + 2 + size + 2;
    if (size === 0) return { text: Buffer.concat(parts).toString(), end: at };
  }
}

/** The bytes of a POST to /mcp. `headers` replace or add; a null value leaves a header out. */
export function postBytes(port, body, headers = {}) {
  const payload = Buffer.from(body);
  const all = {
    Host: `127.0.0.1:${port}`, 'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream', 'Content-Length': payload.length, ...headers,
  };
  const head = Object.entries(all).filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`POST /mcp HTTP/1.1\r\n${head}\r\n`, 'latin1'), payload]);
}
