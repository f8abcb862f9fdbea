// Audit records: their columns and their detail, the same on every page that shows calls.
import { badge, code, facts, h } from './dom.js';
import { link } from './route.js';
import { column, numeric } from './table.js';
import { bytes, ms, number, time } from './time.js';
import { viewer } from './viewer.js';

/** "ok", "denied" or "error". */
const outcomeOf = ({ success, denial_kind: kind, error_code: error }) => (success ? 'ok'
  : kind || ['access_denied', 'permission_denied'].includes(error) ? 'denied' : 'error');

const outcomeBadge = (_, record) => {
  const outcome = outcomeOf(record);
  return badge(outcome === 'ok' ? 'ok' : record.denial_kind ?? record.error_code ?? outcome,
    { ok: 'ok', denied: 'warn', error: 'bad' }[outcome]);
};

export const keyOf = (record) => record.audit_id ?? `${record.time} ${record.correlation_id ?? ''} ${record.tool} ${record.duration_ms}`;

export const columns = (form) => [
  column('time', 'Time', (at) => time(at, form)),
  column('tool', 'Tool', (tool) => h('span.strong', tool)),
  column('agent', 'Agent'),
  column('outcome', 'Outcome', outcomeBadge, { sort: outcomeOf }),
  numeric('duration_ms', 'Took', ms),
  numeric('result_size', 'Size', bytes),
];

/** The whole record, and where to go from it. */
export function detail(record) {
  const { correlation_id: id, tool, agent } = record;
  return h('.stack', facts([
    ['Arguments', [record.args_keys ?? []].flat().join(', ') || 'none'], ['Plugin', record.plugin && `${record.plugin} gen ${record.generation}`],
    ['Tokens', record.est_input_tokens === undefined ? '' : `~${number(record.est_input_tokens)}`],
    ['Correlation', id && code(id)], ['Authentication', record.auth_type], ['Tier', record.permissions],
    ['Error', record.error_code], ['True cause', record.denial_cause], ['Approval', record.approval]]),
  h('.row', id ? h('a.button', { href: link('audit', [], { correlation_id: id }) }, 'In the audit') : null,
    outcomeOf(record) === 'denied' ? h('a.button', { href: link('agents', [agent], { why: 1, tool }) }, 'Why?') : null,
    h('a.button', { href: link('tools', [tool], { as: agent }) }, 'Open the tool')),
  h('details', h('summary', 'Whole record'), viewer(record)));
}

/** A test of the filters that a live list has: tool, agent, outcome, at least so many ms. */
export const matches = ({ tool, agent, outcome, over }) => (record) => (!tool || record.tool.includes(tool))
  && (!agent || record.agent === agent) && (!outcome || outcomeOf(record) === outcome) && (!over || record.duration_ms >= over);
