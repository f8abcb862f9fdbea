// Sessions, streams and subscriptions.
import { badge, button, bytes, capital, code, column, command, empty, fill, h, head, load, note, numeric, plural, rpc, segments, span, table } from '../lib/ui.js';

const age = (seconds) => span(seconds * 1000);
const kind = column('kind', 'Kind', (text) => badge(text));
const caller = [column('principal', 'Principal'), column('agent', 'Agent')];
const session = column('session', 'Session', (id) => (id ? code(id) : ''));

const endOne = (redraw) => (id, { principal, running }) => command('End', () => rpc('session.end', { id }), { done: `Session ${id} ended.`, then: redraw,
  ask: { title: `End session ${id}?`, effect: `${principal} has to begin a new session. ${running ? `${plural(running, 'call')} will be cancelled.` : 'No call runs in it.'}` } });

const endAll = (sessions, redraw) => command('End all', () => Promise.all(sessions.map(({ id }) => rpc('session.end', { id }))), { class: 'danger',
  done: 'All sessions ended.', then: redraw, ask: { title: 'End all sessions?', typed: 'end all',
    effect: `${plural(sessions.length, 'client')} must begin again, and ${plural(sessions.reduce((sum, { running }) => sum + running, 0), 'call')} will be cancelled.` } });

const views = {
  sessions: { method: 'session.list', columns: (redraw) => [column('id', 'Session', code), caller[0], column('revision', 'Revision'),
    numeric('age_s', 'Age', age), numeric('idle_s', 'Idle', age), numeric('running', 'Calls'), numeric('streams', 'Streams'),
    numeric('queued_bytes', 'Queued', bytes), column('id', '', endOne(redraw))],
  empty: ['No sessions.', 'Clients of revision 2026-07-28 have none; older ones begin one each.'] },
  streams: { method: 'stream.list', columns: () => [kind, ...caller,
    column('hears', 'Hears of', (_, row) => ['tools', 'prompts', 'resources'].filter((name) => row[name]).join(', '), { sort: false }),
    numeric('uris', 'URIs'), numeric('tasks', 'Tasks'), session],
  empty: ['No streams.', 'A client that listens for changes has one.'] },
  subscriptions: { method: 'subscription.list', columns: () => [column('uri', 'Resource', code), ...caller, kind, session, numeric('age_s', 'Age', age)],
    empty: ['No subscriptions.', 'A client that subscribes to a resource, such as data://countries/count, appears here.'] },
};

export async function show({ root, query: { list }, leave }) {
  const content = h('.stack');
  let current = Object.hasOwn(views, list ?? '') ? list : 'sessions';
  const draw = () => load(content, rpc(views[current].method), ({ [current]: rows }) => [current === 'sessions' && rows.length > 1 ? endAll(rows, draw) : null,
    table(views[current].columns(draw), rows, { key: ({ id, uri = '', principal, session: of = '' }) => id ?? `${uri} ${principal} ${of}`, caption: current, empty: empty(...views[current].empty) })]);
  fill(root, head('Streams', segments('List', Object.keys(views).map((name) => [name, capital(name)]), current, (name) => {
    current = name;
    note({ list: name });
    draw();
  }), button('Refresh', draw)), content);
  await draw();
  const timer = setInterval(() => document.hidden || content.contains(document.activeElement) || document.querySelector('dialog[open]') || draw(), 5000);
  leave(() => clearInterval(timer));
}
