// The web console's server side: its files, logins, the cookie's limits, the operators' API, and the event stream.
import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Page, askSocket, linkToken, send } from '../lib/console.mjs';
import { pause, until } from '../lib/events.mjs';
import { Server, runToEnd } from '../lib/gantryd.mjs';
import { Governed } from '../lib/governed.mjs';
import { scratch } from '../lib/paths.mjs';
import { LegacySession, call, modern, post } from '../lib/rpc.mjs';
import { script, scriptFlags } from '../lib/script.mjs';
import { Vault } from '../lib/approvals.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const adminKey = 'an admin key that is long enough';

/** A server with a control socket, which ends with the test. */
async function serve(t, options = {}) {
  const control = join(scratch(), 'c.sock');
  const server = await Server.start({ ...options, flags: ['--control', control, ...(options.flags ?? [])] });
  t.after(() => server.stop());
  return { server, control };
}
const served = (t) => serve(t, { db: demoDatabase() });
const scripts = (t, options = {}) => serve(t, { ...options, flags: scriptFlags(options) });
const configured = (config) => {
  const file = join(scratch(), 'gantry.json');
  writeFileSync(file, JSON.stringify(config));
  return ['--config', file];
};

describe('files', () => {
  test('carry a strict policy and an ETag', async (t) => {
    const { server } = await served(t);
    const page = await send(server, 'GET', '/');
    assert.equal(page.status, 200);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    const { 'content-security-policy': policy, etag } = page.headers;
    assert.equal(policy, "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'");
    for (const [name, value] of Object.entries({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin', 'cache-control': 'no-cache' })) {
      assert.equal(page.headers[name], value, name);
    }
    const again = await send(server, 'GET', '/', { 'if-none-match': etag });
    assert.deepEqual([again.status, again.text], [304, '']);
    assert.equal((await send(server, 'HEAD', '/')).text, '');
    for (const path of [...page.text.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, found]) => found)) {
      const file = await send(server, 'GET', path);
      assert.equal(file.status, 200, path);
      assert.match(file.headers['content-type'], /javascript|css|svg|image/, path);
    }
  });

  test('are these alone; nothing of a path reaches a disk', async (t) => {
    const { server } = await served(t);
    for (const path of ['/console/', '/console/index.html', '/console/../files.cpp', '/console/%2e%2e/%2e%2e/etc/passwd', '/index.html', '//']) {
      assert.equal((await send(server, 'GET', path)).status, 404, path);
    }
    assert.equal((await send(server, 'POST', '/')).status, 405);
    assert.equal((await send(server, 'GET', '/', { host: 'evil.example' })).status, 403);
  });

  test('are not served where the configuration says so, over stdio, or beyond loopback', async (t) => {
    const off = await serve(t, { flags: configured({ console: false }) });
    assert.equal((await send(off.server, 'GET', '/')).status, 404);
    assert.equal((await send(off.server, 'POST', '/console/login', new Page(off.server).headers(), '{"token":"x"}')).status, 404);
    assert.match((await askSocket(off.control, 'console.link')).error.message, /"console": false/);
    const env = { GANTRY_API_KEY: 'a key of a reader of it', GANTRY_ADMIN_KEY: adminKey };
    const { server: wide } = await serve(t, { listen: '0.0.0.0:0', env, flags: configured({ remote_admin: true }) });
    assert.equal((await send(wide, 'GET', '/')).status, 404, 'beyond loopback it must be asked for');
    const { server: asked } = await serve(t, { listen: '0.0.0.0:0', env, flags: configured({ remote_admin: true, console: true }) });
    assert.equal((await send(asked, 'GET', '/')).status, 200);
    const refused = await runToEnd(['--listen', '0.0.0.0:0', '--control', 'none', '--state', scratch(), ...configured({ console: true })],
      { env: { GANTRY_API_KEY: env.GANTRY_API_KEY } });
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, /console.*remote_admin.*admin's key/);
  });
});

describe('a login', () => {
  test('by a link works once; the cookie is hidden and strict', async (t) => {
    const { server, control } = await served(t);
    const token = await linkToken(control);
    const page = new Page(server);
    const answer = await page.login({ token });
    assert.equal(answer.status, 204);
    assert.match(answer.headers['set-cookie'][0],
      new RegExp(`^gantry_console_${server.port}=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=/; Max-Age=43200$`));
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal((await page.ask('host.info')).pid, server.child.pid);
    const stolen = await new Page(server).login({ token });
    assert.equal(stolen.status, 401);
    assert.match(stolen.text, /used or is too old.*gantry open/);
    assert.equal((await new Page(server).login({ token: 'f'.repeat(64) })).status, 401);
    for (const bad of [{}, { token: 1 }, [], { token, more: 1 }]) assert.equal((await new Page(server).login(bad)).status, 400);
    const secure = await new Page(server).login({ token: await linkToken(control) }, { origin: `https://127.0.0.1:${server.port}` });
    assert.match(secure.headers['set-cookie'][0], /; Secure$/);
    assert.doesNotMatch(server.stderr, new RegExp(token));
  });

  test('ends with the logout', async (t) => {
    const { server, control } = await served(t);
    const page = await Page.open(server, control);
    const stream = await page.events('gauges');
    const out = await page.logout();
    assert.equal(out.status, 204);
    assert.match(out.headers['set-cookie'][0], /Max-Age=0/);
    const after = await page.command('host.info');
    assert.equal(after.status, 401);
    assert.match(after.text, /gantry open/);
    await stream.end();
  });

  test('takes an admin\'s key, no other, and not many wrong ones', async (t) => {
    const governed = await Governed.start({ boss: { permissions: 'admin' }, reader: { permissions: 'readonly' } },
      { flags: configured({ limits: { pre_auth_per_minute: 20 } }) });
    t.after(() => governed.stop());
    const page = new Page(governed.server);
    assert.equal((await page.login({ key: governed.keys.boss })).status, 204);
    const { agents } = await page.ask('agent.list');
    assert.deepEqual(agents.map(({ agent }) => agent), ['boss', 'reader']);
    const reader = await new Page(governed.server).login({ key: governed.keys.reader });
    assert.equal(reader.status, 403);
    assert.match(reader.text, /tier admin/);
    const { keys } = await page.ask('key.list');
    const mine = keys.find(({ agent }) => agent === 'boss');
    await page.ask('key.revoke', { id: mine.id });
    await until(async () => (await page.command('host.info')).status === 401, 'the session ends with its key');
    let answer;
    for (let i = 0; i < 30 && answer?.status !== 429; i += 1) answer = await new Page(governed.server).login({ key: `wrong ${i}` });
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers['retry-after']) >= 1);
  });
});

describe('the cookie', () => {
  test('is refused from other ports, other sites, wrong hosts and other content types, with a log line', async (t) => {
    const { server, control } = await served(t);
    const page = await Page.open(server, control);
    const other = createServer().listen(0, '127.0.0.1');
    t.after(() => other.close());
    await new Promise((resolve) => { other.once('listening', resolve); });
    const neighbour = `http://127.0.0.1:${other.address().port}`;
    const cases = {
      'another port': { origin: neighbour, 'sec-fetch-site': 'same-site' },
      'another port that hides the site': { origin: neighbour },
      'another port that lies': { origin: neighbour, 'sec-fetch-site': 'same-origin' },
      'no-cors from another port': { origin: undefined, 'sec-fetch-site': 'same-site', 'content-type': 'text/plain' },
      'a foreign site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      'another name of this machine': { origin: `http://localhost:${server.port}` },
      'a sandboxed page': { origin: 'null' },
      'a wrong host': { host: 'evil.example', origin: 'http://evil.example' },
      'a form': { 'content-type': 'application/x-www-form-urlencoded' },
      'neither header': { origin: undefined, 'sec-fetch-site': undefined },
      'the address bar': { origin: undefined, 'sec-fetch-site': 'none' },
    };
    for (const [what, headers] of Object.entries(cases)) {
      const answer = await page.command('host.info', {}, headers);
      assert.equal(answer.status, 403, what);
      assert.doesNotMatch(answer.text, /version/, what);
      assert.equal((await page.login({ token: 'x' }, headers)).status, 403, what);
      assert.equal((await send(server, 'GET', '/admin/plugins', page.headers({ ...headers, 'content-type': undefined }))).status,
        ['a form'].includes(what) ? 200 : 403, what);
    }
    const fine = await page.command('host.info', {}, { 'sec-fetch-site': undefined });
    assert.equal(fine.status, 200, 'an old browser sends Origin alone');
    for (const name of Object.keys(fine.headers)) assert.doesNotMatch(name, /^access-control/);
    assert.equal(fine.headers['cache-control'], 'no-store');
    await until(() => /console refused.*another one/.test(server.stderr), 'a log line');
  });

  test('is good for nothing but the console', async (t) => {
    const { server, control } = await serve(t, { db: demoDatabase(), env: { GANTRY_API_KEY: 'a key of a reader of it' } });
    const page = await Page.open(server, control);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const mcp = await send(server, 'POST', '/mcp', page.headers({ accept: 'application/json, text/event-stream' }), body);
    assert.equal(mcp.status, 401);
    assert.equal((await send(server, 'GET', '/metrics', page.headers())).status, 401);
    const without = new Page(server, `gantry_console_${server.port + 1}=${page.cookie.split('=')[1]}`);
    assert.equal((await without.command('host.info')).status, 404, 'another server\'s name; no agent is an admin');
  });

  test('of a neighbour with the same name does not shut a session out', async (t) => {
    const { server, control } = await served(t);
    const page = await Page.open(server, control);
    page.cookie = `gantry_console_${server.port}=planted; ${page.cookie}; other=1`;
    assert.ok(await page.ask('host.info'));
  });
});

describe('commands', () => {
  test('tool.call runs as the agent and is audited as the console\'s', async (t) => {
    const { server, control } = await served(t);
    const page = await Page.open(server, control);
    const result = await page.ask('tool.call', { agent: 'local', tool: 'query_class', arguments: { class_name: 'countries', limit: 1 } });
    assert.equal(result.structuredContent.result_count, 1);
    const { records: [record] } = await page.ask('audit.search', { tool: 'query_class' });
    assert.equal(record.auth_type, 'console');
    assert.equal(record.agent, 'local');
    assert.deepEqual(record.args_keys, ['class_name', 'limit']);
    const failed = await page.ask('tool.call', { agent: 'local', tool: 'query_class', arguments: { class_name: 'Nothing' } });
    assert.equal(failed.isError, true);
    assert.equal((await page.command('tool.call', { agent: 'nobody', tool: 'query_class' })).status, 404);
    assert.match((await page.command('tool.call', { agent: 'local', tool: 'made_up' })).text, /made_up/);
    assert.match((await askSocket(control, 'tool.call', { agent: 'local', tool: 'query_class' })).error.message, /POST \/admin\/rpc alone/);
    assert.match((await page.command('console.link')).text, /control socket alone/);
  });

  test('agent.ask reads prompts and resources as the agent, and nothing else', async (t) => {
    const { server, control } = await served(t);
    const page = await Page.open(server, control);
    const ask = (method, params) => page.ask('agent.ask', { agent: 'local', method, params });
    const { prompts } = await ask('prompts/list');
    assert.ok(prompts.some(({ name }) => name === 'class_overview'));
    const { messages } = await ask('prompts/get', { name: 'class_overview', arguments: { class_name: 'countries' } });
    assert.match(messages[0].content.text, /countries/);
    const { completion } = await ask('completion/complete', { ref: { type: 'ref/prompt', name: 'class_overview' }, argument: { name: 'class_name', value: 'countr' } });
    assert.deepEqual(completion.values, ['countries', 'country_overview']);
    assert.ok((await ask('resources/templates/list')).resourceTemplates.length > 0);
    assert.ok(Array.isArray((await ask('resources/list')).resources));
    const { contents: [count] } = await ask('resources/read', { uri: 'data://countries/count' });
    assert.match(count.text, /249/);
    assert.match((await page.command('agent.ask', { agent: 'local', method: 'tools/call', params: { name: 'get_all_schemas' } })).text, /method must be one of .*prompts\/list/);
    assert.equal((await page.command('agent.ask', { agent: 'absent', method: 'prompts/list' })).status, 404);
    assert.match((await askSocket(control, 'agent.ask', { agent: 'local', method: 'prompts/list' })).error.message, /POST \/admin\/rpc alone/);
  });

  test('agent.ask is under the rules of the agent', async (t) => {
    const governed = await Governed.start({ boss: { permissions: 'admin' }, reader: { permissions: 'readonly', classes: { only: ['languages'] } } }, { db: demoDatabase() });
    t.after(() => governed.stop());
    const page = new Page(governed.server);
    await page.login({ key: governed.keys.boss });
    const read = (agent) => page.command('agent.ask', { agent, method: 'resources/read', params: { uri: 'data://countries/count', _meta: { x: 1 } } });
    assert.equal((await read('boss')).status, 200);
    assert.match((await read('reader')).text, /not accessible|not found/i);
  });

  test('tool.list shows each tool with its use, and to an agent why others are hidden', async (t) => {
    const governed = await Governed.start({ boss: { permissions: 'admin' }, reader: { permissions: 'readonly', tools: { except: ['script'] } } },
      { flags: scriptFlags() });
    t.after(() => governed.stop());
    const page = new Page(governed.server);
    await page.login({ key: governed.keys.boss });
    await page.ask('tool.call', { agent: 'boss', tool: 'script', arguments: script('pid') });
    const { tools, since } = await page.ask('tool.list', { agent: 'reader' });
    const tool = tools.find(({ name }) => name === 'script');
    assert.equal(tool.plugin, 'script');
    assert.equal(tool.calls, 1);
    assert.equal(tool.inputSchema.type, 'object');
    assert.ok(tool.tokens > 0 && tool.timeout_ms > 0 && tool.generation > 0 && tool.tier);
    assert.ok(tool.hidden.error_code && tool.hidden.reason);
    assert.ok(since);
    assert.equal((await page.ask('tool.list')).tools.find(({ name }) => name === 'script').hidden, undefined);
    const described = await page.ask('agent.describe', { agent: 'reader' });
    assert.deepEqual(described.tools.except, ['script']);
    assert.ok(!described.tools.effective.includes('script'));
    assert.match((await page.command('agent.describe', { agent: 'x' })).text, /boss, reader/);
  });

  test('a running call is shown and can be cancelled', async (t) => {
    const { server, control } = await scripts(t);
    const page = await Page.open(server, control);
    const running = modern(server, 'tools/call', { name: 'script', arguments: script('wait_cancel') });
    let call;
    await until(async () => { [call] = (await page.ask('call.active')).calls; return call; }, 'the call');
    assert.equal(call.tool, 'script');
    assert.equal(call.agent, 'local');
    assert.equal(call.state, 'running');
    assert.equal((await page.ask('host.overview')).counts.running, 1);
    assert.deepEqual(await page.ask('call.cancel', { id: call.id }), { id: call.id, cancelled: true });
    assert.match(JSON.stringify((await running).message.result), /cancelled/);
    assert.equal((await page.command('call.cancel', { id: call.id })).status, 404);
    assert.deepEqual((await page.ask('call.active')).calls, []);
  });

  test('a call ends when its page is closed', async (t) => {
    const { server, control } = await scripts(t);
    const page = await Page.open(server, control);
    const abort = new AbortController();
    const gone = fetch(new URL('/admin/rpc', server.url), { method: 'POST', signal: abort.signal, headers: page.headers(),
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tool.call', params: { agent: 'local', tool: 'script', arguments: script('wait_cancel') } }) });
    await until(async () => (await page.ask('call.active')).calls.length === 1, 'the call');
    abort.abort();
    await assert.rejects(gone);
    await until(async () => (await page.ask('call.active')).calls.length === 0, 'its end');
  });

  test('a call that waits for a person says so, and the answer comes from the console', async (t) => {
    const vault = await Vault.start();
    t.after(() => vault.stop());
    const page = new Page(vault.server);
    await page.login({ key: vault.governed.keys.boss });
    const stream = await page.events('approvals');
    await stream.find(({ event, data }) => event === 'approvals' && data.approvals.length === 0, 'the list at once');
    const waiting = vault.modern('remote', { name: 'vault_set', arguments: { value: 'x' } });
    const { data } = await stream.find(({ data: d }) => d.approvals?.length === 1, 'the call in the inbox');
    assert.equal((await page.ask('call.active')).calls[0].state, 'waiting_for_approval');
    const shown = await page.ask('approval.show', { id: data.approvals[0].id });
    assert.deepEqual(shown.arguments, { value: 'x' });
    await page.ask('approval.answer', { id: shown.id, accept: true });
    assert.equal((await waiting).result.structuredContent.value, 'x');
  });

  test('sessions, streams and subscriptions are listed, and a session is ended', async (t) => {
    const { server, control } = await served(t);
    const session = await LegacySession.open(server);
    const page = await Page.open(server, control);
    const { sessions: [one] } = await page.ask('session.list');
    assert.equal(one.revision, session.revision ?? '2025-11-25');
    assert.match(one.id, /^[0-9a-f]{8}$/);
    assert.ok(one.age_s >= 0 && one.idle_s >= 0);
    const uri = 'data://countries/schema';
    await session.request('resources/subscribe', { uri });
    const { subscriptions } = await page.ask('subscription.list');
    assert.deepEqual(subscriptions.map((each) => [each.uri, each.kind, each.session]), [[uri, 'session', one.id]]);
    await until(async () => (await page.ask('subscription.list')).subscriptions[0].age_s >= 1, 'it is a second old');
    await session.request('resources/subscribe', { uri: 'data://languages/schema' });
    const ages = Object.fromEntries((await page.ask('subscription.list')).subscriptions.map((each) => [each.uri, each.age_s]));
    assert.ok(ages[uri] > ages['data://languages/schema'], JSON.stringify(ages));
    const { streams } = await page.ask('stream.list');
    assert.deepEqual(streams.map(({ kind, uris, tools }) => [kind, uris, tools]), [['session', 2, true]]);
    assert.deepEqual(await page.ask('session.end', { id: one.id }), { id: one.id, ended: true, cancelled: 0 });
    assert.deepEqual((await page.ask('session.list')).sessions, []);
    assert.equal((await page.command('session.end', { id: one.id })).status, 404);
  });

  test('settings name their sources and hide values that may be secret', async (t) => {
    const file = configured({ log_level: 'warn', http: { require_header: 'X-Pass: hush' },
      plugins: { script: { isolate: 'in-process' } }, builtin_plugins: 'none' });
    const { server, control } = await serve(t, { flags: [...file, '--log-format', 'json'], env: { GANTRY_ADMIN_KEY: adminKey, GANTRY_ALLOW_WRITE_TOOLS: 'true' } });
    const { settings, config_file: path } = (await askSocket(control, 'settings.show')).result;
    const row = (key) => settings.find((each) => each.key === key);
    assert.equal(path, file[1]);
    assert.deepEqual(row('log_level'), { key: 'log_level', value: 'warn', source: 'file', restart: true });
    assert.equal(row('log_format').source, 'flag');
    assert.equal(row('discovery').source, 'default');
    assert.deepEqual([row('plugin_directories').restart, row('plugins.script.isolate').source], [false, 'file']);
    assert.match(row('http.require_header').value, /^sha256:[0-9a-f]{8}$/);
    assert.match(row('GANTRY_ADMIN_KEY').value, /^sha256:[0-9a-f]{8}$/);
    assert.deepEqual([row('GANTRY_ALLOW_WRITE_TOOLS').value, row('GANTRY_ALLOW_WRITE_TOOLS').source], ['true', 'env']);
    assert.doesNotMatch(JSON.stringify(settings), /hush|an admin key/);
    const page = await Page.open(server, control);
    assert.equal((await page.ask('settings.show')).settings.length, settings.length, 'the console needs no required header');
  });

  test('keys are made, shown once and revoked', async (t) => {
    const governed = await Governed.start({ boss: { permissions: 'admin' }, reader: { permissions: 'readonly' } });
    t.after(() => governed.stop());
    const page = new Page(governed.server);
    await page.login({ key: governed.keys.boss });
    const made = await page.ask('key.add', { agent: 'reader', note: 'for a test', expires_s: 3600 });
    assert.match(made.key, /^gnt_/);
    assert.ok(made.expires);
    const { keys } = await page.ask('key.list');
    const mine = keys.find(({ id }) => id === made.id);
    assert.equal(mine.note, 'for a test');
    assert.match(mine.fingerprint, /^[0-9a-f]{8}$/);
    assert.doesNotMatch(JSON.stringify(keys), new RegExp(made.key));
    const works = async () => (await modern(governed.server, 'server/discover', {}, { authorization: `Bearer ${made.key}` })).status;
    await until(async () => await works() === 200, 'the key is accepted');
    await page.ask('key.revoke', { id: made.id });
    await until(async () => await works() === 401, 'the key is refused');
    assert.equal((await page.command('key.revoke', { id: made.id })).status, 404);
    assert.match((await page.command('key.add', { agent: 'nobody' })).text, /boss, reader/);
    assert.match((await page.command('key.add', { agent: 'reader', expires_s: 0 })).text, /from 1 to/);
    assert.doesNotMatch(governed.server.stderr, new RegExp(made.key));
  });

  test('load over time has a sample a second', async (t) => {
    const { server, control } = await serve(t, { db: demoDatabase(), env: { GANTRY_ALLOW_RAW_CRUD: '1' } });
    const page = await Page.open(server, control);
    await call(server, 'count_objects', { class_name: 'countries' });
    let samples;
    await until(async () => { ({ samples } = await page.ask('host.series')); return samples.some(({ calls }) => calls > 0); }, 'the call in a sample');
    const busy = samples.find(({ calls }) => calls > 0);
    assert.deepEqual([busy.calls, busy.errors], [1, 0]);
    assert.ok(busy.p50_ms > 0 && busy.bytes > 0 && busy.time);
    assert.equal((await page.ask('host.series', { range: '1h' })).step_s, 10);
    assert.match((await page.command('host.series', { range: '2d' })).text, /5m.*1h/);
    const overview = await page.ask('host.overview');
    assert.equal(overview.last_minute.calls, 1);
    assert.deepEqual(overview.store, { plugin: 'data', classes: 10 });
    assert.deepEqual(overview.gates.map(({ name, open }) => [name, open]), [
      ['GANTRY_ALLOW_WRITE_TOOLS', false], ['GANTRY_ALLOW_SCHEMA_OPS', false],
      ['GANTRY_ALLOW_RAW_CRUD', true], ['GANTRY_ALLOW_RAW_SCHEMA', false],
    ]);
    assert.equal(overview.endpoint, String(server.url));
  });
});

describe('audit.search', () => {
  test('finds by correlation id, outcome and time, and waits for the next record', async (t) => {
    const { server, control } = await served(t);
    const ask = async (params) => (await askSocket(control, 'audit.search', params)).result;
    await call(server, 'count_objects', { class_name: 'countries' });
    const denied = await modern(server, 'tools/call', { name: 'query_class', arguments: { class_name: 'Hidden' }, _meta: { 'gantry/correlationId': 'one-call' } });
    assert.equal(denied.message.result.isError, true);
    const { records, cursor, source } = await ask({});
    assert.deepEqual([records.map(({ tool }) => tool), source], [['query_class', 'count_objects'], 'memory']);
    for (const id of ['one-call', records[0].audit_id]) {
      assert.deepEqual((await ask({ correlation_id: id })).records.map(({ tool }) => tool), ['query_class'], id);
    }
    assert.deepEqual((await ask({ outcome: 'denied' })).records.map(({ tool }) => tool), ['query_class']);
    assert.deepEqual((await ask({ outcome: 'ok', limit: 1 })).records.map(({ tool }) => tool), ['count_objects']);
    assert.deepEqual((await ask({ from: '2999-01-01T00:00:00Z' })).records, []);
    const began = Date.now();
    const next = ask({ after: cursor, wait_ms: 20_000 });
    await pause(300);
    await call(server, 'get_schema', { class_name: 'countries' });
    assert.deepEqual((await next).records.map(({ tool }) => tool), ['get_schema']);
    assert.ok(Date.now() - began < 10_000);
    const nothing = await ask({ after: (await next).cursor, wait_ms: 200 });
    assert.deepEqual(nothing.records, []);
    assert.equal((await ask({ after: 'other-1' })).records.length, 3, 'a cursor of another process begins at the oldest');
    for (const [params, word] of [[{ limit: 0 }, /1 to 1000/], [{ from: 'yesterday' }, /time such as/], [{ wait_ms: 99_999 }, /25000/], [{ to_: 1 }, /no parameter/]]) {
      assert.match((await askSocket(control, 'audit.search', params)).error.message, word);
    }
  });

  test('a search that waits does not hold the server\'s end up', async (t) => {
    const { server, control } = await served(t);
    const page = await Page.open(server, control);
    const { cursor } = await page.ask('audit.search');
    const waits = [askSocket(control, 'audit.search', { after: cursor, wait_ms: 25_000 }).catch(() => {}),
      page.command('audit.search', { after: cursor, wait_ms: 25_000 }).catch(() => {})];
    await pause(200);
    const began = Date.now();
    await server.stop();
    await Promise.all(waits);
    assert.ok(Date.now() - began < 8_000);
  });

  test('goes through 10,000 records of the audit file in 100 ms', async (t) => {
    const file = join(scratch(), 'audit.jsonl');
    const { server, control } = await serve(t, { db: demoDatabase(), flags: configured({ audit: { file } }) });
    const page = await Page.open(server, control);
    await call(server, 'count_objects', { class_name: 'countries' });
    const { records: [sample] } = await page.ask('audit.search');
    const lines = Array.from({ length: 10_000 }, (_, i) => `${JSON.stringify({ ...sample, correlation_id: `c-${i}`, error_code: i % 7 ? undefined : 'timeout', success: i % 7 !== 0 })}\n`);
    appendFileSync(file, lines.join(''));
    const times = [];
    for (const params of [{ correlation_id: 'c-17' }, { outcome: 'timeout', limit: 1000 }, { agent: 'nobody' }, { outcome: 'denied' }]) {
      const runs = [];
      for (let run = 0; run < 3; run += 1) {
        const began = performance.now();
        const { records, source } = await page.ask('audit.search', params);
        runs.push(performance.now() - began);
        assert.equal(source, 'file');
        if (params.correlation_id) assert.deepEqual(records.map(({ correlation_id: c }) => c), ['c-17']);
        if (params.outcome === 'timeout') assert.equal(records.length, 1000);
      }
      times.push(Math.min(...runs));
    }
    t.diagnostic(`10,000 records, the best of three: ${times.map((ms) => ms.toFixed(1)).join(', ')} ms (id, code, no such agent, denied)`);
    // Sanitizers make this some ten times slower.
    assert.ok(Math.max(...times) < (process.env.GANTRY?.includes('/release/') ? 100 : 10_000), String(times));
  });
});

describe('events', () => {
  test('a call of another client is there within a second, with plugins and gauges', async (t) => {
    const { server, control } = await served(t);
    const page = await Page.open(server, control);
    const stream = await page.events();
    assert.equal(stream.status, 200);
    assert.match(stream.answer.headers['content-type'], /^text\/event-stream/);
    await stream.find(({ event }) => event === 'plugins', 'the plugins at once');
    await stream.find(({ event }) => event === 'approvals', 'the approvals at once');
    await call(server, 'count_objects', { class_name: 'countries' });
    const ended = Date.now();
    const { data, id } = await stream.find(({ event }) => event === 'call', 'the call');
    assert.ok(Date.now() - ended < 1000);
    assert.equal(data.tool, 'count_objects');
    assert.match(id, /^[0-9a-f]{8}-1$/);
    const gauges = await stream.find(({ event, data: d }) => event === 'gauges' && d.calls > 0, 'a gauge with the call');
    assert.ok(gauges.data.p50_ms > 0);
    stream.close();
  });

  test('topics choose; an unknown one is refused', async (t) => {
    const { server, control } = await served(t);
    const page = await Page.open(server, control);
    const stream = await page.events('calls%2Cgauges');
    await call(server, 'count_objects', { class_name: 'countries' });
    await stream.find(({ event }) => event === 'call');
    await stream.find(({ event }) => event === 'gauges');
    assert.deepEqual(stream.all.filter(({ event }) => event === 'plugins'), []);
    stream.close();
    const bad = await page.events('calls,weather');
    assert.equal(bad.status, 400);
  });

  test('a client that comes back gets the events that it missed; one of another process is told of a gap', async (t) => {
    const { server, control } = await served(t);
    const page = await Page.open(server, control);
    const first = await page.events('calls');
    await call(server, 'count_objects', { class_name: 'countries' });
    const { id } = await first.find(({ event }) => event === 'call');
    first.close();
    await call(server, 'get_schema', { class_name: 'countries' });
    const again = await page.events('calls', { 'last-event-id': id });
    assert.equal((await again.find(({ event }) => event === 'call')).data.tool, 'get_schema');
    again.close();
    const stranger = await page.events('calls', { 'last-event-id': 'ffffffff-1' });
    assert.deepEqual((await stranger.find(({ event }) => event === 'gap')).data, { missed: null });
    stranger.close();
  });

  test('seven pages stream at once, a thirty-third is refused, and all end with the server', async (t) => {
    const { server, control } = await served(t);
    const page = await Page.open(server, control);
    const streams = await Promise.all(Array.from({ length: 7 }, () => page.events('calls')));
    await call(server, 'count_objects', { class_name: 'countries' });
    for (const stream of streams) assert.equal((await stream.find(({ event }) => event === 'call')).data.tool, 'count_objects');
    const more = await Promise.all(Array.from({ length: 25 }, () => page.events('calls')));
    assert.ok(more.every(({ status }) => status === 200));
    assert.equal((await page.events('calls')).status, 503);
    const began = Date.now();
    await server.stop();
    await Promise.all([...streams, ...more].map((stream) => stream.end()));
    assert.ok(Date.now() - began < 8_000);
  });

  test('come by an admin\'s key too, until it is revoked', async (t) => {
    const governed = await Governed.start({ boss: { permissions: 'admin' }, ops: { permissions: 'admin' } });
    t.after(() => governed.stop());
    const page = new Page(governed.server);
    const bearer = { authorization: `Bearer ${governed.keys.boss}`, 'sec-fetch-site': undefined, cookie: undefined };
    const stream = await page.events('gauges', bearer);
    await stream.find(({ event }) => event === 'gauges');
    const other = new Page(governed.server);
    await other.login({ key: governed.keys.ops });
    const { keys } = await other.ask('key.list');
    await other.ask('key.revoke', { id: keys.find(({ agent }) => agent === 'boss').id });
    await stream.end();
    const refused = await page.events('gauges', { ...bearer, authorization: undefined });
    assert.equal(refused.status, 401);
  });
});
