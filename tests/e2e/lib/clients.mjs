// Clients with their own connections that call tools one after the other, or until stop().
import http from 'node:http';
import { readFileSync } from 'node:fs';
import { messageOf, modernBody, modernHeaders } from './rpc.mjs';

/** One client with one connection: `key` is its credential, if it has one. */
export class Client {
  constructor(server, key) {
    this.server = server;
    this.key = key;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  }

  /** Resolves with {status, message, ms}; rejects when the connection is cut or `timeout` is over. */
  call(name, args = {}, { method = 'tools/call', timeout = 120000 } = {}) {
    const body = modernBody(method, method === 'tools/call' ? { name, arguments: args } : {});
    const text = JSON.stringify(body);
    const begun = performance.now();
    return new Promise((resolve, reject) => {
      const request = http.request(this.server.url, {
        method: 'POST', agent: this.agent, timeout,
        headers: {
          'content-type': 'application/json', accept: 'application/json, text/event-stream',
          'content-length': Buffer.byteLength(text), ...modernHeaders(body),
          ...(this.key ? { authorization: `Bearer ${this.key}` } : {}),
        },
      }, (answer) => {
        let heard = '';
        answer.setEncoding('utf8').on('data', (bytes) => { heard += bytes; });
        answer.on('end', () => resolve({
          status: answer.statusCode, ms: performance.now() - begun,
          message: messageOf(answer.headers['content-type'], heard),
        })).on('error', reject);
      });
      request.on('timeout', () => request.destroy(new Error(`no answer to ${name} in ${timeout} ms`)));
      request.on('error', reject);
      request.end(text);
    });
  }

  /** Repeats the call until stop(), as an attacker does. */
  repeat(name, args) {
    this.repeats = true;
    const again = async () => {
      while (this.repeats) await this.call(name, args).catch(() => {});
    };
    this.done = again();
  }

  async stop() {
    this.repeats = false;
    this.agent.destroy();
    await this.done;
  }
}

/** {p50, p99, most} of milliseconds, rounded. */
export function figures(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part) => Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)]);
  return { calls: sorted.length, p50: at(0.5), p99: at(0.99), most: at(1) };
}

/** Whether a sanitizer is in the server, which makes it slower. */
export const isSanitized = (server) => /\/lib[atu]+b?san/.test(readFileSync(`/proc/${server.child.pid}/maps`, 'utf8'));
