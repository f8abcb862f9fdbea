// run.mjs DRIVER: one client through all steps, in the folder where its packages are installed. It is a
// child of clients.mjs, which restarts the server, changes its data and looks for cancelled calls.
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

const { connect, isStdioOnly } = await import(pathToFileURL(process.argv[2]).href);
const { url, command, slow } = JSON.parse(process.env.CLIENT_TARGET);
const kPatience = 60000;
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Something that clients.mjs does; its answer. */
async function please(what) {
  process.send({ please: what });
  const [{ done }] = await once(process, 'message');
  return done;
}

const within = (promise, what) => Promise.race([promise,
  sleep(kPatience).then(() => { throw new Error(`${what} took longer than ${kPatience / 1000} s`); })]);

class Skipped extends Error {}
const expect = (holds, what) => { if (!holds) throw new Error(what); };

/** Runs one step and tells clients.mjs how it went. */
async function step(name, run) {
  try {
    const note = await within(run(), name);
    process.send({ step: name, outcome: 'ok', note: note ?? '' });
    return true;
  } catch (error) {
    const outcome = error instanceof Skipped ? '-' : 'failed';
    process.send({ step: name, outcome, note: String(error?.message ?? error).slice(0, 300) });
    return false;
  }
}

const needs = (session, name) => { if (!session[name]) throw new Skipped(''); };
const count = { name: 'count_objects', args: { class_name: 'suppliers' } };

async function counted(session) {
  const said = await session.call(count.name, count.args);
  expect(/"?count"?\W+9\b/.test(said), `9 suppliers expected, got ${said.slice(0, 200)}`);
}

async function listed(session) {
  needs(session, 'list');
  const names = await session.list();
  for (const name of ['query_class', 'aggregate', 'count_objects']) {
    expect(names.some((one) => one === name || one.endsWith(`_${name}`)), `${name} is not listed: ${names.join()}`);
  }
  return `${names.length} tools`;
}

async function subscribed(session) {
  needs(session, 'subscribe');
  let told;
  const updated = new Promise((resolve) => { told = resolve; });
  await session.subscribe('data://customers/count', told);
  const start = Date.now();
  await please('change');
  await updated;
  return `${Date.now() - start} ms`;
}

async function cancelled(session) {
  needs(session, 'cancel');
  const before = await please('cancelled');
  const abort = new AbortController();
  const call = session.call(slow.name, slow.args, { signal: abort.signal }).then(() => 'it ended', () => 'stopped');
  await sleep(1000);
  abort.abort();
  expect(await call === 'stopped', 'the call ended by itself');
  await sleep(1500);
  expect(await please('cancelled') > before, 'the server did not stop the call');
}

/** The first call after a restart may fail: a client that recovers for the second one has recovered. */
async function restarted(session) {
  needs(session, 'keepsSession');
  await please('restart');
  const first = await counted(session).then(() => undefined, (error) => error);
  if (!first) return 'at once';
  await counted(session);
  return `second call; first: ${String(first.message).slice(0, 80)}`;
}

async function all() {
  let session;
  if (!await step('connect', async () => { session = await connect(isStdioOnly ? command : { url }); })) return;
  await step('list', () => listed(session));
  await step('call', () => counted(session));
  await step('id as number', async () => {
    const said = await session.call('get_object', { class_name: 'products', object_id: 5 });
    expect(said.includes('SKU-0005'), said.slice(0, 200));
  });
  await step('read', async () => {
    needs(session, 'read');
    const said = await session.read('data://suppliers/count');
    expect(/\b9\b/.test(said), said.slice(0, 200));
  });
  await step('subscribe', () => subscribed(session));
  await step('cancel', () => cancelled(session));
  await step('restart', () => restarted(session));
  await session.close?.().catch(() => {});
  await step('stdio', () => overStdio());
}

async function overStdio() {
  const session = await connect(command);
  needs(session ?? {}, 'call');
  try {
    await counted(session);
  } finally {
    await session.close?.().catch(() => {});
  }
}

await all();
process.exit(0);
