// The settings of the server and where each value comes from. Read only.
import { atEnd, badge, code, column, copyButton, empty, filterField, h, head, load, note, rpc, short, Table, text } from '../lib/ui.js';

function view({ settings, config_file: file }, query) {
  const list = new Table([column('key', 'Key', code),
    column('value', 'Value', (value) => (value === null || value === '' ? h('span.none', '–') : h('span.mono', short(value))), { sort: false, wide: true }),
    column('source', 'Source', (source) => badge(source, source === 'default' ? '' : 'accent')),
    column('restart', 'Restart', (needed) => (needed ? 'needed' : '')),
  ], { key: 'key', caption: 'Settings', empty: empty('No key has this word.') });
  let found;
  const draw = () => {
    const q = word.value.trim();
    found = settings.filter(({ key, value, source }) => (!changed.checked || source !== 'default') && `${key} ${short(value)}`.toLowerCase().includes(q.toLowerCase()));
    list.update(found);
    note({ q, changed: changed.checked ? '1' : '' });
  };
  const word = filterField('settings', draw, { value: query.q ?? '' });
  const changed = h('input', { type: 'checkbox', checked: query.changed === '1', onchange: draw });
  draw();
  return h('.stack', head('Settings', file ? ['Read only. Change them in ', code(file), '.'] : 'Read only. There is no configuration file; name one with --config.'),
    h('.row', word, h('label.check', changed, 'Only what differs from the default'),
      atEnd(copyButton(() => text(Object.fromEntries(found.map(({ key, value }) => [key, value]))), 'Copy', { class: '' }))), list.node);
}

export const show = ({ root, query }) => load(root, rpc('settings.show'), (result) => view(result, query));
