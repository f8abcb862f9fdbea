// The protocol over standard input and output, both eras, good and bad lines.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Stdio } from '../lib/stdio.mjs';
import { envelope, modernBody, modernRevision } from '../lib/rpc.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const db = demoDatabase();
let pipe;
beforeEach(() => { pipe = Stdio.start({ db }); });
afterEach(() => pipe.end());  // stdin ends: so does the process, with 0

const initialize = (protocolVersion = '2025-11-25', id = 'init') => ({
  id, method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'gantry-e2e', version: '1' } },
});
const count = (id) => modernBody('tools/call', { name: 'count_objects', arguments: { class_name: 'scripts' } }, id);

describe('modern', () => {
  test('needs no opening', async () => {
    const { result } = await pipe.request(modernBody('server/discover', {}, 1));
    assert.deepEqual(result.supportedVersions, [modernRevision]);
    const answer = await pipe.request(count(2));
    assert.equal(answer.result.structuredContent.count, 182);
  });

  test('requests that overlap are all answered', async () => {
    const ids = Array.from({ length: 50 }, (_, i) => `r${i}`);
    pipe.write(ids.map((id) => `${JSON.stringify(count(id))}\n`).join(''));
    for (const id of ids) {
      const answer = await pipe.receive((message) => message.id === id);
      assert.equal(answer.result.structuredContent.count, 182);
    }
  });

  test('without an envelope is -32602 once the era is known', async () => {
    await pipe.request(modernBody('tools/list', {}, 1));
    const { error } = await pipe.request({ id: 2, method: 'tools/list', params: {} });
    assert.equal(error.code, -32602);
  });

  test('of an unknown version is -32022', async () => {
    const meta = { ...envelope(), 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const { error } = await pipe.request({ id: 1, method: 'server/discover', params: { _meta: meta } });
    assert.equal(error.code, -32022);
    assert.deepEqual(error.data, { supported: [modernRevision], requested: '2099-01-01' });
  });

  test('an unknown method is -32601', async () => {
    assert.equal((await pipe.request(modernBody('no/such', {}, 1))).error.code, -32601);
  });
});

describe('legacy', () => {
  test('opens with initialize', async () => {
    const { result } = await pipe.request(initialize());
    assert.equal(result.protocolVersion, '2025-11-25');
    pipe.send({ method: 'notifications/initialized' });
    assert.deepEqual((await pipe.request({ id: 2, method: 'ping' })).result, {});
    const { result: list } = await pipe.request({ id: 3, method: 'tools/list' });
    assert.ok(list.tools.length > 0);
    assert.equal(list.resultType, undefined);
  });

  test('may follow a probe by server/discover', async () => {
    await pipe.request(modernBody('server/discover', {}, 1));
    assert.equal((await pipe.request(initialize('2025-06-18'))).result?.protocolVersion, '2025-06-18');
  });
});

describe('bad lines', () => {
  const lines = {
    'no JSON': 'hello', 'half an object': '{"jsonrpc":"2.0"', 'an empty line': '', 'only blanks': '   ',
    'no request': '{"a":1}', 'deep nesting': '['.repeat(100000), 'a zero byte': '\0', 'an empty array': '[]',
    'a line of two megabytes': `"${'x'.repeat(2 * 1024 * 1024)}"`,
  };
  for (const [name, line] of Object.entries(lines)) {
    test(`${name} does not stop the lines that follow`, async () => {
      pipe.write(`${line}\n`);
      assert.equal((await pipe.request(count('after'))).result.structuredContent.count, 182);
    });
  }

  test('a request byte by byte is the same request', async () => {
    for (const letter of `${JSON.stringify(count('slow'))}\n`) pipe.write(letter);
    assert.equal((await pipe.receive()).id, 'slow');
  });

  test('a line that ends with CR LF is the same line', async () => {
    pipe.write(`${JSON.stringify(count('crlf'))}\r\n`);
    assert.equal((await pipe.receive()).id, 'crlf');
  });
});

test('calls in flight when stdin ends do not keep the process', async () => {
  for (let i = 0; i < 20; ++i) pipe.send(count(i));
});
