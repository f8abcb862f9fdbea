// Profiles of the agents file: what their callers see and may do, in both eras, and reloading.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { assertHidden, chiefsDatabase, previews, reads, requests, writes } from '../lib/class_names.mjs';
import { gantry } from '../lib/gantry.mjs';
import { runToEnd, Server } from '../lib/gantryd.mjs';
import { bearer, Governed } from '../lib/governed.mjs';
import { listen, lists, SessionStream, told } from '../lib/listen.mjs';
import { allGates, gatesEnvironment } from '../lib/orders.mjs';
import { scratch } from '../lib/paths.mjs';
import { peopleDatabase } from '../lib/people.mjs';
import { LegacySession, modern, modernBody, modernRevision, post } from '../lib/rpc.mjs';
import { noted, script, startScriptsFor } from '../lib/script.mjs';
import { Stdio } from '../lib/stdio.mjs';
import { Wire } from '../lib/wire.mjs';

const db = peopleDatabase();
const governed = (agents, options = {}) => Governed.start(agents, { db, ...options });


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
    it = await governed({
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
    assert.deepEqual(last.structuredContent, revision < '2025-06-18' ? undefined : text);
    assert.deepEqual([text.details.limit, text.details.window], [2, 60]);
    assert.ok(text.details.retry_after >= 1 && text.details.retry_after <= 60);
    // A state that no server has made is no way around.
    const around = await it.as('slow', revision, 'tools/call',
      { name: 'count_objects', arguments: { class_name: 'people' }, requestState: 'v1.AAAA' });
    assert.ok(around.error || around.result.isError, JSON.stringify(around));
    for (let i = 0; i < 5; ++i) assert.notEqual((await call('free', 'count_objects', { class_name: 'people' })).isError, true);
  });
});

describe('a profile with classes', () => {
  const admin = { permissions: 'admin', rate_limit: 'unlimited' };
  const narrow = { except: { except: ['teams'] }, only: ['people', 'fresh'] };
  let it;
  before(async () => {
    const profiles = Object.entries(narrow).map(([name, classes]) => [name, { ...admin, classes }]);
    it = await governed({ all: admin, ...Object.fromEntries(profiles) }, { db: chiefsDatabase(), env: gatesEnvironment(allGates) });
  });
  after(() => it.stop());

  for (const revision of ['2025-06-18', modernRevision]) describe(`does not reach another class, ${revision}`, () => {
    const sessions = {};
    before(async () => {
      if (revision === modernRevision) return;
      for (const [name, key] of Object.entries(it.keys)) sessions[name] = await LegacySession.open(it.server, revision, { headers: bearer(key) });
    });

    /** The answer to one request of a profile, without its id. */
    const ask = async (profile, method, params) => {
      const uri = params.uri ? { 'mcp-name': params.uri } : {};
      const { message } = revision === modernRevision ? await modern(it.server, method, params, { ...bearer(it.keys[profile]), ...uri })
        : await sessions[profile].request(method, params);
      return JSON.stringify(message.result ?? { error: message.error });
    };
    const asker = (profile) => (method, params) => ask(profile, method, params);
    const caller = (profile) => (name, args) => ask(profile, 'tools/call', { name, arguments: args });

    for (const [way, rows] of Object.entries({ ...reads, 'a preview': previews })) {
      test(`by ${way}`, async () => {
        for (const profile of Object.keys(narrow)) await assertHidden(rows, caller(profile), caller('all'));
      });
    }

    test('by a write', async () => {
      for (const profile of Object.keys(narrow)) await assertHidden(writes, caller(profile));
    });

    test('by a resource, a prompt or a completion', async () => {
      const subscribe = ['resources/subscribe', (name) => ({ uri: `data://${name}/count` })];
      const rows = revision === modernRevision ? requests : [...requests, subscribe];
      for (const profile of Object.keys(narrow)) await assertHidden(rows, asker(profile), asker('all'));
    });

    test('in a list or an introduction', async () => {
      const listing = [['resources/list', {}], ['prompts/get', { name: 'data_relations' }], ['prompts/get', { name: 'explore_database' }],
        ...[['get_all_schemas', {}], ['get_schema', { class_name: 'people' }], ['describe_access', {}]]
          .map(([name, args]) => ['tools/call', { name, arguments: args }]),
        ...(revision === modernRevision ? [['server/discover', {}]] : [])];
      for (const [method, params] of listing) {
        assert.match(await ask('all', method, params), /teams/, `${method} ${JSON.stringify(params)}`);
        for (const profile of Object.keys(narrow)) assert.doesNotMatch(await ask(profile, method, params), /team[sX]/);
      }
      for (const [profile, { opened }] of Object.entries(sessions)) assert.equal(/teams/.test(opened.instructions), profile === 'all');
    });
  });

  test('subscribes to no class outside them', async () => {
    const resourceSubscriptions = ['teams', 'teamX', 'people'].map((name) => `data://${name}/count`);
    for (const [profile, seen] of [['all', ['teams', 'people']], ['except', ['people']], ['only', ['people']]]) {
      const call = await listen(it.server, { resourceSubscriptions }, { headers: bearer(it.keys[profile]) });
      assert.deepEqual(call.acknowledged.resourceSubscriptions, seen.map((name) => `data://${name}/count`));
      await call.drop();
    }
  });
});

describe('the agents file', () => {
  test('changes the lists of clients that are connected, and tells those alone', async (t) => {
    const agents = { a: { tools: ['get_schema', 'query_class'] }, b: {} };
    const it = await governed(agents);
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

  test('takes a class away from a subscriber, which hears no more of it', async (t) => {
    const file = peopleDatabase();
    const agents = { a: {}, b: {} };
    const it = await Governed.start(agents, { db: file });
    t.after(() => it.stop());
    const uri = 'data://teams/count';
    const subscribe = (name) => listen(it.server, { resourceSubscriptions: [uri] }, { headers: bearer(it.keys[name]) });
    const [a, b] = [await subscribe('a'), await subscribe('b')];
    assert.deepEqual(a.acknowledged.resourceSubscriptions, [uri]);
    it.replace(JSON.stringify({ agents: { ...agents, a: { classes: { except: ['teams'] } } } }));
    const read = () => modern(it.server, 'resources/read', { uri }, { ...bearer(it.keys.a), 'mcp-name': uri });
    await until(async () => /not found/.test((await read()).text), 'the new rights hold');
    const db = new DatabaseSync(file);
    t.after(() => db.close());
    db.exec('DELETE FROM teams WHERE rowid = (SELECT max(rowid) FROM teams)');
    await until(() => told(b).length > 0, 'the other hears of it');
    assert.deepEqual(told(a).filter(([method]) => method === 'resources/updated'), []);
    const again = await subscribe('a');
    assert.deepEqual(again.acknowledged.resourceSubscriptions ?? [], []);
    for (const each of [a, b, again]) await each.drop();
  });

  test('decides which clients hear of a class that comes or goes', async (t) => {
    const file = peopleDatabase();
    const it = await Governed.start({ all: {}, few: { classes: ['people'] } }, { db: file });
    t.after(() => it.stop());
    const open = async (name) => {
      const modernOne = await listen(it.server, { resourcesListChanged: true, promptsListChanged: true }, { headers: bearer(it.keys[name]) });
      const session = await LegacySession.open(it.server, '2025-11-25', { headers: bearer(it.keys[name]) });
      await session.request('resources/list');
      const stream = await SessionStream.open(session);
      const heard = () => [lists(modernOne, 'resources'), stream.messages.filter(({ method }) => method === 'notifications/resources/list_changed').length];
      return { heard, prompts: () => lists(modernOne, 'prompts'), drop: () => Promise.all([modernOne.drop(), stream.drop()]) };
    };
    const [all, few] = [await open('all'), await open('few')];
    const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    t.after(() => db.close());
    for (const [statement, times] of [['CREATE TABLE secrets (id INTEGER PRIMARY KEY)', 1], ['DROP TABLE secrets', 2]]) {
      db.exec(statement);
      await until(() => all.heard().every((count) => count === times), `${statement}: ${all.heard()}`);
    }
    await new Promise((resolve) => { setTimeout(resolve, 500); });
    assert.deepEqual(few.heard(), [0, 0]);
    assert.equal(all.prompts(), 0);
    db.exec('DROP TABLE people');
    await until(() => few.heard().every((count) => count === 1), `its own class goes: ${few.heard()}`);
    for (const each of [all, few]) await each.drop();
  });

  test('that is bad is refused with line and reason, and the last good one stays', async (t) => {
    const it = await governed({ a: {} });
    t.after(() => it.stop());
    it.replace('{"agents": {\n "a": {"tols": []}\n}}');
    await until(() => /agents\.json:2: .*tols/.test(it.server.stderr), 'the fault is logged');
    assert.equal((await modern(it.server, 'tools/list', {}, bearer(it.keys.a))).status, 200);
    it.replace('{"agents": {}}');
    await until(async () => (await modern(it.server, 'tools/list', {}, bearer(it.keys.a))).status === 401, 'the profile is gone');
  });

  test('that is bad at the start stops the server', async () => {
    const refused = async (agents, flags = [], listen = '127.0.0.1:0') => {
      const file = join(scratch(), 'agents.json');
      writeFileSync(file, typeof agents === 'string' ? agents : JSON.stringify({ agents }));
      const { code, stderr } = await runToEnd(['--control', 'none', '--state', scratch(), '--agents', file, '--listen', listen, ...flags]);
      assert.equal(code, 2, stderr);
      return stderr;
    };
    assert.match(await refused('{'), /agents\.json:1: not JSON/);
    assert.match(await refused({ a: { tools: ['qery_class'], strict_tools: true } }, ['--db', db]), /agents\/a: no plugin offers the tool 'qery_class'; did you mean 'query_class'\?/);
    assert.match(await refused({ a: { classes: ['people', 'peple'], strict_classes: true } }, ['--db', db]), /agents\/a: there is no class 'peple'/);
    assert.match(await refused({ a: { classes: ['people'], strict_classes: true } }), /the class 'people' cannot be looked up/);
    assert.match(await refused({ a: { classes: { except: ['peple'] }, strict_classes: true } }, ['--db', db]), /agents\/a: there is no class 'peple'/);
    for (const filter of [{ name: { $bogus: 1 } }, { nmae: 'Ann' }]) {
      assert.match(await refused({ a: {}, b: { filters: { people: filter } } }, ['--db', db]), /agents\/b: filters: people: .*(\$bogus|nmae)/);
    }
    assert.match(await refused({ a: { filters: { peple: {} }, strict_classes: true } }, ['--db', db]), /agents\/a: filters: there is no class 'peple'/);
    assert.match(await refused({ a: { filters: { people: {} }, strict_classes: true } }), /agents\/a: filters: they cannot be checked: no plugin offers classes/);
    const config = join(scratch(), 'gantry.json');
    writeFileSync(config, '{"plugins": {"data": {"isolate": "process"}}}');
    assert.match(await refused({ a: {} }, ['--db', db, '--config', config]), /plugins\.data\.isolate: with an agents file/);
    assert.match(await refused({ a: {} }, ['--agent', 'b']), /--agent b: there is no such profile; profiles: a/);
    assert.match(await refused({ a: { permissions: 'admin' } }, [], '0.0.0.0:0'), /"remote_admin": true in this profile/);
    const behindProxy = await refused({ a: { permissions: 'admin' } }, ['--allow-host', 'mcp.example']);
    assert.match(behindProxy, /without http\.allowed_hosts .*"remote_admin": true in this profile/);
  });

  test('keeps the data in this process, also when the configuration changes', async (t) => {
    const [file, config] = [join(scratch(), 'agents.json'), join(scratch(), 'gantry.json')];
    writeFileSync(file, JSON.stringify({ agents: { a: {} } }));
    writeFileSync(config, '{}');
    const server = await Server.start({ db, flags: ['--config', config, '--agents', file, '--agent', 'a'] });
    t.after(() => server.stop());
    writeFileSync(config, '{"plugins": {"data": {"isolate": "process"}}}');
    await until(() => /not taken over.*plugins\.data\.isolate: with an agents file/.test(server.stderr), 'the refusal');
  });

  test('is read by --check-config, which finds the faults that serving would refuse or log', async () => {
    const file = join(scratch(), 'agents.json');
    const check = async (text, ...flags) => {
      writeFileSync(file, text);
      return runToEnd(['--check-config', '--state', scratch(), '--agents', file, ...flags]);
    };
    for (const [text, flags, fault] of [
      ['{"agents": {"a": {"tols": []}}}', [], /agents\.json:1: .*did you mean 'tools'/],
      ['{"agents": {"a": {"filters": {"people": {"nmae": 1}}}}}', ['--db', db], /agents\/a: filters: people: .*nmae/],
      ['{"agents": {"a": {"tools": ["qery_class"], "strict_tools": true}}}', ['--db', db], /did you mean 'query_class'\?/],
      ['{"agents": {"a": {"classes": ["peple"], "strict_classes": true}}}', ['--db', db], /agents\/a: there is no class 'peple'/],
      ['{"agents": {"a": {}}}', ['--agent', 'b'], /--agent b: there is no such profile; profiles: a/],
      ['{"agents": {"a": {}}}', ['--stdio'], /--stdio with --agents needs --agent NAME; profiles: a/],
      ['{"agents": {"a": {"permissions": "admin"}}}', ['--allow-host', 'mcp.example'], /"remote_admin": true in this profile/],
    ]) {
      const { code, stderr } = await check(text, ...flags);
      assert.equal(code, 2, text);
      assert.match(stderr, fault);
    }
    const warned = await check('{"agents": {"a": {"classes": ["people"], "filters": {"people": {}}}}}');
    assert.equal(warned.code, 0, warned.stderr);
    assert.match(warned.stdout, /warning agents\/a: the class 'people' cannot be looked up: no plugin offers classes/);
    assert.match(warned.stdout, /warning agents\/a: filters: they cannot be checked/);
  });

  test('names of filters, exceptions and methods that nothing has are logged, and a bad filter keeps the last good file', async (t) => {
    const it = await governed({ a: { filters: { peple: { name: 'Ann' } }, classes: { except: ['secrts'] }, methods: ['Order.aprove'] } });
    t.after(() => it.stop());
    for (const told of [/agents\/a: filters: there is no class 'peple', so nothing is filtered by it/, /agents\/a: there is no class 'secrts'/,
      /agents\/a: no plugin offers the method 'Order.aprove'/]) {
      await until(() => told.test(it.server.stderr), String(told));
    }
    it.replace(JSON.stringify({ agents: { a: { filters: { people: { name: { $bogus: 1 } } } } } }));
    await until(() => /agents\/a: filters: people: .*\$bogus/.test(it.server.stderr), 'the fault is logged');
    assert.equal((await modern(it.server, 'tools/list', {}, bearer(it.keys.a))).status, 200);
  });

  test('is named in the security line', async (t) => {
    const it = await governed({ m: {}, w: { user: 'u', permissions: 'write' },
      asked: { user: 'u', permissions: 'write', approval: { tiers: ['write'] } }, r: { roles: ['x'] } });
    t.after(() => it.stop());
    await until(() => /security master=m may_write=w remote_admin=none/.test(it.server.stderr), 'the log says so');
  });
});

describe('callers without a credential', () => {
  const start = async (t, flags, env = {}) => {
    const file = join(scratch(), 'agents.json');
    writeFileSync(file, '{"agents": {"a": {"tools": ["describe_access"]}}}');
    const server = await Server.start({ flags: ['--agents', file, ...flags], env });
    t.after(() => server.stop());
    return server;
  };
  test('are refused with an agents file', async (t) => {
    const server = await start(t, []);
    assert.equal((await modern(server, 'tools/list', {})).status, 401);
    await until(() => /no caller can come in/.test(server.stderr), 'the log says so');
  });
  test('act as the profile of --agent from this machine, while there are no keys', async (t) => {
    const server = await start(t, ['--agent', 'a']);
    const { message } = await modern(server, 'tools/list', {});
    assert.deepEqual(message.result.tools.map(({ name }) => name), ['describe_access']);
    const keyed = await start(t, ['--agent', 'a'], { GANTRY_API_KEY: 'a key of the environment' });
    assert.equal((await modern(keyed, 'tools/list', {})).status, 401);
  });
});

describe('gantry agent', () => {
  const file = join(scratch(), 'agents.json');
  writeFileSync(file, JSON.stringify({
    agents: { sales: { tenant_id: 'acme', user: 'u17', roles: ['seller'], classes: { except: ['teams'] },
      tools: { except: ['export_data'] }, filters: { people: { age: { $gt: 3 } } } }, w: { permissions: 'write' } },
    roles: { seller: ['person'] },
  }));
  const agent = async (...words) => {
    const { code, stdout, stderr } = await gantry(['agent', ...words]);
    return { code, stderr, json: stdout.startsWith('{') ? JSON.parse(stdout) : stdout };
  };

  test('lists and describes profiles without a secret', async () => {
    const listed = await agent('list', '--agents', file, '--json');
    assert.deepEqual(listed.json.agents.map((one) => one.agent), ['sales', 'w']);
    const { json } = await agent('describe', 'sales', '--agents', file, '--db', db, '--json');
    assert.deepEqual(json.auth, { mode: 'user', fingerprint: '4ef7d80d' });
    assert.deepEqual(json.roles, ['person', 'seller']);
    assert.deepEqual(json.filters, { people: ['age'] });
    assert.deepEqual(json.hidden_classes, ['teams']);
    assert.ok(json.tools.effective.includes('query_class') && !json.tools.effective.includes('export_data'));
    assert.doesNotMatch(JSON.stringify(json), /u17|acme|\$gt/);
    const unknown = await agent('describe', 'slaes', '--agents', file);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /no profile 'slaes'; profiles: sales, w/);
  });

  test('says whether a call would be permitted, and where it would be denied', async () => {
    const permits = async (...words) => {
      const { code, json } = await agent('would-permit', ...words, '--agents', file, '--db', db, '--json');
      assert.equal(code, json.allowed ? 0 : 1);
      return json;
    };
    assert.deepEqual(await permits('sales', 'query_class', '--class', 'people'), { allowed: true });
    assert.equal((await permits('sales', 'query_class', '--class', 'teams')).denied_at, 'class_filter');
    assert.equal((await permits('sales', 'query_class', '--class', 'teamX')).denied_at, 'class_hidden');
    assert.deepEqual(await permits('sales', 'export_data'),
      { allowed: false, reason: "The tool 'export_data' is not among the tools of this agent", denied_at: 'tools' });
    assert.equal((await agent('would-permit', 'sales', 'no_such', '--agents', file, '--db', db)).code, 2);
  });

  test('shows the gates for writes', async () => {
    assert.equal((await gantry(['agent', 'gates', '--expect-readonly'])).code, 0);
    const open = await gantry(['agent', 'gates', '--expect-readonly', '--json'], { env: { GANTRY_ALLOW_RAW_CRUD: 'Yes' } });
    assert.equal(open.code, 1);
    assert.equal(JSON.parse(open.stdout).GANTRY_ALLOW_RAW_CRUD, true);
  });

  test('call and tools act as a profile of a server of their own', async () => {
    const { stdout } = await gantry(['tools', '--json', '--agents', file, '--agent', 'sales', '--db', db]);
    assert.ok(!JSON.parse(stdout).some(({ name }) => name === 'export_data'));
  });
});

test('the client on standard input acts as the profile of --agent', async () => {
  const file = join(scratch(), 'agents.json');
  writeFileSync(file, '{"agents": {"a": {"tools": ["describe_access"]}}}');
  const unnamed = await runToEnd(['--stdio', '--control', 'none', '--state', scratch(), '--agents', file]);
  assert.equal(unnamed.code, 2);
  assert.match(unnamed.stderr, /--stdio with --agents needs --agent NAME; profiles: a/);
  const stdio = Stdio.start({ flags: ['--agents', file, '--agent', 'a'] });
  const { result } = await stdio.request(modernBody('tools/list'));
  assert.deepEqual(result.tools.map(({ name }) => name), ['describe_access']);
  await stdio.end();
});

describe('a plugin', () => {
  const serve = async (t, isolate, profile) => {
    const file = join(scratch(), 'agents.json');
    writeFileSync(file, JSON.stringify({ agents: { a: profile } }));
    return startScriptsFor(t, { config: { plugins: { script: { isolate } } }, flags: ['--agents', file, '--agent', 'a'] });
  };
  const profile = { tenant_id: 'acme', user: 'u17', filters: { default: { region: 'eu' } }, caps: { rows: 7 } };

  test('in this process gets the whole scope of its caller, one in a worker the public part alone', async (t) => {
    const steps = [{ do: 'property', key: 'agent_scope' }, { do: 'property', key: 'agent' }];
    const [scope, agent] = await noted(await serve(t, 'in-process', profile), 'script', ...steps);
    const seen = JSON.parse(scope);
    assert.deepEqual([seen.agent, seen.tenant_id, seen.user, seen.filters, seen.caps],
      ['a', 'acme', 'u17', [profile.filters], profile.caps]);
    assert.match(seen.fingerprint, /^[0-9a-f]{16}$/);
    assert.doesNotMatch(agent, /region|fingerprint/);
    const [none, same] = await noted(await serve(t, 'process', profile), 'script', ...steps);
    assert.equal(none, '');
    assert.equal(same, agent);
  });

  test('calls others at the cost of one call, with one more layer of filters if it narrows', async (t) => {
    const server = await serve(t, 'in-process', { ...profile, rate_limit: { calls: 2, seconds: 60 } });
    const nested = { do: 'invoke', kind: 'tool', name: 'script_plain', narrowing: { filters: { default: { region: 'de' } } } };
    assert.equal((await noted(server, 'script', nested, nested, nested, nested)).length, 4);
    assert.equal((await noted(server, 'script', nested)).length, 1);
    const { message } = await modern(server, 'tools/call', { name: 'script', arguments: script(nested) });
    assert.match(message.result.content[0].text, /rate_limited/);
    assert.equal(message.result.isError, true);
    const metrics = await (await fetch(new URL('/metrics', server.url))).text();
    assert.match(metrics, /gantry_rate_limited_total\{stage="agent"\} 1/);
  });
});

test('metrics behind a proxy on this machine are for a profile that says so', async (t) => {
  const it = await governed({ a: {}, m: { metrics: true } }, { flags: ['--allow-host', 'mcp.example'] });
  t.after(() => it.stop());
  const read = async (key, host, ...more) => {
    const wire = await Wire.open(it.server.port);
    await wire.write([`GET /metrics HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${key}`, ...more, '', ''].join('\r\n'));
    const { status } = await wire.read();
    wire.close();
    return status;
  };
  assert.equal(await read(it.keys.a, `127.0.0.1:${it.server.port}`), 200);
  assert.equal(await read(it.keys.a, 'mcp.example'), 403);
  assert.equal(await read(it.keys.a, 'localhost', 'X-Forwarded-For: 10.0.0.1'), 403);
  assert.equal(await read(it.keys.m, 'mcp.example'), 200);
});

test('metrics are for this machine or a profile that says so', async (t) => {
  const it = await governed({ a: {}, m: { metrics: true } }, { listen: '0.0.0.0:0' });
  t.after(() => it.stop());
  const { networkInterfaces } = await import('node:os');
  const outside = Object.values(networkInterfaces()).flat().find((one) => one.family === 'IPv4' && !one.internal)?.address;
  const read = (host, key) => fetch(`http://${host}:${it.server.port}/metrics`, { headers: bearer(key) });
  assert.equal((await read('127.0.0.1', it.keys.a)).status, 200);
  if (!outside) return t.skip('this machine has no other address');
  assert.equal((await read(outside, it.keys.a)).status, 403);
  assert.equal((await read(outside, it.keys.m)).status, 200);
});
