// Spans of requests, as an OpenTelemetry collector gets them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Collector } from '../lib/collector.mjs';
import { until } from '../lib/events.mjs';
import { Governed, bearer } from '../lib/governed.mjs';
import { LegacySession, call, modern, modernBody, modernHeaders } from '../lib/rpc.mjs';
import { accepted, again, asks, calling, elicit, need, once, plugins } from '../lib/rounds.mjs';
import { allGates, gatesEnvironment, profiles } from '../lib/orders.mjs';
import { peopleDatabase } from '../lib/people.mjs';
import { logged, script, scriptFlags, startScripts, startScriptsFor } from '../lib/script.mjs';
import { scratch } from '../lib/paths.mjs';
import { Stdio } from '../lib/stdio.mjs';

const scripts = ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-async'];
const ids = (n) => ({ trace: `0af7651916cd43dd8448eb211c80${String(n).padStart(4, '0')}`, span: `b7ad6b716920${String(n).padStart(4, '0')}` });
const parentOf = (n, flags = '01') => `00-${ids(n).trace}-${ids(n).span}-${flags}`;
const of = (n) => (span) => span.traceId === ids(n).trace;

const traced = (collector, more = {}) => ({ traces: { otlp_url: collector.url, ...more } });
let collector;
let server;
before(async () => {
  collector = await Collector.start();
  server = await startScripts({ plugins: [...scripts, ...plugins], config: traced(collector, { sample: 0 }) });
});
after(async () => {
  await server.stop();
  await collector.stop();
});

let last = 100;
/** A modern request with a sampled parent of its own: {answer, span}. */
async function span(method, params, { headers = {}, flags } = {}) {
  const n = ++last;
  const answer = await modern(server, method, { ...params, _meta: { traceparent: parentOf(n, flags), ...params._meta } }, headers);
  const [found] = await collector.find(of(n));
  assert.equal(found.parentSpanId, ids(n).span);
  return { answer, span: found };
}

describe('a span of a tool call', () => {
  test('has its parent from _meta and the attributes of the conventions, none with a value of the call', async () => {
    const { answer, span: { name, attributes, status } } = await span('tools/call',
      { name: 'script_plain', arguments: { secret_name: 'secret value' } });
    assert.equal(answer.message.error, undefined);
    assert.equal(name, 'tools/call script_plain');
    const { 'jsonrpc.request.id': id, ...rest } = attributes;
    assert.equal(id, String(answer.message.id));
    assert.deepEqual(rest, {
      'mcp.method.name': 'tools/call', 'mcp.protocol.version': '2026-07-28', 'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'script_plain', 'network.transport': 'tcp', 'network.protocol.name': 'http',
      'client.address': '127.0.0.1', 'gantry.agent': 'local',
    });
    assert.equal(status, undefined);
    assert.ok(!collector.bodies.join('').includes('secret'));
  });

  test('says tool_error and the kind of the denial for an error of the tool', async () => {
    const details = JSON.stringify({ kind: 'field_denied' });
    const { span: { attributes, status } } = await span('tools/call', {
      name: 'script_plain',
      arguments: script({ do: 'write', type: 'gantry/denial', body: 'class_filter' },
        { do: 'fail', code: 'access_denied', message: 'no', details }),
    });
    assert.equal(attributes['error.type'], 'tool_error');
    assert.equal(attributes['gantry.denial.kind'], 'field_denied');
    assert.equal(attributes['rpc.response.status_code'], undefined);
    assert.deepEqual(status, { code: 2 });
    assert.ok(!collector.bodies.join('').includes('class_filter'));
  });

  test('has the code of a protocol error', async () => {
    const { answer, span: { attributes, status } } = await span('tools/call', { name: 'no_such', arguments: {} });
    assert.equal(answer.message.error.code, -32602);
    assert.equal(attributes['error.type'], '-32602');
    assert.equal(attributes['rpc.response.status_code'], '-32602');
    assert.deepEqual(status, { code: 2 });
  });

  test('is none of an error for a round of input', async () => {
    const params = calling(elicit(), need);
    const n = ++last;
    const asked = await asks(server, { ...params, _meta: { traceparent: parentOf(n) } });
    await once(server, 'tools/call', again(params, asked, { person: accepted('Ada') }));
    const [{ attributes }] = await collector.find(of(n));
    assert.equal(attributes['error.type'], undefined);
  });
});

test('a list, a resource and a prompt have spans too', async () => {
  assert.equal((await span('tools/list', {})).span.name, 'tools/list');
  const prompt = (await span('prompts/get', { name: 'scripted', arguments: {} })).span;
  assert.equal(prompt.name, 'prompts/get scripted');
  assert.equal(prompt.attributes['gen_ai.prompt.name'], 'scripted');
  assert.equal(prompt.attributes['gen_ai.operation.name'], undefined);
  const resource = (await span('resources/read', { uri: 'script://fixed' }, { headers: { 'mcp-name': 'script://fixed' } })).span;
  assert.equal(resource.name, 'resources/read');
  assert.equal(resource.attributes['mcp.resource.uri'], 'script://fixed');
});

describe('the parent', () => {
  test('of the HTTP request is a link beside that of _meta, and the parent without', async () => {
    const http = { traceparent: parentOf(1) };
    const { span: both } = await span('tools/list', {}, { headers: http });
    assert.deepEqual(both.links, [{ traceId: ids(1).trace, spanId: ids(1).span }]);
    await modern(server, 'tools/list', {}, http);
    const [alone] = await collector.find(of(1));
    assert.deepEqual([alone.parentSpanId, alone.links], [ids(1).span, undefined]);
  });

  test('of a legacy request is that of its HTTP request, and the session is named', async () => {
    const session = await LegacySession.open(server, '2025-11-25', { headers: { traceparent: parentOf(2) } });
    await session.request('tools/call', { name: 'script_plain', arguments: {} });
    const [found] = await collector.find((one) => of(2)(one) && one.name === 'tools/call script_plain');
    assert.equal(found.attributes['mcp.session.id'], session.headers['mcp-session-id']);
    assert.equal(found.attributes['mcp.protocol.version'], '2025-11-25');
  });

  test('that is not sampled, or no parent at all, makes no span at the sample rate 0', async () => {
    await modern(server, 'tools/list', { _meta: { traceparent: parentOf(3, '00') } });
    await modern(server, 'tools/list', { _meta: { traceparent: 'nonsense' } });
    await call(server, 'script_plain');
    const before = collector.spans.length;
    await span('tools/list', {});
    assert.equal(collector.spans.length, before + 1);
  });
});

test('with the sample rate 1 a request without a parent begins a trace', async (t) => {
  const own = await Collector.start();
  t.after(() => own.stop());
  const always = await startScriptsFor(t, { config: traced(own) });
  await call(always, 'script_plain');
  await call(always, 'script_plain');
  const [one, two] = await own.find((found) => found.name === 'tools/call script_plain', 2);
  assert.notEqual(one.traceId, two.traceId);
  assert.deepEqual([one.parentSpanId, two.parentSpanId], [undefined, undefined]);
});

test('over stdio the transport is a pipe without an address', async (t) => {
  const own = await Collector.start();
  t.after(() => own.stop());
  const pipe = Stdio.start({ flags: scriptFlags({ config: traced(own) }) });
  pipe.send(modernBody('tools/list', {}, 'the id'));
  await pipe.receive((message) => message.id === 'the id');
  pipe.child.stdin.end();
  await pipe.ended;
  const [{ attributes }] = await own.find(() => true);
  assert.deepEqual([attributes['network.transport'], attributes['network.protocol.name'], attributes['client.address']],
    ['pipe', undefined, undefined]);
  assert.equal(attributes['jsonrpc.request.id'], 'the id');
});

const dropped = async (at) => Number(/^gantry_spans_dropped_total (\d+)$/m.exec(await (await fetch(new URL('/metrics', at.url))).text())[1]);

test('a collector that refuses, is slow or is not there delays no call; the spans are counted', async (t) => {
  const own = await Collector.start();
  own.refuses = 503;
  const always = await startScriptsFor(t, { config: traced(own) });
  await call(always, 'script_plain');
  await until(async () => await dropped(always) === 1, 'a dropped span');
  assert.match(await logged(always, 'the collector takes no spans'), /503/);
  own.refuses = 0;
  await call(always, 'script_plain');
  await own.find(() => true);
  await own.stop();
  await Promise.all(Array.from({ length: 20 }, () => call(always, 'script_plain')));
  await until(async () => await dropped(always) === 21, 'all others dropped');
});

test('spans that wait are bounded by traces.max_waiting', async (t) => {
  const own = await Collector.start();
  t.after(() => own.stop());
  const always = await startScriptsFor(t, { config: traced(own, { max_waiting: 1 }) });
  for (let i = 0; i < 10; ++i) await call(always, 'script_plain');
  assert.ok(await dropped(always) >= 5);
});

test('waiting spans are sent before the server ends', async () => {
  const own = await Collector.start();
  const ending = await startScripts({ config: traced(own) });
  await call(ending, 'script_plain');
  await ending.stop();
  assert.equal(own.spans.length, 1);
  await own.stop();
});

test('a request that a client gives up has a span that says so', async () => {
  const n = ++last;
  const body = modernBody('tools/call', { name: 'script_plain', arguments: script({ do: 'sleep', ms: 2_000 }), _meta: { traceparent: parentOf(n) } });
  await assert.rejects(fetch(server.url, {
    method: 'POST', signal: AbortSignal.timeout(300), body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...modernHeaders(body) },
  }));
  const [{ attributes }] = await collector.find(of(n));
  assert.equal(attributes['error.type'], 'tool_error');
});

describe('spans of the store', () => {
  let own;
  let data;
  before(async () => {
    own = await Collector.start();
    const config = join(scratch(), 'gantry.json');
    writeFileSync(config, JSON.stringify(traced(own, { sample: 0 })));
    data = await Governed.start({ reader: {}, boss: profiles.boss },
      { db: peopleDatabase(), flags: ['--config', config], env: gatesEnvironment(allGates) });
  });
  after(async () => { await data.stop(); await own.stop(); });
  /** The request's span and those inside it. */
  const ask = (n, agent, name, args, flags) => modern(data.server, 'tools/call',
    { name, arguments: args, _meta: { traceparent: parentOf(n, flags) } }, bearer(data.keys[agent]));
  const spansOf = async (name, args, inside, agent = 'reader') => {
    const n = ++last;
    const { message } = await ask(n, agent, name, args);
    const all = await own.find(of(n), 1 + inside);
    const request = all.find(({ kind }) => kind === 2);
    return { message, request, inner: all.filter((one) => one !== request) };
  };

  test('stand inside the request\'s and summarize the query, without its text', async () => {
    const { message, request, inner: [store, ...more] } =
      await spansOf('query_class', { class_name: 'people', where: { name: "O'Neil" }, limit: 7 }, 1);
    assert.equal(message.result.isError ?? false, false, JSON.stringify(message));
    assert.deepEqual(more, []);
    assert.deepEqual([store.kind, store.parentSpanId, store.name], [3, request.spanId, 'SELECT people']);
    const { 'db.response.returned_rows': rows, ...rest } = store.attributes;
    assert.deepEqual(rest, {
      'db.system.name': 'sqlite', 'db.collection.name': 'people', 'db.operation.name': 'SELECT', 'db.query.summary': 'SELECT people',
    });
    assert.ok(rows >= 7 && rows <= 8, `${rows}`);
    const [begin, end] = store.times.map(BigInt);
    assert.ok(begin >= BigInt(request.times[0]) - 1_000_000n && end <= BigInt(request.times[1]) + 1_000_000n);
    assert.ok(!own.bodies.join('').includes('Neil'));
    assert.ok(!own.bodies.join('').includes('db.query.text'));
  });

  test('are none for an answer that the engine kept, nor for a class that the caller may not see', async () => {
    const args = { class_name: 'people', where: { name: "O'Neil" }, limit: 7 };
    await spansOf('query_class', args, 1);  // an answer is kept when it is asked for again
    const again = await spansOf('query_class', args, 0);
    assert.equal(again.message.result.isError ?? false, false);
    const absent = await spansOf('query_class', { class_name: 'no_such_class' }, 0);
    assert.equal(absent.message.result.isError, true);
    await spansOf('count_objects', { class_name: 'teams' }, 1);  // later than what they would have sent
    for (const { request } of [again, absent]) {
      assert.equal(own.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId).length, 0);
    }
    assert.ok(!own.bodies.join('').includes('no_such_class'));
  });

  test('name a write, and are none where the request is not sampled', async () => {
    const { message, inner: [store] } = await spansOf('create_object', { class_name: 'teams', data: { name: 'Teal' } }, 1, 'boss');
    if (message.result.isError) assert.fail(JSON.stringify(message));
    assert.equal(store.attributes['db.operation.name'], 'INSERT');
    const before = own.spans.length;
    await ask(++last, 'reader', 'count_objects', { class_name: 'people', where: { age: 3 } }, '00');
    await spansOf('count_objects', { class_name: 'people', where: { age: 4 } }, 1);
    assert.equal(own.spans.length, before + 2);
  });
});
