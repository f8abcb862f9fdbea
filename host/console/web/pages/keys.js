// API keys: without their secrets, but for a new one, which is shown once.
import { agentNames } from '../lib/caller.js';
import { ago, badge, button, code, column, command, confirm, copyButton, during, empty, field, fill, form, h, head, link, load, open, rpc, select, table, time } from '../lib/ui.js';

const showKey = ({ agent, key }) => open('The new key', (close) => [
  h('p', `This is the only time that it is shown. Its requests run as ${agent}.`), h('pre', key),
  h('.dialog-actions', copyButton(() => key, 'Copy', { class: '', 'data-first': true }), button('Done', () => close(), { class: 'primary' }))]);

/** Asks before the first key, after which a key is needed: `others` is the agent of callers without one. */
const agreed = async (others) => !others || !await isFirst() || confirm({ title: 'Make the first key?', action: 'Make the key',
  effect: `Now callers of this machine need no key: they act as ${others}. With the first key that ends at once, and each of them needs a key.` });

const isFirst = async () => !(await rpc('key.list')).keys.length;

function addForm(names, others, redraw) {
  const agent = select(names, names[0]);
  const said = h('input', { maxLength: 200 });
  const days = select([['', 'never'], ['1', 'in a day'], ['30', 'in 30 days'], ['365', 'in a year']], '30');
  const submit = h('button.primary', { disabled: !names.length }, 'Make a key');
  const make = async () => showKey(await rpc('key.add', { agent: agent.value, note: said.value.trim() || undefined,
    expires_s: days.value ? Number(days.value) * 86400 : undefined }));
  return form('filters', async () => await agreed(others) && await during(submit, make) && redraw(), field('Agent', agent), field('Note', said), field('Expires', days), submit);
}

const list = (keys, { names, others }, redraw) => table([
  column('id', 'Key', code), column('agent', 'Agent', (agent) => (names.includes(agent) ? h('a', { href: link('agents', [agent]) }, agent)
    : [agent, ' ', badge('no such profile', 'bad', 'The key is refused until there is a profile of this name.')])),
  column('note', 'Note'), column('created', 'Made', ago), column('last_used', 'Last used', (at) => (at ? time(at) : h('span.none', 'never'))),
  column('expires', 'Expires', (at) => (at ? time(at) : 'never')),
  column('fingerprint', 'Fingerprint', (fingerprint, { replaced_by: next }) => [code(fingerprint), next ? badge('replaced', 'warn') : null]),
  column('id', '', (id, { agent }) => command('Revoke', () => rpc('key.revoke', { id }), { done: `${id} is revoked.`, then: redraw,
    ask: { title: `Revoke ${id}?`, typed: id, effect: `What clients of ${agent} have open with this key ends at once.` } })),
], keys, { key: 'id', sort: '-created', caption: 'Keys', empty: empty('No keys.', others ? `Without keys every caller of this machine is the agent ${others}.` : 'Callers without a credential are refused.') });

export async function show({ root }) {
  const content = h('div');
  const [names, { settings }] = await Promise.all([agentNames(), rpc('settings.show')]);
  const valueOf = (name) => settings.find(({ key }) => key === name)?.value;
  const others = valueOf('agent') || (valueOf('agents') ? '' : 'local');
  const draw = () => load(content, rpc('key.list'), ({ keys }) => list(keys, { names, others }, draw));
  fill(root, head('Keys', 'Each key is the credential of one profile.'), addForm(names, others, draw), content);
  await draw();
}
