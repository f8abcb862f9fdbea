// What a tool answered: a table where there are rows, the JSON, the bare message; and questions that it asks.
import { errorOf, textOf } from './caller.js';
import { atEnd, badge, button, cell, fill, h, icon, tabs } from './dom.js';
import { Form } from './form.js';
import { isObject, isRaw, parse, short, text } from './json.js';
import { link } from './route.js';
import { column, table } from './table.js';
import { bytes, ms, number } from './time.js';
import { copyButton, viewer } from './viewer.js';

function rowTable(rows) {
  const names = [...new Set(rows.flatMap(Object.keys))].slice(0, 40);
  return table(names.map((name) => column(name, name, (value) => cell(short(value)),
    { num: rows.every((row) => ['number', 'undefined'].includes(typeof row[name])) })), rows, { caption: 'Rows' });
}

/** One block of content, of tools, prompts and resources. */
export function block(content) {
  const { type, text: said, mimeType, data = content.blob, resource } = content;
  if (resource) return block(resource);
  if (type === 'image' || data && /^image\//.test(mimeType)) return h('img', { src: `data:${mimeType};base64,${data}`, alt: 'Image of the answer' });
  return said === undefined ? viewer(content) : h('pre', said);
}

/** A whole value: text in all its lines, JSON to fold; long ones to copy. */
export function whole(value) {
  const inside = typeof value === 'string' && /^\s*[[{]/.test(value) ? valueOf(value) : value;
  if (typeof inside === 'object' && inside !== null && !isRaw(inside)) return viewer(inside);
  const said = short(value);
  return [h('.whole', said), said.length > 100 ? copyButton(() => said) : null];
}

/** The value of JSON text; undefined if it is none. */
export function valueOf(json) {
  try {
    return parse(json);
  } catch {
    return undefined;
  }
}

function views(result) {
  const content = result.structuredContent ?? valueOf(textOf(result));
  const rows = Object.values(content ?? {}).find((value) => Array.isArray(value) && value.length && value.every(isObject));
  return Object.fromEntries(Object.entries({ Table: rows && (() => rowTable(rows)), Text: typeof content?.output === 'string' && (() => h('pre', content.output)),
    JSON: content !== undefined && (() => viewer(content, 'answer.json')), Content: content === undefined && (() => result.content.map(block)),
    Raw: () => h('pre', text(result)) }).filter(([, view]) => view));
}

/** The card of an answer. */
export function answerView(result, took, agent) {
  const size = JSON.stringify(result).length;
  const error = result.isError ? errorOf(result) : undefined;
  const [chosen, shown] = tabs('Answer as', views(result));
  return h('section.card.stack', { 'aria-label': 'Answer' }, h('.row', badge(error ? error.code ?? 'error' : 'ok', error ? 'bad' : 'ok'),
    h('span.muted', `${took ? `${ms(took)}, ` : ''}${bytes(size)}, ~${number(Math.ceil(size / 4))} tokens`), atEnd(chosen)),
  error ? denial(error, agent) : null, shown);
}

/** A refusal in the server's words, and where an operator sees why. */
const denial = (error, agent) => h('.problem', icon('alert'), h('div', error.message,
  agent && error.code === 'access_denied' ? [' ', h('a', { href: link('agents', [agent], { why: 1 }) }, 'Why?')] : null));

/** One question of a tool: a form with Accept and Decline. */
function question({ method, params }, answered) {
  const decline = button('Decline', () => answered({ action: 'decline' }));
  if (method !== 'elicitation/create' || !params.requestedSchema) return [h('p', `The tool asks for ${method}, which this page cannot give.`), decline];
  let answer = '{}';
  const form = new Form(params.requestedSchema, { read: () => answer, write: (next) => { answer = next; } });
  return [h('p.lines', params.message), Object.keys(params.requestedSchema.properties ?? {}).length ? form.node : null,
    h('.row', decline, button('Accept', () => answered({ action: 'accept', content: parse(answer) }), { class: 'primary' }))];
}

/** The questions of an answer that asks for input; `send` gets {inputResponses, requestState}. */
export function inputCard({ inputRequests = {}, requestState }, send) {
  const open = new Set(Object.keys(inputRequests));
  const inputResponses = {};
  const state = requestState === undefined ? {} : { requestState };
  return h('section.card.stack', { 'aria-label': 'The tool asks' }, h('h2', 'The tool asks'), [...open].map((name) => {
    const box = h('.stack');
    return fill(box, question(inputRequests[name], (response) => {
      inputResponses[name] = response;
      open.delete(name);
      fill(box, h('p.muted', `Answered: ${response.action}.`));
      if (!open.size) send({ inputResponses, ...state });
    }));
  }), open.size ? null : button('Continue', () => send(state)));
}
