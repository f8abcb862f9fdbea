// /metrics: the text is well-formed, each event moves its number, and a caller that may not use
// /mcp cannot read it.
import assert from 'node:assert/strict';
import { copyFileSync, renameSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Call, until } from '../lib/events.mjs';
import { SessionStream, listen } from '../lib/listen.mjs';
import { LegacySession, ask, call, modern, modernBody, modernHeaders } from '../lib/rpc.mjs';
import { scratch } from '../lib/paths.mjs';
import { fixture, named, script, startScripts, startScriptsFor, withStateVersion } from '../lib/script.mjs';

/** One request to a path, with any Host and from any loopback address: {status, headers, text}. */
const send = (server, path, { method = 'GET', headers = {}, from } = {}) => new Promise((resolve, reject) => {
  const to = { host: '127.0.0.1', port: server.port, ...(from ? { localAddress: from } : {}) };
  const sent = request({ ...to, path, method, headers, agent: false }, (answer) => {
    let text = '';
    answer.setEncoding('utf8');
    answer.on('data', (part) => { text += part; });
    answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
  });
  sent.on('error', reject);
  sent.end();
});

const labelOf = /^([a-z_]+)="((?:[^"\\\n]|\\[\\n"])*)"$/;

/** The series of an exposition: 'name{a="1",b="2"}' with sorted labels -> number. Strict. */
function parse(text) {
  assert.ok(text.endsWith('\n'));
  const types = new Map();
  const series = new Map();
  for (const line of text.split('\n').slice(0, -1)) {
    const told = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line);
    if (told) {
      if (told[1] === 'HELP') continue;
      assert.ok(!types.has(told[2]), `the type of ${told[2]} is there twice`);
      assert.match(told[3], /^(counter|gauge|histogram)$/);
      types.set(told[2], told[3]);
      continue;
    }
    const sample = /^([a-z_]+)(?:\{(.*)\})? (\+Inf|-?[0-9.e+-]+)$/.exec(line);
    assert.ok(sample, `no sample: ${line}`);
    const [, name, labels = '', value] = sample;
    const family = name.replace(/_(bucket|sum|count)$/, '');
    assert.ok(types.has(name) || types.get(family) === 'histogram', `${name} has no type above it`);
    const parts = labels === '' ? [] : labels.split(/,(?=[a-z_]+=")/);
    for (const part of parts) assert.match(part, labelOf);
    const key = parts.length ? `${name}{${parts.sort().join(',')}}` : name;
    assert.ok(!series.has(key), `${key} is there twice`);
    assert.ok(Number.isFinite(Number(value)), line);
    series.set(key, Number(value));
  }
  return { types, series };
}

async function scrape(server, headers) {
  const answer = await send(server, '/metrics', { headers });
  assert.equal(answer.status, 200, answer.text);
  return parse(answer.text).series;
}

const read = async (server, key, headers) => (await scrape(server, headers)).get(key) ?? 0;
const becomes = (server, key, value) =>
  until(async () => (await read(server, key)) === value, `${key} to be ${value}`);

/** Fails unless the function `what` moves each of these series by the given amount. */
async function moves(server, changes, what) {
  const earlier = await scrape(server);
  await what();
  let now;
  const wrong = () => Object.entries(changes)
    .filter(([key, by]) => (now.get(key) ?? 0) - (earlier.get(key) ?? 0) !== by);
  const end = Date.now() + 10000;
  do now = await scrape(server); while (wrong().length > 0 && Date.now() < end);
  assert.deepEqual(wrong().map(([key, by]) => [key, by, earlier.get(key), now.get(key)]), []);
}

const total = (tool, outcome) => `gantry_calls_total{outcome="${outcome}",tool="${tool}"}`;
const requests = (method, status) => `gantry_requests_total{method="${method}",status="${status}"}`;

describe('the text', () => {
  let server;
  before(async () => { server = await startScripts({ plugins: ['script', 'script-one', 'script-two', 'script-three', 'script-async', 'script-serial', 'script-rounds'] }); });
  after(() => server.stop());

  test('is an exposition with every name, each series once', async () => {
    await ask(server, 'rounds', script());
    const answer = await send(server, '/metrics');
    assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    const { types, series } = parse(answer.text);
    for (const [name, type] of Object.entries({
      gantry_calls_total: 'counter', gantry_call_seconds: 'histogram', gantry_calls_abandoned_total: 'counter',
      gantry_calls_delayed_total: 'counter',
      gantry_plugin_calls_total: 'counter', gantry_requests_total: 'counter', gantry_bytes_received_total: 'counter',
      gantry_bytes_sent_total: 'counter', gantry_calls_active: 'gauge', gantry_tasks_active: 'gauge',
      gantry_queue_length: 'gauge', gantry_connections_active: 'gauge', gantry_sessions_active: 'gauge',
      gantry_streams_active: 'gauge', gantry_listeners_active: 'gauge', gantry_subscriptions_active: 'gauge',
      gantry_plugin_generation: 'gauge', gantry_plugin_generations_alive: 'gauge',
      gantry_plugin_generations_draining: 'gauge', gantry_plugin_generations_stuck: 'gauge',
      gantry_plugins_quarantined: 'gauge', gantry_plugin_swaps_total: 'counter',
      gantry_plugin_libraries_leaked_total: 'counter', gantry_bytes_held: 'gauge', gantry_bytes_refused_total: 'counter',
    })) assert.equal(types.get(name), type, name);
    assert.equal(series.get('gantry_call_seconds_bucket{le="+Inf",tool="rounds"}'), series.get('gantry_call_seconds_count{tool="rounds"}'));
  });

  test('is answered to GET and HEAD', async () => {
    const head = await send(server, '/metrics', { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.ok(Number(head.headers['content-length']) > 0);
    const posted = await send(server, '/metrics', { method: 'POST', headers: { 'content-length': 0 } });
    assert.deepEqual([posted.status, posted.headers.allow], [405, 'GET, HEAD']);
  });

  test('is refused to foreign hosts and origins', async () => {
    assert.equal((await send(server, '/metrics', { headers: { host: 'evil.example' } })).status, 403);
    assert.equal((await send(server, '/metrics', { headers: { origin: 'https://evil.example' } })).status, 403);
  });

  test('counts a call that went well', () => moves(server, {
    [total('rounds', 'ok')]: 1, 'gantry_call_seconds_count{tool="rounds"}': 1,
    'gantry_plugin_calls_total{plugin="script-rounds"}': 1, [requests('tools/call', 200)]: 1,
  }, () => ask(server, 'rounds', script())));

  test('counts a call that failed, by its code', () => moves(server, { [total('rounds', 'not_found')]: 1 },
    () => call(server, 'rounds', script({ do: 'fail', code: 'not_found', message: 'No.', status: -4 }, { do: 'return', status: -4 }))));

  test('counts calls of unknown tools, without their names', async () => {
    await moves(server, { [total('unknown', 'unknown_tool')]: 1 }, async () => {
      const { message } = await modern(server, 'tools/call', { name: 'made_up_name', arguments: {} });
      assert.equal(message.error.code, -32602);
    });
    assert.doesNotMatch((await send(server, '/metrics')).text, /made_up_name/);
  });

  test('counts entries of plugins into plugins', () => moves(server, {
    'gantry_plugin_calls_total{plugin="script"}': 1, 'gantry_plugin_calls_total{plugin="script-one"}': 1,
  }, () => ask(server, 'script', script({ do: 'invoke', kind: 'service', name: 'script.one/1' }))));

  test('counts prompts and resources apart from tools', () => moves(server, {
    [total('(prompt)', 'ok')]: 1, [total('(resource)', 'ok')]: 1, [requests('prompts/get', 200)]: 1,
    [requests('resources/read', 200)]: 1, 'gantry_plugin_calls_total{plugin="script-rounds"}': 2,
  }, async () => {
    await modern(server, 'prompts/get', { name: 'scripted', arguments: { topic: 'x' } });
    await modern(server, 'resources/read', { uri: 'script://fixed' }, { 'mcp-name': 'script://fixed' });
  }));

  test('counts requests by the status of their answer', () => moves(server, {
    [requests('other', 404)]: 1, [requests('notifications/initialized', 202)]: 1, [requests('initialize', 200)]: 1,
  }, async () => {
    await modern(server, 'no/such/method', {});
    await LegacySession.open(server);
  }));

  test('counts a cancelled call whose plugin works on as abandoned, and as active until it ends', async () => {
    const body = modernBody('tools/call', { name: 'script_long', arguments: named('kept', { do: 'gate', name: 'later' }) });
    await moves(server, { gantry_calls_abandoned_total: 1, gantry_calls_active: 1, [total('script_long', 'cancelled')]: 1 }, async () => {
      const open = Call.post(server.url, body, modernHeaders(body));
      await becomes(server, 'gantry_calls_active', 1);
      await open.drop();
    });
    await ask(server, 'script', script({ do: 'open', name: 'later' }));
    await becomes(server, 'gantry_calls_active', 0);
  });

  test('times operations by method, by tools that are there, and by error, and by nothing else', async () => {
    const of = (labels) => `mcp_server_operation_duration_seconds_count{${labels.split(',').sort().join(',')}}`;
    const tool = 'mcp_method_name="tools/call",gen_ai_tool_name="script_plain"';
    await moves(server, {
      [of(tool)]: 1, [of(`${tool},error_type="tool_error"`)]: 1, [of('mcp_method_name="tools/list"')]: 1,
      [of('mcp_method_name="tools/call",error_type="-32602"')]: 1, [of('mcp_method_name="other",error_type="-32601"')]: 1,
      [of(`${tool},error_type="cancelled"`)]: 0,
    }, async () => {
      await modern(server, 'tools/call', { name: 'script_plain', arguments: {} });
      await modern(server, 'tools/call', { name: 'script_plain', arguments: script({ do: 'fail', code: 'not_found', message: 'no' }) });
      await modern(server, 'tools/list', {});
      await modern(server, 'tools/call', { name: 'no_such_tool', arguments: {} });
      await modern(server, 'no/such/method', {});
    });
    const text = await (await fetch(new URL('/metrics', server.url))).text();
    const labels = new Set([...text.matchAll(/^mcp_server_operation_duration_seconds\w*\{([^}]*)\}/gm)]
      .flatMap(([, list]) => [...list.matchAll(/(\w+)="/g)].map(([, name]) => name)));
    assert.deepEqual([...labels].sort(), ['error_type', 'gen_ai_tool_name', 'le', 'mcp_method_name']);
    assert.ok(!text.includes('no_such_tool'));
  });

  test('counts bytes in both directions', async () => {
    const size = 100_000;
    const earlier = await scrape(server);
    await ask(server, 'rounds', script({ do: 'write', type: 'text', fill: size }));
    const now = await scrape(server);
    assert.ok(now.get('gantry_bytes_sent_total') - earlier.get('gantry_bytes_sent_total') > size);
    assert.ok(now.get('gantry_bytes_received_total') > earlier.get('gantry_bytes_received_total'));
  });

  test('shows open streams, listeners, sessions and subscriptions while there are any', async () => {
    await moves(server, { gantry_sessions_active: 0, gantry_listeners_active: 0, gantry_subscriptions_active: 0 }, async () => {
      const earlier = await scrape(server);
      const at = (name) => earlier.get(name);
      const open = await listen(server, { resourceSubscriptions: ['script://fixed'] });
      await becomes(server, 'gantry_listeners_active', at('gantry_listeners_active') + 1);
      await becomes(server, 'gantry_subscriptions_active', at('gantry_subscriptions_active') + 1);
      const session = await LegacySession.open(server);
      const ear = await SessionStream.open(session);
      await session.request('resources/subscribe', { uri: 'script://fixed' });
      await becomes(server, 'gantry_sessions_active', at('gantry_sessions_active') + 1);
      await becomes(server, 'gantry_listeners_active', at('gantry_listeners_active') + 2);
      await becomes(server, 'gantry_subscriptions_active', at('gantry_subscriptions_active') + 2);
      assert.ok(await read(server, 'gantry_connections_active') >= 3);
      await ear.drop();
      await open.drop();
      await fetch(server.url, { method: 'DELETE', headers: session.headers });
    });
  });

  test('shows a request that is answered as a stream while it is open', async () => {
    const steps = script({ do: 'progress', done: 1 }, { do: 'gate', name: 'streamed' });
    const body = modernBody('tools/call', { name: 'script_long', arguments: steps, _meta: { progressToken: 't' } });
    const open = Call.post(server.url, body, modernHeaders(body));
    await becomes(server, 'gantry_streams_active', 1);
    await ask(server, 'script', script({ do: 'open', name: 'streamed' }));
    await open.result();
    await becomes(server, 'gantry_streams_active', 0);
  });

  test('shows a task until it has ended', async () => {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } } };
    const steps = script({ do: 'task' }, { do: 'gate', name: 'tasked' });
    const { message } = await modern(server, 'tools/call', { name: 'rounds', arguments: steps, _meta });
    assert.ok(message.result.taskId);
    await becomes(server, 'gantry_tasks_active', 1);
    await ask(server, 'rounds', script({ do: 'open', name: 'tasked' }));
    await becomes(server, 'gantry_tasks_active', 0);
  });

  test('shows the generation of each plugin', async () => {
    const series = await scrape(server);
    assert.equal(series.get('gantry_plugin_generation{plugin="script"}') >= 1, true);
    assert.equal(series.get('gantry_plugin_generation{plugin="script-rounds"}') >= 1, true);
  });
});

describe('plugins that are replaced', () => {
  const of = 'gantry_plugin_generation{plugin="script-rounds"}';
  const loaded = 'gantry_plugin_swaps_total{outcome="loaded"}';
  const failed = 'gantry_plugin_swaps_total{outcome="failed"}';
  const builds = [1, 2].map((version) => withStateVersion('script-rounds', version));
  const directory = scratch();
  let server;
  const put = (from, name) => {
    copyFileSync(from, join(directory, '.next'));
    renameSync(join(directory, '.next'), join(directory, name));
  };
  before(async () => {
    put(builds[0], 'rounds.so');
    const inProcess = { isolate: 'in-process' };
    const sections = { 'script-rounds': inProcess, 'start-fails': inProcess };
    server = await startScripts({ plugins: [], config: { plugin_directories: [directory], plugins: sections } });
  });
  after(() => server.stop());

  test('are counted when they start, as alive, and as draining while calls hold them', async () => {
    const earlier = await scrape(server);
    assert.deepEqual([loaded, failed, 'gantry_plugin_generations_alive'].map((key) => earlier.get(key)), [1, 0, 1]);
    const body = modernBody('tools/call', { name: 'rounds', arguments: script('wait_cancel') });
    const open = Call.post(server.url, body, modernHeaders(body));
    await becomes(server, 'gantry_calls_active', 1);
    put(builds[1], 'rounds.so');
    await becomes(server, loaded, 2);
    await becomes(server, 'gantry_plugin_generations_draining', 1);
    const now = await scrape(server);
    assert.ok(now.get(of) > earlier.get(of));
    assert.equal(now.get('gantry_plugin_generations_alive'), 2);
    await open.drop();
    await becomes(server, 'gantry_plugin_generations_draining', 0);
    await becomes(server, 'gantry_plugin_generations_alive', 1);
    assert.equal(await read(server, 'gantry_plugin_libraries_leaked_total'), 0);
  });

  test('are counted when they fail', async () => {
    const generation = await read(server, of);
    await moves(server, { [failed]: 1, [loaded]: 0 }, () => put(fixture('broken', 'start_fails'), 'fails.so'));
    assert.equal(await read(server, of), generation);
  });
});

test('a worker that is started again is counted, and a plugin that failed too often', async (t) => {
  const server = await startScriptsFor(t, {
    plugins: ['script-worker'],
    config: { plugins: { 'script-worker': { isolate: 'process', worker: { failures: 2 } } } },
  });
  const restarts = 'gantry_plugin_restarts_total{plugin="script-worker"}';
  assert.equal(await read(server, restarts), 0);
  assert.equal(await read(server, 'gantry_plugins_quarantined'), 0);
  await call(server, 'deed', script({ do: 'die', code: 1 }));
  await becomes(server, restarts, 1);
  await until(async () => {
    // The tool is gone as soon as its plugin has failed, which may be before the gauge says so.
    await modern(server, 'tools/call', { name: 'deed', arguments: script({ do: 'die', code: 1 }) });
    return await read(server, 'gantry_plugins_quarantined') === 1;
  }, 'the quarantine');
});

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

describe('the queue', () => {
  test('counts the calls that wait for a thread', async (t) => {
    const server = await startScriptsFor(t, { config: { limits: { pool_threads: 1, blocking_threads: 0 } } });
    const post = () => {
      const body = modernBody('tools/call', { name: 'script_long', arguments: script('wait_cancel') });
      return Call.post(server.url, body, modernHeaders(body));
    };
    const first = post();
    await becomes(server, 'gantry_calls_active', 1);
    const others = [post(), post()];
    await becomes(server, 'gantry_queue_length', 2);
    for (const open of others) await open.drop();
    await becomes(server, total('script_long', 'cancelled'), 2);  // before there is a thread for them
    assert.equal(await read(server, 'gantry_calls_delayed_total'), 0);
    await pause(100);
    await first.drop();
    await becomes(server, 'gantry_queue_length', 0);
    assert.equal(await read(server, 'gantry_calls_delayed_total'), 2);
    assert.equal(await read(server, 'gantry_calls_abandoned_total'), 1);
  });
});

describe('where a credential is configured', () => {
  const key = { authorization: 'Bearer k' };
  let server;
  before(async () => {
    server = await startScripts({ env: { GANTRY_API_KEY: 'k' }, config: { limits: { pre_auth_per_minute: 3 } } });
  });
  after(() => server.stop());

  test('a reader without it is refused', async () => {
    const refused = await send(server, '/metrics');
    assert.equal(refused.status, 401);
    assert.equal(refused.text, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unauthorized"}}');
    assert.match(refused.headers['www-authenticate'], /^Bearer/);
    assert.equal((await send(server, '/metrics', { headers: { authorization: 'Bearer no' } })).status, 401);
    const series = await scrape(server, key);
    assert.equal(series.get('gantry_auth_failures_total{reason="missing"}'), 1);
    assert.equal(series.get('gantry_auth_failures_total{reason="invalid"}'), 1);
  });

  test('a caller with too many failures gets 429, which is counted; /health stays open', async () => {
    assert.equal((await modern(server, 'server/discover', {})).status, 401);
    const slowed = await send(server, '/metrics');
    assert.equal(slowed.status, 429);
    assert.equal((await send(server, '/metrics', { headers: key })).status, 200);
    assert.ok(Number(slowed.headers['retry-after']) >= 1);
    assert.equal((await send(server, '/health', { headers: { host: 'evil.example' } })).status, 200);
  });
});

test('a 429 is counted', async (t) => {
  const server = await startScriptsFor(t, { env: { GANTRY_API_KEY: 'k' }, config: { limits: { pre_auth_per_minute: 1 } } });
  assert.equal((await modern(server, 'server/discover', {})).status, 401);
  assert.equal((await modern(server, 'server/discover', {})).status, 429);
  const scraper = { headers: { authorization: 'Bearer k' }, from: '127.0.0.2' };  // another peer
  const { series } = parse((await send(server, '/metrics', scraper)).text);
  assert.equal(series.get('gantry_rate_limited_total{stage="pre_auth"}'), 1);
  assert.equal(series.get('gantry_auth_failures_total{reason="missing"}'), 1);
  assert.equal(series.get(requests('other', 429)), 1);
  assert.equal(series.get(requests('server/discover', 401)), 1);
});

test('health says 503 while the server drains', async (t) => {
  const server = await startScriptsFor(t);
  const body = modernBody('tools/call', { name: 'script_long', arguments: script({ do: 'sleep', ms: 1500 }) });
  const open = Call.post(server.url, body, modernHeaders(body));
  await becomes(server, 'gantry_calls_active', 1);
  const stopped = server.stop();
  await until(async () => (await send(server, '/health')).status === 503, 'health to be 503', 1200);
  assert.equal((await send(server, '/metrics')).status, 503);
  await open.result();
  await stopped;
});
