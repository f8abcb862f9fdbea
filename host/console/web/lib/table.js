// Tables: a sticky head, columns that sort, rows by key that open with Enter, and a line for none.
import { button, fill, h, icon } from './dom.js';

const limit = 500;

/** A column; `draw(value, row)` draws a cell, without it the member `key` is shown. `more` has the rarer choices. */
export const column = (key, label, draw, more) => ({ key, label, draw, ...more });
/** One of numbers: on the right. */
export const numeric = (key, label, draw, more) => column(key, label, draw, { num: true, ...more });

/** Orders numbers as numbers and the rest as text; nothing comes last. */
function compare(a, b) {
  if (a === b) return 0;
  if (a === undefined || a === null) return 1;
  if (b === undefined || b === null) return -1;
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true });
}

/**
 * columns: {key, label, draw?, num?, wide?, sort?: false | (row) => value}.
 * options: {key: name of a member or (row) => id, open?: (row) => content shown below the row, href?: (row) => where the
 * row leads, empty, sort: '-key', title or only caption, onSort?}. With onSort the caller sorts.
 */
export class Table {
  #columns;
  #options;
  #rows = [];
  #sort;
  #opened = new Set();
  #head = h('tr');
  #body = h('tbody');
  #note = h('.table-note');

  constructor(columns, options = {}) {
    this.#columns = columns;
    this.#options = options;
    this.#sort = options.sort ?? '';
    const { title, caption = title } = options;
    this.node = h('section.card.flush', title ? h('h2', title) : null, h('.table-scroll',
      h('table', caption ? h('caption.hidden', caption) : null, h('thead', this.#head), this.#body)), this.#note);
    this.#drawHead();
  }

  update(rows) {
    this.#rows = rows;
    this.#draw();
  }

  #drawHead() {
    fill(this.#head, this.#columns.map((one) => {
      const on = this.#sort.replace('-', '') === one.key;
      const down = on && this.#sort.startsWith('-');
      return h('th', { scope: 'col', class: one.num ? 'num' : '', 'aria-sort': on ? (down ? 'descending' : 'ascending') : null },
        one.sort !== false && one.label ? button([one.label, on ? icon(down ? 'down' : 'up') : null], () => this.#by(one, on && !down), { class: 'sort' })
          : one.label || h('span.hidden', 'Actions'));
    }));
  }

  #by({ key }, down) {
    this.#sort = (down ? '-' : '') + key;
    this.#drawHead();
    if (this.#options.onSort) this.#options.onSort(this.#sort);
    else this.#draw();
  }

  #ordered() {
    const by = this.#columns.find(({ key }) => key === this.#sort.replace('-', ''));
    if (!by || this.#options.onSort) return this.#rows;
    const value = by.sort ?? ((row) => row[by.key]);
    const sign = this.#sort.startsWith('-') ? -1 : 1;
    return [...this.#rows].sort((a, b) => sign * compare(value(a), value(b)));
  }

  #draw() {
    const had = this.#body.contains(document.activeElement) ? document.activeElement.closest('tr').dataset.row : undefined;
    const all = this.#ordered();
    fill(this.#body, all.slice(0, limit).map((row, index) => this.#row(row, String(this.#id(row) ?? index))));
    fill(this.#note, all.length ? null : this.#options.empty,
      all.length > limit ? `The first ${limit} of ${all.length}. Filter to see others.` : null);
    if (had !== undefined) [...this.#body.children].find((row) => row.dataset.row === had)?.focus();
  }

  #id(row) {
    const { key } = this.#options;
    return typeof key === 'function' ? key(row) : row[key];
  }

  #row(row, id) {
    const { open, href } = this.#options;
    const acts = Boolean(open || href);
    const opened = this.#opened.has(id);
    const line = h('tr', { data: { row: id }, tabIndex: acts ? 0 : -1, 'aria-description': acts ? 'Enter opens it' : null,
      class: `${acts ? 'acts' : ''} ${opened ? 'opened' : ''}` },
    this.#columns.map(({ key, draw, num, wide }) => h('td', { class: num ? 'num' : wide ? 'wide' : '' }, draw ? draw(row[key], row) : row[key])));
    if (!acts) return line;
    const act = () => (href ? (location.hash = href(row)) : this.#toggle(line, row, id));
    line.addEventListener('click', ({ target }) => target.closest('a, button, input, select') || getSelection().toString() || act());
    line.addEventListener('keydown', ({ target, key }) => target === line && key === 'Enter' && act());
    return opened ? [line, this.#below(row)] : line;
  }

  #below(row) {
    return h('tr.below', h('td', { colspan: this.#columns.length }, this.#options.open(row)));
  }

  #toggle(line, row, id) {
    if (line.classList.toggle('opened')) {
      this.#opened.add(id);
      line.after(this.#below(row));
    } else {
      this.#opened.delete(id);
      line.nextElementSibling.remove();
    }
  }
}

/** A list that the page shows as a table at once. */
export function table(columns, rows, options) {
  const made = new Table(columns, options);
  made.update(rows);
  return made.node;
}
