// gantry.call/1 through a running server: a client receives exactly what a plugin writes, in both
// eras.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LegacyClient, ModernClient, pause, until } from '../lib/events.mjs';
import { LegacySession, call, modern, modernBody, post, refused } from '../lib/rpc.mjs';
import { journal, logged, named, noted, notes, script, scriptFlags, startScripts } from '../lib/script.mjs';
import { Stdio } from '../lib/stdio.mjs';

const [ok, failed, invalid, notFound, cancelled, tooBig, unsupported, misuse] = [0, -1, -2, -3, -5, -8, -9, -11];
assert.equal(notFound, -3);

let server;
before(async () => { server = await startScripts(); });
after(() => server.stop());

const write = (type, body) => ({ do: 'write', type, body });
const raw = (body) => ({ do: 'json_raw', body });
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const legacy = async (revision) => new LegacyClient(await LegacySession.open(server, revision));
const eras = {
  modern: async () => new ModernClient(server),
  legacy: () => legacy(),
};

describe('arguments', () => {
  test('reach the plugin byte by byte: big numbers, exponents, escapes, order, white space', async () => {
    const text = '{"steps": [{"do":"arguments"}],\n "n": 123456789012345678901234567890, "x":1e-7,"e":1.50E+3, '
      + '"z":-0,"a":"\\u00e9\\ud83d\\ude00 é😀\\/\\u0000","":{"z":1,"a":[ ]}}';
    const body = JSON.stringify(modernBody('tools/call', { name: 'script', arguments: 'HERE' })).replace('"HERE"', text);
    const answer = await post(server, body, {
      'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'script',
    });
    assert.deepEqual(answer.message.result.structuredContent.journal, [text]);
  });

  test('that a client leaves out are an empty object', async () => {
    for (const open of Object.values(eras)) {
      const client = await open();
      const { structuredContent } = await client.ask('script_plain', undefined);
      assert.deepEqual(structuredContent, { journal: [] });
    }
  });

  test('of almost a megabyte arrive whole', async () => {
    const steps = { ...script('arguments'), filler: 'y'.repeat(900_000) };
    const { structuredContent } = await call(server, 'script', steps);
    assert.equal(structuredContent.journal[0], JSON.stringify(steps));
  });
});

describe('properties', () => {
  const property = (key) => ({ do: 'property', key });
  const keys = ['agent', 'correlation_id', 'protocol', 'max_answer_bytes', 'nothing_like_it'].map(property);

  test('name the caller, the protocol version and the cap of the answer', async () => {
    const [agent, correlation, protocol, most, unknown] = await noted(server, 'script', ...keys);
    const { name, permissions, depth } = JSON.parse(agent);
    assert.deepEqual({ name, permissions, depth }, { name: 'local', permissions: 'readonly', depth: 0 });
    assert.deepEqual([correlation, protocol, most, unknown], ['', '2026-07-28', '4194304', '']);
    for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
      const { content } = await (await legacy(revision)).ask('script', script(property('protocol')));
      assert.deepEqual(JSON.parse(content[0].text).journal, [revision]);
    }
  });

  test('carry the correlation id: a header\'s, the legacy session\'s, or that of a trace', async () => {
    const seen = async (headers, meta) => (await modern(server, 'tools/call',
      { name: 'script', arguments: script(property('correlation_id')), _meta: meta }, headers)).message.result.structuredContent.journal[0];
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    assert.equal(await seen({ 'x-mcp-session-id': 'abc-123' }), 'abc-123');
    assert.equal(await seen({}, { 'gantry/correlationId': 'def.456' }), 'def.456');
    assert.equal(await seen({}, { traceparent: trace }), trace.slice(3, 35));
    assert.equal(await seen({ traceparent: trace }), trace.slice(3, 35));
    const session = await LegacySession.open(server);
    const { structuredContent } = await new LegacyClient(session).ask('script', script(property('correlation_id')));
    assert.deepEqual(structuredContent.journal, [session.headers['mcp-session-id']]);
  });
});

describe('content', () => {
  const blocks = [
    { type: 'text', text: 'block', annotations: { audience: ['user'], priority: 0.5 } },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'a://b', mimeType: 'text/plain', text: 'x' } },
    { type: 'resource', resource: { uri: 'a://b', blob: 'aGk=' } },
    { type: 'resource_link', uri: 'a://c', name: 'c', size: 12345678901234 },
  ];
  const bytes = [0, 1, 2, 250, 255, 10, 13];
  const steps = script(
    'quiet', write('text', 'é😀\n"\\'), { do: 'write', type: 'image/png', hex: hex(bytes) },
    { do: 'write', type: 'audio/ogg', hex: hex(bytes) },
    ...blocks.map((block) => write('block', JSON.stringify(block))));
  const base64 = Buffer.from(bytes).toString('base64');
  const expected = [
    { type: 'text', text: 'é😀\n"\\' }, { type: 'image', data: base64, mimeType: 'image/png' },
    { type: 'audio', data: base64, mimeType: 'audio/ogg' }, ...blocks];

  test('of every kind comes in order, raw bytes encoded', async () => {
    for (const open of Object.values(eras)) {
      const { content, isError } = await (await open()).ask('script_plain', steps);
      assert.deepEqual([content, isError], [expected, false]);
    }
  });

  test('on stdio is the same', async () => {
    const pipe = Stdio.start({ flags: scriptFlags() });
    const { result } = await pipe.request(modernBody('tools/call', { name: 'script_plain', arguments: steps }, 'c'));
    assert.deepEqual(result.content, expected);
    await pipe.end();
  });

  test('of a kind newer than the client arrives in a form that it knows', async () => {
    const { content } = await (await legacy('2024-11-05')).ask('script_plain', steps);
    assert.ok(content.length >= 3);
    assert.deepEqual(content.map(({ type }) => type).filter((type) => ['audio', 'resource_link'].includes(type)), []);
  });

  test('of an invalid kind is refused, and earlier content stays', async () => {
    const wrong = [
      write('video/mp4', 'x'), write('', 'x'), write('image/', 'x'), write('image/p ng', 'x'),
      write('block', '{"type":"text"}'), write('block', '{"type":"poem","text":"x"}'), write('block', '[]'),
      write('block', '{"type":"text","text":"x"'), write('block', '{"type":"image","data":"aGk="}')];
    const { content, structuredContent } = await call(server, 'script_plain', script(write('text', 'kept'), ...wrong));
    assert.deepEqual(structuredContent.journal, [ok, unsupported, unsupported, unsupported, unsupported,
      invalid, invalid, invalid, invalid, invalid]);
    assert.deepEqual(content.slice(1), [{ type: 'text', text: 'kept' }]);
  });
});

describe('the structured result', () => {
  const pieces = ['{"n":', '12345678901234567890', ' ,"s":"é', '😀"', '}'];

  test('joins the pieces that were written, and is repeated as text', async () => {
    const steps = script('json_begin', ...pieces.map(raw), 'json_end', write('text', 'beside'));
    for (const open of [eras.modern, eras.legacy, () => legacy('2025-06-18')]) {
      const { content, structuredContent } = await (await open()).ask('script_plain', steps);
      assert.deepEqual(structuredContent, { n: 12345678901234567890n, s: 'é😀' });
      assert.deepEqual(content, [{ type: 'text', text: pieces.join('') }, { type: 'text', text: 'beside' }]);
    }
    const old = await (await legacy('2025-03-26')).ask('script_plain', steps);
    assert.equal(old.structuredContent, undefined);
    assert.equal(old.content[0].text, pieces.join(''));
  });

  test('in the wrong order is misuse', async () => {
    const steps = named('order', raw('1'), 'json_end', 'json_begin', 'json_begin', raw('{}'), 'json_end', 'json_end',
      raw('2'), 'json_begin');
    assert.deepEqual((await call(server, 'script_plain', steps)).structuredContent, {});
    assert.deepEqual(await journal(server, 'order'), [misuse, misuse, ok, misuse, ok, ok, misuse, misuse, misuse]);
  });

  const faults = [
    ['script_plain', ['json_begin', raw('{"a":1')], /json_begin\(\) without json_end\(\)/],
    ['script_plain', ['json_begin', raw('{"a":1'), 'json_end'], /is not one JSON value/],
    ['script_plain', ['json_begin', raw('{} {}'), 'json_end'], /is not one JSON value/],
    ['script_typed', ['json_begin', raw('{"n":"one"}'), 'json_end'], /does not fit its output schema.*\bn\b/],
    ['script_typed', ['json_begin', raw('{}'), 'json_end'], /does not fit its output schema.*\bn\b/],
    ['script_typed', ['quiet', write('text', 'no result')], /output schema and gave no structured result/],
  ];
  for (const [tool, steps, sentence] of faults) {
    test(`that breaks a promise is an internal error, and the log names the plugin: ${sentence}`, async () => {
      const before = server.stderr.length;
      const { code, message } = await refused(server, tool, script(...steps));
      assert.equal(code, 'internal_error');
      assert.doesNotMatch(message, sentence, 'the story is the operator\'s');
      await until(() => sentence.test(server.stderr.slice(before)), String(sentence));
      const line = server.stderr.slice(before).split('\n').find((one) => sentence.test(one));
      assert.match(line, /plugin=script\b/);
      assert.ok(line.includes(tool), line);
    });
  }

  test('that keeps its promise passes', async () => {
    const { structuredContent } = await call(server, 'script_typed', script('json_begin', raw('{"n":1,"more":[]}'), 'json_end'));
    assert.deepEqual(structuredContent, { n: 1, more: [] });
  });
});

describe('an error', () => {
  test('has code, sentence and details, and nothing else that was written', async () => {
    const steps = script(write('text', 'gone'), 'json_begin', raw('{}'), 'json_end', { do: 'fail', code: 'not_found', message: 'one' },
      { do: 'fail', code: 'invalid_query', message: 'There is no "é"', details: '{"candidates":["e"]}' });
    for (const open of Object.values(eras)) {
      const { content, isError } = await (await open()).ask('script_plain', steps);
      assert.equal(isError, true);
      assert.equal(content.length, 1);
      assert.deepEqual(JSON.parse(content[0].text),
        { error_code: 'invalid_query', error: 'There is no "é"', details: { candidates: ['e'] } });
    }
  });

  test('is made from a negative status alone', async () => {
    const codes = {
      [-1]: 'internal_error', [-2]: 'invalid_argument', [-3]: 'not_found', [-4]: 'access_denied', [-5]: 'cancelled',
      [-6]: 'timeout', [-7]: 'internal_error', [-8]: 'internal_error', [-9]: 'internal_error', [-11]: 'internal_error',
      [-4711]: 'internal_error',
    };
    for (const [status, code] of Object.entries(codes)) {
      const said = await refused(server, 'script_plain', script({ do: 'return', status: Number(status) }));
      assert.deepEqual([status, said.code], [status, code]);
      assert.match(said.message, /\S{3}/);
    }
  });

  test('without fail() has the text that was written', async () => {
    const { content, isError } = await call(server, 'script_plain', script(write('text', 'because'), { do: 'return', status: failed }));
    assert.deepEqual([content, isError], [[{ type: 'text', text: 'because' }], true]);
  });

  test('with details that are not JSON is refused', async () => {
    const steps = named('bad error', { do: 'fail', code: 'not_found', message: 'kept' },
      { do: 'fail', code: 'x', message: 'y', details: '[1]' }, { do: 'fail', code: 'x', message: 'y', details: '{' });
    assert.equal((await refused(server, 'script_plain', steps)).message, 'kept');
    assert.deepEqual(await journal(server, 'bad error'), [failed, invalid, invalid]);
  });

  test('that is too long is cut, not dropped', async () => {
    const steps = named('long error', { do: 'fail', code: 'not_found', fill: 70_000 });
    const { code, message } = await refused(server, 'script_plain', steps);
    assert.equal(code, 'not_found');
    assert.ok(message.length > 1000 && message.length < 3000, `${message.length} characters`);
    assert.match(message, /\u2026/);
    const large = script({ do: 'fail', code: 'not_found', message: 'kept', details: JSON.stringify({ a: 'x'.repeat(40_000) }) });
    const said = await refused(server, 'script_plain', large);
    assert.deepEqual([said.code, said.message, said.details], ['not_found', 'kept', {}]);
    assert.deepEqual(await journal(server, 'long error'), [failed]);
  });

  test('of an exception names it in the log only', async () => {
    const said = await refused(server, 'script_plain', script({ do: 'throw', body: 'roof on fire' }));
    assert.equal(said.code, 'internal_error');
    assert.doesNotMatch(said.message, /roof/);
    assert.match(await logged(server, 'roof on fire'), /invoke\(\) threw/);
  });
});

describe('an answer that is too big', () => {
  let small;
  before(async () => { small = await startScripts({ config: { limits: { max_tool_response_bytes: 10_000 } } }); });
  after(() => small.stop());

  test('is refused piece by piece, and the client gets the cap', async () => {
    const steps = named('big', { do: 'property', key: 'max_answer_bytes' }, { do: 'write', fill: 9_000 }, { do: 'write', fill: 1_001 },
      { do: 'write', fill: 900 }, 'json_begin', { do: 'json_raw', fill: 200 });
    const { code, message, details } = await refused(small, 'script_plain', steps);
    assert.equal(code, 'invalid_argument');
    assert.match(message, /larger than 10000 bytes/);
    assert.deepEqual(details, { kind: 'response_too_large', limit: 10_000 });
    assert.deepEqual(await journal(small, 'big'), ['10000', ok, tooBig, ok, ok, tooBig]);
  });

  test('may still end with a sentence of the plugin', async () => {
    const said = await refused(small, 'script_plain',
      script({ do: 'write', fill: 20_000 }, { do: 'fail', code: 'invalid_argument', message: 'Ask for less' }));
    assert.equal(said.message, 'Ask for less');
  });

  test('of exactly the cap passes', async () => {
    const { content } = await call(small, 'script_plain', script('quiet', { do: 'write', fill: 10_000 }));
    assert.equal(content[0].text.length, 10_000);
  });
});

describe('progress', () => {
  const steps = script({ do: 'progress', done: 1, total: 4, note: 'öne' }, { do: 'progress', done: 2.5 }, { do: 'progress', done: 2.5 },
    { do: 'progress', done: 1 }, { do: 'progress', done: 3, total: 4, note: 'three' });

  for (const [era, open] of Object.entries(eras)) {
    test(`reaches a ${era} client that asked, under its token, growing`, async () => {
      for (const token of ['tök', 7]) {
        const stream = (await open()).open('script', steps, { token });
        const { structuredContent } = await stream.result();
        assert.deepEqual(structuredContent.journal, [ok, ok, ok, ok, ok]);
        assert.match(stream.type, /^text\/event-stream/);
        assert.deepEqual(stream.progress(), [
          { progressToken: token, progress: 1, total: 4, message: 'öne' }, { progressToken: token, progress: 2.5 },
          { progressToken: token, progress: 3, total: 4, message: 'three' }]);
      }
    });

    test(`is not sent to a ${era} client that did not ask`, async () => {
      const stream = (await open()).open('script', steps);
      assert.deepEqual((await stream.result()).structuredContent.journal, [ok, ok, ok, ok, ok]);
      assert.deepEqual(stream.progress(), []);
    });
  }

  test('arrives while the tool still works', async () => {
    const stream = new ModernClient(server).open('script',
      script({ do: 'progress', done: 1 }, { do: 'gate', name: 'seen' }), { token: 'live' });
    await until(() => stream.progress().length === 1, 'progress before the answer');
    await call(server, 'script', script({ do: 'open', name: 'seen' }));
    assert.deepEqual((await stream.result()).structuredContent.journal, [ok, true]);
  });

  test('is reported by the host where a tool is silent, until the tool reports', async () => {
    const own = await startScripts({ config: { limits: { progress_heartbeat_ms: 100 } } });
    const stream = new ModernClient(own).open('script', script({ do: 'sleep', ms: 450 }), { token: 't' });
    await stream.result();
    const values = stream.progress().map(({ progress }) => progress);
    assert.ok(values.length >= 2, values);
    assert.deepEqual(values, [...values].sort((a, b) => a - b));
    const spoken = new ModernClient(own).open('script', script({ do: 'progress', done: 5 }, { do: 'sleep', ms: 450 }), { token: 't' });
    await spoken.result();
    assert.deepEqual(spoken.progress(), [{ progressToken: 't', progress: 5 }]);
    await own.stop();
  });

  test('arrives before the answer on stdio', async () => {
    const pipe = Stdio.start({ flags: scriptFlags() });
    pipe.send(modernBody('tools/call', { name: 'script', arguments: steps, _meta: { progressToken: 'p' } }, 'slow'));
    await pipe.receive((message) => message.id === 'slow');
    assert.deepEqual(pipe.messages.map(({ params }) => params.progress), [1, 2.5, 3]);
    await pipe.end();
  });
});

describe('log to the client', () => {
  const levels = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'];
  const steps = script(...levels.map((name, level) => ({ do: 'log', level, body: `${name} é` })), { do: 'log', level: 99, body: 'odd' });
  const expected = (least) => [
    ...levels.slice(0, levels.indexOf(least) + 1).map((name) => ({ level: name, logger: 'script', data: `${name} é` })),
    ...(levels.indexOf(least) >= 3 ? [{ level: 'error', logger: 'script', data: 'odd' }] : [])];

  test('reaches a modern client at the level it named, and only then', async () => {
    for (const level of ['emergency', 'warning', 'debug']) {
      const stream = new ModernClient(server).open('script', steps, { level });
      assert.deepEqual((await stream.result()).structuredContent.journal, Array(9).fill(ok));
      assert.deepEqual(stream.logs(), expected(level));
    }
    const deaf = new ModernClient(server).open('script', steps);
    await deaf.result();
    assert.deepEqual(deaf.logs(), []);
  });

  test('reaches a legacy client after logging/setLevel', async () => {
    const session = await LegacySession.open(server);
    const client = new LegacyClient(session);
    const { message } = await session.request('logging/setLevel', { level: 'notice' });
    assert.deepEqual(message.result, {});
    const stream = client.open('script', steps);
    await stream.result();
    assert.deepEqual(stream.logs(), expected('notice'));
  });

  test('is cut at 16 KiB', async () => {
    const stream = new ModernClient(server).open('script', script({ do: 'log', level: 3, fill: 40_000 }), { level: 'debug' });
    await stream.result();
    assert.equal(stream.logs()[0].data.length, 16_384);
  });
});

describe('the host\'s log', () => {
  test('has each level under the plugin\'s name, cut at 16 KiB', async () => {
    const own = await startScripts({ flags: ['--log-level', 'debug'] });
    const shown = ['error', 'error', 'error', 'error', 'warn', 'info', 'info', 'debug', 'error'];
    for (const [level, name] of shown.entries()) {
      await noted(own, 'script', { do: 'host_log', level: level === 8 ? 77 : level, body: `line number ${level}` });
      const line = await logged(own, `line number ${level}`);
      assert.match(line, new RegExp(`\\b${name}`, 'i'));
      assert.match(line, /plugin=script\b/);
    }
    await noted(own, 'script', { do: 'host_log', level: 3, fill: 20_000 });
    const long = await logged(own, 'x'.repeat(16_384));
    assert.ok(!long.includes('x'.repeat(16_385)));
    await noted(own, 'script', { do: 'host_log', level: 3, body: 'two\nlines plugin=other' });
    assert.ok(!own.stderr.split('\n').some((line) => line.startsWith('lines plugin=other')), 'a forged line');
    await own.stop();
  });
});

describe('cancellation', () => {
  const waiting = (as) => named(as, { do: 'cancelled' }, { do: 'on_cancel', note: 'hook' }, { do: 'progress', done: 1 }, 'wait_cancel',
    write('text', 'late'), { do: 'progress', done: 2 }, { do: 'log', body: 'late' }, 'json_begin',
    { do: 'fail', code: 'not_found', message: 'late' }, { do: 'on_cancel', note: 'late hook' }, { do: 'host_log', body: `${as} is over` });
  const after = [0, ok, ok, 'cancelled: 1', cancelled, cancelled, cancelled, cancelled, cancelled, 'late hook', ok];
  /** The hook may come at any moment after it was set; the rest has an order. */
  const check = (entries) => {
    assert.equal(entries.filter((entry) => entry === 'hook').length, 1);
    assert.deepEqual(entries.filter((entry) => entry !== 'hook'), after);
  };

  test('happens when a modern client disconnects', async () => {
    const stream = new ModernClient(server).open('script', waiting('gone'), { token: 'x' });
    await until(() => stream.progress().length === 1, 'the call runs');
    await stream.drop();
    await logged(server, 'gone is over');
    check(await journal(server, 'gone'));
  });

  test('happens by notifications/cancelled of the same legacy session, and of no other', async () => {
    const [mine, other] = [await LegacySession.open(server), await LegacySession.open(server)];
    const stream = new LegacyClient(mine).open('script', waiting('told'), { token: 'x', id: 'same' });
    await until(() => stream.progress().length === 1, 'the call runs');
    assert.equal((await other.notify('notifications/cancelled', { requestId: 'same' })).status, 202);
    await pause(300);
    assert.deepEqual(stream.messages.filter(({ id }) => id), []);
    await mine.notify('notifications/cancelled', { requestId: 'same', reason: 'enough' });
    const { content, isError } = await stream.result();
    assert.equal(isError, true);
    assert.match(content[0].text, /Cancelled by client \(notifications_cancelled\)/);
    await logged(server, 'told is over');
    check(await journal(server, 'told'));
  });

  test('happens at the end of a legacy session', async () => {
    const session = await LegacySession.open(server);
    const stream = new LegacyClient(session).open('script', waiting('ended'), { token: 'x' });
    await until(() => stream.progress().length === 1, 'the call runs');
    const { status } = await fetch(server.url, { method: 'DELETE', headers: session.headers });
    assert.ok([200, 204].includes(status), String(status));
    await logged(server, 'ended is over');
    check(await journal(server, 'ended'));
    await stream.answer.catch(() => {});
  });

  test('happens on stdio by notifications/cancelled', async () => {
    const pipe = Stdio.start({ flags: scriptFlags() });
    pipe.send(modernBody('tools/call', { name: 'script', arguments: waiting('piped'), _meta: { progressToken: 1 } }, 'slow'));
    await pipe.receive((message) => message.method === 'notifications/progress');
    pipe.send({ method: 'notifications/cancelled', params: { requestId: 'slow' } });
    await until(() => pipe.stderr.includes('piped is over'), 'the plugin heard of it');
    const answer = await pipe.request(modernBody('tools/call', { name: 'script_journal', arguments: { as: 'piped' } }, 'j'));
    check(answer.result.structuredContent.journal);
    await pipe.end();
  });

  test('calls at most eight hooks for a call, each once', async () => {
    const hooks = Array.from({ length: 9 }, (_, i) => ({ do: 'on_cancel', note: `hook ${i}` }));
    const said = await refused(server, 'script_brief', named('hooks', ...hooks, 'wait_cancel', { do: 'host_log', body: 'hooks are over' }));
    assert.equal(said.code, 'timeout');
    await logged(server, 'hooks are over');
    const entries = await journal(server, 'hooks');
    assert.deepEqual(entries.slice(0, 9), [...Array(8).fill(ok), tooBig]);
    // The tool's thread may see the cancellation while the hooks still run on another thread.
    const called = entries.slice(9).filter((entry) => entry !== 'cancelled: 1');
    assert.deepEqual(called.sort(), Array.from({ length: 8 }, (_, i) => `hook ${i}`));
  });

  test('never calls a hook of a call that ended well', async () => {
    await call(server, 'script', named('well', { do: 'on_cancel', note: 'never' }));
    await pause(100);
    assert.deepEqual(await journal(server, 'well'), [ok]);
  });
});

describe('the deadline', () => {
  test('is the tool\'s time limit', async () => {
    for (const [tool, limit] of [['script_brief', 500], ['script', 20_000], ['script_plain', 30_000], ['script_long', 3_600_000]]) {
      const [left] = await noted(server, tool, 'deadline');
      assert.ok(left > limit - 400 && left <= limit, `${tool}: ${left}`);
    }
  });

  test('answers for a tool that keeps running, in both eras, and cancels the tool', async () => {
    for (const [era, open] of Object.entries(eras)) {
      const client = await open();
      const started = Date.now();
      const { content, isError } = await client.ask('script_brief',
        named(`late ${era}`, 'wait_cancel', write('text', 'late'), { do: 'host_log', body: `late ${era} is over` }));
      const took = Date.now() - started;
      assert.ok(took >= 480 && took < 5000, String(took));
      assert.equal(isError, true);
      const { error_code: code, error } = JSON.parse(content[0].text);
      assert.equal(code, 'timeout');
      assert.match(error, /'script_brief' did not finish within 500 ms/);
      await logged(server, `late ${era} is over`);
      assert.deepEqual(await journal(server, `late ${era}`), ['cancelled: 1', cancelled]);
    }
  });

  test('answers for a tool that ignores cancellation', async () => {
    const said = await refused(server, 'script_brief', script({ do: 'sleep', ms: 1500 }));
    assert.equal(said.code, 'timeout');
  });
});

describe('a call that ends later', () => {
  test('answers from another thread, in both eras', async () => {
    for (const open of Object.values(eras)) {
      const stream = (await open()).open('script', script('pending', { do: 'progress', done: 1 }, { do: 'sleep', ms: 50 }), { token: 't' });
      const { structuredContent } = await stream.result();
      assert.deepEqual(structuredContent.journal, [ok]);
      assert.equal(stream.progress().length, 1);
    }
  });

  test('may fail, with and without a message', async () => {
    const said = await refused(server, 'script', script('pending', { do: 'fail', code: 'store_error', message: 'Gone' }));
    assert.deepEqual([said.code, said.message], ['store_error', 'Gone']);
    assert.equal((await refused(server, 'script', script('pending', { do: 'return', status: -3 }))).code, 'not_found');
  });

  test('may be finished before invoke() returns', async () => {
    const { structuredContent } = await call(server, 'script', named('early', 'cancelled', 'finish'));
    assert.deepEqual(structuredContent.journal, [0]);
    assert.deepEqual(await notes(server, 'early', 2), [0, ok]);
  });

  test('is answered by its deadline and finished by its hook', async () => {
    const said = await refused(server, 'script_brief', named('hooked', { do: 'on_cancel', note: 'hook', finish: 0 }, 'never_finish'));
    assert.equal(said.code, 'timeout');
    assert.deepEqual(await notes(server, 'hooked', 2), [ok, 'hook']);
  });

  test('that is finished and returned as done is logged as the plugin\'s fault', async () => {
    const { structuredContent } = await call(server, 'script', named('both', { do: 'finish', and_return: true }));
    assert.deepEqual(structuredContent, { journal: [] });
    assert.match(await logged(server, 'called finish() and did not return GANTRY_PENDING'), /plugin=script\b/);
  });
});
