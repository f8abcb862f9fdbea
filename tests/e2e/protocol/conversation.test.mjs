// One whole conversation with each of the official clients, from opening to closing. Each step
// checks what the client receives.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pause, until } from '../lib/events.mjs';
import { root } from '../lib/paths.mjs';
import { Proxy } from '../lib/proxy.mjs';
import {
  accepted, declined, elicit, found, lacking, need, open, plugins, rooted, roots, sample, sampled, startRounds,
} from '../lib/rounds.mjs';
import { call, post } from '../lib/rpc.mjs';
import { scriptFlags } from '../lib/script.mjs';
import { httpV1, httpV2, stdioV1, stdioV2 } from '../lib/talkers.mjs';

const modern = '2026-07-28';
const instructions = 'Ask before you write.';
const offered = JSON.parse(readFileSync(join(root, 'tests/fixtures/plugins/script/rounds.json'), 'utf8')).items;
const many = Array.from({ length: 300 }, (_, i) => `many_${i}`);
const crowd = [...offered, ...many.map((name) => (
  { kind: 'tool', name, description: 'One of many.', inputSchema: { type: 'object' } }))];
const names = offered.filter(({ kind, permission }) => kind === 'tool' && !permission).map(({ name }) => name);

const conversations = [
  ['v1 over HTTP', '2025-11-25', httpV1], ['v1 over HTTP', '2025-06-18', httpV1], ['v1 over HTTP', '2025-03-26', httpV1],
  ['v1 over HTTP', '2024-11-05', httpV1], ['v1 over stdio', '2025-11-25', stdioV1], ['v2 over HTTP', modern, httpV2],
  ['v2 over stdio', modern, stdioV2],
];

for (const [name, revision, make] of conversations) {
  const http = name.endsWith('HTTP');
  const legacy = revision !== modern;
  describe(`${name}, ${revision}`, { timeout: 30000 }, () => {
    let server;
    let proxy;
    let talker;
    let client;
    const heard = { lists: 0, updates: [], logs: [], asked: [] };
    const replies = { 'elicitation/create': accepted('Ada'), 'sampling/createMessage': sampled, 'roots/list': rooted };

    before(async () => {
      if (http) {
        server = await startRounds({ config: { instructions } });
        proxy = await Proxy.start(server.port);
        talker = make(proxy.url, revision);
      } else {
        talker = make(scriptFlags({ plugins, config: { instructions } }), revision);
      }
      client = talker.client;
      for (const method of Object.keys(replies)) {
        talker.answer(method, (params) => {
          heard.asked.push([method, params]);
          return replies[method];
        });
      }
      talker.on('notifications/tools/list_changed', () => { heard.lists += 1; });
      talker.on('notifications/resources/updated', (params) => { heard.updates.push(params); });
      talker.on('notifications/message', (params) => { heard.logs.push(params); });
    });
    after(async () => {
      await client.close();
      await proxy?.stop();
      await server?.stop();
    });

    const run = async (...steps) => (await talker.ask('rounds', { steps })).said.journal;
    const log = () => (http ? server.stderr : talker.log);
    /** A run's notes, fetched past the client where possible, because its own connection may be cut. */
    const journal = async (as) => (http
      ? (await call(server, 'rounds_journal', { as })).structuredContent.journal
      : (await talker.ask('rounds_journal', { as })).said.journal);
    const gate = (gateName) => (http ? call(server, 'rounds', { steps: [{ do: 'gate', name: gateName }] })
      : run({ do: 'gate', name: gateName }));

    test('opens', async () => {
      await talker.open();
      assert.equal(client.getServerVersion().name, 'gantry');
      const offers = client.getServerCapabilities();
      assert.deepEqual(offers.tools, { listChanged: true });
      assert.deepEqual(offers.prompts, { listChanged: true });
      assert.deepEqual(offers.resources, { listChanged: true, subscribe: true });
      assert.ok(offers.logging);
      assert.equal(client.getInstructions(), instructions);
      const agreed = client.getNegotiatedProtocolVersion?.() ?? talker.transport.protocolVersion;
      if (http || !legacy) assert.equal(agreed, revision);
      if (http && legacy) {
        assert.match(talker.transport.sessionId, /\S{16}/);
        await until(() => proxy.count(/GET \/mcp HTTP/g) > 0, 'that it listens');
        await pause(100);
      }
    });

    test('is notified that the list of tools has changed', async () => {
      const listening = legacy ? undefined : await client.listen({ toolsListChanged: true });
      if (listening) assert.deepEqual(listening.honoredFilter, { toolsListChanged: true });
      assert.deepEqual(await run({ do: 'offer', items: JSON.stringify(crowd) }), [0]);
      await until(() => heard.lists > 0, 'the news');
      await pause(50);
      assert.equal(heard.lists, 1);
      await listening?.close();
    });

    test('pages through three hundred tools', async () => {
      const pages = [];
      for (let cursor; pages.length === 0 || cursor !== undefined; cursor = pages.at(-1).nextCursor) {
        pages.push(await client.listTools(cursor === undefined ? {} : { cursor }));
        assert.ok(pages.length < 5);
      }
      const seen = pages.flatMap(({ tools }) => tools.map((tool) => tool.name));
      assert.deepEqual(seen, [...names, ...many]);
      if (legacy) assert.equal(pages.length, 2);
    });

    test('calls with progress', async () => {
      const progress = [];
      const report = (done) => ({ do: 'progress', done, total: 3, note: `step ${done}` });
      // The clients drop progress that they read in one piece with the answer.
      const { said } = await talker.ask('rounds', { steps: [...[1, 2, 3].map(report), { do: 'sleep', ms: 300 }] },
        { onprogress: (params) => progress.push(params) });
      assert.deepEqual(said.journal, [0, 0, 0]);
      assert.deepEqual(progress, [1, 2, 3].map((done) => (
        { progress: done, total: 3, ...(revision < '2025-03-26' ? {} : { message: `step ${done}` }) })));
    });

    test('cancels in the middle, and the tool notices', async () => {
      const controller = new AbortController();
      const running = talker.ask('rounds', { as: 'cancelled', steps: [{ do: 'open', name: 'inside' }, { do: 'wait_cancel' }] },
        { signal: controller.signal });
      running.catch(() => {});
      await gate('inside');
      controller.abort('enough');
      await assert.rejects(running);
      await until(async () => (await journal('cancelled')).includes('cancelled: 1'), 'that the tool noticed');
      await until(() => /tool=rounds .*success=false .*error_code=cancelled/.test(log()), 'its row in the log');
    });

    test('is asked for input: accepts, then declines', async () => {
      const elicits = revision >= '2025-06-18';
      for (const reply of [accepted('Ada'), declined]) {
        replies['elicitation/create'] = reply;
        heard.asked.length = 0;
        const noted = await run(elicit(), need);
        assert.deepEqual(noted, elicits ? [open, found(reply)].slice(-noted.length) : [lacking]);
        assert.deepEqual(heard.asked.map(([method, { message }]) => [method, message]),
          elicits ? [['elicitation/create', 'person?']] : []);
        if (elicits) assert.deepEqual(heard.asked[0][1].requestedSchema.properties, { name: { type: 'string' } });
      }
    });

    test('answers a sampling request and a request for its roots', async () => {
      heard.asked.length = 0;
      const noted = await run(sample(), roots(), need);
      assert.deepEqual(noted.slice(-2), [found(sampled), found(rooted)]);
      assert.deepEqual(heard.asked.map(([method]) => method).sort(), ['roots/list', 'sampling/createMessage']);
      const [, params] = heard.asked.find(([method]) => method === 'sampling/createMessage');
      assert.deepEqual([params.maxTokens, params.messages[0].content], [5, { type: 'text', text: 'Hi' }]);
    });

    test('subscribes, receives an update, and receives none after it unsubscribes', async () => {
      const uri = 'script://fixed';
      const listening = legacy ? undefined : await client.listen({ resourceSubscriptions: [uri] });
      if (legacy) assert.deepEqual(await client.subscribeResource({ uri }), {});
      await run({ do: 'updated', uri: 'script://things/a/1' }, { do: 'updated', uri, metadata: '{"by":"me"}' });
      await until(() => heard.updates.length > 0, 'the update');
      assert.deepEqual(heard.updates.map((params) => [params.uri, params._meta['gantry/metadata']]), [[uri, { by: 'me' }]]);
      if (legacy) await client.unsubscribeResource({ uri });
      await listening?.close();
      await until(async () => (await run({ do: 'watched' }))[0].length === 0, 'that there is no subscription left');
      await run({ do: 'updated', uri });
      await pause(50);
      assert.equal(heard.updates.length, 1);
    });

    test('gets prompts, and their arguments completed', async () => {
      const { prompts } = await client.listPrompts();
      assert.deepEqual(prompts.map((prompt) => prompt.name), ['scripted']);
      const { messages } = await client.getPrompt({ name: 'scripted', arguments: { topic: 'trees' } });
      assert.deepEqual(messages.map(({ role }) => role), ['user']);
      assert.deepEqual(JSON.parse(messages[0].content.text), { topic: 'trees' });
      await assert.rejects(client.getPrompt({ name: 'scripted' }), (error) => error.code === -32602);
      for (const ref of [{ type: 'ref/prompt', name: 'scripted' }, { type: 'ref/resource', uri: 'script://things/{kind}/{id}' }]) {
        // A client checks the capability, which the first revision did not have.
        if (revision < '2025-03-26') continue;
        const argument = { name: ref.name ? 'topic' : 'kind', value: 'tr' };
        const { completion } = await client.complete({ ref, argument });
        assert.equal(completion.values.length, 1);
        assert.equal(JSON.parse(completion.values[0]).argument.value, 'tr');
      }
    });

    test('lists and reads resources and templates', async () => {
      const { resources } = await client.listResources();
      assert.deepEqual(resources.map(({ uri }) => uri), ['script://fixed', 'script://public']);
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), ['script://things/{kind}/{id}', 'script://unlisted/{id}']);
      const read = async (uri) => (await client.readResource({ uri })).contents[0];
      assert.deepEqual([(await read('script://fixed')).uri, (await read('script://fixed')).mimeType], ['script://fixed', 'text/plain']);
      const thing = JSON.parse((await read('script://things/tree/7')).text);
      assert.match(JSON.stringify(thing), /tree/);
      await assert.rejects(read('script://nowhere'), (error) => error.code === (legacy ? -32002 : -32602));
    });

    test('gets logs from the level that it set', async () => {
      heard.logs.length = 0;
      if (legacy) assert.deepEqual(await client.setLoggingLevel('warning'), {});
      const steps = [5, 4, 3].map((level) => ({ do: 'log', level, body: `level ${level}` }));
      const meta = legacy ? {} : { _meta: { 'io.modelcontextprotocol/logLevel': 'warning' } };
      await talker.call({ name: 'rounds', arguments: { steps }, ...meta });
      await until(() => heard.logs.length >= 2, 'two of three');
      assert.deepEqual(heard.logs.map(({ level }) => level), ['warning', 'error']);
      assert.match(JSON.stringify(heard.logs), /level 4.*level 3/);
    });

    test(legacy ? 'pings' : 'discovers', async () => {
      if (legacy) assert.deepEqual(await client.ping(), {});
      else assert.deepEqual((await client.discover()).supportedVersions, [modern]);
    });

    if (http) {
      const steps = (as) => ({ as, steps: [{ do: 'progress', done: 1 }, { do: 'open', name: as }, { do: 'gate', name: `end ${as}` }, { do: 'cancelled' }] });
      const end = (as) => call(server, 'rounds', { steps: [{ do: 'open', name: `end ${as}` }] });

      test(legacy ? 'loses its connection, reconnects, and gets its answer' : 'loses its connection, which cancels the call', async () => {
        const progress = [];
        const running = talker.ask('rounds', steps('cut'), {
          onprogress: (params) => progress.push(params),
          ...(legacy ? {} : { timeout: 2000 }),  // this client does not look at the end of a stream
        });
        running.catch(() => {});
        await gate('cut');
        await until(() => progress.length === 1, 'the progress before the cut');
        proxy.cut();
        if (legacy) {
          await until(() => proxy.count(/^last-event-id: s[1-9]/gim) > 0, 'that it asks for what it missed');
          await end('cut');
          const { said } = await running;
          assert.deepEqual(said.journal, [0, true, 0], 'the call was not cancelled');
          assert.deepEqual(progress.length, 1, 'nothing twice');
        } else {
          await assert.rejects(running);
          await until(() => server.stderr.match(/error_code=cancelled/g).length >= 2, 'its row in the log');
          await end('cut');
          await until(async () => (await journal('cut')).at(-1) === 1, 'that the tool noticed');
        }
      });
    }

    test('closes', async () => {
      const { sessionId } = talker.transport;
      const child = talker.transport._process;
      if (http && legacy) {
        await talker.transport.terminateSession();
        assert.equal(proxy.count(/DELETE \/mcp HTTP/g), 1);
        const gone = await post(server, { jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-session-id': sessionId });
        assert.equal(gone.status, 404);
      }
      const exited = http ? undefined : once(child, 'exit');
      await client.close();
      if (exited) assert.deepEqual(await exited, [0, null]);
    });
  });
}
