// Each protocol revision gets the members that it defines and no others; older revisions keep
// working.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Call, LegacyClient, until } from '../lib/events.mjs';
import { plugins as roundsPlugins } from '../lib/rounds.mjs';
import { LegacySession, call, envelope, modernRevision, peer, post } from '../lib/rpc.mjs';
import { journal, named, noted, script, scriptFlags, startScripts } from '../lib/script.mjs';
import { Stdio } from '../lib/stdio.mjs';

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const plugins = ['script', 'script-one', 'script-two', 'script-three', 'script-serial', 'script-async', ...roundsPlugins];

let server;
before(async () => { server = await startScripts({ plugins }); });
after(() => server.stop());

const since = (revision, from, ...members) => (revision >= from ? members : []);
const members = (object) => Object.keys(object).sort();
const setScript = (kind, name, ...steps) => call(server, 'rounds',
  { steps: [{ do: 'script', kind, name, steps: JSON.stringify(steps) }] });

for (const revision of [...revisions, modernRevision]) {
  const from = (version, ...names) => since(revision, version, ...names);
  const cached = from(modernRevision, 'resultType', 'ttlMs', 'cacheScope', '_meta');
  const finished = from(modernRevision, 'resultType', '_meta');

  describe(`a peer of ${revision}`, () => {
    let ask;
    before(async () => { ask = await peer(server, revision); });

    test('gets lists of tools, prompts, resources and templates with the members it knows', async () => {
      const lists = {};
      for (const [method, member] of [['tools/list', 'tools'], ['prompts/list', 'prompts'], ['resources/list', 'resources'],
        ['resources/templates/list', 'resourceTemplates']]) {
        const result = await ask(method);
        assert.deepEqual(members(result), [member, ...cached].sort());
        lists[member] = (name) => result[member].find((entry) => entry.name === name);
      }
      assert.deepEqual(members(lists.tools('script')), ['name', 'description', 'inputSchema', ...from('2025-03-26', 'annotations'),
        ...from('2025-06-18', 'title', 'outputSchema', '_meta'), ...from('2025-11-25', 'icons')].sort());
      assert.deepEqual(members(lists.prompts('scripted')),
        ['name', 'description', 'arguments', ...from('2025-06-18', 'title')].sort());
      const [topic, tone] = lists.prompts('scripted').arguments;
      assert.deepEqual(members(topic), ['name', 'description', 'required', ...from('2025-06-18', 'title')].sort());
      assert.deepEqual(tone, { name: 'tone' });
      assert.deepEqual(members(lists.resources('fixed')),
        ['uri', 'name', 'description', 'mimeType', 'annotations', ...from('2025-06-18', 'title')].sort());
      assert.deepEqual([lists.resources('public').size, lists.resources('public').ttlMs], [2, undefined]);
      assert.deepEqual(members(lists.resourceTemplates('things')), ['description', 'mimeType', 'name', 'uriTemplate']);
    });

    test('gets answers of calls in contents it knows', async () => {
      const blocks = [
        { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
        { type: 'resource_link', uri: 'a://c', name: 'c', title: 'C' },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'a://b', text: 'x' } },
      ];
      const steps = script('json_begin', { do: 'json_raw', body: '{"n":1}' }, 'json_end',
        ...blocks.map((block) => ({ do: 'write', type: 'block', body: JSON.stringify(block) })));
      const result = await ask('tools/call', { name: 'script_typed', arguments: steps });
      assert.deepEqual(members(result), ['content', 'isError', ...from('2025-06-18', 'structuredContent'), ...finished].sort());
      assert.deepEqual(JSON.parse(result.content[0].text), { n: 1 }, 'as text, for clients without structured content');
      assert.deepEqual(result.content.slice(1).map(({ type }) => type), [
        revision < '2025-03-26' ? 'text' : 'audio', revision < '2025-06-18' ? 'text' : 'resource_link', 'image', 'resource']);
      if (revision < '2025-06-18') assert.match(result.content[2].text, /a:\/\/c/);
    });

    test('gets prompts in contents it knows', async () => {
      const content = (block) => ({ role: 'assistant', content: block });
      const answer = { description: 'D', messages: [content({ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }),
        content({ type: 'resource_link', uri: 'a://c', name: 'c' }), content({ type: 'text', text: 't', _meta: { a: 1 } })] };
      await setScript('prompt', 'scripted', { do: 'json_begin' }, { do: 'json_raw', body: JSON.stringify(answer) }, { do: 'json_end' });
      const result = await ask('prompts/get', { name: 'scripted', arguments: { topic: 'x' } });
      assert.deepEqual(members(result), ['description', 'messages', ...finished].sort());
      assert.deepEqual(result.messages.map((message) => message.content.type),
        [revision < '2025-03-26' ? 'text' : 'audio', revision < '2025-06-18' ? 'text' : 'resource_link', 'text']);
      assert.deepEqual(members(result.messages[2].content), ['text', 'type', ...from('2025-06-18', '_meta')].sort());
      await setScript('prompt', 'scripted');
    });

    test('reads resources with the members it knows', async () => {
      const answer = { contents: [{ uri: 'script://fixed', mimeType: 'text/plain', text: 'x', _meta: { a: 1 } }, { blob: 'aGk=' }] };
      await setScript('resource', 'script://fixed', { do: 'json_begin' }, { do: 'json_raw', body: JSON.stringify(answer) }, { do: 'json_end' });
      const result = await ask('resources/read', { uri: 'script://fixed' });
      assert.deepEqual(members(result), ['contents', ...cached].sort());
      assert.deepEqual(members(result.contents[0]), ['mimeType', 'text', 'uri', ...from('2025-06-18', '_meta')].sort());
      assert.deepEqual([result.contents[1].uri, result.contents[1].blob], ['script://fixed', 'aGk=']);
      await setScript('resource', 'script://fixed');
    });

    test('gets its revision\'s code for a missing resource or prompt and for bad arguments', async () => {
      const missing = await ask('resources/read', { uri: 'script://nowhere' });
      assert.equal(missing.code, revision < modernRevision ? -32002 : -32602);
      assert.deepEqual(missing.data, { uri: 'script://nowhere' });
      assert.equal((await ask('prompts/get', { name: 'nowhere' })).code, -32602);
      assert.equal((await ask('prompts/get', { name: 'scripted' })).code, -32602);
      const bad = await ask('tools/call', { name: 'script_journal', arguments: { as: {} } });
      assert.deepEqual([bad.isError, bad.code], revision < '2025-11-25' ? [undefined, -32602] : [true, undefined]);
    });

    test('gets completions of arguments', async () => {
      const result = await ask('completion/complete', {
        ref: { type: 'ref/prompt', name: 'scripted' }, argument: { name: 'topic', value: 'a' },
      });
      assert.deepEqual(members(result), ['completion', ...finished].sort());
      assert.equal(result.completion.values.length, 1);
    });
  });
}

for (const revision of revisions) {
  describe(`a session of ${revision}`, () => {
    const from = (version, ...names) => since(revision, version, ...names);

    test('opens with the members of its revision', async () => {
      const { opened } = await LegacySession.open(server, revision);
      assert.deepEqual(members(opened), ['capabilities', 'protocolVersion', 'serverInfo']);
      assert.equal(opened.protocolVersion, revision);
      assert.deepEqual(members(opened.serverInfo), ['name', ...from('2025-06-18', 'title'), 'version'].sort());
      assert.deepEqual(members(opened.capabilities),
        ['logging', 'prompts', 'resources', 'tools', ...from('2025-03-26', 'completions'), ...from('2025-11-25', 'tasks')].sort());
      assert.deepEqual(opened.capabilities.resources, { listChanged: true, subscribe: true });
    });

    test('gets progress messages where its revision has them, and logs at its level', async () => {
      const session = await LegacySession.open(server, revision);
      assert.deepEqual((await session.request('logging/setLevel', { level: 'warning' })).message.result, {});
      assert.equal((await session.request('logging/setLevel', { level: 'loud' })).message.error.code, -32602);
      const running = new LegacyClient(session).open('script_plain', script(
        { do: 'log', level: 5, body: 'quiet' }, { do: 'log', level: 3, body: 'loud' },
        { do: 'progress', done: 1, total: 4, note: 'a quarter' }), { token: 'p' });
      await running.result();
      assert.deepEqual(running.progress(),
        [{ progressToken: 'p', progress: 1, total: 4, ...(revision < '2025-03-26' ? {} : { message: 'a quarter' }) }]);
      assert.deepEqual(running.logs().map(({ level, data }) => [level, JSON.stringify(data).includes('loud')]), [['error', true]]);
    });

    test('may send the negotiated version header, and is refused an unknown version', async () => {
      const session = await LegacySession.open(server, revision);
      const status = async (version) => {
        session.headers['mcp-protocol-version'] = version;
        return (await session.request('ping')).status;
      };
      for (const version of revisions) assert.equal(await status(version), 200);
      for (const version of ['2024-10-07', '1', '2099-01-01', 'latest']) assert.equal(await status(version), 400);
      delete session.headers['mcp-protocol-version'];
      assert.equal((await session.request('ping')).status, 200);
      delete session.headers['mcp-session-id'];
      assert.equal((await session.request('ping')).status, 400);
    });
  });
}

describe('initialize', () => {
  const open = (params) => post(server, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const me = { capabilities: {}, clientInfo: { name: 'e2e', version: '1' } };

  test('offers the newest legacy revision when the client asks for an unknown one', async () => {
    for (const protocolVersion of ['2024-10-07', '2026-07-28', '2099-01-01', '']) {
      assert.equal((await open({ ...me, protocolVersion })).message.result.protocolVersion, '2025-11-25');
    }
  });

  test('needs a version', async () => {
    for (const params of [me, { ...me, protocolVersion: 7 }]) assert.equal((await open(params)).message.error.code, -32602);
  });
});

describe('a batch', () => {
  const open = () => LegacySession.open(server, '2025-03-26');
  const send = (session, ...messages) => post(server, messages.map((message) => ({ jsonrpc: '2.0', ...message })), session.headers);
  const slow = (id, ...steps) => ({ id, method: 'tools/call', params: { name: 'script_plain', arguments: script(...steps) } });

  test('is answered element by element: results, errors, no reply to notifications', async () => {
    const { status, message } = await send(await open(),
      { id: 1, method: 'ping' }, { method: 'notifications/initialized' }, { id: 'two', method: 'no/such' }, { id: 3 },
      { id: 4, method: 'tools/call', params: { name: 'nowhere' } }, { id: 99, result: {} }, slow(5, { do: 'sleep', ms: 60 }),
      { id: 6, method: 'tools/call', params: { name: 'script_plain', arguments: { steps: [{ do: 'fail', code: 'x', message: 'No.' }] } } },
      { id: 7, method: 'initialize', params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'x', version: '1' } } });
    assert.equal(status, 200);
    const byId = new Map(message.map((answer) => [answer.id, answer]));
    assert.deepEqual(byId.get(1).result, {});
    assert.deepEqual(['two', 4, 7].map((id) => byId.get(id).error.code), [-32601, -32602, -32600]);
    assert.equal(byId.get(5).result.isError, false);
    assert.equal(byId.get(6).result.isError, true);
    assert.equal((byId.get(3) ?? byId.get(null)).error.code, -32600);
    assert.equal(message.length, 7);
  });

  test('of notifications alone is 202', async () => {
    const session = await open();
    const answer = await send(session, { method: 'notifications/cancelled', params: { requestId: 1 } }, { id: 1, result: {} });
    assert.deepEqual([answer.status, answer.text], [202, '']);
  });

  test('that is empty, outside a session, or of another revision is refused', async () => {
    const session = await open();
    assert.equal((await send(session)).status, 400);
    assert.equal((await send({ headers: {} }, { id: 1, method: 'ping' })).status, 400);
    for (const revision of ['2024-11-05', '2025-06-18', '2025-11-25']) {
      const answer = await send(await LegacySession.open(server, revision), { id: 1, method: 'ping' });
      assert.deepEqual([answer.status, answer.message.error.code], [400, -32600]);
    }
    const mixed = { id: 2, method: 'tools/list', params: { _meta: envelope() } };
    assert.deepEqual((await send(session, { id: 1, method: 'ping' }, mixed)).message.error?.code, -32600);
  });

  test('runs its calls at once, and one of them can be cancelled', async () => {
    const session = await open();
    const meet = { do: 'meet', name: 'batch', count: 3 };
    const began = Date.now();
    const { message } = await send(session, ...[1, 2, 3].map((id) => slow(id, meet)));
    assert.deepEqual(message.map(({ result }) => JSON.parse(result.content[0].text).journal), [[true], [true], [true]]);
    assert.ok(Date.now() - began < 10000);
    const running = send(session, slow('stop', { do: 'open', name: 'inside' }, { do: 'wait_cancel' }), slow('stay'));
    await noted(server, 'script_plain', { do: 'gate', name: 'inside' });
    await session.notify('notifications/cancelled', { requestId: 'stop' });
    const answers = new Map((await running).message.map(({ id, result }) => [id, result]));
    assert.match(answers.get('stop').content[0].text, /Cancelled by client/);
    assert.equal(answers.get('stay').isError, false);
  });

  test('comes over standard input too', async () => {
    const pipe = Stdio.start({ flags: scriptFlags({ plugins }) });
    await pipe.request({
      id: 'i', method: 'initialize',
      params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } },
    });
    pipe.write(`${JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', ...slow(2) },
      { jsonrpc: '2.0', method: 'notifications/initialized' }])}\n`);
    const answers = await pipe.receive(Array.isArray);
    assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2]);
    await pipe.end();
  });
});

describe('a call', () => {
  const waits = (as) => named(as, { do: 'open', name: as }, { do: 'wait_cancel', ms: 3000 });
  const inside = (as) => noted(server, 'script_plain', { do: 'gate', name: as });
  const ended = (as) => until(async () => {
    const notes = await journal(server, as);
    return notes.length > 0 && notes;
  }, 'the end of the call');

  test('continues when a legacy client loses its connection, and is cancelled when a modern one does', async () => {
    const session = await LegacySession.open(server);
    const legacy = new LegacyClient(session).open('script_plain', named('lost', { do: 'open', name: 'lost' }, { do: 'sleep', ms: 300 }, 'cancelled'));
    await inside('lost');
    await legacy.drop();
    assert.deepEqual(await ended('lost'), [0]);
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'script_plain', arguments: waits('left'), _meta: envelope() } };
    const left = Call.post(server.url, body, { 'mcp-protocol-version': modernRevision, 'mcp-method': 'tools/call', 'mcp-name': 'script_plain' });
    await inside('left');
    await left.drop();
    assert.deepEqual(await ended('left'), ['cancelled: 1']);
    await until(() => /tool=script_plain .*success=false .*error_code=cancelled/.test(server.stderr), 'its row in the log');
  });

  test('of a session is not cancelled by other sessions, unknown ids or ids of another type', async () => {
    const [mine, other] = [await LegacySession.open(server), await LegacySession.open(server)];
    const running = new LegacyClient(mine).open('script_plain', waits('mine'), { id: 7 });
    await inside('mine');
    const cancel = (session, requestId) => session.notify('notifications/cancelled', { requestId });
    for (const [session, id] of [[other, 7], [mine, '7'], [mine, 8], [mine, undefined]]) {
      assert.equal((await cancel(session, id)).status, 202);
    }
    assert.equal(running.messages.some(({ id }) => id === 7), false);
    await cancel(mine, 7);
    const result = await running.result();
    assert.equal(JSON.parse(result.content[0].text).cancelled, true);
    await cancel(mine, 7);
    assert.deepEqual((await mine.request('ping')).message.result, {});
  });
});

describe('a session', () => {
  test('of a server with a key cannot be used without the key, and its id cannot be guessed', async (t) => {
    const keyed = await startScripts({ plugins: roundsPlugins, env: { GANTRY_API_KEY: 'sesame' } });
    t.after(() => keyed.stop());
    const key = { authorization: 'Bearer sesame' };
    const session = await LegacySession.open(keyed, '2025-11-25', { headers: key });
    const id = session.headers['mcp-session-id'];
    assert.match(id, /^[\x21-\x7e]{22,}$/);
    const other = (await LegacySession.open(keyed, '2025-11-25', { headers: key })).headers['mcp-session-id'];
    assert.notEqual(other, id);
    const ask = (method, headers) => fetch(keyed.url, {
      method, headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' } : {}),
    }).then((answer) => answer.status);
    for (const method of ['POST', 'GET', 'DELETE']) {
      assert.equal(await ask(method, { 'mcp-session-id': id }), 401);
      assert.equal(await ask(method, { 'mcp-session-id': id, authorization: 'Bearer open' }), 401);
      for (const guess of [`${id}0`, id.slice(0, -1), id.toUpperCase(), '0', 'null']) {
        assert.equal(await ask(method, { 'mcp-session-id': guess, ...key }), guess === id ? 200 : 404, `${method} ${guess}`);
      }
    }
    assert.equal((await session.request('ping')).status, 200);
  });
});
