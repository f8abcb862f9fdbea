// The server at a glance: numbers of now, load and latency, what is slow, what was denied.
import { Chart } from '../lib/chart.js';
import * as record from '../lib/record.js';
import { badge, card, code, column, copyButton, empty, fill, go, h, head, icon, link, ms, number, numeric, on, plural, rpc, segments, span, table } from '../lib/ui.js';

const length = 300;

function snippets(endpoint) {
  const pairs = { 'Claude Code': `claude mcp add --transport http gantry ${endpoint}`,
    'VS Code': `code --add-mcp '{"name":"gantry","type":"http","url":"${endpoint}"}'`,
    'Cursor (.cursor/mcp.json)': `{"mcpServers":{"gantry":{"url":"${endpoint}"}}}`, Shell: 'gantry tools' };
  return h('.snippets', Object.entries(pairs).map(([name, text]) => h('div', h('.row', h('h3', name),
    copyButton(() => text, 'Copy', { 'aria-label': `Copy for ${name}` })), h('pre', text))));
}

const tile = (name, value, { href, hot, small } = {}) => h(href ? 'a' : 'div', { class: `tile ${hot ? 'hot' : ''}`, href },
  h('.value', value, small ? h('small', ` ${small}`) : null), h('.name', name));

/** The tiles of an overview; `now` is the last gauge. */
function tiles({ counts, last_minute: minute }, now) {
  const { calls = 0, running, queued, sessions, streams, approvals } = { ...counts, ...now };
  const rate = minute.calls ? (100 * minute.errors) / minute.calls : 0;
  return [tile('calls in the last second', number(calls), { href: link('calls') }),
    tile('calls in the last minute', number(minute.calls)),
    tile('of them with errors', `${rate ? rate.toFixed(1) : 0} %`, { href: link('audit', [], { outcome: 'error' }) }),
    tile('p95 of the last minute', ms(minute.p95_ms)),
    tile('running', number(running), { small: `${number(queued)} queued` }),
    tile('sessions', number(sessions), { href: link('streams'), small: plural(streams, 'stream') }),
    tile(approvals === 1 ? 'approval waits' : 'approvals wait', number(approvals), { href: link('approvals'), hot: approvals > 0 })];
}

const toAudit = (from, to) => go('audit', [], { from: from.toISOString(), to: to.toISOString() });

class Charts {
  #calls = new Chart([{ label: 'calls', area: true }, { label: 'errors' }], { title: 'Calls', onRange: toAudit });
  #latency = new Chart([{ label: 'p50' }, { label: 'p95', colour: 's3' }, { label: 'p99' }], { title: 'Latency', format: ms, axis: (value) => (value < 1000 ? `${+value.toPrecision(3)} ms` : `${+(value / 1000).toPrecision(3)} s`), onRange: toAudit });
  #samples = [];
  #range;
  #note = h('small');

  constructor() {
    this.node = h('.stack', h('.row', segments('Range', [['5m', '5 minutes'], ['1h', '1 hour']], '5m', (range) => this.load(range)), this.#note),
      h('.grid', card(null, this.#calls.node), card(null, this.#latency.node)));
  }

  async load(range) {
    this.#range = range;
    const { samples, step_s: step } = await rpc('host.series', { range });
    fill(this.#note, `One point is ${step === 1 ? 'a second' : `${step} s`}. Drag over a chart to see its calls in the audit.`);
    this.#samples = samples;
    this.#draw();
  }

  add(sample) {
    if (this.#range !== '5m' || this.#samples.at(-1)?.time >= sample.time) return;
    this.#samples = [...this.#samples, sample].slice(-length);
    this.#draw();
  }

  #draw() {
    const times = this.#samples.map(({ time }) => time);
    const each = (...names) => names.map((name) => this.#samples.map((sample) => sample[name] ?? null));
    this.#calls.update(times, each('calls', 'errors'));
    this.#latency.update(times, each('p50_ms', 'p95_ms', 'p99_ms'));
  }
}

const slowest = (tools) => table([
  column('name', 'Tool', (name) => h('a', { href: link('tools', [name]) }, name)), numeric('calls', 'Calls', number),
  numeric('errors', 'Errors', (errors) => (errors ? badge(number(errors), 'bad') : '0')), numeric('p95_ms', 'p95', ms),
], tools.filter(({ calls }) => calls).sort((a, b) => (b.p95_ms ?? 0) - (a.p95_ms ?? 0)).slice(0, 8),
{ key: 'name', sort: '-p95_ms', title: 'Slowest tools', empty: empty('No tool was called yet.') });

function denials(records) {
  const kinds = {};
  records.forEach(({ denial_kind: denied, error_code: error, agent }) => {
    const known = kinds[denied ?? error] ??= { kind: denied ?? error, calls: 0, agents: new Set() };
    known.calls += 1;
    known.agents.add(agent);
  });
  return table([column('kind', 'Kind', (kind) => h('a', { href: link('audit', [], { outcome: 'denied', denial_kind: kind }) }, kind)),
    numeric('calls', 'Calls'), column('agents', 'Agents', (agents) => [...agents].join(', '))],
  Object.values(kinds), { key: 'kind', sort: '-calls', title: 'Denials by kind', empty: empty('Nothing was denied.') });
}

/** Which gates for writes are open; servers before the gates do not tell. */
function writes(gates) {
  const open = gates?.filter((gate) => gate.open).map(({ name }) => name.replace('GANTRY_ALLOW_', '').toLowerCase());
  return open?.length ? `writes on: ${open.join(', ')}` : open && 'writes off';
}

/** One notice, which opens to all of them. */
function warned(all) {
  if (!all.length) return null;
  const shown = all.length === 1 ? h('span', all[0]) : h('details', h('summary', plural(all.length, 'warning')), h('ul.lines', all.map((one) => h('li', one))));
  return h('.notice', icon('alert'), shown);
}

const lead = ({ version, endpoint, counts, store, gates, uptime_s: up }) => [[store ? plural(store.classes, 'class', 'classes') : 'no database', plural(counts.tools, 'tool'),
  plural(counts.agents, 'agent'), plural(counts.plugins, 'plugin'), writes(gates), `up ${span(up * 1000)}`, `version ${version}`].filter(Boolean).join(' · '), endpoint ? [' · ', code(endpoint)] : null];

export async function show({ root, leave }) {
  const charts = new Charts();
  const [overview, { tools }, { records }, latest] = await Promise.all([rpc('host.overview'), rpc('tool.list'),
    rpc('audit.search', { outcome: 'denied', limit: 500 }), rpc('audit.search', { limit: 8 }), charts.load('5m')]);
  const numbers = h('.tiles', tiles(overview, {}));
  const connect = snippets(overview.endpoint ?? `${location.origin}/mcp`);
  const begun = latest.records.length > 0;
  fill(root, head('Overview', lead(overview)), warned(overview.warnings), numbers,
    begun ? null : card('No calls yet. Connect a client:', connect), charts.node, h('.grid', slowest(tools), denials(records)),
    table(record.columns('ago'), latest.records, { key: record.keyOf, open: record.detail, title: 'Latest calls', empty: empty('No calls yet.') }),
    begun ? h('details.card', h('summary', 'Connect another client'), connect) : null);
  let last = overview;
  leave(on('gauges', (now) => {
    charts.add(now);
    fill(numbers, tiles(last, now));
  }));
  const timer = setInterval(async () => { last = document.hidden ? last : await rpc('host.overview').catch(() => last); }, 5000);
  leave(() => clearInterval(timer));
}
