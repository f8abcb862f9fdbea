// The server's event stream: one a tab, closed while the tab is hidden, because a browser gives one server six
// connections. After a pause it goes on from the last event that was seen.
import { ended, lose, lost, session } from './api.js';
import { parse } from './json.js';

const listeners = new Map();
const gapListeners = new Set();
let stream;
let topics = '';
let lastId;

function listen(set, run) {
  set.add(run);
  queueMicrotask(update);
  return () => {
    set.delete(run);
    queueMicrotask(update);
  };
}

/** Runs `run(data)` for each event of a topic; the result ends that. */
export function on(topic, run) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  return listen(listeners.get(topic), run);
}

/** Runs `run({missed})` for records that were left out. */
export const onGap = (run) => listen(gapListeners, run);

/** The place of the newest record that the page has; events go on from there. */
export const startAt = (cursor) => { lastId = cursor; };

function update() {
  const wanted = [...listeners].filter(([, set]) => set.size).map(([topic]) => topic).sort().join(',');
  const next = session.get() && !ended.get() && !document.hidden && !lost.get() ? wanted : '';
  if (next === topics) return;
  stream?.abort();
  topics = next;
  if (next) follow(next);
}

/** The events {id, event, data} of an answer's body, until it ends. */
export async function* eventsOf(body) {
  const chunks = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ;) {
    const { value, done } = await chunks.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const event = { data: '' };
      for (const [, name, text] of block.matchAll(/^([a-z]+): ?(.*)$/gm)) event[name] = name === 'data' ? event.data + text : text;
      if (event.data) yield event;
    }
  }
}

async function follow(list) {
  const own = new AbortController();
  stream = own;
  try {
    const answer = await fetch(`/admin/events?topics=${list}`, { signal: own.signal, credentials: 'same-origin',
      headers: { Accept: 'text/event-stream', ...(lastId ? { 'Last-Event-ID': lastId } : {}) } });
    if (answer.status === 401 || answer.status === 403) return ended.set(true);
    if (answer.ok) for await (const event of eventsOf(answer.body)) deliver(event);
  } catch {
    // The server is gone, or the stream is not wanted any more.
  }
  if (stream !== own || own.signal.aborted) return;
  topics = '';
  setTimeout(check, 500);
}

/** After the end of a stream: begins anew if the server is there. */
async function check() {
  try {
    await fetch('/health');
    update();
  } catch {
    lose();
  }
}

/** Events are named after their topic; those of calls one by one. */
function deliver({ id, event, data }) {
  if (id) lastId = id;
  const listening = event === 'gap' ? gapListeners : listeners.get(event === 'call' ? 'calls' : event);
  const value = parse(data);
  [...listening ?? []].forEach((run) => run(value));
}

document.addEventListener('visibilitychange', update);
[session, ended, lost].forEach((state) => state.each(() => queueMicrotask(update)));
