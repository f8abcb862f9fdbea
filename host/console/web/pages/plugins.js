// Plugins: their state, numbers and commands.
import { badge, capital, card, code, column, command, empty, facts, fill, h, head, icon, link, load, ms, number, numeric, on, rpc,
  Table, table, viewer } from '../lib/ui.js';

const stateBadge = (state) => badge(state, { serving: 'ok', disabled: '', quarantined: 'bad', failed: 'bad' }[state] ?? 'warn');

/** Calls, errors and the slowest p95 of each plugin's tools. */
function numbersOf(tools) {
  const all = {};
  for (const { plugin, calls = 0, errors = 0, p95_ms: p95 = 0 } of tools) {
    const sum = all[plugin] ??= { calls: 0, errors: 0, p95: 0 };
    all[plugin] = { calls: sum.calls + calls, errors: sum.errors + errors, p95: Math.max(sum.p95, p95) };
  }
  return all;
}

const effects = {
  disable: 'finishes the calls that run and then offers nothing until it is enabled, also after a restart of the server.',
  unload: 'finishes the calls that run, and its code leaves the server until it is loaded again.',
  quarantine: 'offers nothing from now on, until the quarantine is lifted.',
};

/** One command with its question, if it takes something away. */
function act({ name, builtin }, word, lift) {
  const title = capital(word);
  const effect = !lift && effects[word];
  return command(lift ? 'Lift quarantine' : title, () => rpc(`plugin.${word}`, { name, lift }), { done: `${name}: ${word} is done.`,
    ask: effect && { title: `${title} ${name}?`, effect: `${name} ${effect}`, typed: word === 'unload' && builtin ? name : undefined } });
}

const commands = (_, plugin) => h('.row', act(plugin, plugin.state === 'disabled' ? 'enable' : 'reload'),
  plugin.state === 'quarantined' ? act(plugin, 'quarantine', true) : null);

const place = (isolation, { pid, restarts }) => [isolation === 'process' ? `process ${pid ?? ''}` : isolation, restarts ? h('small', ` ${restarts} restarts`) : null];

function trouble({ reason, last_failure: failure, state, generation }) {
  const texts = [...new Set([reason, failure].filter(Boolean))];
  return texts.length ? h('small.field-error', texts.join(' – '), failure && state === 'serving' ? ` (generation ${generation} still serves)` : '') : null;
}

function list(numbers) {
  const of = (name, show) => numeric(name, capital(name), (_, plugin) => show(value(name)(plugin)), { sort: value(name) });
  const value = (name) => (plugin) => numbers()[plugin.name]?.[name] ?? 0;
  return new Table([
    column('name', 'Plugin', (name, plugin) => [h('a.strong', { href: link('plugins', [name]) }, name), ' ', h('small', plugin.version), h('div', trouble(plugin))], { wide: true }),
    numeric('generation', 'Gen'), column('state', 'State', stateBadge), column('isolation', 'Where', place),
    of('calls', number), of('errors', (count) => (count ? badge(number(count), 'bad') : '0')), of('p95', (time) => (time ? ms(time) : '–')), column('do', '', commands),
  ], { key: 'name', sort: 'name', caption: 'Plugins', href: ({ name }) => link('plugins', [name]),
    empty: empty('No plugin.', 'Put a .so file into the folder that --plugins names, or start the server with --builtin-plugins.') });
}

async function showAll(root, leave) {
  const [{ plugins }, { tools }] = await Promise.all([rpc('plugin.list'), rpc('tool.list')]);
  const numbers = numbersOf(tools);
  const made = list(() => numbers);
  made.update(plugins);
  fill(root, head('Plugins', 'Calls and times are those of the records in memory.',
    command('Reload all', () => rpc('plugin.reload'), { done: 'All plugins were looked at again.', class: '' })), made.node);
  leave(on('plugins', (changed) => made.update(changed.plugins)));
}

function describe(plugin, tools) {
  const { name, state, settings } = plugin;
  const trap = trouble(plugin);
  return h('.stack', head([h('a', { href: link('plugins') }, 'Plugins'), ` / ${name}`], stateBadge(state), commands(null, plugin),
    ['disable', 'quarantine'].filter((word) => !['disabled', word === 'quarantine' && 'quarantined'].includes(state)).map((word) => act(plugin, word)), act(plugin, 'unload')),
  trap ? h('.problem', icon('alert'), trap) : null,
  card(null, facts([['Version', plugin.version], ['Generation', plugin.generation], ['Where', place(plugin.isolation, plugin)], ['Built in', plugin.builtin ? 'yes' : 'no'],
    ['File', plugin.file && code(plugin.file)], ['SHA-256', plugin.sha256 && code(plugin.sha256)],
    ['Draining', plugin.draining], ['Stuck', plugin.stuck], ['Abandoned', plugin.abandoned_calls]])),
  table([column('name', 'Tool', (tool) => h('a', { href: link('tools', [tool]) }, tool)), column('tier', 'Tier'),
    numeric('calls', 'Calls', number), numeric('errors', 'Errors'), numeric('p95_ms', 'p95', ms)], tools, { key: 'name', title: 'Tools', empty: empty('It offers no tools.') }),
  h('.grid', card('Settings', Object.keys(settings ?? {}).length ? viewer(settings) : h('p.muted', 'No settings of its own.')),
    card('Offer', viewer(plugin.offer ?? {})), card('Manifest', viewer(plugin.manifest ?? {}))));
}

async function showOne(root, name, leave) {
  const look = () => load(root, Promise.all([rpc('plugin.info', { name }), rpc('tool.list')]),
    ([plugin, { tools }]) => describe(plugin, tools.filter((tool) => tool.plugin === name)));
  await look();
  // The first event tells what is known.
  let begun = false;
  leave(on('plugins', () => {
    if (begun) look();
    begun = true;
  }));
}

export const show = ({ root, parts: [name], leave }) => (name ? showOne(root, name, leave) : showAll(root, leave));
