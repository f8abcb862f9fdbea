// A model that does what a driver says: it calls one tool of the client, and repeats the tool's answer. It speaks the
// streams of three providers: Anthropic's messages, OpenAI's responses, Google's generateContent.
import { once } from 'node:events';
import { createServer } from 'node:http';

const model = 'scripted';

/** One provider: the tools of a request, the answer of the tool that was called, and the events of a reply. */
const anthropic = {
  tools: ({ tools = [] }) => tools.map(({ name }) => name),
  result: ({ messages }) => messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter(({ type }) => type === 'tool_result').map(({ content }) => textOf(content)).at(-1),
  events({ call, text }) {
    const block = call ? { type: 'tool_use', id: 'toolu_1', name: call.name, input: {} } : { type: 'text', text: '' };
    const delta = call ? { type: 'input_json_delta', partial_json: JSON.stringify(call.args) } : { type: 'text_delta', text };
    return [
      { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ];
  },
};
const openai = {
  // Tools of one server may stand in a namespace of their own.
  tools: ({ tools = [] }) => tools.flatMap(({ name, tools: inner }) => (inner ? inner.map((one) => `${name}_${one.name}`) : [name ?? ''])),
  result: ({ input }) => input.filter(({ type }) => type === 'function_call_output')
    .map(({ output }) => textOf(output?.content ?? output)).at(-1),
  events({ call, text }) {
    const item = call
      ? { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: call.name, ...(call.space ? { namespace: call.space } : {}), arguments: JSON.stringify(call.args) }
      : { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text }] };
    return [
      { type: 'response.created', response: { id: 'resp_1' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: 'resp_1', usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } } },
    ];
  },
};
const google = {
  tools: ({ tools = [] }) => tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
  result: ({ contents }) => contents.flatMap(({ parts }) => parts).filter(({ functionResponse }) => functionResponse)
    .map(({ functionResponse }) => JSON.stringify(functionResponse.response)).at(-1),
  events: ({ call, text }) => [{
    candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [call ? { functionCall: { name: call.name, args: call.args } } : { text }] } }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }],
};
const textOf = (content) => (typeof content === 'string' ? content
  : (content ?? []).map(({ text }) => text ?? '').join(''));
const providerOf = (path) => (path.includes('/messages') ? anthropic : path.includes('/responses') ? openai : path.includes('enerateContent') ? google : undefined);

export class ScriptedModel {
  static async start() {
    const scripted = new ScriptedModel();
    scripted.server = createServer((request, reply) => scripted.#serve(request, reply)).listen(0, '127.0.0.1');
    await once(scripted.server, 'listening');
    scripted.url = `http://127.0.0.1:${scripted.server.address().port}`;
    return scripted;
  }

  /** Runs the client once: it calls the tool (none: nothing), and its answer is returned. */
  async play(run, call) {
    Object.assign(this, { call, tools: [], answer: undefined });
    const printed = await run();
    if (call && this.answer === undefined) throw new Error(`the client did not call ${call.name}: ${printed.slice(-200)}`);
    return this.answer;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  async #serve(request, reply) {
    let text = '';
    for await (const part of request) text += part;
    const provider = providerOf(request.url);
    if (process.env.SCRIPTED_MODEL_LOG) console.error(request.method, request.url, text.slice(0, 300));
    if (!provider || request.method !== 'POST' || request.url.includes('count')) {
      reply.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"models":[],"input_tokens":1,"totalTokens":1}');
      return;
    }
    const body = JSON.parse(text);
    const events = provider.events(this.#turn(provider, body));
    const streams = body.stream || request.url.includes('stream');
    if (!streams) {
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole(provider, events)));
      return;
    }
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) reply.write(`${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
    reply.end();
  }

  /** The model's turn: a call, or a text. */
  #turn(provider, body) {
    const tools = provider.tools(body);
    if (tools.length > this.tools.length) this.tools = tools;
    const result = provider.result(body);
    if (result !== undefined && this.call) this.answer = result;
    const name = this.call && tools.find((one) => one?.endsWith(`_${this.call.name}`));
    if (!name || result !== undefined) return { text: result ?? 'Nothing to do.' };
    const space = (body.tools ?? []).find(({ tools: inner }) => inner?.some((one) => one.name === this.call.name))?.name;
    return { call: { name: space ? this.call.name : name, space, args: this.call.args } };
  }
}

const whole = (provider, events) => (provider === google ? events[0]
  : provider === anthropic ? { ...events[0].message, content: [{ type: 'text', text: 'Nothing to do.' }], stop_reason: 'end_turn' } : events.at(-1).response);
