// What a caller has open when its rights are withdrawn: a key that is revoked or expires, a profile or an issuer that is
// taken away, a token that is over. Everything ends at once, and nothing of other callers does.
import assert from 'node:assert/strict';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Call, LegacyClient, pause, until } from '../lib/events.mjs';
import { bearer, Governed } from '../lib/governed.mjs';
import { gantry } from '../lib/gantry.mjs';
import { KeyIssuer, newKey } from '../lib/issuer.mjs';
import { listen, lists, SessionStream } from '../lib/listen.mjs';
import { scratch } from '../lib/paths.mjs';
import { LegacySession, modernBody, modernHeaders, post } from '../lib/rpc.mjs';
import { everything, once } from '../lib/rounds.mjs';
import { logged, named, script, scriptFlags } from '../lib/script.mjs';
import { BareSse } from '../lib/sse_client.mjs';
import { agentsOf, entry, startWithTokens } from '../lib/tokens.mjs';

const tool = 'rounds';
const waits = { do: 'wait_cancel', ms: 30_000 };
const steps = (as, ...more) => named(as, ...more, { do: 'open', name: as }, waits);

// Calls with credentials: `headers` go with each request.
class Bearer {
  constructor(server, headers) { Object.assign(this, { server, headers }); }

  /** A modern call; a Call of events.mjs. */
  call(args) {
    const body = modernBody('tools/call', { name: tool, arguments: args });
    return Call.post(this.server.url, body, { ...modernHeaders(body), ...this.headers });
  }

  async ask(args) { return this.call(args).answer; }
}

const isCancelled = (message) => {
  assert.equal(message?.result?.isError, true, JSON.stringify(message));
  assert.match(JSON.stringify(message.result), /Cancelled by client \(session_terminated\)/);
};

/** All that a caller can keep open, each with `ended`: a promise of its proper end. */
const kinds = {
  'a call': async (at, as) => {
    const call = at.call(steps(as));
    return { waits: true, ended: call.answer.then(isCancelled), drop: () => call.drop() };
  },
  'a call of a session': async (at, as) => {
    const session = await LegacySession.open(at.server, '2025-06-18', { headers: at.headers });
    const call = new LegacyClient(session).open(tool, steps(as));
    return { waits: true, ended: call.answer.then(isCancelled), drop: () => call.drop() };
  },
  'a task': async (at, as) => {
    const { message } = await once(at.server, 'tools/call', { name: tool, arguments: steps(as, 'task') },
      { capabilities: { ...everything, extensions: { 'io.modelcontextprotocol/tasks': {} } }, headers: at.headers });
    assert.equal(message.result.resultType, 'task', JSON.stringify(message));
    return { waits: true, ended: Promise.resolve(), drop: () => {} };
  },
  'a listening request': async (at) => {
    const open = await listen(at.server, { toolsListChanged: true }, { headers: at.headers });
    return { ended: open.answer.then((message) => assert.ok(message.result)), drop: () => open.drop() };
  },
  'a listening session': async (at) => {
    const session = await LegacySession.open(at.server, '2025-11-25', { headers: at.headers });
    const stream = await SessionStream.open(session);
    return { ended: stream.ended, drop: () => stream.drop() };
  },
  'HTTP+SSE, not initialized': async (at) => {
    const client = await BareSse.open(at.server, at.headers);
    return { ended: client.ended, drop: () => client.leave() };
  },
  'HTTP+SSE and its call': async (at, as) => {
    const client = await BareSse.open(at.server, at.headers);
    await client.initialize();
    await client.post({ id: 5, method: 'tools/call', params: { name: tool, arguments: steps(as) } });
    return { waits: true, ended: client.ended, drop: () => client.leave() };
  },
};

// Opens one of each kind; `run` names the calls.
async function openAll(at, run, but = []) {
  const all = [];
  for (const [kind, open] of Object.entries(kinds).filter(([name]) => !but.includes(name))) all.push({ kind, ...await open(at, `${run} ${kind}`) });
  for (const each of all) each.ended.then(() => { each.over = true; }, (error) => { each.fault = error; each.over = true; });
  return all;
}

const withdrawn = async (at, opened, run) => {
  await until(() => opened.every(({ over }) => over), `the ends of ${opened.filter(({ over }) => !over).map(({ kind }) => kind)}`, 15_000);
  for (const { kind, fault } of opened) assert.equal(fault, undefined, `${kind}: ${fault}`);
  // The plugin was told of each of its calls.
  for (const { kind, waits: runs } of opened) {
    if (!runs) continue;
    const journal = [];
    await until(async () => {
      const message = await once(at.server, 'tools/call', { name: `${tool}_journal`, arguments: { as: `${run} ${kind}` } }, { headers: at.headers });
      journal.push(...message.message.result.structuredContent.journal);
      return journal.includes('cancelled: 1');
    }, `the cancellation of ${kind}: ${journal}`);
  }
};

const config = { limits: { pool_threads: 32 }, shutdown_grace_ms: 1000 };  // each call that waits takes a thread
const flags = () => scriptFlags({ plugins: ['script-rounds'], config });
const free = { rate_limit: 'unlimited' };

describe('a key', () => {
  let it;
  before(async () => { it = await Governed.start({ mine: free, others: free }, { flags: flags() }); });
  after(() => it.stop());

  const causes = {
    'that is revoked': async () => {
      const id = it.keys.mine.slice(4, 12);
      const done = await gantry(['key', 'revoke', id, '--state', it.state]);
      assert.equal(done.code, 0, done.stderr);
    },
    'whose profile is taken out': () => it.replace(JSON.stringify({ agents: { others: free } })),
    'whose profile sees other classes': () => it.replace(JSON.stringify({ agents: { mine: { ...free, classes: ['a'] }, others: free } })),
  };
  for (const [cause, withdraw] of Object.entries(causes)) {
    test(`${cause} ends all that it has open, and nothing of another key`, async () => {
      it.replace(JSON.stringify({ agents: { mine: free, others: free } }));
      const made = await gantry(['key', 'create', 'mine', '--state', it.state, '--json']);
      it.keys.mine = JSON.parse(made.stdout).key;
      const [mine, others] = ['mine', 'others'].map((name) => new Bearer(it.server, bearer(it.keys[name])));
      await until(async () => (await mine.ask(script()))?.result, 'the key');
      const [ending, staying] = [await openAll(mine, cause), await openAll(others, `other ${cause}`, ['a task'])];
      await withdraw();
      await withdrawn(others, ending, cause);
      assert.deepEqual(staying.filter(({ over }) => over).map(({ kind }) => kind), []);
      for (const each of staying) await each.drop();
    });
  }

  test('that expires ends all that it has open in a second', async () => {
    const others = new Bearer(it.server, bearer(it.keys.others));
    it.replace(JSON.stringify({ agents: { mine: free, others: free } }));
    const made = JSON.parse((await gantry(['key', 'create', 'mine', '--state', it.state, '--json', '--expires', '4s'])).stdout);
    const mine = new Bearer(it.server, bearer(made.key));
    await until(async () => (await mine.ask(script()))?.result, 'the key');
    const opened = await openAll(mine, 'expires');
    await withdrawn(others, opened, 'expires');
    assert.ok(Date.now() - Date.parse(made.expires) < 5000, 'not at the next tick of half a minute');
  });

  test('whose profile loses a tool keeps its open requests, but no call of that tool', async () => {
    it.replace(JSON.stringify({ agents: { mine: free, others: free } }));
    const made = await gantry(['key', 'create', 'mine', '--state', it.state, '--json']);
    const mine = new Bearer(it.server, bearer(JSON.parse(made.stdout).key));
    await until(async () => (await mine.ask(script()))?.result, 'the key');
    const opened = await openAll(mine, 'loses');
    it.replace(JSON.stringify({ agents: { mine: { ...free, tools: { except: [tool] } }, others: free } }));
    const calls = opened.filter(({ kind }) => ['a call', 'a call of a session', 'a task'].includes(kind));
    await withdrawn(new Bearer(it.server, bearer(it.keys.others)), calls, 'loses');
    const rest = opened.filter((each) => !calls.includes(each));
    assert.deepEqual(rest.filter(({ over }) => over).map(({ kind }) => kind), []);
    for (const each of rest) await each.drop();
  });
});

describe('a token', () => {
  let issuer;
  let server;
  before(async () => {
    issuer = await KeyIssuer.start([await newKey('ES256', 'one')]);
    server = await startWithTokens((audience) => [entry(issuer, audience, { skew_seconds: 0 })], { plugins: ['script-rounds'], config, profile: free });
  });
  after(async () => { await server.stop(); await issuer.stop(); });
  const now = () => Math.floor(Date.now() / 1000);
  const having = async (claims) => new Bearer(server, { authorization: `Bearer ${await issuer.token(server.audience, claims)}` });

  test('that is over ends its listening streams; a call that it began goes on', async () => {
    const short = await having({ exp: now() + 4 });
    const opened = await openAll(short, 'over');
    const listening = opened.filter(({ kind }) => /listening|SSE/.test(kind));
    await until(() => listening.every(({ over }) => over), 'the ends', 15_000);
    assert.deepEqual(opened.filter(({ kind, over }) => over && !listening.some((each) => each.kind === kind) && kind !== 'a task'), []);
    assert.equal((await post(server, modernBody('tools/list'), { ...modernHeaders(modernBody('tools/list')), ...short.headers })).status, 401);
    for (const each of opened) await each.drop();
  });

  test('that a newer one follows keeps HTTP+SSE open', async () => {
    const first = await having({ exp: now() + 3 });
    const client = await BareSse.open(server, first.headers);
    await client.initialize();
    client.headers = (await having({ exp: now() + 60 })).headers;
    await client.post({ id: 2, method: 'ping' });
    await client.answer(2);
    await pause(4500);
    await client.post({ id: 3, method: 'ping' });
    assert.deepEqual((await client.answer(3)).result, {});
    client.leave();
  });

  test('of an issuer that is taken out ends all that it has open', async () => {
    const mine = await having({ sub: 'anna' });
    const good = agentsOf([entry(issuer, server.audience, { skew_seconds: 0 })], free);
    const opened = await openAll(mine, 'issuer');
    server.write(agentsOf([], free));
    await until(() => opened.every(({ over }) => over), 'the ends', 15_000);
    server.write(good);
    const again = await having({ sub: 'bert' });
    await until(async () => (await again.call(script()).answer)?.result, 'the issuer');
    await withdrawn(again, opened, 'issuer');
  });

  test('of an issuer that is taken out while the key file is damaged ends its open requests once the file is repaired', async (t) => {
    const state = scratch();
    chmodSync(state, 0o700);
    const entries = (audience) => [entry(issuer, audience)];
    const at = await startWithTokens(entries, { plugins: ['script-rounds'], config, flags: ['--state', state] });
    t.after(() => at.stop());
    const mine = new Bearer(at, { authorization: `Bearer ${await issuer.token(at.audience)}` });
    const open = await kinds['a listening request'](mine);
    let over = false;
    open.ended.then(() => { over = true; });
    const file = join(state, 'keys.json');
    writeFileSync(file, '{', { mode: 0o600 });
    await logged(at, 'the old ones stay');
    at.write(agentsOf([]));
    await pause(1000);
    assert.equal(over, false);
    assert.ok((await mine.ask(script())).result, 'the old issuers stay, too');
    rmSync(file);
    await until(() => over, 'the end', 15_000);
  });

  test('hears of the tools that its profile loses', async () => {
    const mine = await having({ sub: 'carl' });
    const [open, session] = [await listen(server, { toolsListChanged: true, promptsListChanged: true }, { headers: mine.headers }),
      await LegacySession.open(server, '2025-11-25', { headers: mine.headers })];
    const stream = await SessionStream.open(session);
    server.write(agentsOf([entry(issuer, server.audience, { skew_seconds: 0 })], { ...free, tools: { except: [tool] } }));
    await until(() => lists(open, 'tools') === 1, 'the modern client is told');
    await until(() => stream.messages.some(({ method }) => method === 'notifications/tools/list_changed'), 'the session is told');
    assert.equal(lists(open, 'prompts'), 0);
    const { message } = await session.request('tools/list');
    assert.ok(message.result.tools.every(({ name }) => name !== tool));
    for (const each of [open, stream]) await each.drop();
  });
});
