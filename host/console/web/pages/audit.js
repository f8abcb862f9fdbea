// A search in the audit records.
import * as record from '../lib/record.js';
import { atEnd, button, code, column, csv, download, empty, exact, field, fill, form, go, h, head, load, plural, rpc, select, short, Table } from '../lib/ui.js';

const fields = { from: 'From', to: 'To', tool: 'Tool', agent: 'Agent', plugin: 'Plugin', outcome: 'Outcome', denial_kind: 'Denial kind', correlation_id: 'Correlation id' };
const times = ['from', 'to'];
const columns = ['time', 'tool', 'plugin', 'generation', 'agent', 'agent_id', 'success', 'error_code', 'denial_kind', 'denial_cause',
  'duration_ms', 'result_size', 'args_keys', 'correlation_id', 'audit_id'];

/** A time as its field has it: in the browser's zone, to the second. */
function localText(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '' : new Date(date - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
}

function searchForm(query) {
  const inputs = Object.fromEntries(Object.keys(fields).map((name) => {
    const value = query[name] ?? '';
    if (name === 'outcome') return [name, select([['', 'any'], 'ok', 'error', 'denied'], value)];
    return [name, times.includes(name) ? h('input', { type: 'datetime-local', step: 1, value: localText(value) })
      : h('input', { type: 'search', value, 'data-filter': name === 'tool' })];
  }));
  const limit = select(['100', '500', '1000'], query.limit ?? '100');
  const submit = () => {
    const given = Object.fromEntries(Object.entries(inputs).map(([name, { value }]) => [name, value && times.includes(name) ? new Date(value).toISOString() : value.trim()]));
    go('audit', [], { ...given, limit: limit.value === '100' ? '' : limit.value });
  };
  return form('filters', submit, Object.entries(fields).map(([name, label]) => field(label, inputs[name])), field('At most', limit),
    h('button.primary', 'Search'), button('Clear', () => go('audit')));
}

function result({ records, kept_since: since, source, more }) {
  const shown = record.columns('exact');
  shown.splice(4, 0, column('denial_cause', 'Cause'));
  const list = new Table([...shown, column('correlation_id', 'Correlation', (id) => (id ? code(id.slice(0, 12)) : ''))],
    { key: record.keyOf, open: record.detail, caption: 'Audit records', empty: empty('No record satisfies this.',
      since ? `Records are kept since ${exact(since)}.` : 'No call was recorded yet.') });
  list.update(records);
  return [h('.row', h('span.strong', `${plural(records.length, 'record')}${more ? ', and more' : ''}`),
    h('span.muted', `${source === 'file' ? 'From the audit file' : 'From memory'}${since ? `, since ${exact(since)}` : ''}.`), atEnd(
      button('CSV', () => download('audit.csv', csv(columns, records, (row, name) => short(row[name])), 'text/csv')),
      button('JSONL', () => download('audit.jsonl', records.map((one) => `${JSON.stringify(one)}\n`).join(''), 'application/jsonl')))), list.node];
}

export async function show({ root, query }) {
  const found = h('.stack', { 'aria-live': 'polite' });
  fill(root, head('Audit', 'One record of each call, run or refused.'), searchForm(query), found);
  const given = Object.fromEntries(Object.keys(fields).filter((name) => query[name]).map((name) => [name, query[name]]));
  await load(found, rpc('audit.search', { ...given, limit: Number(query.limit) || 100 }), result);
}
