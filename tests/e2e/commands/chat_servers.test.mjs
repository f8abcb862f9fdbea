// `gantry chat` with servers that differ: those of local models, and MCP servers that are not Gantry.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { chat, resultsIn, toolsIn } from '../lib/chat.mjs';
import { pause } from '../lib/events.mjs';
import { Server } from '../lib/gantryd.mjs';
import { Provider } from '../lib/provider.mjs';
import { demoDatabase } from '../lib/shared.mjs';

let server;
before(async () => { server = await Server.start({ db: demoDatabase() }); });
after(() => server.stop());

const count = (id) => ({ ...(id ? { id } : {}), name: 'count_objects', arguments: { class_name: 'countries' } });
/** Says what the tool found. */
const tells = (body) => ({ text: `There are ${JSON.parse(resultsIn(body)[0]).count} countries.`, split: 3 });

describe('with a local model', () => {
  let provider;
  before(async () => { provider = await Provider.start({ kind: 'local' }); });
  beforeEach(() => { provider.play(); provider.models = ['local-1', 'local-2']; provider.props = undefined; });
  after(() => provider.stop());
  const run = (words, options) => chat(provider, [...words, '--url', server.url.href], options);

  test('the first that the server lists is asked, in its manner', async () => {
    provider.play({ text: 'I count.', thinking: 'hm', sameIndex: true, calls: [count('c1'), { id: 'c2', name: 'count_objects', arguments: 'oops' }] }, tells);
    const { code, stdout, stderr } = await run(['--ask', 'x'], { env: { LLM_API_KEY: '' } });
    assert.deepEqual([code, stdout], [0, 'I count.\nThere are 249 countries.\n'], stderr);
    assert.deepEqual(provider.bodies.map(({ model }) => model), ['local-1', 'local-1']);
    assert.equal(provider.requests[0].headers.authorization, undefined);
    assert.match(resultsIn(provider.bodies[1])[1], /not a JSON object/);
    assert.deepEqual(provider.faults, []);
  });

  test('a named model is asked, and after eight rounds gets no tools', async () => {
    provider.play(...Array.from({ length: 8 }, () => ({ calls: [count()] })), { text: 'Enough.' });
    assert.equal((await run(['--ask', 'x'], { env: { LLM_MODEL: 'local-2' } })).stdout, 'Enough.\n');
    assert.equal(provider.bodies[0].model, 'local-2');
    assert.deepEqual(toolsIn(provider.bodies[8]), []);
    assert.deepEqual(provider.faults, []);
  });

  test('its context has the size that the server states: tools that fill it get a warning', async () => {
    const warned = async () => /the tools take about [\d,]+ of the model's ([\d,]+) tokens; --tools LIST/.exec((await run(['--ask', 'x'])).stderr)?.[1];
    provider.models = [{ id: 'local-1', max_model_len: 2000 }];
    assert.equal(await warned(), '2,000');
    provider.props = { default_generation_settings: { n_ctx: 2100 } };
    assert.equal(await warned(), '2,100', 'llama.cpp knows it better');
    provider.props = { default_generation_settings: { n_ctx: 100000 } };
    assert.equal(await warned(), undefined);
  });

  test('more than four fifths of its context are compacted', async () => {
    provider.models = [{ id: 'local-1', max_model_len: 1000 }];
    for (const [output, compacted] of [[100, false], [101, true]]) {
      provider.play({ text: 'a' }, { text: 'b' }, { text: 'c', usage: { input: 700, output } }, { text: compacted ? 'summary' : 'd' }, { text: 'd' });
      const { stderr } = await run([], { lines: ['1', '2', '3', '4'] });
      assert.equal(/compacted: /.test(stderr), compacted, stderr);
      assert.equal(provider.requests.length, compacted ? 5 : 4);
    }
  });

  test('a server that is not there, or has no model, ends with 2', async () => {
    provider.models = [];
    const none = await run(['--ask', 'x']);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /lists no model; name one in LLM_MODEL/);
    const away = await run(['--ask', 'x'], { env: { LLM_BASE_URL: 'http://127.0.0.1:9/v1' } });
    assert.equal(away.code, 2);
    assert.match(away.stderr, /no model can be asked at http:\/\/127.0.0.1:9\/v1: .*LLM_BASE_URL/);
  });
});

/** An MCP server that is not Gantry: `tools` by name are {reads, schema, call(arguments)}. */
async function foreignServer(tools) {
  const answer = async ({ method, params }) => {
    if (method === 'tools/list') {
      return { result: { tools: Object.entries(tools).map(([name, { reads = true, schema = { type: 'object' } }]) => ({ name, description: name, inputSchema: schema, annotations: reads ? { readOnlyHint: true } : undefined })) } };
    }
    return method === 'tools/call' ? { result: { content: [{ type: 'text', text: await tools[params.name].call(params.arguments) }] } } : { error: { code: -32601, message: 'unknown method' } };
  };
  const http = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...await answer(JSON.parse(Buffer.concat(parts))) });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return { url: `http://127.0.0.1:${http.address().port}/mcp`, stop: () => { http.closeAllConnections(); http.close(); } };
}

for (const kind of ['openai', 'anthropic']) {
  describe(`another MCP server, with ${kind}`, () => {
    let provider;
    before(async () => { provider = await Provider.start({ kind }); });
    beforeEach(() => provider.play());
    after(() => provider.stop());

    test('names of tools are mapped both ways, and results are bounded', async () => {
      const long = 'l'.repeat(100);
      const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' };
      const foreign = await foreignServer({ 'git.log': { schema, call: () => 'dot' }, 'git/log': { call: () => 'slash' }, [long]: { call: () => 'ü'.repeat(40000) } });
      provider.play((body) => ({ calls: toolsIn(body).map((name) => ({ name })) }), { text: 'So.' });
      const { code, stdout, stderr } = await chat(provider, ['--ask', 'x', '--json', '--url', foreign.url]);
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout).tool_calls.map(({ name }) => name), ['git.log', 'git/log', long]);
      const [dot, slash, bounded] = resultsIn(provider.bodies[1]);
      assert.deepEqual([dot, slash], ['dot', 'slash']);
      assert.match(bounded, /^ü{32768}\n\[cut: the first 65536 of 80000 bytes\. Ask for less: fewer rows or fields\.\]$/);
      assert.deepEqual(provider.faults, []);
      foreign.stop();
    });

    test('four calls run at once, and the results keep the order of the calls', async () => {
      let running = 0;
      let most = 0;
      const call = async ({ n }) => {
        most = Math.max(most, ++running);
        await pause(300 - 40 * n);
        running -= 1;
        return `result ${n}`;
      };
      const foreign = await foreignServer({ wait: { call } });
      provider.play({ calls: [0, 1, 2, 3, 4, 5].map((n) => ({ name: 'wait', arguments: { n } })) }, { text: 'So.' });
      const { code, stderr } = await chat(provider, ['--ask', 'x', '--url', foreign.url]);
      assert.equal(code, 0, stderr);
      assert.equal(most, 4);
      assert.deepEqual(resultsIn(provider.bodies[1]), [0, 1, 2, 3, 4, 5].map((n) => `result ${n}`));
      assert.match(stderr, /^(?: {2}wait {2}\d+ ms {2}8 B\n){6}/m);
      foreign.stop();
    });

    test('a tool that declares no effects is asked about', async () => {
      const foreign = await foreignServer({ drop: { reads: false, call: () => assert.fail('it ran') } });
      provider.play({ calls: [{ name: 'drop' }] }, { text: 'So.' });
      const { code, stderr } = await chat(provider, ['--ask', 'x', '--url', foreign.url]);
      assert.equal(code, 0);
      assert.match(stderr, /The model calls drop {}\nIt may change or remove data\. Run it\?\nThere is no terminal to ask at: no\./);
      foreign.stop();
    });

    test('a server that answers but is no model is named', async () => {
      const web = createServer((request, response) => { response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello'); }).listen(0, '127.0.0.1');
      await once(web, 'listening');
      const foreign = await foreignServer({});
      const { code, stderr } = await chat(provider, ['--ask', 'x', '--url', foreign.url], { env: { LLM_BASE_URL: `http://127.0.0.1:${web.address().port}` } });
      assert.equal(code, 1);
      assert.match(stderr, /answered 200: no event stream.*check LLM_BASE_URL/);
      foreign.stop();
      web.close();
    });
  });
}
