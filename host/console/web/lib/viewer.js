// Shows a JSON value as coloured text that folds: open to depth 2, 200 members at a time. Copies and saves.
import { button, h } from './dom.js';
import { isObject, isRaw, text } from './json.js';
import { say } from './dialog.js';
import { plural } from './time.js';

const page = 200;

function scalar(value) {
  const kind = value === null ? 'null' : isRaw(value) ? 'number' : typeof value;
  return h('span', { class: `j-${kind}` }, isRaw(value) ? value.rawJSON : JSON.stringify(value));
}

/** Adds the next members, and a button for those that remain. */
function addMembers(list, entries, from, depth) {
  entries.slice(from, from + page).forEach(([name, value]) => list.append(h('li', node(value, name, depth + 1))));
  const left = entries.length - from - page;
  if (left <= 0) return;
  const more = h('li', button(`${Math.min(left, page)} more of ${left}`, () => {
    more.remove();
    addMembers(list, entries, from + page, depth);
  }, { class: 'small' }));
  list.append(more);
}

function node(value, name, depth) {
  const key = name === undefined ? null : [h('span.j-key', JSON.stringify(name)), ': '];
  const array = Array.isArray(value);
  if (!array && !isObject(value)) return [key, scalar(value)];
  const entries = array ? value.map((item) => [undefined, item]) : Object.entries(value);
  if (!entries.length) return [key, array ? '[]' : '{}'];
  const list = h('ul');
  const build = () => details.open && !list.firstChild && addMembers(list, entries, 0, depth);
  const details = h('details', { open: depth < 2, ontoggle: () => build() },
    h('summary', key, array ? '[' : '{', h('span.j-count', ` ${plural(entries.length, array ? 'item' : 'member')} `), array ? ']' : '}'), list);
  build();
  return details;
}

/** A viewer with Copy and, where `file` names one, Download. */
export const viewer = (value, file) => h('.viewer', h('.viewer-tools', copyButton(() => text(value), 'Copy', { class: 'small' }),
  file ? button('Download', () => download(file, text(value), 'application/json'), { class: 'small' }) : null),
h('.json', { tabIndex: 0, role: 'group', 'aria-label': 'JSON' }, node(value, undefined, 0)));

/** A button that copies what `make()` gives. */
export const copyButton = (make, label = 'Copy', props = {}) => button(label, async () => {
  try {
    await navigator.clipboard.writeText(make());
    say('Copied.');
  } catch {
    say('The browser does not allow to copy.');
  }
}, { class: 'small quiet', ...props });

export function download(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** CSV text. A cell that a spreadsheet would run as a formula begins with an apostrophe. */
export function csv(columns, rows, cell) {
  const quoted = (value) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const safe = (value) => quoted(/^[=+\-@\t\r]/.test(value) && !/^-?[\d.]+$/.test(value) ? `'${value}` : value);
  return [columns.map(quoted), ...rows.map((row) => columns.map((name) => safe(cell(row, name))))]
    .map((cells) => `${cells.join(',')}\r\n`).join('');
}
