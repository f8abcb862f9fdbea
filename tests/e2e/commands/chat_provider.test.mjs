// The scripted provider is right: both official SDKs understand its replies and errors, and what they send is accepted.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { Provider, theKey } from '../lib/provider.mjs';

const schema = { type: 'object', properties: { x: { type: 'integer' } } };
const calls = [{ id: 'c1', name: 'one', arguments: { x: 1 } }, { id: 'c2', name: 'two', arguments: {} }];
const said = 'Grüße 😀 from the model';

describe('OpenAI', () => {
  let provider;
  let client;
  before(async () => {
    provider = await Provider.start({ kind: 'openai' });
    client = new OpenAI({ baseURL: provider.url, apiKey: theKey, maxRetries: 0 });
  });
  after(() => provider.stop());
  const tools = [{ type: 'function', function: { name: 'one', parameters: schema } }, { type: 'function', function: { name: 'two', parameters: schema } }];
  const ask = (messages, more = {}, using = client) => using.chat.completions.stream({ model: 'm', messages, tools, stream_options: { include_usage: true }, ...more }).finalChatCompletion();

  test('a whole tool turn, in pieces of every size', async () => {
    for (const split of [1, 2, 7, 64]) {
      provider.play({ text: said, calls, split, crlf: split === 2, usage: { input: 50, cached: 20, output: 5 } }, { text: 'Done.' });
      const messages = [{ role: 'user', content: 'Go' }];
      const first = await ask(messages);
      assert.equal(first.choices[0].message.content, said);
      assert.deepEqual(first.choices[0].message.tool_calls.map((call) => [call.id, call.function.name, call.function.arguments]), [['c1', 'one', '{"x":1}'], ['c2', 'two', '{}']]);
      assert.equal(first.choices[0].finish_reason, 'tool_calls');
      assert.equal(first.usage.prompt_tokens_details.cached_tokens, 20);
      const { role, content, tool_calls } = first.choices[0].message;
      messages.push({ role, content, tool_calls }, { role: 'tool', tool_call_id: 'c1', content: '1' }, { role: 'tool', tool_call_id: 'c2', content: '2' });
      assert.equal((await ask(messages)).choices[0].message.content, 'Done.');
      assert.deepEqual(provider.faults, []);
    }
  });

  test('errors are of the kinds that the SDK knows', async () => {
    const wrongKey = new OpenAI({ baseURL: provider.url, apiKey: 'nope', maxRetries: 0 });
    await assert.rejects(ask([{ role: 'user', content: 'x' }], {}, wrongKey), OpenAI.AuthenticationError);
    await assert.rejects(ask([{ role: 'user', content: 'x' }], { max_tokens: 5 }), OpenAI.BadRequestError);
    await assert.rejects(ask([{ role: 'user', content: 'x' }], { tools: [tools[0], tools[0]] }), /Duplicate function name/);
    await assert.rejects(ask([{ role: 'user', content: 'x' }], { tools: [{ type: 'function', function: { name: 'a.b', parameters: schema } }] }), /does not match pattern/);
    const called = { role: 'assistant', content: null, tool_calls: [{ id: 'z', type: 'function', function: { name: 'one', arguments: '{}' } }] };
    await assert.rejects(ask([{ role: 'user', content: 'x' }, called, { role: 'user', content: 'y' }]), /did not have response messages: z/);
    await assert.rejects(ask([{ role: 'tool', tool_call_id: 'z', content: '1' }]), /must be a response to a preceeding message/);
    const odd = structuredClone(called);
    odd.tool_calls[0].function.arguments = {};
    await assert.rejects(ask([{ role: 'user', content: 'x' }, odd]), /expected a string, but got an object/);
    provider.play({ fail: { status: 429, error: { message: 'slow', type: 'rate_limit' } } });
    await assert.rejects(ask([{ role: 'user', content: 'x' }]), OpenAI.RateLimitError);
    provider.play({ text: 'a b c', errorAfter: { events: 3, error: { message: 'it broke', type: 'server_error' } } });
    await assert.rejects(ask([{ role: 'user', content: 'x' }]), /it broke/);
    provider.play({ text: 'a b c', cutAfter: 3 });
    await assert.rejects(ask([{ role: 'user', content: 'x' }]));
  });

  test('the SDK tries again as the headers say', async () => {
    const patient = new OpenAI({ baseURL: provider.url, apiKey: theKey, maxRetries: 2 });
    provider.play({ fail: { status: 429, error: { message: 'slow' }, headers: { 'retry-after-ms': '60' } } }, { text: 'Yes' });
    assert.equal((await ask([{ role: 'user', content: 'x' }], {}, patient)).choices[0].message.content, 'Yes');
    assert.ok(provider.requests[1].at - provider.requests[0].at >= 55);
    provider.play({ fail: { status: 500, error: { message: 'no' }, headers: { 'x-should-retry': 'false' } } });
    await assert.rejects(ask([{ role: 'user', content: 'x' }], {}, patient), OpenAI.InternalServerError);
    assert.equal(provider.requests.length, 1);
  });

  test('lists models', async () => {
    assert.deepEqual((await client.models.list()).data.map(({ id }) => id), ['local-1']);
  });
});

describe('Anthropic', () => {
  let provider;
  let client;
  before(async () => {
    provider = await Provider.start({ kind: 'anthropic' });
    client = new Anthropic({ baseURL: provider.root, apiKey: theKey, maxRetries: 0 });
  });
  after(() => provider.stop());
  const tools = [{ name: 'one', input_schema: schema }, { name: 'two', input_schema: schema }];
  const ask = (messages, more = {}, using = client) => using.messages.stream({ model: 'm', max_tokens: 99, messages, tools, ...more }).finalMessage();
  const hello = [{ role: 'user', content: 'Go' }];

  test('a whole tool turn with thinking, in pieces of every size', async () => {
    for (const split of [1, 2, 7, 64]) {
      provider.play({ text: said, thinking: 'Hm, höm', calls, split, crlf: split === 2, usage: { input: 50, cached: 20, written: 10, output: 5 } }, { text: 'Done.' });
      const first = await ask(hello);
      assert.deepEqual(first.content.map(({ type }) => type), ['thinking', 'text', 'tool_use', 'tool_use']);
      assert.equal(first.content[0].thinking, 'Hm, höm');
      assert.equal(first.content[1].text, said);
      assert.deepEqual(first.content.slice(2).map(({ id, input }) => [id, input]), [['c1', { x: 1 }], ['c2', {}]]);
      assert.equal(first.stop_reason, 'tool_use');
      assert.deepEqual([first.usage.input_tokens, first.usage.cache_read_input_tokens, first.usage.output_tokens], [20, 20, 5]);
      const results = ['c1', 'c2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: '1' }));
      const content = first.content.map(({ type, text, thinking, signature, id, name, input }) => JSON.parse(JSON.stringify({ type, text, thinking, signature, id, name, input })));
      const messages = [...hello, { role: 'assistant', content }, { role: 'user', content: results }];
      assert.equal((await ask(messages)).content[0].text, 'Done.');
      assert.deepEqual(provider.faults, []);
      const changed = structuredClone(messages);
      changed[1].content[0].thinking = 'other';
      await assert.rejects(ask(changed), /cannot be modified/);
      await assert.rejects(ask([...messages.slice(0, 2), { role: 'user', content: [{ type: 'text', text: 'x' }, ...results] }]), /without `tool_result` blocks immediately after/);
      await assert.rejects(ask([...messages.slice(0, 2), { role: 'user', content: results.slice(1) }]), /c1/);
      await assert.rejects(ask([{ role: 'user', content: results }]), /unexpected `tool_use_id`/);
    }
  });

  test('errors are of the kinds that the SDK knows', async () => {
    await assert.rejects(ask(hello, {}, new Anthropic({ baseURL: provider.root, apiKey: 'nope', maxRetries: 0 })), Anthropic.AuthenticationError);
    await assert.rejects(ask(hello, { tools: [tools[0], tools[0]] }), /Tool names must be unique/);
    await assert.rejects(ask(hello, { tools: [{ name: 'a.b', input_schema: schema }] }), Anthropic.BadRequestError);
    await assert.rejects(ask(hello, { tools: undefined, tool_choice: { type: 'none' } }), /while providing tools/);
    await assert.rejects(ask(hello, { max_tokens: undefined }), /max_tokens: Field required/);
    await assert.rejects(ask([{ role: 'user', content: [{ type: 'text', text: '' }] }]), /must be non-empty/);
    provider.play({ fail: { status: 529, error: { type: 'overloaded_error', message: 'Overloaded' } } });
    await assert.rejects(ask(hello), Anthropic.InternalServerError);
    provider.play({ text: 'a b c', errorAfter: { events: 4, error: { type: 'overloaded_error', message: 'Overloaded' } } });
    await assert.rejects(ask(hello), /Overloaded/);
    provider.play({ text: 'a b c', cutAfter: 4 });
    await assert.rejects(ask(hello));
  });

  test('the SDK tries again as the headers say', async () => {
    const patient = new Anthropic({ baseURL: provider.root, apiKey: theKey, maxRetries: 2 });
    provider.play({ fail: { status: 429, error: { type: 'rate_limit_error', message: 'slow' }, headers: { 'retry-after': '1' } } }, { text: 'Yes' });
    assert.equal((await ask(hello, {}, patient)).content[0].text, 'Yes');
    assert.ok(provider.requests[1].at - provider.requests[0].at >= 950);
  });
});
