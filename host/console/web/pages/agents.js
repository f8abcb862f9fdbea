// Agents, what each may do, and why a call would be refused.
import { badge, bytes, card, column, empty, facts, field, form, h, head, link, load, note, numeric, plural, rpc, select, short, table, viewer } from '../lib/ui.js';

const tier = (name) => badge(name, { write: 'warn', admin: 'bad' }[name]);
const words = ({ only, except } = {}) => (only ? `only ${only.join(', ')}` : except?.length ? `all but ${except.join(', ')}` : 'all');
const cell = (list) => h('span.cell', words(list));
const credential = ({ auth }) => (auth ? `${auth.mode} ${auth.fingerprint ?? ''}` : '');
const limit = (one) => (one?.calls ? `${plural(one.calls, 'call')} in ${one.seconds} s` : one);
const caps = ({ rows, bytes: size } = {}) => [rows && plural(rows, 'row'), size && bytes(size)].filter(Boolean).join(', ');
const strict = ({ tools, classes } = {}) => [tools && 'tools', classes && 'classes'].filter(Boolean).join(' and ') || 'no';
const approval = ({ tiers = [], tools = [], methods = [], rows, by } = {}) => [
  ...[['tier', tiers], ['tool', tools], ['method', methods]].filter(([, names]) => names.length).map(([kind, names]) => `${kind} ${names.join(', ')}`),
  rows && `more than ${plural(rows, 'row')}`, by && `asks ${by === 'client' ? 'the client' : by}`].filter(Boolean).join('; ') || 'none';

const list = (agents) => table([
  column('agent', 'Agent', (agent) => h('a.strong', { href: link('agents', [agent]) }, agent)), column('permissions', 'Tier', tier),
  column('auth', 'Credential', (_, agent) => credential(agent), { sort: credential }), column('tenant_id', 'Tenant'),
  column('classes', 'Classes', cell, { sort: false }), column('tools', 'Tools', cell, { sort: false }),
  numeric('filters', 'Row filters', (filters = {}) => Object.keys(filters).length, { sort: false }), column('rate_limit', 'Limit', limit, { sort: false }),
], agents, { key: 'agent', sort: 'agent', caption: 'Agents', href: ({ agent }) => link('agents', [agent]),
  empty: empty('No profile.', 'Without --agents there is one agent: local, readonly.') });

function layers(agent) {
  const { classes, hidden_classes: hidden = [], tools = {}, methods, filters = {}, agent: name } = agent;
  const rules = [['Tenant', agent.tenant_id], ['Roles', agent.roles?.join(', ')], ['SQL', agent.sql && short(agent.sql)], ['Limit', limit(agent.rate_limit)],
    ['Caps', caps(agent.caps)], ['Strict', strict(agent.strict)], ['Approval', approval(agent.approval)]];
  return [card('Profile', facts([['Tier', tier(agent.permissions)], ['Credential', credential(agent)], ...rules])),
    h('.grid', card('Classes', h('p', words(classes)), hidden.length ? h('p.muted', `Hidden: ${hidden.join(', ')}`) : null),
      card('Tools and methods', h('p', `Tools: ${words(tools)}`), h('p', `Methods: ${words(methods)}`)),
      card('Row filters', Object.keys(filters).length ? facts(Object.entries(filters).map(([of, fields]) => [of, fields.join(', ')])) : h('p.muted', 'None. Filters show as field names only.'))),
    card('Effective tools', tools.effective?.length ? h('.chips', tools.effective.map((tool) => h('a.badge.accent', { href: link('tools', [tool], { as: name }) }, tool)))
      : h('span.muted', 'None'))];
}

const verdicts = (all) => table([column('tool', 'Tool'), column('class', 'Class'),
  column('allowed', 'Allowed', (allowed) => badge(allowed ? 'yes' : 'no', allowed ? 'ok' : 'bad')), column('cause', 'Cause'),
  column('reason', 'Reason', undefined, { sort: false, wide: true }),
], all, { key: ({ tool, class: name }) => `${tool} ${name}`, caption: 'Verdicts', empty: empty('No tool.') });

/** One verdict in words. */
const sentence = ({ tool, class: name, allowed, cause, reason, error_code: code }, agent) => h('div', { class: allowed ? 'notice' : 'problem', role: 'status' },
  h('div', h('span.strong', allowed ? 'Yes. ' : 'No. '), `${agent} ${allowed ? 'may' : 'may not'} call ${tool}${name ? ` with class ${name}` : ''}. `,
    reason, cause || code ? h('.mono', [code, cause].filter(Boolean).join(', ')) : null));

function why(agent, tools, query) {
  const answer = h('div', { 'aria-live': 'polite' });
  const tool = select([['', 'every tool'], ...tools.map(({ name }) => name)], query.tool ?? '');
  const name = h('input', { value: query.class ?? '', placeholder: 'none' });
  const look = () => {
    const asked = name.value.trim();
    note({ why: 1, tool: tool.value, class: asked });
    return load(answer, rpc('agent.permit', { agent, tool: tool.value || undefined, classes: asked ? [asked] : undefined }),
      ({ verdicts: all }) => (all.length === 1 ? sentence(all[0], agent) : verdicts(all)));
  };
  if (query.why) look();
  return h('section.card.stack', h('h2', 'Why denied?'), form('filters', look, field('Tool', tool), field('Class', name), h('button.primary', 'Ask')), answer);
}

export const show = ({ root, parts: [name], query }) => (name
  ? load(root, Promise.all([rpc('agent.describe', { agent: name }), rpc('tool.list')]), ([agent, { tools }]) => h('.stack',
    head([h('a', { href: link('agents') }, 'Agents'), ` / ${name}`], null, h('a.button', { href: link('data', [], { as: name }) }, 'Data as this agent'),
      h('a.button', { href: link('audit', [], { agent: name }) }, 'Its calls')),
    why(name, tools, query), layers(agent), h('details.card', h('summary', 'As JSON'), viewer(agent))))
  : load(root, rpc('agent.list'), ({ agents }) => h('.stack', head('Agents', plural(agents.length, 'profile')), list(agents))));
