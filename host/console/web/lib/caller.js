// What agents do: with a session of the console as any profile, by the operators' API; without one as the agent
// that /mcp sees.
import { rpc, session } from './api.js';
import * as mcp from './mcp.js';
import { text } from './json.js';
import { recall } from './store.js';

/** The names of the profiles, or none without a session. */
export const agentNames = async () => (session.get() ? (await rpc('agent.list')).agents.map(({ agent }) => agent) : []);

/** The agent to begin with: the one chosen before if it is still there. */
export async function startingAgent(query) {
  const names = await agentNames();
  if (query.as && names.length && !names.includes(query.as)) throw new Error(`There is no agent ${query.as}.`);
  return { names, agent: [query.as, recall('as'), 'local', names[0]].find((name) => names.includes(name)) };
}

/** A request that reads prompts or resources: its result. */
export const read = (agent, method, params = {}) =>
  (agent === undefined ? mcp.request(method, params) : rpc('agent.ask', { agent, method, params }));

/** All items of a list, page by page. */
export async function list(agent, method, member, ask = read) {
  const all = [];
  let cursor;
  do {
    const result = await ask(agent, method, cursor ? { cursor } : {});
    all.push(...result[member]);
    cursor = result.nextCursor;
  } while (cursor && all.length < 5000);
  return all;
}

export const tools = async (agent) =>
  (agent === undefined ? list(agent, 'tools/list', 'tools') : (await rpc('tool.list', { agent })).tools);

/** The names of the classes that an agent sees: {name, fields}. */
export async function classes(agent) {
  const { built_in: own = [], custom = [] } = await ask(agent, 'get_all_schemas');
  return [...own, ...custom];
}

/**
 * Calls a tool with arguments as JSON text. `answers` {inputResponses, requestState} belong to a call
 * that asked for input. Resolves with the result of tools/call.
 */
export function call(agent, tool, argumentsText, { answers, ...how } = {}) {
  return agent === undefined ? mcp.request('tools/call', { name: tool, ...answers }, { argumentsText, ...how })
    : rpc('tool.call', { agent, tool, ...answers }, { argumentsText, ...how });
}

/** The text of a result's first block. */
export const textOf = (result) => result.content?.find(({ type }) => type === 'text')?.text ?? '';

/** An answer that the tool marked as an error, as an Error with its code. */
export function errorOf(result) {
  const said = result.structuredContent ?? {};
  return Object.assign(new Error(said.error ?? textOf(result) ?? 'The call failed.'), { code: said.error_code });
}

/** The structured content of a call; an error of the tool is thrown. */
export async function ask(agent, tool, args = {}) {
  const result = await call(agent, tool, text(args, 0));
  if (result.isError) throw errorOf(result);
  return result.structuredContent ?? JSON.parse(textOf(result));
}
