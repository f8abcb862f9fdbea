// Refused requests: which of several reasons is given, and that an allowed page can read it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { plugins } from '../lib/rounds.mjs';
import { envelope, modernBody, modernHeaders, modernRevision, peer } from '../lib/rpc.mjs';
import { startScripts } from '../lib/script.mjs';
import { Stdio } from '../lib/stdio.mjs';
import { Wire } from '../lib/wire.mjs';

const origin = 'https://app.example';
const limit = 4096;
let own;
before(async () => {
  own = await startScripts({
    plugins, env: { GANTRY_API_KEY: 'sesame' },
    config: {
      http: { allowed_origins: [origin], require_header: 'X-Gate', max_body_bytes: limit, max_head_bytes: 4096 },
      limits: { pre_auth_per_minute: 1000 },
    },
  });
});
after(() => own.stop());

const good = () => ({ Host: `127.0.0.1:${own.port}`, 'Content-Type': 'application/json', 'X-Gate': 'open', Origin: origin,
  Accept: 'application/json, text/event-stream', Authorization: 'Bearer sesame' });
const head = (line, headers) => `${line} HTTP/1.1\r\n${Object.entries(headers).filter(([, value]) => value !== undefined)
  .map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;

async function exchange(bytes, at = own) {
  const wire = await Wire.open(at.port);
  await wire.write(bytes);
  const answer = await wire.read(5000);
  return { ...answer, wire };
}

// From the last reason to the first: each case has its own fault and all those that come later.
const faults = [
  [413, 'the body', {}],
  [403, 'the required header', { 'X-Gate': undefined }],
  [403, 'the origin', { Origin: 'https://evil.example' }],
  [415, 'the content type', { 'Content-Type': 'text/plain' }],
  [405, 'the method', {}, 'PUT /mcp'],
  [404, 'the path', {}, 'PUT /elsewhere'],
];
const sizes = {
  'announced too large': [{ 'Content-Length': 1e12 }, ''],
  'that grows too large in chunks': [{ 'Transfer-Encoding': 'chunked' }, `800\r\n${'x'.repeat(0x800)}\r\n900\r\n`],
};

describe('of several reasons the first is given', () => {
  for (const [how, [framing, body]] of Object.entries(sizes)) {
    let headers = {};
    for (const [status, what, wrong, line = 'POST /mcp'] of faults) {
      headers = { ...headers, ...wrong };
      const all = headers;
      test(`${what}, with a body ${how}: ${status}, and the connection ends`, async () => {
        const answer = await exchange(head(line, { ...good(), Authorization: undefined, ...all, ...framing }) + body);
        assert.equal(answer.status, status);
        assert.equal(answer.headers.connection, 'close');
        assert.match(answer.headers['content-type'], /json/);
        const { id, error } = JSON.parse(answer.text);
        assert.deepEqual([id, error.code], [null, -32000]);
        assert.ok(await answer.wire.closed());
      });
    }
  }

  test('size is checked before the pre-auth limit, the JSON and the credential', async () => {
    const strict = await startScripts({
      plugins, env: { GANTRY_API_KEY: 'sesame' },
      config: { http: { max_body_bytes: limit }, limits: { pre_auth_per_minute: 1 } },
    });
    const send = (length, body) => exchange(head('POST /mcp',
      { ...good(), Host: `127.0.0.1:${strict.port}`, Origin: undefined, Authorization: undefined, 'Content-Length': length }) + body, strict);
    try {
      assert.equal((await send(1, '{')).status, 400);
      assert.equal((await send(1, '{')).status, 429);
      assert.equal((await send(limit + 1, '')).status, 413);
    } finally {
      await strict.stop();
    }
  });

  test('the server stops reading a body that is far too large', async () => {
    const wire = await Wire.open(own.port);
    await wire.write(head('POST /mcp', { ...good(), 'Transfer-Encoding': 'chunked' }));
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    for (let i = 0; i < 200 && !wire.ended; ++i) {
      await Promise.race([wire.write(chunk), new Promise((resolve) => { setTimeout(resolve, 100); })]);
    }
    assert.equal((await wire.read())?.status, 413);
    assert.ok(await wire.closed());
  });

  test('health is asked for its method alone', async () => {
    assert.equal((await exchange(head('GET /health', { Host: 'x', 'Content-Length': 1e12 }))).status, 200);
    assert.equal((await exchange(head('POST /health', { Host: 'x', 'Content-Length': 1e12 }))).status, 405);
  });
});

describe('a page of an origin that is allowed can read why it is refused', () => {
  const list = () => modernBody('tools/list', {}, 1);
  const cases = {
    405: () => head('PUT /mcp', good()),
    415: () => head('POST /mcp', { ...good(), 'Content-Type': 'text/plain', 'Content-Length': 0 }),
    403: () => head('POST /mcp', { ...good(), 'X-Gate': undefined, 'Content-Length': 0 }),
    413: () => head('POST /mcp', { ...good(), 'Content-Length': limit + 1 }),
    400: () => `${head('POST /mcp', { ...good(), 'Content-Length': 1 })}{`,
    401: () => {
      const body = JSON.stringify(list());
      return head('POST /mcp', { ...good(), ...modernHeaders(list()), Authorization: undefined, 'Content-Length': body.length }) + body;
    },
    406: () => head('GET /mcp', { ...good(), Accept: 'text/plain' }),
  };
  for (const [status, bytes] of Object.entries(cases)) {
    test(status, async () => {
      const { headers, status: got } = await exchange(bytes());
      assert.equal(got, Number(status));
      assert.equal(headers['access-control-allow-origin'], origin);
      assert.match(headers.vary, /origin/i);
    });
  }

  test('429, and the time to retry', async () => {
    const strict = await startScripts({
      plugins, env: { GANTRY_API_KEY: 'sesame' }, config: { http: { allowed_origins: [origin] }, limits: { pre_auth_per_minute: 1 } },
    });
    try {
      const bytes = `${head('POST /mcp', { ...good(), Host: `127.0.0.1:${strict.port}`, Authorization: undefined, 'Content-Length': 1 })}{`;
      assert.equal((await exchange(bytes, strict)).status, 400);
      const { status, headers } = await exchange(bytes, strict);
      assert.deepEqual([status, headers['access-control-allow-origin']], [429, origin]);
      assert.match(headers['access-control-expose-headers'], /retry-after/i);
      assert.match((await exchange(head('PUT /metrics', { ...good(), Host: `127.0.0.1:${strict.port}` }), strict))
        .headers['access-control-allow-origin'], /app/);
    } finally {
      await strict.stop();
    }
  });

  test('and a page of another origin, or with a foreign host, cannot', async () => {
    for (const wrong of [{ Origin: 'https://evil.example' }, { Host: 'evil.example' }]) {
      for (const line of ['PUT /mcp', 'POST /mcp']) {
        const { headers } = await exchange(head(line, { ...good(), ...wrong, 'Content-Length': limit + 1 }));
        assert.equal(headers['access-control-allow-origin'], undefined);
      }
    }
  });
});

describe('empty lines before a request', () => {
  const ping = () => head('GET /health', { Host: 'x' });

  test('are skipped, up to a bound, in pieces of any size', async () => {
    for (const lines of ['\r\n', '\r\n\r\n\r\n']) {
      assert.equal((await exchange(lines + ping())).status, 200);
      const wire = await Wire.open(own.port);
      for (const byte of lines) {
        await wire.write(byte);
        await new Promise((resolve) => { setTimeout(resolve, 5); });
      }
      await wire.write(ping());
      assert.equal((await wire.read())?.status, 200);
      await wire.write(lines + ping());
      assert.equal((await wire.read())?.status, 200);
      wire.close();
    }
  });

  test('are refused when they do not end', async () => {
    const { status, wire } = await exchange('\r\n'.repeat(100) + ping());
    assert.equal(status, 400);
    assert.ok(await wire.closed());
  });
});

describe('params that are no object', () => {
  for (const params of [null, [], [1], 7]) {
    test(`${JSON.stringify(params)}: a modern request is refused for its missing envelope`, async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list', params });
      const send = (headers) => exchange(head('POST /mcp', { ...good(), ...headers, 'Content-Length': body.length }) + body);
      const modern = await send({ 'MCP-Protocol-Version': modernRevision, 'Mcp-Method': 'tools/list' });
      assert.deepEqual([modern.status, JSON.parse(modern.text).id, JSON.parse(modern.text).error.code], [400, 7, -32602]);
      const legacy = await send({});
      assert.deepEqual([legacy.status, JSON.parse(legacy.text).error.code], [400, -32600]);
    });
  }

  test('are refused over stdio, once the era is known', async () => {
    const pipe = Stdio.start();
    await pipe.request({ id: 1, method: 'tools/list', params: { _meta: envelope() } });
    for (const params of [null, []]) {
      assert.equal((await pipe.request({ id: 2, method: 'tools/list', params })).error.code, -32602);
    }
    await pipe.end();
  });
});

test('an empty cursor means the first page', async () => {
  const open = await startScripts({ plugins });
  for (const revision of ['2024-11-05', '2025-11-25', modernRevision]) {
    const ask = await peer(open, revision);
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      assert.deepEqual(await ask(method, { cursor: '' }), await ask(method, {}), `${revision} ${method}`);
    }
  }
  await open.stop();
});

test('all spellings of zero are zero', async () => {
  const open = await startScripts({ plugins });
  const body = (text) => JSON.stringify(modernBody('tools/call', { name: 'rounds', arguments: { steps: ['$'] } }, 1))
    .replace('"$"', `{"do":"keep","body":"x","fill":${text}}`);
  for (const zero of ['0e400', '-0e400', '0.0e-99999', '0E+9999999999', `0.${'0'.repeat(50)}`]) {
    const text = body(zero);
    const { status, text: answer } = await exchange(head('POST /mcp', {
      ...good(), Host: `127.0.0.1:${open.port}`, Origin: undefined, 'MCP-Protocol-Version': modernRevision,
      'Mcp-Method': 'tools/call', 'Mcp-Name': 'rounds', 'Content-Length': text.length,
    }) + text, open);
    assert.equal(status, 200, `${zero} ${answer}`);
    assert.ok(JSON.parse(answer).result, zero);
  }
  await open.stop();
});
