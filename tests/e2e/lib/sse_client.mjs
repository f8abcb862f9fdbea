// A bare client of HTTP+SSE (2024-11-05): the address of its messages, and what has come on the stream.
import assert from 'node:assert/strict';
import { until } from './events.mjs';

export class BareSse {
  /** Opened once the first event has come. */
  static async open(server, headers = {}) {
    const client = new BareSse();
    Object.assign(client, { headers, text: '', gone: new AbortController() });
    const stream = await fetch(new URL('/sse', server.url), { headers: { accept: 'text/event-stream', ...headers }, signal: client.gone.signal });
    client.status = stream.status;
    client.type = stream.headers.get('content-type');
    client.ended = (async () => {
      for await (const bytes of stream.body) client.text += Buffer.from(bytes);
      client.isOver = true;
    })().catch(() => {});
    await until(() => /\n\n/.test(client.text), 'the first event');
    client.endpoint = new URL(/^event: endpoint\ndata: (\S+)\n\n/.exec(client.text)?.[1] ?? '', server.url);
    return client;
  }

  leave() { this.gone.abort(); }

  /** Posts a message, or bytes as they are. */
  post(body, more = {}) {
    return fetch(this.endpoint, {
      method: 'POST', headers: { 'content-type': 'application/json', ...this.headers, ...more },
      body: typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...body }),
    });
  }

  async answer(id) {
    const message = () => this.text.split('\n\n').map((event) => /^data: (\{.*)$/m.exec(event)?.[1])
      .filter(Boolean).map(JSON.parse).find((one) => one.id === id);
    await until(() => message(), `the answer ${id}`);
    return message();
  }

  async initialize(id = 1, protocolVersion = '2024-11-05') {
    await this.post({ id, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo: { name: 'gantry-e2e', version: '1' } } });
    const opened = await this.answer(id);
    assert.ok(opened.result, JSON.stringify(opened));
    await this.post({ method: 'notifications/initialized' });
    return opened.result;
  }
}
