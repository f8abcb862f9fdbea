// Elements from calls: h('button.primary', {onclick: run}, 'Run'); h('.row', …) is a div. Text is always text: nothing
// here parses HTML, and the content security policy forbids it. Every text of the page is appended here.
import { visible, visibleParts } from './visible.js';

const properties = new Set(['value', 'checked', 'disabled', 'hidden', 'open', 'tabIndex', 'spellcheck']);
const spoken = ['title', 'aria-label', 'placeholder', 'alt'];

const mark = (name) => h('span.unseen', { title: 'A character that would not be seen as it is' }, name);

/** A child as nodes. Options and drawings hold bare text only. */
function nodesOf(child, bare) {
  if (child instanceof Node) return child;
  return bare ? visible(child) : visibleParts(child, mark);
}

/** Appends nodes, texts and nested lists of them; null, undefined and false are left out. */
export function append(parent, ...children) {
  const bare = parent.tagName === 'OPTION' || parent instanceof SVGElement;
  parent.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
    .flatMap((child) => nodesOf(child, bare)));
  return parent;
}

function put(element, name, value) {
  if (value === null || value === undefined) return;
  if (spoken.includes(name)) value = visible(value);
  if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
  else if (name === 'data') Object.assign(element.dataset, value);
  else if (properties.has(name)) element[name] = value;
  else if (value !== false) element.setAttribute(name, value === true ? '' : value);
}

function make(element, props, children) {
  Object.entries(props).forEach(([name, value]) => put(element, name, value));
  return append(element, ...children);
}

/** tag: "name.class.class"; the properties may be left out. */
export function h(tag, ...rest) {
  const [name, ...classes] = tag.split('.');
  const props = rest[0]?.constructor === Object ? rest.shift() : {};
  if (classes.length) props.class = classes.join(' ');
  return make(document.createElement(name || 'div'), props, rest);
}

export const svg = (tag, props = {}, ...children) =>
  make(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children);

/** Replaces what an element holds. */
export function fill(parent, ...children) {
  parent.replaceChildren();
  return append(parent, ...children);
}

/** A symbol of icons.svg; hidden from screen readers, so its button or link needs a name. */
export const icon = (name) => svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
  svg('use', { href: `/console/icons.svg#${name}` }));

export const button = (text, onclick, props = {}) => h('button', { type: 'button', onclick, ...props }, text);

/** A button that shows only an icon. */
export const iconButton = (name, label, onclick, props = {}) =>
  button(icon(name), onclick, { class: 'icon-button', 'aria-label': label, title: label, ...props });

let lastId = 0;
export const newId = (prefix) => `${prefix}-${++lastId}`;

/** A label above a control. */
export function field(label, control, hint) {
  control.id ||= newId('field');
  const said = hint && h('small', { id: newId('hint') }, hint);
  if (said) control.setAttribute('aria-describedby', said.id);
  return h('.field', h('label', { for: control.id }, label), control, said);
}

/** A choice from [value, text] pairs or plain values. */
export function select(options, value, onchange, props = {}) {
  const list = h('select', { onchange: () => onchange?.(list.value), ...props }, options.map((option) => {
    const [key, text = key] = [option].flat();
    return h('option', { value: key }, text);
  }));
  if (value !== undefined && value !== null) list.value = value;
  return list;
}

/** A field for a word that filters what is below; / leads to it. */
export const filterField = (what, oninput, props = {}) => h('input', { type: 'search', placeholder: `Filter ${what}  /`,
  'aria-label': `Filter ${what}`, 'data-filter': true, oninput, ...props });

/** Buttons of which one is pressed: [value, text] pairs. */
export function segments(label, options, value, onchange) {
  const box = h('.segments', { role: 'group', 'aria-label': label }, options.map(([key, text]) => button(text, ({ currentTarget }) => {
    [...box.children].forEach((one) => one.setAttribute('aria-pressed', String(one === currentTarget)));
    onchange(key);
  }, { 'aria-pressed': String(key === value) })));
  return box;
}

/** Views under names, of which one is shown: {name: node or () => node}. */
export function tabs(label, views) {
  const make = (name) => (typeof views[name] === 'function' ? views[name]() : views[name]);
  const [first] = Object.keys(views);
  const shown = h('div', make(first));
  return [segments(label, Object.keys(views).map((name) => [name, name]), first, (name) => fill(shown, make(name))), shown];
}

/** A form that is sent by a call, never by the browser. */
export const form = (kind, submit, ...children) => h(`form.${kind}`, { onsubmit: (event) => {
  event.preventDefault();
  return submit();
} }, ...children);

export const badge = (text, kind = '', title) => h('span', { class: `badge ${kind}`, title }, text);
export const code = (text) => h('code', text);

/** A value in a cell, of which a table shows three lines: a click shows all, and so does its title. */
export const cell = (text, tag = 'span') => h(`${tag}.cell`, { title: String(text).length > 100 ? String(text).slice(0, 2000) : null,
  onclick: ({ currentTarget }) => currentTarget.classList.toggle('all') }, text);

/** What a page shows in place of an empty list: a sentence, and what to do. */
export const empty = (title, ...more) => h('.empty', h('p.strong', title), more.length ? h('div', ...more) : null);

export const card = (title, ...children) => h('section.card', title ? h('h2', title) : null, ...children);

/** The line at the top of a page: its title, a word about it, and what can be done. */
export const head = (title, lead, ...actions) => h('.page-head', h('h1', { tabIndex: -1 }, title),
  lead ? h('span.lead', lead) : null, actions.length ? h('.actions', actions) : null);

/** Content at the end of its row. */
export const atEnd = (...content) => h('span.end.row', content);

/** Terms and their values; pairs without a value are left out. */
export const facts = (pairs) => h('dl.facts', pairs
  .filter(([, value]) => value !== undefined && value !== null && value !== '')
  .map(([name, value]) => h('div', h('dt', name), h('dd', value))));

/** An error's sentence where the result would stand. */
export function problem(error) {
  if (error instanceof TypeError || error instanceof ReferenceError) console.error(error);
  return h('.problem', { role: 'alert' }, icon('alert'), h('div', error.message ?? String(error)));
}
