// Calls that wait for a person: what would run, before and after, and the answer.
import { diffTable } from '../lib/diff.js';
import { ago, atEnd, badge, button, card, command, empty, facts, field, fill, h, head, isObject, load, on, plural, rpc, time, viewer } from '../lib/ui.js';

/** Pairs {before, after} of a preview, wherever a tool puts them. */
function pairsOf(preview) {
  if (!isObject(preview)) return [];
  const has = (one) => isObject(one) && ('before' in one || 'after' in one);
  return [preview, ...Object.values(preview).filter(Array.isArray).flat()].filter(has).slice(0, 20);
}

function previewView(preview) {
  if (preview === undefined) return h('p.muted', 'The tool gives no preview. Judge by the arguments.');
  const pairs = pairsOf(preview);
  return [pairs.map(({ before, after }) => diffTable(before, after)),
    pairs.length ? h('details', h('summary', 'Whole preview'), viewer(preview)) : viewer(preview)];
}

/** Note and answer. How many rows the preview says stands on the button. */
function answering({ id, tool }, preview, then) {
  const why = h('input', { maxLength: 500, placeholder: 'optional' });
  const rows = ['rows', 'affected', 'matched', 'count'].map((name) => preview?.[name]).find((count) => typeof count === 'number');
  const answer = (label, accept, kind) => command(label, () => rpc('approval.answer', { id, accept, note: why.value.trim() || undefined }),
    { done: `${tool}: ${accept ? 'accepted' : 'declined'}.`, then, class: kind });
  return h('.row', field('Note', why), atEnd(answer('Decline', false, ''), answer(rows === undefined ? 'Accept' : `Accept: ${plural(rows, 'row')}`, true, 'primary')));
}

/** A card; accepting is possible only once the arguments and the preview were opened. */
function waitingCard(waiting, gone) {
  const { id, tool, agent, title, user, asked, expires_s: left } = waiting;
  const body = h('.stack');
  const open = button('Review', () => {
    open.hidden = true;
    load(body, rpc('approval.show', { id }), ({ arguments: args = {}, preview }) => {
      const shown = preview?.structuredContent ?? preview;
      return h('.stack', h('.diff', h('div', h('h3', 'Arguments'), viewer(args)), h('.stack', h('h3', 'Preview'), previewView(shown))), answering(waiting, shown, gone));
    });
  }, { class: 'primary' });
  return h('section.card.stack', { 'aria-label': `${tool} of ${agent}` }, h('.row', h('h2', tool), title ? h('span.muted', title) : null, badge(waiting.plugin), atEnd(open)),
    facts([['Agent', agent], ['For', user], ['Asked', ago(asked)], ['Expires', time(Date.now() + left * 1000)]]), body);
}

export async function show({ root, leave }) {
  const cards = new Map();
  const list = h('.stack');
  const nothing = card(null, empty('Nothing waits.', 'Calls that a profile’s "approval" names appear here, each with its arguments and what it would change.'));
  const settle = () => { nothing.hidden = cards.size > 0; };
  const remove = (id) => {
    cards.get(id)?.remove();
    cards.delete(id);
    settle();
  };
  const update = ({ approvals }) => {
    const ids = approvals.map(({ id }) => id);
    [...cards.keys()].filter((id) => !ids.includes(id)).forEach(remove);
    approvals.filter(({ id }) => !cards.has(id)).forEach((one) => cards.set(one.id, waitingCard(one, () => remove(one.id))));
    list.append(...cards.values());
    settle();
  };
  update(await rpc('approval.list'));
  fill(root, head('Approvals', 'The first answer counts. What is not answered in time is not run.'), nothing, list);
  leave(on('approvals', update));
}
