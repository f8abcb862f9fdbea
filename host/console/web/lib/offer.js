// The playground's frame: what an agent is offered, as tabs of tools, prompts and resources, beside one of them.
import { read, startingAgent } from './caller.js';
import { load } from './dialog.js';
import { fill, form, h, segments } from './dom.js';
import { Form } from './form.js';
import { picker } from './pick.js';
import { go, link, note } from './route.js';

const kinds = [['tools', 'Tools'], ['prompts', 'Prompts'], ['resources', 'Resources']];

/**
 * Draws the list of a kind and calls show(right, agent, items). `list(agent)` resolves with the items, `entry(item)` gives
 * {name, words?, group?, title?, faint?, small?}.
 */
export async function offer({ root, parts: [current], query }, kind, { list, entry, none, show }) {
  const { names, agent } = await startingAgent(query);
  const items = await list(agent);
  const right = h('div');
  const entries = items.map(entry).map(({ name, words = '', group, title, faint, small }) => ({ text: `${name} ${words}`, group,
    node: h('a', { href: link(kind, [name], { as: agent }), title, class: faint ? 'shut' : '', 'aria-current': name === current ? 'page' : null }, name, small ? h('small', small) : null) }));
  fill(root, h('.split', picker({ what: kind, entries, names, agent, none, view: (as) => [kind, current ? [current] : [], { as }],
    above: segments('Offer', kinds, kind, (next) => go(next, [], { as: agent })) }), right));
  await show(right, agent, items);
}

/** What stands there while nothing is chosen. */
export const intro = (title, ...words) => h('section.card', h('h1', title), h('p.muted', ...words));

/**
 * One item that is read: a form of its arguments `names` [{name, description?, required?}], completed by the server, and
 * what ask(args) resolves with, drawn. Without arguments it is read at once.
 */
export async function reader(right, agent, query, { name, title, description, action, names, ref, ask, draw }) {
  const output = h('div', { 'aria-live': 'polite' });
  let text = query.args ?? '{}';
  const args = () => JSON.parse(text);
  const values = (argument, value) => read(agent, 'completion/complete', { ref, argument: { name: argument, value }, context: { arguments: args() } });
  const fields = new Form({ properties: Object.fromEntries(names.map((one) => [one.name, { type: 'string', ...one, title: one.title ?? one.name }])),
    required: names.filter(({ required }) => required).map((one) => one.name) },
  { read: () => text, write: (next) => { text = next; }, complete: async (...typed) => (await values(...typed).catch(() => ({}))).completion?.values ?? [] });
  const run = () => {
    note({ as: agent, args: names.length ? text.replace(/\n\s*/g, ' ') : '' });
    return load(output, ask(args()), draw);
  };
  fill(right, h('.stack', form('card.stack', run, h('div', h('.row', h('h1', name), title ? h('span.muted', title) : null), h('p', description)),
    names.length ? fields.node : null, h('.row', h('button.primary', { 'data-run': true, title: 'Ctrl+Enter' }, action))), output));
  if (!names.length || query.args) await run();
}
