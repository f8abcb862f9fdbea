// The list beside a view: as which agent, a filter, and groups of links.
import { field, fill, filterField, h, select } from './dom.js';
import { go } from './route.js';
import { remember } from './store.js';
import { capital } from './time.js';

/**
 * what: the items' plural. entries: {text: words that the filter looks for, group?, node}. `view(agent)` is the same view
 * as another agent. `above` stands before the filter, `none(isAny)` where no entry is.
 */
export function picker({ what, entries, names, agent, view, above, none }) {
  const list = h('.pick-list');
  const draw = () => {
    const word = filter.value.trim().toLowerCase();
    const found = entries.filter(({ text }) => text.toLowerCase().includes(word));
    const groups = [...new Set(found.map(({ group }) => group))];
    fill(list, groups.map((group) => [group ? h('h3', group) : null, found.filter((one) => one.group === group).map(({ node }) => node)]),
      found.length ? null : none(entries.length > 0));
  };
  const filter = filterField(what, draw);
  draw();
  requestAnimationFrame(() => { list.scrollTop = (list.querySelector('[aria-current]')?.offsetTop ?? 0) - list.clientHeight / 2; });
  return h('section.card.flush.pick', { 'aria-label': capital(what) }, h('.pick-head', above,
    names.length ? field('As agent', select(names, agent, (name) => {
      remember('as', name);
      go(...view(name));
    })) : null, filter), list);
}
