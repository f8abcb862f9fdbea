// Anthropic's Messages: which requests are refused, and streamed replies.
import { isDeepStrictEqual } from 'node:util';

const bad = (message, status = 400, type = 'invalid_request_error') => ({ status, error: { type, message } });
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const known = ['model', 'max_tokens', 'system', 'messages', 'tools', 'tool_choice', 'cache_control', 'stream', 'thinking', 'temperature'];

/** The key stands in x-api-key, or as a bearer's: the official SDK sends the latter. */
function headerFault(headers, key) {
  const given = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  if (!given) return bad('x-api-key header is required', 401, 'authentication_error');
  if (given !== key) return bad('invalid x-api-key', 401, 'authentication_error');
  if (!/^(2023-06-01|2026-10-21)$/.test(headers['anthropic-version'] ?? '')) return bad('anthropic-version: header is required');
  return /^application\/json\b/.test(headers['content-type'] ?? '') ? undefined : bad('content-type: must be application/json');
}

function toolFault(tools) {
  const names = tools.map(({ name }) => name);
  if (new Set(names).size !== names.length) return bad('tools: Tool names must be unique.');
  for (const [i, { name, input_schema: schema }] of tools.entries()) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) return bad(`tools.${i}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    if (schema?.type !== 'object') return bad(`tools.${i}.custom.input_schema.type: Field required`);
    if ('$schema' in schema) return bad(`tools.${i}.custom.input_schema.$schema: Extra inputs are not permitted`);
  }
  return undefined;
}

const blocksOf = ({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);

function blockFault(block, where, role, provider) {
  if (block.type === 'text') return block.text ? undefined : bad('messages: text content blocks must be non-empty');
  if (block.type === 'tool_result') return role === 'user' ? undefined : bad(`${where}: \`tool_result\` blocks can only be in \`user\` messages`);
  if (role === 'user') return bad(`${where}: Input tag '${block.type}' found using 'type' does not match any of the expected tags`);
  if (block.type === 'tool_use') {
    if (!isObject(block.input)) return bad(`${where}.tool_use.input: Input should be a valid dictionary`);
    const sent = provider.sent.get(block.id);
    return !sent || isDeepStrictEqual(sent, block) ? undefined : bad(`${where}: the call ${block.id} is not the one that was made`);
  }
  if (['thinking', 'redacted_thinking'].includes(block.type)) {
    const same = isDeepStrictEqual(provider.sent.get(block.signature ?? block.data), block);
    return same ? undefined : bad(`${where}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`);
  }
  return bad(`${where}: Input tag '${block.type}' found using 'type' does not match any of the expected tags`);
}

/** The results of all calls stand first in the next message. */
function orderFault(messages) {
  let open = [];
  for (const [i, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const results = [];
    for (const block of blocks) {
      if (block.type !== 'tool_result') break;
      results.push(block.tool_use_id);
    }
    const stray = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id).find((id) => !open.includes(id));
    if (stray) return bad(`messages.${i}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`);
    const missing = open.filter((id) => !results.includes(id));
    if (missing.length) return bad(`messages.${i - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`);
    open = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  }
  return open.length ? bad(`messages.${messages.length - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}.`) : undefined;
}

function messageFault(messages, provider) {
  if (messages[0].role !== 'user') return bad('messages: first message must use the "user" role');
  for (const [i, message] of messages.entries()) {
    if (!['user', 'assistant'].includes(message.role)) return bad(`messages.${i}.role: Input should be 'user' or 'assistant'`);
    if (i > 0 && messages[i - 1].role === message.role) return bad('messages: roles must alternate between "user" and "assistant"');
    const blocks = blocksOf(message);
    if (!blocks?.length) return bad(`messages.${i}: all messages must have non-empty content`);
    for (const [j, block] of blocks.entries()) {
      const fault = blockFault(block, `messages.${i}.content.${j}`, message.role, provider);
      if (fault) return fault;
    }
  }
  return orderFault(messages);
}

export function anthropicFault(headers, body, provider) {
  const wrong = headerFault(headers, provider.key);
  if (wrong) return wrong;
  for (const name of ['model', 'max_tokens', 'messages']) {
    if (body[name] === undefined) return bad(`${name}: Field required`);
  }
  const odd = Object.keys(body).find((name) => !known.includes(name));
  if (odd) return bad(`${odd}: Extra inputs are not permitted`);
  if (!(body.messages.length > 0)) return bad('messages: at least one message is required');
  if (body.tool_choice && !body.tools) return bad('tool_choice: tool_choice may only be specified while providing tools');
  if (body.tool_choice && !['auto', 'any', 'tool', 'none'].includes(body.tool_choice.type)) return bad(`tool_choice: Input tag '${body.tool_choice.type}' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'`);
  if (body.stream !== true) return bad('this provider streams');
  return (body.tools && toolFault(body.tools)) ?? messageFault(body.messages, provider);
}

function blockEvents(block, index, deltas) {
  return [{ type: 'content_block_start', index, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })), { type: 'content_block_stop', index }];
}

function thinkingEvents(step, index, provider) {
  if (!step.thinking) return [];
  const signature = `sig-${provider.sent.size}-${Buffer.from(step.thinking).toString('base64')}`;
  provider.sent.set(signature, { type: 'thinking', thinking: step.thinking, signature });
  const half = Math.ceil(step.thinking.length / 2);
  return blockEvents({ type: 'thinking', thinking: '', signature: '' }, index, [
    { type: 'thinking_delta', thinking: step.thinking.slice(0, half) }, { type: 'thinking_delta', thinking: step.thinking.slice(half) },
    { type: 'signature_delta', signature }]);
}

function callEvents(call, index, provider) {
  const id = call.id ?? `toolu_${provider.sent.size + 1}`;
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
  let input = {};
  try { input = JSON.parse(text); } catch { /* cut by the limit of tokens */ }
  provider.sent.set(id, { type: 'tool_use', id, name: call.name, input });
  const parts = text === '{}' ? [] : [text.slice(0, 3), text.slice(3)].filter(Boolean);
  return blockEvents({ type: 'tool_use', id, name: call.name, input: {} }, index, parts.map((part) => ({ type: 'input_json_delta', partial_json: part })));
}

/** The events of a reply as texts. */
export function anthropicEvents(step, body, provider) {
  const { input = 100, cached = 0, written = 0, output = 10 } = step.usage ?? {};
  const words = (step.text ?? '').match(/\S+\s*|\s+/g) ?? [];
  const events = [{ type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: step.model ?? body.model, stop_reason: null, stop_sequence: null,
    usage: { input_tokens: input - cached - written, cache_creation_input_tokens: written, cache_read_input_tokens: cached, output_tokens: 1 } } },
  ...thinkingEvents(step, 0, provider)];
  let index = step.thinking ? 1 : 0;
  events.push({ type: 'ping' });
  if (words.length) events.push(...blockEvents({ type: 'text', text: '' }, index++, words.map((text) => ({ type: 'text_delta', text }))));
  for (const call of step.calls ?? []) events.push(...callEvents(call, index++, provider));
  const reason = step.end ?? (step.calls?.length ? 'tool_use' : 'end_turn');
  events.push({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: output } }, { type: 'message_stop' });
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}
