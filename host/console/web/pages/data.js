// The data browser: classes, their rows with filters and facets, one row, and the schema. Every view is an
// address, so Back works and a link can be sent.
import { whole } from '../lib/answer.js';
import { ask, classes as classesOf, startingAgent } from '../lib/caller.js';
import { bar } from '../lib/chart.js';
import { picker } from '../lib/pick.js';
import * as schemas from '../lib/schemas.js';
import { atEnd, badge, button, card, cell, code, column, csv, download, empty, fill, form, go, h, head, icon, iconButton, isObject,
  link, load, number, plural, sayError, segments, select, short, Table, table, viewer } from '../lib/ui.js';

const page = 50;
const facetRows = 8;

/** The filters that the address has; a damaged address shows all rows. */
function filtersOf({ f = '[]' }) {
  try {
    return JSON.parse(f);
  } catch {
    return [];
  }
}

class Browser {
  constructor(agent, schema, query) {
    Object.assign(this, { agent, schema, state: { ...query, filters: filtersOf(query), skip: Number(query.skip) || 0 } });
    this.name = schema.class_name;
    this.fields = schemas.fieldsOf(schema);
    this.shown = this.state.cols?.split(',') ?? this.fields.map(({ name }) => name).slice(0, 12);
  }

  /** A view of data as this agent. */
  link(parts, query) {
    return link('data', parts, { as: this.agent, ...query });
  }

  /** This class with a changed state, as a view; a change of rows begins at the first. */
  view(change) {
    const { filters, skip, ...rest } = { ...this.state, skip: 0, ...change };
    return ['data', [this.name], { ...rest, as: this.agent, f: filters.length ? JSON.stringify(filters) : '', skip: skip || '' }];
  }

  to(change) {
    go(...this.view(change));
  }

  ask(tool, args) {
    return ask(this.agent, tool, { class_name: this.name, ...args });
  }

  args() {
    return { where: schemas.whereOf(this.state.filters, this.fields), order: this.state.order };
  }

  /** A cell: pointers are links, what is missing says so. */
  value(field, value) {
    if (value === undefined || value === null) return h('span.none', '–');
    const target = schemas.pointerOf(field, value);
    if (target) return h('a', { href: this.link([target.className, target.id]) }, target.id);
    return cell(short(value), typeof value === 'object' ? 'code' : 'span');
  }

  chips() {
    const { filters } = this.state;
    return filters.length ? h('.chips', filters.map(([field, operator, value], index) => {
      const { label = operator, bare } = schemas.operators[operator] ?? {};
      return h('span.chip', `${field} ${label} ${bare ? '' : value}`,
        iconButton('close', `Remove the filter ${field}`, () => this.to({ filters: filters.filter((_, at) => at !== index) }), { class: '' }));
    })) : null;
  }

  filterForm() {
    const field = select(this.fields.map(({ name }) => name), undefined, undefined, { 'aria-label': 'Field' });
    const value = h('input', { 'aria-label': 'Value', 'data-filter': true, placeholder: 'value  /' });
    const operator = select(Object.entries(schemas.operators).map(([key, { label }]) => [key, label]), 'is',
      (key) => { value.hidden = Boolean(schemas.operators[key].bare); }, { 'aria-label': 'Condition' });
    return form('row', () => this.to({ filters: [...this.state.filters, [field.value, operator.value, value.value]] }),
      field, operator, value, h('button', { title: 'Add the filter' }, icon('plus'), 'Filter'));
  }

  columns() {
    const boxes = this.fields.map(({ name }) => h('input', { type: 'checkbox', checked: this.shown.includes(name), value: name }));
    const apply = button('Apply', () => this.to({ skip: this.state.skip,
      cols: boxes.filter(({ checked }) => checked).map(({ value }) => value).join(',') }), { class: 'small' });
    return h('details', h('summary', `Columns: ${this.shown.length} of ${this.fields.length}`),
      h('.row.pad', boxes.map((box) => h('label.check', box, box.value)), apply));
  }

  rowTable(rows) {
    const { filters, order = '' } = this.state;
    const id = (row) => schemas.idOf(this.schema, row);
    const made = new Table(this.fields.filter(({ name }) => this.shown.includes(name)).map((field) => column(field.name, field.name,
      (value) => this.value(field, value), { num: /^(Number|Integer)$/.test(field.type) && !field.target_class, sort: schemas.sorts(field) && undefined })),
    { key: id, sort: order, href: (row) => this.link([this.name, id(row)]), onSort: (next) => this.to({ order: next }), caption: `Rows of ${this.name}`,
      empty: empty('No row satisfies these filters.', filters.length ? button('Remove the filters', () => this.to({ filters: [] })) : 'The class is empty for this agent.') });
    made.update(rows);
    return made.node;
  }

  pages({ has_more: more } = {}, rows) {
    const { skip } = this.state;
    return h('.row.pad', h('span.muted', rows.length ? `Rows ${number(skip + 1)} to ${number(skip + rows.length)}` : ''),
      button('Previous', () => this.to({ skip: Math.max(0, skip - page) }), { class: 'small', disabled: !skip }),
      button('Next', () => this.to({ skip: skip + page }), { class: 'small', disabled: !more }), atEnd(
        button('CSV', () => download(`${this.name}.csv`, csv(this.shown, rows, (row, name) => short(row[name])), 'text/csv'), { class: 'small', title: 'These rows as a file' }),
        h('a', { href: link('tools', ['query_class'], { as: this.agent,
          args: JSON.stringify({ class_name: this.name, ...this.args(), limit: page, skip: skip || undefined }) }) }, 'As a call')));
  }

  rows(element) {
    return load(element, this.ask('query_class', { ...this.args(), limit: page, skip: this.state.skip || undefined }), ({ results, pagination, warnings = [] }) => [
      warnings.length ? h('.notice', warnings.map((one) => one.message ?? short(one)).join(' ')) : null, this.rowTable(results), this.pages(pagination, results)]);
  }

  async count(element) {
    try {
      fill(element, plural((await this.ask('count_objects', { where: this.args().where })).count, 'row'));
    } catch (error) {
      if (!this.state.filters.length) sayError(error);
    }
  }

  facets() {
    const fit = this.fields.filter((field) => schemas.facets(field, this.schema));
    const first = fit.filter(({ indexed }) => indexed && (this.schema.estimated_rows ?? 0) < 200000).slice(0, 3);
    return h('aside.facets', { 'aria-label': 'Facets' }, fit.map((field) => {
      const box = h('.facet');
      const show = () => load(box, this.ask('group_by', { field: field.name, sort: 'value_desc', limit: facetRows, where: this.args().where }),
        ({ groups }) => this.facet(field, groups));
      if (first.includes(field)) show();
      else fill(box, button(`Values of ${field.name}`, show, { class: 'small quiet' }));
      return box;
    }));
  }

  facet({ name }, groups) {
    const most = Math.max(1, ...groups.map(({ value }) => Number(value)));
    if (most === 1 && groups.length === facetRows) return [h('h2.minor', name), h('span.muted', 'Each value is there once.')];
    return [h('h2.minor', name), groups.map(({ key, value }) => {
      const filter = key === null || key === undefined ? [name, 'empty', ''] : [name, 'is', isObject(key) ? key.objectId ?? short(key) : short(key)];
      return h('a', { href: link(...this.view({ filters: [...this.state.filters, filter] })) }, h('span', filter[2] || 'empty'),
        h('span.muted', number(Number(value))), bar(Number(value) / most));
    })];
  }

  show(right) {
    const { tab = 'rows' } = this.state;
    const count = h('span');
    const list = h('div');
    const top = h('div', head(this.name, count, segments('View', [['rows', 'Rows'], ['schema', 'Schema']], tab,
      (name) => go('data', [this.name], { as: this.agent, tab: name === 'rows' ? '' : name }))), this.schema.description ? h('p.muted', this.schema.description) : null);
    if (tab === 'schema') return void fill(right, h('.stack', top, this.schemaView()));
    fill(right, h('.stack', top, h('.with-facets', h('.stack', this.filterForm(), this.chips(), this.columns(), list), this.facets())));
    return Promise.all([this.count(count), this.rows(list)]);
  }

  schemaView() {
    const yes = (is) => (is ? 'yes' : '');
    return [table([column('name', 'Field', code), column('type', 'Type'),
      column('target_class', 'Points to', (name) => (name ? h('a', { href: this.link([name]) }, name) : '')),
      column('required', 'Required', yes), column('indexed', 'Indexed', yes),
      column('description', 'Meaning', (text, { allowed_values: allowed }) => [text, allowed ? ` One of: ${allowed.map(short).join(', ')}` : null], { sort: false, wide: true }),
    ], this.schema.fields, { key: 'name', caption: 'Fields' }), this.schema.indexes?.length ? card('Indexes', viewer(this.schema.indexes)) : null];
  }

  async showRow(right, id, classes) {
    const more = h('div');
    await load(right, this.ask('get_object', { object_id: id }), ({ object }) => h('.stack', head([h('a', { href: this.link([this.name]) }, this.name), ` ${id}`]),
      h('section.card.flush', h('table', h('tbody', [...new Set([...this.fields.map(({ name }) => name), ...Object.keys(object)])].map((key) => {
        const field = this.fields.find(({ name }) => name === key) ?? { name: key };
        const value = object[key];
        return h('tr', h('th', { scope: 'row' }, key), h('td', (value ?? null) === null || schemas.pointerOf(field, value) ? this.value(field, value) : whole(value)));
      })))), more));
    await schemas.all(this.agent, classes.map(({ name }) => name)).then((all) => fill(more, this.referrers(all, id)), sayError);
  }

  /** Rows of other classes that point at this one. */
  referrers(all, id) {
    const found = all.flatMap((schema) => schemas.fieldsOf(schema).filter(({ target_class: to }) => to === this.name).map((field) => [schema.class_name, field]));
    return card('Referenced by', found.length ? h('ul', found.map(([name, field]) => {
      const filters = [[field.name, 'is', id]];
      const count = h('span.muted');
      this.ask('count_objects', { class_name: name, where: schemas.whereOf(filters, [field]) }).then((answer) => fill(count, number(answer.count)), () => {});
      return h('li.row', h('a', { href: this.link([name], { f: JSON.stringify(filters) }) }, `${name}.${field.name}`), count);
    })) : h('p.muted', 'No class points to this one.'));
  }
}

const intro = (classes) => card(null, h('h1', 'Data'), h('p.muted',
  classes.length ? `${plural(classes.length, 'class', 'classes')}. Choose one to see its rows, filter them, and follow pointers.`
    : 'There is nothing to show. Start the server with --db FILE.'), h('.chips', classes.slice(0, 12).map(({ name }) => badge(name))));

export async function show({ root, parts: [name, id], query }) {
  const right = h('div');
  const { names, agent } = await startingAgent(query);
  const classes = await classesOf(agent);
  fill(root, h('.split', picker({ what: 'classes', names, agent, view: (as) => ['data', name ? [name] : [], { as }],
    entries: classes.map((one) => ({ text: one.name, node: h('a', { href: link('data', [one.name], { as: agent }), 'aria-current': one.name === name ? 'page' : null }, one.name) })),
    none: (any) => (any ? empty('No class has this word.') : empty('This agent sees no class.', agent ? h('a', { href: link('agents', [agent]) }, 'Look at the agent') : '')) }), right));
  if (!name) return void fill(right, intro(classes));
  let schema;
  await load(right, schemas.one(agent, name), (found) => { schema = found; });
  if (!schema) return;
  const browser = new Browser(agent, schema, query);
  await (id === undefined ? browser.show(right) : browser.showRow(right, id, classes));
}
