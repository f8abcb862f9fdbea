// Calls of tools over connections that stay open.
import { Agent, request } from 'node:http';
import { envelope, modernRevision } from '../../e2e/lib/rpc.mjs';
import { read } from './values.mjs';

const kConnections = 4;

function exchange(url, agent, headers, body) {
  return new Promise((resolve, reject) => {
    const going = request(url, { method: 'POST', agent, headers }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => resolve({
        status: answer.statusCode, type: answer.headers['content-type'] ?? '',
        text: Buffer.concat(parts).toString(),
      }));
      answer.on('error', reject);
    });
    going.on('error', reject);
    going.end(body);
  });
}

function messageText({ type, text }) {
  if (!type.startsWith('text/event-stream')) return text;
  return text.trim().split(/\n\n/).at(-1).split('\n')
    .filter((line) => line.startsWith('data:')).map((line) => line.slice(5)).join('\n');
}

const said = (content) => content?.[0]?.get('text') ?? '';

export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: kConnections });
  #lastId = 0;

  constructor(server) { this.server = server; }

  /** {answer: Map} or {refusal: {code, message}}; `args` is JSON text. */
  async call(tool, args) {
    const id = ++this.#lastId;
    const body = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}",`
      + `"arguments":${args},"_meta":${JSON.stringify(envelope())}}}`;
    const headers = {
      'content-type': 'application/json', accept: 'application/json, text/event-stream',
      'mcp-protocol-version': modernRevision, 'mcp-method': 'tools/call', 'mcp-name': tool,
      'content-length': Buffer.byteLength(body),
    };
    let reply;
    try {
      reply = await exchange(this.server.url, this.#agent, headers, body);
    } catch (error) {
      throw new Error(`${tool} ${args}: ${error.message}\n${this.server.stderr.slice(-4000)}`);
    }
    return this.#outcome(reply, `${tool} ${args}`);
  }

  #outcome(reply, asked) {
    if (reply.status === 503 || reply.status === 429) throw new Error(`${asked}: ${reply.status} ${reply.text}`);
    const message = read(messageText(reply));
    const error = message.get('error');
    if (error) return { refusal: { code: String(error.get('code').value), message: error.get('message') } };
    const result = message.get('result');
    if (result.get('isError') !== true) return { answer: result.get('structuredContent') };
    const content = result.get('structuredContent') ?? read(said(result.get('content')));
    return { refusal: { code: content.get('error_code'), message: content.get('error') } };
  }

  close() { this.#agent.destroy(); }
}

/** Runs `work` for every item, a few at a time, in order of start. */
export async function forEach(items, work, atOnce = kConnections) {
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const i = next++;
      await work(items[i], i);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
