// Views in the address: #/page/part/part?name=value. Back and forward work because every view is one.

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The view of the address: {page, parts, query}. */
export function here() {
  const [path, search = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [page = '', ...parts] = path.split('/').map(decode).filter((part) => part !== '');
  return { page, parts, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** The fragment of a view; members of `query` that are empty are left out. */
export function link(page, parts = [], query = {}) {
  const kept = Object.entries(query).filter(([, value]) => !['', null, undefined, false].includes(value));
  return `#/${[page, ...parts].map(encodeURIComponent).join('/')}${kept.length ? `?${new URLSearchParams(kept)}` : ''}`;
}

/** Opens a view: a new entry of the history. */
export function go(...view) {
  const target = link(...view);
  if (target === location.hash) window.dispatchEvent(new HashChangeEvent('hashchange'));
  else location.hash = target;
}

/** Notes the state of the present view in its address, without a new entry and without a redraw. */
export function note(query) {
  const { page, parts } = here();
  history.replaceState(null, '', link(page, parts, query));
}
