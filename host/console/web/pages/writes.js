// Writes that were done, what each changed, and undoing one.
import { agentNames } from '../lib/caller.js';
import { diffTable } from '../lib/diff.js';
import { ago, badge, button, code, column, command, empty, facts, field, fill, h, head, link, load, note, numeric, plural, rpc, select, table } from '../lib/ui.js';

function stateOf({ undone_by: by, undoes, undoable, reason }) {
  if (by) return badge('undone', '', `by ${by}`);
  if (undoes) return badge(`undoes ${undoes}`, 'accent');
  return undoable ? '' : h('span.muted', `cannot be undone${reason ? `: ${reason}` : ''}`);
}

const undo = (write, then) => command('Undo', () => rpc('writes.undo', { id: write.id }), { class: 'danger', done: `${write.id} is undone.`, then,
  ask: { title: `Undo ${write.id}?`, effect: `${plural(write.rows, 'row')} of ${write.classes.join(', ')} will be as before, unless one of them was changed since.` } });

const detail = (id, redraw) => {
  const box = h('.stack');
  load(box, rpc('writes.show', { id }), (write) => [
    facts([['Write', code(id)], ['Correlation', write.correlation_id && h('a', { href: link('audit', [], { correlation_id: write.correlation_id }) }, write.correlation_id)], ['User', write.user]]),
    write.changes.map(({ class_name: name, object_id: object, operation, before, after }) => h('.stack', h('.row', badge(operation), h('span.strong', `${name} ${object ?? ''}`)), diffTable(before, after))),
    write.left_out ? h('p.muted', `and ${plural(write.left_out, 'more row')}`) : null,
    write.undoable ? h('.row', undo(write, redraw)) : null]);
  return box;
};

export async function show({ root, query }) {
  const content = h('.stack');
  let agent = query.agent ?? '';
  const draw = (cursor) => load(content, rpc('writes.list', { limit: 100, agent: agent || undefined, cursor }), ({ writes, next_cursor: next }) => [table([
    column('time', 'Time', ago), column('agent', 'Agent'), column('operation', 'Operation', (text) => badge(text.replaceAll('_', ' '), 'accent')),
    column('classes', 'Classes', (names) => names.join(', ')), numeric('rows', 'Rows'), column('tool', 'Tool', (name, { undoes }) => (name && !undoes ? h('a', { href: link('tools', [name]) }, name) : name)),
    column('state', 'State', (_, write) => stateOf(write), { sort: false, wide: true }),
  ], writes, { key: 'id', open: ({ id }) => detail(id, () => draw()), caption: 'Writes', empty: empty('No writes.', 'What agents write appears here, with what it was before.') }),
  next ? h('.row', button('Older', () => draw(next))) : null]);
  const names = await agentNames();
  fill(root, head('Writes', 'What agents wrote, and what it was before.', field('Agent', select([['', 'any'], ...names], agent, (name) => {
    agent = name;
    note({ agent });
    draw();
  }))), content);
  await draw();
}
