// The keyboard: g and a letter opens a page, / goes to the filter, j k Enter move in rows, ? shows help.
// Keys of one character can be switched off; nothing works only by them.
import { button, h } from './dom.js';
import { open } from './dialog.js';
import { recall, remember } from './store.js';

const singleKeys = () => recall('keys', true);
const find = (what) => document.querySelector(what);

let afterG = false;
let pages = new Map();

function move(step) {
  const all = [...document.querySelectorAll('#main [data-row]')].filter((row) => row.offsetParent !== null);
  const at = all.indexOf(document.activeElement?.closest?.('[data-row]'));
  all[Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + step))]?.focus();
}

const commands = {
  '/': () => find('#main [data-filter]')?.focus(),
  j: () => move(1),
  k: () => move(-1),
  '?': () => help(),
};

function onKey(event) {
  const { key, target } = event;
  if (event.ctrlKey && key === 'Enter') return void find('#main [data-run]:not(:disabled)')?.click();
  if (event.ctrlKey || event.altKey || event.metaKey || !singleKeys() || find('dialog[open]')
    || target.closest?.('input, textarea, select')) return;
  const page = afterG && pages.get(key);
  afterG = !page && key === 'g';
  const run = page ? () => { location.hash = page.href; } : Object.hasOwn(commands, key) && commands[key];
  if (!run) return;
  event.preventDefault();
  run();
}

/** `list` holds {key, title, href} of each page that the navigation shows. */
export function setPages(list) {
  pages = new Map(list.filter(({ key }) => key).map((page) => [page.key, page]));
}

export const listen = () => document.addEventListener('keydown', onKey);

const row = (keys, what) => h('div', h('dt', keys.map((key) => h('kbd', key))), h('dd', what));

export function help() {
  const box = h('input', { type: 'checkbox', checked: singleKeys(), onchange: () => remember('keys', box.checked) });
  return open('Keyboard', (close) => [
    h('dl.facts.keys', [...pages.values()].map(({ key, title }) => row(['g', key], title)),
      row(['/'], 'Go to the filter'), row(['j', 'k'], 'Next row, row before'), row(['Enter'], 'Open the row'),
      row(['Ctrl', 'Enter'], 'Run'), row(['Esc'], 'Close'), row(['?'], 'This list')),
    h('label.check', box, ' Keys of one character work'),
    h('.dialog-actions', button('Close', () => close(), { 'data-first': true })),
  ], 'wide');
}
