// A strict stand-in for providers of models: OpenAI's Chat Completions, Anthropic's Messages, and a server of local
// models. Replies are scripted; a request that the provider would refuse gets its 400, in its words.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { anthropicEvents, anthropicFault } from './provider_anthropic.mjs';
import { openAiEvents, openAiFault } from './provider_openai.mjs';

export const theKey = 'sk-test-4711';

/**
 * A step of the script is one reply:
 *   text, refusal, thinking, calls: [{id, name, arguments}], end, usage: {input, cached, written, output}
 *   split: n, pieces of n bytes each; crlf: line breaks of that kind; sameIndex: every call has index 0
 *   fail: {status, error, headers}, in place of a reply
 *   cutAfter: n, the connection breaks after n events; errorAfter: {events, error}; hangAfter: n
 * or a function of the request's body that returns one, or a promise of one. When the script is over, the answer is "Done."
 */
export class Provider {
  static async start({ kind, script = [], key = theKey, models = ['local-1'], props } = {}) {
    const it = new Provider();
    Object.assign(it, { kind, key, models, props, script: [...script], requests: [], faults: [], sent: new Map() });
    it.http = createServer((request, response) => it.#serve(request, response));
    it.http.listen(0, '127.0.0.1');
    await once(it.http, 'listening');
    it.root = `http://127.0.0.1:${it.http.address().port}`;
    it.url = `${it.root}/v1`;
    return it;
  }

  async stop() {
    this.http.closeAllConnections();
    this.http.close();
    await once(this.http, 'close');
  }

  /** The environment in which gantry finds this provider. */
  env(model = this.kind === 'local' ? '' : 'test-model') {
    return { LLM_PROVIDER: this.kind, LLM_API_KEY: this.key, LLM_MODEL: model, LLM_BASE_URL: this.url };
  }

  /** Forgets what was, and takes a new script. */
  play(...steps) {
    Object.assign(this, { script: steps, requests: [], faults: [] });
  }
  get bodies() { return this.requests.map(({ body }) => body); }

  async #serve(request, response) {
    const parts = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    if (request.method === 'GET') return this.#get(request, response);
    const path = this.kind === 'anthropic' ? '/v1/messages' : '/v1/chat/completions';
    if (request.url !== path) return this.#refuse(response, { status: 404, error: { type: 'not_found_error', message: `no ${request.url}` } });
    let body;
    try { body = JSON.parse(text); } catch { return this.#refuse(response, { status: 400, error: { type: 'invalid_request_error', message: 'We could not parse the JSON body of your request.' } }); }
    this.requests.push({ headers: request.headers, body, at: Date.now() });
    const fault = this.kind === 'anthropic' ? anthropicFault(request.headers, body, this) : openAiFault(request.headers, body, this);
    if (fault) {
      this.faults.push(fault.error.message);
      return this.#refuse(response, fault);
    }
    const next = this.script.shift() ?? { text: 'Done.' };
    const step = await (typeof next === 'function' ? next(body) : next);
    if (step.fail) return this.#refuse(response, step.fail);
    return this.#reply(response, step, body);
  }

  #get(request, response) {
    if (request.url === '/props' && this.props) return this.#json(response, 200, this.props);
    if (request.url !== '/v1/models') return this.#refuse(response, { status: 404, error: { type: 'not_found_error', message: 'no such path' } });
    const data = this.models.map((model) => (typeof model === 'string' ? { id: model, object: 'model', created: 1, owned_by: 'us' } : model));
    return this.#json(response, 200, { object: 'list', data });
  }

  #json(response, status, body, headers = {}) {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  }

  #refuse(response, { status, error, headers }) {
    const body = this.kind === 'anthropic' ? { type: 'error', error, request_id: 'req_1' } : { error: { param: null, code: null, ...error } };
    this.#json(response, status, body, headers);
  }

  async #reply(response, step, body) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_7',
      'x-ratelimit-remaining-requests': '99', 'set-cookie': 'secret-cookie=1' });
    response.socket.setNoDelay(true);
    let events = this.kind === 'anthropic' ? anthropicEvents(step, body, this) : openAiEvents(step, body, this);
    const last = step.cutAfter ?? step.hangAfter ?? step.errorAfter?.events;
    if (last !== undefined) events = events.slice(0, last);
    if (step.errorAfter) {
      const data = JSON.stringify(this.kind === 'anthropic' ? { type: 'error', error: step.errorAfter.error } : { error: step.errorAfter.error });
      events.push(this.kind === 'anthropic' ? `event: error\ndata: ${data}\n\n` : `data: ${data}\n\n`);
    }
    const whole = step.crlf ? events.join('').replaceAll('\n', '\r\n') : events.join('');
    await this.#write(response, Buffer.from(whole), step.split);
    if (step.cutAfter !== undefined) {
      await new Promise((resolve) => { setTimeout(resolve, 50); });  // what was written arrives before the break
      return response.destroy();
    }
    if (step.hangAfter === undefined) response.end();
  }

  async #write(response, bytes, size = bytes.length || 1) {
    for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
      response.write(bytes.subarray(at, at + size));
      if (size < bytes.length) await new Promise((resolve) => { setImmediate(resolve); });
    }
  }
}
