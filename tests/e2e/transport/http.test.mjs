// Malformed HTTP and JSON-RPC get the right answer and leave the server serving.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { Server } from '../lib/gantryd.mjs';
import {
  LegacySession, call, envelope, modern, modernBody, modernHeaders, modernRevision, parseExact, post,
} from '../lib/rpc.mjs';
import { demoDatabase } from '../lib/shared.mjs';
import { Wire, postBytes } from '../lib/wire.mjs';

let server;
before(async () => { server = await Server.start({ db: demoDatabase() }); });
after(() => server.stop());

// After every test, whatever it sent, the next client is served.
afterEach(async () => {
  const result = await call(server, 'count_objects', { class_name: 'scripts' });
  assert.equal(result.structuredContent.count, 182);
});

const discover = () => modernBody('server/discover');
const discoverBytes = (headers = {}) => {
  const body = discover();
  return postBytes(server.port, JSON.stringify(body), { ...modernHeaders(body), ...headers });
};

/** Sends bytes on a fresh connection and returns the answer, or undefined if it was just closed. */
async function exchange(bytes, timeout) {
  const wire = await Wire.open(server.port);
  await wire.write(bytes);
  const answer = await wire.read(timeout);
  const closed = wire.ended;
  wire.close();
  return answer && { ...answer, closed, message: answer.text.startsWith('{') ? parseExact(answer.text) : undefined };
}

const refusal = (answer, status, code) => {
  assert.equal(answer?.status, status, answer?.text);
  if (code !== undefined) assert.equal(answer.message?.error?.code, code, answer.text);
};

test('an absolute target names the host of the request, and none but the Host header\'s', async () => {
  const at = (host, named = host) => Buffer.from(discoverBytes({ Host: named }).toString()
    .replace('POST /mcp', `POST http://${host}/mcp`));
  const own = `127.0.0.1:${server.port}`;
  const answer = await exchange(at(own));
  assert.deepEqual(answer.message?.result?.supportedVersions, [modernRevision], answer.text);
  refusal(await exchange(at('evil.example')), 403);
  refusal(await exchange(at(own, 'evil.example')), 400);
  refusal(await exchange(at('evil.example', own)), 400);
});

describe('bytes in pieces', () => {
  test('a request cut in two at every byte is the same request', async () => {
    const bytes = discoverBytes();
    const wire = await Wire.open(server.port);
    for (let cut = 1; cut < bytes.length; ++cut) {
      await wire.write(bytes.subarray(0, cut));
      await new Promise((resolve) => { setImmediate(resolve); });
      await wire.write(bytes.subarray(cut));
      const answer = await wire.read();
      assert.equal(answer?.status, 200, `cut at ${cut}`);
      assert.deepEqual(JSON.parse(answer.text).result.supportedVersions, [modernRevision]);
    }
    wire.close();
  });

  test('a request byte by byte is the same request', async () => {
    const wire = await Wire.open(server.port);
    for (const byte of discoverBytes()) await wire.write(Buffer.of(byte));
    assert.equal((await wire.read())?.status, 200);
    wire.close();
  });

  test('pipelined requests are answered in order', async () => {
    const wire = await Wire.open(server.port);
    const bodies = Array.from({ length: 20 }, () => discover());
    await wire.write(Buffer.concat(bodies.map(
      (body) => postBytes(server.port, JSON.stringify(body), modernHeaders(body)))));
    for (const body of bodies) {
      const answer = await wire.read();
      assert.equal(JSON.parse(answer.text).id, body.id);
    }
    wire.close();
  });

  test('a chunked body is put together', async () => {
    const body = discover();
    const text = JSON.stringify(body);
    const head = postBytes(server.port, '',
      { ...modernHeaders(body), 'Content-Length': null, 'Transfer-Encoding': 'chunked' });
    const chunks = [...text].map((letter) => `1\r\n${letter}\r\n`).join('');
    const answer = await exchange(Buffer.concat([head, Buffer.from(`${chunks}0\r\n\r\n`)]));
    refusal(answer, 200);
  });

  test('a request whose client disconnects in the middle is dropped', async () => {
    const bytes = discoverBytes();
    for (const part of [1, 20, bytes.length - 1]) {
      const wire = await Wire.open(server.port);
      await wire.write(bytes.subarray(0, part));
      wire.close();
    }
  });

  test('a connection is kept for the next request unless the client closes it', async () => {
    const wire = await Wire.open(server.port);
    for (let i = 0; i < 3; ++i) {
      await wire.write(discoverBytes());
      assert.equal((await wire.read())?.status, 200);
    }
    await wire.write(discoverBytes({ Connection: 'close' }));
    assert.equal((await wire.read())?.status, 200);
    assert.ok(await wire.closed());
  });
});

describe('size', () => {
  const padded = (bytes) => JSON.stringify({ ...discover(), padding: 'x'.repeat(bytes) });

  test('a body of just under 1 MiB is read', async () => {
    const body = padded(1024 * 1024 - 1000);
    refusal(await post(server, body, modernHeaders(discover())), 200);
  });

  test('a body beyond 1 MiB is 413', async () => {
    refusal(await exchange(postBytes(server.port, padded(1024 * 1024))), 413);
  });

  test('a length beyond 1 MiB is 413 before the body is sent', async () => {
    refusal(await exchange(postBytes(server.port, '', { 'Content-Length': 1e12 })), 413);
  });

  test('a chunked body without end is 413, not memory', async () => {
    const wire = await Wire.open(server.port);
    await wire.write(postBytes(server.port, '', { 'Content-Length': null, 'Transfer-Encoding': 'chunked' }));
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, ' '), Buffer.from('\r\n')]);
    for (let i = 0; i < 64 && !wire.ended && wire.bytes.length === 0; ++i) {
      await wire.write(chunk);
      await new Promise((resolve) => { setTimeout(resolve, 2); });
    }
    assert.equal((await wire.read())?.status, 413);
    assert.ok(await wire.closed());
  });

  test('headers without end are refused', async () => {
    const long = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${'X-Filler: '.padEnd(1000, 'y')}\r\n`;
    const wire = await Wire.open(server.port);
    await wire.write(Buffer.from(long));
    for (let i = 0; i < 400 && !wire.ended && wire.bytes.length === 0; ++i) {
      await wire.write(Buffer.from(`X-F${i}: ${'z'.repeat(1000)}\r\n`));
      await new Promise((resolve) => { setTimeout(resolve, 1); });
    }
    const answer = await wire.read();
    assert.ok(answer === undefined || [400, 413, 431].includes(answer.status), String(answer?.status));
    assert.ok(await wire.closed());
  });
});

describe('smuggling', () => {
  const evil = 'POST /mcp HTTP/1.1\r\nHost: evil.example.com\r\nContent-Length: 0\r\n\r\n';
  const attempts = {
    'two different lengths': { 'Content-Length': '5\r\nContent-Length: 6' },
    'a length and chunked': { 'Content-Length': 5, 'Transfer-Encoding': 'chunked' },
    'chunked twice': { 'Content-Length': null, 'Transfer-Encoding': 'chunked, chunked' },
    'chunked that is not last': { 'Content-Length': null, 'Transfer-Encoding': 'chunked, identity' },
    'an unknown coding': { 'Content-Length': null, 'Transfer-Encoding': 'xchunked' },
    'a space before the colon': { 'Content-Length ': 5 },
    'a signed length': { 'Content-Length': '+5' },
    'a length in hexadecimal': { 'Content-Length': '0x5' },
    'a negative length': { 'Content-Length': -5 },
    'a length with a list': { 'Content-Length': '5, 6' },
    'a folded header': { 'X-Folded': 'a\r\n b' },
    'a bare carriage return': { 'X-Bare': 'a\rb' },
    'a zero byte in a header': { 'X-Zero': 'a\0b' },
    'two hosts': { Host: '127.0.0.1\r\nHost: 127.0.0.1' },
  };
  for (const [name, headers] of Object.entries(attempts)) {
    test(`${name}: refused, and nothing after it is read as a request`, async () => {
      const wire = await Wire.open(server.port);
      await wire.write(Buffer.concat([postBytes(server.port, '0\r\n\r\n', headers), Buffer.from(evil)]));
      const answer = await wire.read();
      if (answer) assert.ok(answer.status >= 400 && answer.status < 600, String(answer.status));
      assert.ok(await wire.closed(), 'the connection cannot be trusted any more');
      assert.equal(await wire.read(100), undefined, 'the second request must not be answered');
    });
  }

  test('broken chunks are refused and close the connection', async () => {
    for (const chunks of ['zz\r\n{}\r\n0\r\n\r\n', '-1\r\n', 'fffffffffffffffff\r\n', '2\r\n{}xx0\r\n\r\n', '\r\n\r\n']) {
      const wire = await Wire.open(server.port);
      await wire.write(Buffer.concat([
        postBytes(server.port, '', { 'Content-Length': null, 'Transfer-Encoding': 'chunked' }), Buffer.from(chunks)]));
      const answer = await wire.read(5000);
      if (answer) assert.ok([400, 413].includes(answer.status), `${chunks} ${answer.status}`);
      assert.ok(await wire.closed(), chunks);
    }
  });

  test('an invalid method, target or version is refused', async () => {
    for (const line of ['GARBAGE', 'POST  /mcp HTTP/1.1', 'POST /mcp HTTP/9.9', 'POST /mcp', '\0\0\0\0', 'POST /m\0cp HTTP/1.1']) {
      const wire = await Wire.open(server.port);
      await wire.write(Buffer.from(`${line}\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n`, 'latin1'));
      const answer = await wire.read(5000);
      if (answer) assert.ok(answer.status >= 400, `${line} ${answer.status}`);
      wire.close();
    }
  });

  test('a header whose name has an underscore is ignored', async () => {
    const body = discover();
    const answer = await exchange(postBytes(server.port, JSON.stringify(body),
      { ...modernHeaders(body), Mcp_Method: 'tools/list' }));
    refusal(answer, 200);
  });
});

describe('method, path, type, origin', () => {
  const send = (line, headers = {}, body = '') => exchange(Buffer.from(
    `${line} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: ${body.length}\r\n${
      Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`));

  for (const method of ['PUT', 'PATCH', 'HEAD', 'TRACE']) {
    test(`${method} is 405 and names the allowed methods`, async () => {
      const wire = await Wire.open(server.port);
      await wire.write(Buffer.from(`${method} /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n`));
      await new Promise((resolve) => { setTimeout(resolve, 300); });
      const head = wire.bytes.toString('latin1');
      assert.match(head, /^HTTP\/1\.1 405 /);
      assert.match(head, /\r\nallow: [^\r]*POST/i);
      wire.close();
    });
  }

  for (const method of ['GET', 'DELETE']) {
    test(`a modern ${method} is 405`, async () => {
      const answer = await send(`${method} /mcp`, { 'MCP-Protocol-Version': modernRevision, Accept: 'text/event-stream' });
      refusal(answer, 405);
      assert.match(answer.headers.allow, /POST/);
    });
  }

  test('another path is 404', async () => refusal(await send('POST /mcpx', { 'Content-Type': 'application/json' }), 404));

  test('health says ok and nothing else', async () => {
    const answer = await send('GET /health');
    refusal(answer, 200);
    assert.deepEqual(JSON.parse(answer.text), { status: 'ok' });
  });

  for (const type of ['text/plain', 'application/jsonx', 'application/x-www-form-urlencoded', null]) {
    test(`content type ${type} is 415`, async () => {
      refusal(await exchange(discoverBytes({ 'Content-Type': type })), 415);
    });
  }

  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;x=y']) {
    test(`content type ${type} is read`, async () => {
      refusal(await exchange(discoverBytes({ 'Content-Type': type })), 200);
    });
  }

  test('a foreign origin is 403, with or without a foreign host', async () => {
    refusal(await exchange(discoverBytes({ Origin: 'http://evil.example.com' })), 403);
    refusal(await exchange(discoverBytes({ Origin: 'http://evil.example.com', Host: 'evil.example.com' })), 403);
    refusal(await exchange(discoverBytes({ Origin: 'null' })), 403);
    refusal(await exchange(discoverBytes({ Origin: 'http://127.0.0.1.evil.example.com' })), 403);
  });

  test('a foreign host is 403', async () => {
    refusal(await exchange(discoverBytes({ Host: 'evil.example.com' })), 403);
    refusal(await exchange(discoverBytes({ Host: `localhost.evil.example.com:${server.port}` })), 403);
  });

  test('its own origin and every name of loopback are accepted', async () => {
    refusal(await exchange(discoverBytes({ Origin: `http://127.0.0.1:${server.port}` })), 200);
    refusal(await exchange(discoverBytes({ Origin: `http://localhost:${server.port}`, Host: `localhost:${server.port}` })), 200);
    refusal(await exchange(discoverBytes({ Host: `[::1]:${server.port}` })), 200);
  });

  test('no host at all is 400', async () => refusal(await exchange(discoverBytes({ Host: null })), 400));
});

describe('JSON', () => {
  const nested = (depth) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const broken = {
    'an empty body': '',
    'half an object': '{"jsonrpc":"2.0","id":1',
    'two objects': '{"jsonrpc":"2.0","id":1,"method":"ping"} {}',
    'a comment': '{"jsonrpc":"2.0",/* */"id":1,"method":"ping"}',
    'a trailing comma': '{"jsonrpc":"2.0","id":1,"method":"ping",}',
    'NaN': '{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
    'single quotes': "{'jsonrpc':'2.0'}",
    'a bare word': 'ping',
    'bad UTF-8': Buffer.from('7b226d6574686f64223a2270ff22 7d'.replaceAll(' ', ''), 'hex'),
    'half a surrogate': '{"jsonrpc":"2.0","id":1,"method":"\\ud800"}',
    'a control character in a string': '{"jsonrpc":"2.0","id":1,"method":"pi\nng"}',
    'a byte order mark only': Buffer.from('efbbbf', 'hex'),
    'an array that nests 100,000 deep': '['.repeat(100000),
    'nesting beyond 20': nested(30),
    'nesting beyond 20 in objects': `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`,
  };
  for (const [name, body] of Object.entries(broken)) {
    test(`${name} is a parse error`, async () => refusal(await post(server, body), 400, -32700));
  }

  test('a number too large for a double does not crash the server', async () => {
    const { status, message } = await post(server, '{"jsonrpc":"2.0","id":1e999,"method":"ping"}');
    assert.equal(status, 400);
    assert.equal(message.id ?? null, null);
  });

  test('numbers far beyond the range of doubles are zero, or a parse error', async () => {
    const ping = (number) => post(server, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${number}}}`);
    const huge = ['1' + '0'.repeat(400), '9' + '0'.repeat(83) + 'e276', '1' + '0'.repeat(320) + '.5'];
    for (const number of huge) {
      const answer = await ping(number);
      refusal(answer, 400, -32700);
      assert.equal(answer.message.id, 1);
    }
    const { message } = await post(server, '{"jsonrpc":"2.0","method":"ping","params":{"x":1e999},"id":"later"}');
    assert.equal(message.id, 'later');
    const tiny = ['0.' + '0'.repeat(400) + '1', '0.' + '0'.repeat(40) + '1e-310', '1e-400'];
    for (const number of tiny) assert.notEqual((await ping(number)).message?.error?.code, -32700, number);
  });
});

describe('JSON-RPC', () => {
  const shapes = {
    'a string': '"ping"', 'a number': '5', 'null': 'null', 'an empty array': '[]', 'an empty object': '{}',
    'no version': '{"id":1,"method":"ping"}',
    'another version': '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    'a null id': '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    'a boolean id': '{"jsonrpc":"2.0","id":true,"method":"ping"}',
    'a fractional id': '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    'an object as id': '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    'a method that is a number': '{"jsonrpc":"2.0","id":1,"method":5}',
    'params that are a string': '{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}',
  };
  for (const [name, body] of Object.entries(shapes)) {
    test(`${name} is an invalid request`, async () => refusal(await post(server, body), 400, -32600));
  }

  const repeated = {
    method: '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}',
    arguments: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{},"arguments":{}}}',
    limit: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"limit":1,"limit":2}}}',
  };
  for (const [key, body] of Object.entries(repeated)) {
    test(`the key ${key} twice is refused by name`, async () => {
      const answer = await post(server, body);
      refusal(answer, 400, -32600);
      assert.match(answer.message.error.message, new RegExp(key));
    });
  }

  test('the same key written with an escape is the same key', async () => {
    refusal(await post(server, '{"jsonrpc":"2.0","id":1,"method":"ping","\\u006dethod":"x"}'), 400, -32600);
  });

  test('an id is returned with its type', async () => {
    for (const id of [0, -1, 7, 'seven', '', '7', 9007199254740991]) {
      const body = modernBody('server/discover', {}, id);
      const { message } = await post(server, body, modernHeaders(body));
      assert.strictEqual(message.id, id);
    }
  });

  test('unknown members are tolerated', async () => {
    const body = { ...discover(), extra: { a: 1 } };
    refusal(await post(server, body, modernHeaders(body)), 200);
  });

  test('a notification is 202 without a body', async () => {
    const answer = await post(server, {
      jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99, _meta: envelope() },
    });
    assert.equal(answer.status, 202);
    assert.equal(answer.text, '');
  });

  test('a batch of modern requests is refused', async () => {
    refusal(await post(server, [discover(), discover()]), 400, -32600);
  });
});

describe('a modern request', () => {
  const bodyWith = (meta, method = 'server/discover') => ({ jsonrpc: '2.0', id: 1, method, params: { _meta: meta } });
  const version = 'io.modelcontextprotocol/protocolVersion';
  const capabilities = 'io.modelcontextprotocol/clientCapabilities';

  test('is answered with everything its results need', async () => {
    const { message: { result } } = await modern(server, 'server/discover');
    assert.equal(result.resultType, 'complete');
    assert.deepEqual(result.supportedVersions, [modernRevision]);
    assert.equal(typeof result.ttlMs, 'number');
    assert.match(result.cacheScope, /^(public|private)$/);
    assert.match(result._meta['io.modelcontextprotocol/serverInfo'].name, /gantry/i);
    assert.ok(result.capabilities.tools);
  });

  test('without client capabilities is -32602', async () => {
    const body = bodyWith({ [version]: modernRevision });
    refusal(await post(server, body, modernHeaders(body)), 400, -32602);
  });

  test('with capabilities that are no object is -32602', async () => {
    const body = bodyWith({ [version]: modernRevision, [capabilities]: 'all' });
    refusal(await post(server, body, modernHeaders(body)), 400, -32602);
  });

  test('whose header names the version but whose body has no envelope is -32602', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    refusal(await post(server, body, { 'mcp-protocol-version': modernRevision, 'mcp-method': 'tools/list' }), 400, -32602);
  });

  for (const [name, headers] of Object.entries({
    'another version in the header': { 'mcp-protocol-version': '2025-11-25' },
    'another method in the header': { 'mcp-method': 'tools/list' },
    'the method in another case': { 'mcp-method': 'Server/Discover' },
  })) {
    test(`with ${name} is -32020`, async () => {
      const body = discover();
      refusal(await post(server, body, { ...modernHeaders(body), ...headers }), 400, -32020);
    });
  }

  test('without the version header, or without the method header, is -32020', async () => {
    const body = discover();
    refusal(await post(server, body, { 'mcp-method': body.method }), 400, -32020);
    refusal(await post(server, body, { 'mcp-protocol-version': modernRevision }), 400, -32020);
  });

  test('may have blanks around its header values', async () => {
    refusal(await exchange(discoverBytes({ 'mcp-method': '  server/discover \t' })), 200);
  });

  test('of an unknown version is -32022 and names the supported versions', async () => {
    for (const unknown of ['2099-01-01', '2025-11-25', '']) {
      const body = bodyWith({ [version]: unknown, [capabilities]: {} });
      const answer = await post(server, body, { 'mcp-method': body.method, 'mcp-protocol-version': unknown });
      refusal(answer, 400, -32022);
      assert.deepEqual(answer.message.error.data, { supported: [modernRevision], requested: unknown });
    }
  });

  test('of a method that the era does not have is 404 and -32601', async () => {
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'no/such']) {
      refusal(await modern(server, method), 404, -32601);
    }
  });

  test('that names another tool in Mcp-Name is -32020, also in Base64', async () => {
    const params = { name: 'list_tools', arguments: {} };
    const encoded = (name) => ({ 'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=` });
    refusal(await modern(server, 'tools/call', params, { 'mcp-name': 'query_class' }), 400, -32020);
    refusal(await modern(server, 'tools/call', params, encoded('query_class')), 400, -32020);
    refusal(await modern(server, 'tools/call', params, { 'mcp-name': '=?base64?bGlzdF90b29scw?=' }), 400, -32020);
    refusal(await modern(server, 'tools/call', params, encoded('list_tools')), 200);
  });

  test('for a tool without Mcp-Name is -32020', async () => {
    const body = modernBody('tools/call', { name: 'list_tools' });
    refusal(await post(server, body, { 'mcp-method': 'tools/call', 'mcp-protocol-version': modernRevision }), 400, -32020);
  });

  test('for an unknown tool is -32602', async () => {
    refusal(await modern(server, 'tools/call', { name: 'no_such_tool' }), 200, -32602);
  });

  test('with arguments that are no object is -32602', async () => {
    const { message } = await modern(server, 'tools/call', { name: 'list_tools', arguments: [] });
    assert.equal(message.error?.code, -32602);
  });

  test('may leave arguments out', async () => {
    const { message } = await modern(server, 'tools/call', { name: 'list_tools' });
    assert.ok(message.result.structuredContent.tools.length > 0);
  });

  test('with an unknown log level is -32602', async () => {
    const body = bodyWith({ ...envelope(), 'io.modelcontextprotocol/logLevel': 'loud' });
    assert.equal((await post(server, body, modernHeaders(body))).message.error?.code, -32602);
  });

  test('ignores a session header', async () => {
    const answer = await modern(server, 'server/discover', {}, { 'mcp-session-id': 'not-mine' });
    refusal(answer, 200);
    assert.equal(answer.headers.get('mcp-session-id'), null);
  });

  test('for a category lists only that category, and nothing for an unknown one', async () => {
    const list = async (category) => (await modern(server, 'tools/list', { category })).message.result.tools;
    assert.ok((await list('QUERY')).every((tool) => tool._meta.category === 'query'));
    assert.ok((await list('query')).length >= 5);
    assert.deepEqual(await list('no such category'), []);
  });

  test('with a cursor that the server did not issue is -32602', async () => {
    assert.equal((await modern(server, 'tools/list', { cursor: 'bm9wZQ' })).message.error?.code, -32602);
  });
});

describe('a legacy session', () => {
  for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    test(`of ${revision} is opened, listed, called and pinged`, async () => {
      const session = await LegacySession.open(server, revision);
      assert.equal(session.opened.protocolVersion, revision);
      assert.equal(session.opened.resultType, undefined);
      const { result } = (await session.request('tools/list')).message;
      assert.equal(result.resultType, undefined);
      assert.equal(result.ttlMs, undefined);
      assert.ok(result.tools.length > 0);
      const answer = (await session.request('tools/call',
        { name: 'count_objects', arguments: { class_name: 'scripts' } })).message;
      assert.deepEqual(JSON.parse(answer.result.content[0].text).count, 182);
      assert.deepEqual((await session.request('ping')).message.result, {});
    });
  }

  test('is offered the newest revision when it asks for one that is not legacy', async () => {
    for (const asked of ['1999-01-01', '2026-07-28']) {
      const answer = await post(server, {
        jsonrpc: '2.0', id: 1, method: 'initialize',
        params: { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      });
      assert.equal(answer.message.result.protocolVersion, '2025-11-25');
    }
  });

  test('gets bad arguments as a tool result from 2025-11-25 on, as an error before', async () => {
    const bad = { name: 'query_class', arguments: { class_name: 'scripts', limt: 1 } };
    const now = await (await LegacySession.open(server, '2025-11-25')).request('tools/call', bad);
    assert.equal(now.message.result.isError, true);
    const then = await (await LegacySession.open(server, '2025-06-18')).request('tools/call', bad);
    assert.equal(then.message.error.code, -32602);
    assert.match(then.message.error.message, /limt/);
  });

  test('may send a batch in 2025-03-26', async () => {
    const session = await LegacySession.open(server, '2025-03-26');
    const answer = await post(server, [
      { jsonrpc: '2.0', id: 'a', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } },
      { jsonrpc: '2.0', id: 'b', method: 'no/such' },
    ], session.headers);
    assert.equal(answer.status, 200);
    const byId = Object.fromEntries(answer.message.map((entry) => [entry.id, entry]));
    assert.deepEqual(byId.a.result, {});
    assert.equal(byId.b.error.code, -32601);
    assert.equal(answer.message.length, 2);
  });

  test('may not send a batch later', async () => {
    const session = await LegacySession.open(server, '2025-11-25');
    const answer = await post(server, [{ jsonrpc: '2.0', id: 1, method: 'ping' }], session.headers);
    refusal(answer, 400, -32600);
  });

  test('with an id that the server never gave is 404', async () => {
    const session = await LegacySession.open(server);
    if (!session.headers['mcp-session-id']) return;
    session.headers['mcp-session-id'] = 'never-given';
    assert.equal((await session.request('ping')).status, 404);
  });

  test('ends with DELETE, and is unknown from then on', async () => {
    const session = await LegacySession.open(server);
    if (!session.headers['mcp-session-id']) return;
    const ended = await fetch(server.url, { method: 'DELETE', headers: session.headers });
    assert.equal(ended.status, 204);
    assert.equal((await session.request('ping')).status, 404);
  });

  test('with an unknown version header is 400', async () => {
    const session = await LegacySession.open(server);
    session.headers['mcp-protocol-version'] = '1999-01-01';
    assert.equal((await session.request('ping')).status, 400);
  });
});

describe('many at once', () => {
  test('200 silent connections do not keep other clients out', async () => {
    const idle = await Promise.all(Array.from({ length: 200 }, () => Wire.open(server.port)));
    refusal(await exchange(discoverBytes()), 200);
    for (const wire of idle) wire.close();
  });

  test('500 calls over 50 connections are all answered right', async () => {
    const ask = async (i) => {
      const result = await call(server, 'query_class',
        { class_name: 'languages', order: 'alpha_3', skip: i, limit: 1, keys: ['alpha_3'] });
      return result.structuredContent?.results[0].alpha_3;
    };
    const seen = [];
    for (let round = 0; round < 10; ++round) {
      seen.push(...await Promise.all(Array.from({ length: 50 }, (_, i) => ask(round * 50 + i))));
    }
    assert.equal(new Set(seen).size, 500);
    assert.deepEqual(seen, [...seen].sort());
  });
});
