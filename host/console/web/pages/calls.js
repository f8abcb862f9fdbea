// Calls as they end, and those that run.
import { agentNames } from '../lib/caller.js';
import * as record from '../lib/record.js';
import { badge, button, column, command, empty, field, fill, h, head, icon, note, on, onGap, rpc, select, startAt, Table, time } from '../lib/ui.js';

const kept = 500;

/** The running calls, asked for every second. */
function running(leave) {
  const list = new Table([
    column('tool', 'Running', (tool) => h('span.strong', tool)), column('agent', 'Agent'), column('since', 'For', (since) => time(since, 'age')),
    column('state', 'State', (state) => badge(state.replaceAll('_', ' '), state === 'running' ? 'accent' : 'warn')),
    column('progress', 'Progress', (done, { total, note: said }) => [said, total ? `${Math.round((100 * done) / total)} %` : done].filter(Boolean).join(' '), { sort: false }),
    column('id', '', (id, { tool }) => command('Cancel', () => rpc('call.cancel', { id }), { done: `Cancelled ${tool}.` })),
  ], { key: 'id', sort: 'since', caption: 'Running calls' });
  list.node.hidden = true;
  const look = async () => {
    if (document.hidden) return;
    const { calls } = await rpc('call.active').catch(() => ({ calls: [] }));
    list.node.hidden = !calls.length;
    list.update(calls);
  };
  look();
  const timer = setInterval(look, 1000);
  leave(() => clearInterval(timer));
  return list.node;
}

class Live {
  #records;
  #waiting = [];
  #paused = false;
  #missed = 0;
  #filter;
  #list = new Table(record.columns('clock'), { key: record.keyOf, open: record.detail, sort: '-time', caption: 'Calls',
    empty: empty('Waiting for calls.', 'They appear here within a second after they end.') });
  #state = h('span.row.live', { role: 'status' });
  #pause = button('', () => this.#switch());

  constructor(records, filter) {
    this.#records = records;
    this.node = this.#list.node;
    this.head = h('span.row', this.#state, this.#pause);
    this.show(filter);
  }

  show(filter) {
    this.#filter = filter;
    this.#draw();
  }

  add(one) {
    this.#waiting.push(one);
    if (!this.#paused) this.#take();
    this.#draw();
  }

  gap(missed) {
    this.#missed += missed ?? 0;
    this.#draw();
  }

  #take() {
    this.#records = [...this.#waiting.splice(0).reverse(), ...this.#records].slice(0, kept);
  }

  #switch() {
    this.#paused = !this.#paused;
    if (!this.#paused) this.#take();
    this.#draw();
  }

  #draw() {
    fill(this.#state, h('span', { class: `dot ${this.#paused ? '' : 'on'}` }), this.#paused ? `paused, ${this.#waiting.length} new` : 'live',
      this.#missed ? badge(`${this.#missed} not shown`, 'warn', 'They came faster than they could be sent; the audit has them.') : null);
    fill(this.#pause, icon(this.#paused ? 'play' : 'pause'), this.#paused ? 'Go on' : 'Pause');
    if (!this.#paused) this.#list.update(this.#records.filter(record.matches(this.#filter)));
  }
}

function filters(state, names, changed) {
  const change = (name) => (value) => {
    state[name] = value;
    note(state);
    changed(state);
  };
  const typed = (name) => ({ target }) => change(name)(target.value.trim());
  return h('.filters',
    field('Tool', h('input', { type: 'search', value: state.tool, 'data-filter': true, oninput: typed('tool') })),
    field('Agent', select([['', 'any'], ...names], state.agent, change('agent'))),
    field('Outcome', select([['', 'any'], 'ok', 'error', 'denied'], state.outcome, change('outcome'))),
    field('At least ms', h('input.short', { inputmode: 'numeric', value: state.over, oninput: typed('over') })));
}

export async function show({ root, query: { tool = '', agent = '', outcome = '', over = '' }, leave }) {
  const [names, { records, cursor }] = await Promise.all([agentNames(), rpc('audit.search', { limit: 200 })]);
  startAt(cursor);
  const state = { tool, agent, outcome, over };
  const live = new Live(records, state);
  fill(root, head('Calls', 'Names of arguments only: values are not recorded.', live.head), running(leave), filters(state, names, (next) => live.show(next)), live.node);
  const seen = new Set(records.map(record.keyOf));
  leave(on('calls', (one) => seen.has(record.keyOf(one)) || live.add(one)));
  leave(onGap(({ missed }) => live.gap(missed)));
}
