// OpenAI's Chat Completions: which requests are refused, and streamed replies. Local servers: see the ends of both.
const bad = (message, code = null, param = null) => ({ status: 400, error: { message, type: 'invalid_request_error', code, param } });
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const known = ['model', 'messages', 'tools', 'tool_choice', 'max_completion_tokens', 'stream', 'stream_options', 'temperature'];

function keyFault(headers, key) {
  const given = headers.authorization;
  if (!given?.startsWith('Bearer ')) {
    return { status: 401, error: { type: 'invalid_request_error', message: "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth." } };
  }
  if (given === `Bearer ${key}`) return undefined;
  return { status: 401, error: { type: 'invalid_request_error', code: 'invalid_api_key',
    message: `Incorrect API key provided: ${given.slice(7)}. You can find your API key at https://platform.openai.com/account/api-keys.` } };
}

function toolFault(tools) {
  const seen = new Set();
  for (const [i, tool] of tools.entries()) {
    if (tool.type !== 'function' || !isObject(tool.function)) return bad(`Missing required parameter: 'tools[${i}].function'.`);
    const { name, parameters } = tool.function;
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
      return bad(`Invalid 'tools[${i}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`, 'invalid_value');
    }
    if (seen.has(name)) return bad(`Duplicate function name '${name}' in tools.`);
    seen.add(name);
    if (!isObject(parameters) || parameters.type !== 'object') {
      return bad(`Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${parameters?.type ?? 'None'}"'.`, 'invalid_function_parameters');
    }
    if ('$schema' in parameters) return bad(`Invalid schema for function '${name}': '$schema' is not permitted.`);
  }
  return undefined;
}

function messageFault(message, i) {
  if (!['system', 'developer', 'user', 'assistant', 'tool'].includes(message.role)) return bad(`Invalid value: '${message.role}'. Supported values are: 'system', 'assistant', 'user', 'tool', and 'developer'.`);
  const calls = message.tool_calls;
  const mayBeNull = message.role === 'assistant' && calls?.length > 0;
  if (typeof message.content !== 'string' && !(message.content === null && mayBeNull)) {
    return bad(`Invalid value for 'content': expected a string, got ${message.content === null ? 'null' : typeof message.content}.`);
  }
  if (calls !== undefined && (!Array.isArray(calls) || calls.length === 0)) return bad(`Invalid 'messages[${i}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`);
  for (const [j, call] of (calls ?? []).entries()) {
    if (typeof call.id !== 'string' || call.type !== 'function') return bad(`Missing required parameter: 'messages[${i}].tool_calls[${j}].id'.`);
    if (typeof call.function?.arguments !== 'string') {
      return bad(`Invalid type for 'messages[${i}].tool_calls[${j}].function.arguments': expected a string, but got an object instead.`, 'invalid_type');
    }
  }
  return undefined;
}

/** Each call has its result right after, and each result its call. */
function orderFault(messages) {
  let open = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id)) return bad("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.");
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length) return bad(`An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`);
    open = (message.tool_calls ?? []).map(({ id }) => id);
  }
  return open.length ? bad(`An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`) : undefined;
}

/** The assistant's calls are those that were sent. */
function echoFault(messages, provider) {
  for (const { tool_calls: calls = [] } of messages) {
    for (const { id, function: { name, arguments: text } } of calls) {
      const sent = provider.sent.get(id);
      if (!sent) continue;
      if (sent.name !== name || (provider.kind === 'openai' && sent.arguments !== text)) return bad(`The call ${id} is not the one that was made.`);
    }
  }
  return undefined;
}

function localFault(body, messages) {
  if ('tool_choice' in body) return bad('tool_choice is not supported');
  if ('max_completion_tokens' in body) return bad('max_completion_tokens is not supported');
  for (const { tool_calls: calls = [] } of messages) {
    for (const call of calls) {
      try { if (!isObject(JSON.parse(call.function.arguments))) throw new Error(); } catch { return { status: 500, error: { message: 'Value is not an object' } }; }
    }
  }
  return undefined;
}

export function openAiFault(headers, body, provider) {
  const local = provider.kind === 'local';
  const wrongKey = local ? undefined : keyFault(headers, provider.key);
  if (wrongKey) return wrongKey;
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return bad('Unsupported content type.');
  if (!body.model) return bad('you must provide a model parameter');
  if (!local && 'max_tokens' in body) return bad("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", 'unsupported_parameter', 'max_tokens');
  const odd = Object.keys(body).find((name) => !known.includes(name) && !(local && name === 'max_tokens'));
  if (odd) return bad(`Unrecognized request argument supplied: ${odd}`);
  const { messages, tools } = body;
  if (!Array.isArray(messages) || messages.length === 0) return bad("Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.", 'empty_array');
  if ('tools' in body && !(tools?.length > 0)) return bad("Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.");
  if (body.tool_choice !== undefined && !tools) return bad("Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.");
  if (body.stream !== true || body.stream_options?.include_usage !== true) return bad('this provider streams, with usage');
  for (const [i, message] of messages.entries()) {
    const fault = messageFault(message, i);
    if (fault) return fault;
  }
  return (tools && toolFault(tools)) ?? orderFault(messages) ?? echoFault(messages, provider) ?? (local ? localFault(body, messages) : undefined);
}

function callDeltas(step, provider) {
  return (step.calls ?? []).flatMap((call, i) => {
    const id = call.id ?? `call_${provider.sent.size + 1}`;
    const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
    provider.sent.set(id, { name: call.name, arguments: text });
    const index = step.sameIndex ? 0 : i;
    const first = { index, id, type: 'function', function: { name: call.name, arguments: step.sameIndex ? text : '' } };
    if (step.sameIndex) return [{ tool_calls: [first] }];
    const half = Math.ceil(text.length / 2);
    return [{ tool_calls: [first] }, ...[text.slice(0, half), text.slice(half)].filter(Boolean).map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] }))];
  });
}

/** The events of a reply as texts. */
export function openAiEvents(step, body, provider) {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: step.model ?? body.model };
  const words = (step.text ?? '').match(/\S+\s*|\s+/g) ?? [];
  const reason = step.end ?? (step.calls?.length && !step.sameIndex ? 'tool_calls' : 'stop');
  const deltas = [{ role: 'assistant', content: '' }, ...(step.thinking ? [{ reasoning_content: step.thinking }] : []),
    ...words.map((content) => ({ content })), ...(step.refusal ? [{ refusal: step.refusal }] : []), ...callDeltas(step, provider)];
  const { input = 100, cached = 0, output = 10 } = step.usage ?? {};
  const chunks = [
    ...deltas.map((delta) => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] })),
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    { ...head, choices: [], usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, prompt_tokens_details: { cached_tokens: cached } } },
  ];
  return [': comment\n\n', ...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'];
}
