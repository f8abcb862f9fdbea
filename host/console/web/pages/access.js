// What the agent of this page may do, as describe_access tells it.
import { ask } from '../lib/caller.js';
import { badge, card, column, empty, facts, h, head, link, load, numeric, table, viewer } from '../lib/ui.js';

function describe({ agent, permissions, tools = [], classes = [], limits = {}, ...rest }) {
  return [card(null, facts([['Agent', agent], ['Tier', badge(permissions, 'accent')],
    ...Object.entries(limits).map(([name, value]) => [`Limit: ${name}`, String(value)])])),
  card('Tools', h('.chips', tools.map((tool) => h('a.badge.accent', { href: link('tools', [tool.name ?? tool]) }, tool.name ?? tool)))),
  table([column('name', 'Class', (name) => h('a', { href: link('data', [name]) }, name)), numeric('fields', 'Fields', (fields) => fields?.length ?? fields)],
    classes, { key: 'name', title: 'Classes', empty: empty('This agent sees no class.') }),
  Object.keys(rest).length ? card('More', viewer(rest)) : null];
}

export async function show({ root }) {
  const content = h('.stack');
  root.append(head('My access', 'What this page may do as an agent'), content);
  await load(content, ask(undefined, 'describe_access'), describe);
}
