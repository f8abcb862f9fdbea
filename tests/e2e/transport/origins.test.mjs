// Which origins and hosts are accepted, and the required header.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { plugins } from '../lib/rounds.mjs';
import { modern } from '../lib/rpc.mjs';
import { startScripts } from '../lib/script.mjs';
import { Wire } from '../lib/wire.mjs';

describe('a web page', () => {
  const config = {
    http: { allowed_origins: ['https://app.example', '.pages.example', 'http://only.example:8080'], allowed_hosts: ['gantry.example'] },
  };
  let own;
  before(async () => { own = await startScripts({ plugins: plugins, config }); });
  after(() => own.stop());

  async function exchange(method, headers, body = '') {
    const all = { host: `127.0.0.1:${own.port}`, 'content-length': body.length, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const wire = await Wire.open(own.port);
    await wire.write(`${method} /mcp HTTP/1.1\r\n${lines}\r\n${body}`);
    const answer = await wire.read();
    wire.close();
    return answer;
  }
  const init = JSON.stringify({
    jsonrpc: '2.0', id: 1, method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } },
  });
  const opens = (headers) => exchange('POST',
    { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }, init);

  test('of a configured origin may use the server, and reads the session\'s id', async () => {
    const good = ['https://app.example', 'https://a.pages.example', 'https://a.b.pages.example:444', 'http://only.example:8080'];
    for (const origin of good) {
      const { status, headers } = await opens({ origin });
      assert.equal(status, 200, origin);
      assert.equal(headers['access-control-allow-origin'], origin);
      assert.match(headers['access-control-expose-headers'], /Mcp-Session-Id/i);
      assert.match(headers.vary, /origin/i);
    }
  });

  test('of any other origin is 403 for every method, although the host is good', async () => {
    const evil = ['https://evil.example', 'https://app.example.evil.example', 'https://xapp.example', 'https://pages.example.evil',
      'http://only.example', 'null', 'file://', 'https://evilpages.example'];
    for (const origin of evil) {
      for (const answer of [await opens({ origin }), await exchange('GET', { origin, accept: 'text/event-stream' }),
        await exchange('OPTIONS', { origin, 'access-control-request-method': 'POST' }), await exchange('DELETE', { origin })]) {
        assert.equal(answer.status, 403, origin);
        assert.equal(answer.headers['access-control-allow-origin'], undefined);
      }
    }
  });

  test('gets the allowed methods and headers in its preflight request', async () => {
    const { status, headers, text } = await exchange('OPTIONS', {
      origin: 'https://app.example', 'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, mcp-session-id, mcp-param-bucket, x-evil',
    });
    assert.deepEqual([status, text], [204, '']);
    assert.equal(headers['access-control-allow-origin'], 'https://app.example');
    assert.match(headers['access-control-allow-methods'], /POST/);
    const allowed = headers['access-control-allow-headers'].toLowerCase().split(/, */);
    for (const name of ['content-type', 'accept', 'authorization', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id',
      'last-event-id', 'mcp-param-bucket']) assert.ok(allowed.includes(name), name);
    assert.ok(!allowed.includes('x-evil') && !allowed.includes('*'));
  });

  test('or a program may use only the configured host names', async () => {
    assert.equal((await opens({ host: 'gantry.example' })).status, 200);
    assert.equal((await opens({ host: 'gantry.example:8443' })).status, 200);
    for (const host of ['evil.example', 'a.gantry.example', 'gantry.example.evil']) assert.equal((await opens({ host })).status, 403);
    const plain = await opens({});
    assert.deepEqual([plain.status, plain.headers['access-control-allow-origin']], [200, undefined]);
  });
});

describe('a refusal before there is a request', () => {
  let own;
  before(async () => { own = await startScripts({ plugins, config: { http: { allowed_origins: ['https://app.example'] } } }); });
  after(() => own.stop());

  const heads = (origin) => [
    [400, `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${origin}\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n`],
    [400, `POST /mcp HTTP/1.1\r\nOrigin: ${origin}\r\nContent-Length: 0\r\n\r\n`],
    [400, `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${origin}\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n`],
    [417, `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: miracles\r\nOrigin: ${origin}\r\n\r\n`],
    [431, `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${origin}\r\nCookie: ${'a'.repeat(20000)}\r\n\r\n`],
    [413, `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n`],
    [404, `GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${origin}\r\n\r\n`],
    [405, `PUT /health HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${origin}\r\nContent-Length: 0\r\n\r\n`],
  ];
  const answer = async (bytes) => {
    const wire = await Wire.open(own.port);
    await wire.write(bytes);
    const read = await wire.read();
    wire.close();
    return read;
  };

  test('is readable for the configured page, and for no other', async () => {
    for (const [expected, head] of heads('https://app.example')) {
      const { status, headers } = await answer(head);
      assert.deepEqual([status, headers['access-control-allow-origin']], [expected, 'https://app.example'], head.slice(0, 200));
      assert.match(headers.vary, /origin/i);
    }
    for (const [expected, head] of heads('https://evil.example')) {
      const { status, headers } = await answer(head);
      assert.equal(headers['access-control-allow-origin'], undefined, head.slice(0, 200));
      if (expected !== 413) assert.equal(status, expected);
    }
  });
});

describe('a required header', () => {
  test('is asked of every request to the endpoint, with its value if one is configured', async () => {
    for (const [rule, good, bad] of [['X-Gate', { 'x-gate': 'any' }, {}], ['X-Gate: open', { 'x-gate': 'open' }, { 'x-gate': 'shut' }]]) {
      const own = await startScripts({ plugins: plugins, config: { http: { require_header: rule } } });
      assert.equal((await modern(own, 'tools/list', {}, good)).status, 200);
      assert.equal((await modern(own, 'tools/list', {}, bad)).status, 403);
      assert.equal((await fetch(own.url, { headers: bad })).status, 403);
      await own.stop();
    }
  });
});
