// Profiles of the agents file: what their callers see and may do, in both eras, and reloading.
import assert from 'node:assert/strict';
import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gantry } from './lib/gantry.mjs';
import { runToEnd, Server } from './lib/gantryd.mjs';
import { scratch } from './lib/paths.mjs';
import { peopleDatabase } from './lib/people.mjs';
import { modern, modernRevision, post } from './lib/rpc.mjs';

const bearer = (key) => ({ authorization: `Bearer ${key}` });
const db = peopleDatabase();

/** A server with an agents file that can be replaced, and a key for each of its profiles. */
class Governed {
  static async start(agents, { flags = [], env = {}, rest = {} } = {}) {
    const it = new Governed();
    it.state = scratch();
    chmodSync(it.state, 0o700);
    it.file = join(scratch(), 'agents.json');
    writeFileSync(it.file, JSON.stringify({ agents, ...rest }, null, 1));
    it.keys = {};
    for (const name of Object.keys(agents)) {
      const made = await gantry(['key', 'create', name, '--state', it.state, '--json']);
      it.keys[name] = JSON.parse(made.stdout).key;
    }
    it.server = await Server.start({ db, env, flags: ['--state', it.state, '--agents', it.file, ...flags] });
    return it;
  }
  replace(text) {
    writeFileSync(`${this.file}.new`, text);
    renameSync(`${this.file}.new`, this.file);
  }
  stop() { return this.server.stop(); }

  /** One request as a profile, in an era: the result. */
  async as(name, revision, method, params = {}) {
    if (revision === modernRevision) return (await modern(this.server, method, params, bearer(this.keys[name]))).message;
    const session = await this.session(name, revision);
    return (await post(this.server, { jsonrpc: '2.0', id: 2, method, params }, session)).message;
  }
  async session(name, revision = '2025-11-25') {
    const begun = await post(this.server, { jsonrpc: '2.0', id: 1, method: 'initialize',
      params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } } }, bearer(this.keys[name]));
    const headers = { ...bearer(this.keys[name]), 'mcp-session-id': begun.headers.get('mcp-session-id') };
    await post(this.server, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
    return headers;
  }
}

const until = async (happened, what) => {
  for (let i = 0; i < 100; ++i) {
    if (await happened()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`not within 5 s: ${what}`);
};

for (const revision of ['2025-06-18', modernRevision]) describe(`profiles, ${revision}`, () => {
  let it;
  before(async () => {
    it = await Governed.start({
      all: {}, few: { tools: ['count_objects', 'get_all_schemas'] }, no_export: { tools: { except: ['export_data'] } },
      no_teams: { classes: { except: ['teams'] } }, small: { caps: { bytes: 2048 } },
      slow: { rate_limit: { calls: 2, seconds: 60 }, user: 'u1' }, free: { rate_limit: 'unlimited' },
    });
  });
  after(() => it.stop());

  const names = async (profile) => (await it.as(profile, revision, 'tools/list')).result.tools.map((tool) => tool.name);
  const call = async (profile, name, args) => (await it.as(profile, revision, 'tools/call', { name, arguments: args })).result;

  test('list only their tools, and only these can be called', async () => {
    assert.ok((await names('all')).includes('export_data'));
    assert.deepEqual((await names('few')).sort(), ['count_objects', 'get_all_schemas']);
    assert.ok(!(await names('no_export')).includes('export_data'));
    const denied = await call('few', 'query_class', { class_name: 'people' });
    assert.equal(denied.isError, true);
    assert.match(denied.content[0].text, /not among the tools of this agent/);
    assert.notEqual((await call('few', 'count_objects', { class_name: 'people' })).isError, true);
  });

  test('see only their classes', async () => {
    assert.match(JSON.stringify(await call('all', 'get_all_schemas', {})), /teams/);
    assert.doesNotMatch(JSON.stringify(await call('no_teams', 'get_all_schemas', {})), /teams/);
    const [hidden, absent] = [await call('no_teams', 'query_class', { class_name: 'teams' }),
      await call('no_teams', 'query_class', { class_name: 'teamX' })];
    assert.equal(JSON.stringify(hidden), JSON.stringify(absent).replaceAll('teamX', 'teams'));
  });

  test('cap the bytes of an answer', async () => {
    const all = await call('all', 'query_class', { class_name: 'people', limit: 1000 });
    const capped = await call('small', 'query_class', { class_name: 'people', limit: 1000 });
    assert.ok(JSON.stringify(all.structuredContent ?? all).length > 2048, 'enough to be capped');
    assert.ok(JSON.stringify(capped.structuredContent ?? capped).length <= 2400);
  });

  test('limit calls per user, in a window', async () => {
    const count = () => call('slow', 'count_objects', { class_name: 'people' });
    let last;
    for (let i = 0; i < 3; ++i) last = await count();
    assert.equal(last.isError, true);
    const text = JSON.parse(last.content[0].text);
    assert.equal(text.error_code, 'rate_limited');
    assert.deepEqual([text.details.limit, text.details.window], [2, 60]);
    assert.ok(text.details.retry_after >= 1 && text.details.retry_after <= 60);
    for (let i = 0; i < 5; ++i) assert.notEqual((await call('free', 'count_objects', { class_name: 'people' })).isError, true);
  });
});

describe('the agents file', () => {
  test('changes the lists of clients that are connected, and tells those alone', async (t) => {
    const agents = { a: { tools: ['list_tools', 'query_class'] }, b: {} };
    const it = await Governed.start(agents);
    t.after(() => it.stop());
    const [mine, others] = [await it.session('a'), await it.session('b')];
    const listen = async (headers) => {
      const stream = await fetch(it.server.url, { headers: { ...headers, accept: 'text/event-stream' } });
      const seen = { text: '' };
      seen.done = (async () => { for await (const bytes of stream.body) seen.text += Buffer.from(bytes); })().catch(() => {});
      return seen;
    };
    const [a, b] = [await listen(mine), await listen(others)];
    it.replace(JSON.stringify({ agents: { ...agents, a: { tools: ['query_class'] } } }));
    await until(() => /tools\/list_changed/.test(a.text), 'the client is told');
    assert.doesNotMatch(a.text, /prompts\/list_changed|resources\/list_changed/);
    assert.doesNotMatch(b.text, /list_changed/);
    const list = await post(it.server, { jsonrpc: '2.0', id: 3, method: 'tools/list' }, mine);
    assert.deepEqual(list.message.result.tools.map(({ name }) => name), ['query_class']);
    // Other rights make another principal: what was open ends.
    it.replace(JSON.stringify({ agents: { ...agents, a: { tools: ['query_class'], classes: ['people'] } } }));
    await a.done;
    assert.equal((await post(it.server, { jsonrpc: '2.0', id: 4, method: 'ping' }, mine)).status, 404);
    assert.equal((await post(it.server, { jsonrpc: '2.0', id: 4, method: 'ping' }, others)).status, 200);
  });

  test('that is bad is refused with line and reason, and the last good one stays', async (t) => {
    const it = await Governed.start({ a: {} });
    t.after(() => it.stop());
    it.replace('{"agents": {\n "a": {"tols": []}\n}}');
    await until(() => /agents\.json:2: .*tols/.test(it.server.stderr), 'the fault is logged');
    assert.equal((await modern(it.server, 'tools/list', {}, bearer(it.keys.a))).status, 200);
    it.replace('{"agents": {}}');
    await until(async () => (await modern(it.server, 'tools/list', {}, bearer(it.keys.a))).status === 401, 'the profile is gone');
  });

  test('that is bad at the start stops the server', async () => {
    const refused = async (agents, flags = []) => {
      const file = join(scratch(), 'agents.json');
      writeFileSync(file, typeof agents === 'string' ? agents : JSON.stringify({ agents }));
      const { code, stderr } = await runToEnd(['--control', 'none', '--state', scratch(), '--agents', file, '--listen', '127.0.0.1:0', ...flags]);
      assert.equal(code, 2, stderr);
      return stderr;
    };
    assert.match(await refused('{'), /agents\.json:1: not JSON/);
    assert.match(await refused({ a: { tools: ['qery_class'], strict_tools: true } }, ['--db', db]), /agents\/a: no plugin offers the tool 'qery_class'; did you mean 'query_class'\?/);
    assert.match(await refused({ a: {} }, ['--agent', 'b']), /--agent b: there is no such profile; profiles: a/);
    assert.match(await refused({ a: { permissions: 'admin' } }, ['--listen', '0.0.0.0:0']), /"remote_admin": true in this profile/);
  });

  test('is named in the security line', async (t) => {
    const it = await Governed.start({ m: {}, w: { user: 'u', permissions: 'write' },
      asked: { user: 'u', permissions: 'write', approval: { tiers: ['write'] } }, r: { roles: ['x'] } });
    t.after(() => it.stop());
    assert.match(it.server.stderr, /security master=m may_write=w remote_admin=none/);
  });
});

describe('callers without a credential', () => {
  const start = async (t, flags, env = {}) => {
    const file = join(scratch(), 'agents.json');
    writeFileSync(file, '{"agents": {"a": {"tools": ["list_tools"]}}}');
    const server = await Server.start({ flags: ['--agents', file, ...flags], env });
    t.after(() => server.stop());
    return server;
  };
  test('are refused with an agents file', async (t) => {
    const server = await start(t, []);
    assert.equal((await modern(server, 'tools/list', {})).status, 401);
    assert.match(server.stderr, /no caller can come in/);
  });
  test('act as the profile of --agent from this machine, while there are no keys', async (t) => {
    const server = await start(t, ['--agent', 'a']);
    const { message } = await modern(server, 'tools/list', {});
    assert.deepEqual(message.result.tools.map(({ name }) => name), ['list_tools']);
    const keyed = await start(t, ['--agent', 'a'], { GANTRY_API_KEY: 'a key of the environment' });
    assert.equal((await modern(keyed, 'tools/list', {})).status, 401);
  });
});

test('metrics are for this machine or a profile that says so', async (t) => {
  const it = await Governed.start({ a: {}, m: { metrics: true } }, { flags: ['--listen', '0.0.0.0:0'] });
  t.after(() => it.stop());
  const { networkInterfaces } = await import('node:os');
  const outside = Object.values(networkInterfaces()).flat().find((one) => one.family === 'IPv4' && !one.internal)?.address;
  const read = (host, key) => fetch(`http://${host}:${it.server.port}/metrics`, { headers: bearer(key) });
  assert.equal((await read('127.0.0.1', it.keys.a)).status, 200);
  if (!outside) return t.skip('this machine has no other address');
  assert.equal((await read(outside, it.keys.a)).status, 403);
  assert.equal((await read(outside, it.keys.m)).status, 200);
});
