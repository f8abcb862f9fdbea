// Handlers that ask their client for input. A modern client carries sealed state to the next round;
// a legacy client gets requests on the stream of the call.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pause, until } from '../lib/events.mjs';
import { call, post } from '../lib/rpc.mjs';
import {
  AskedSession, accepted, again, asks, calling, completes, declined, elicit, everything, found, keep, lacking, need,
  once, open, refuses, requests, rooted, roots, sample, sampled, startRounds, state,
} from '../lib/rounds.mjs';
import { EventStream } from '../lib/sse.mjs';

let server;
before(async () => { server = await startRounds(); });
after(() => server.stop());

const journal = (result) => result.structuredContent.journal;

describe('a modern client', () => {
  test('gets a request for input, answers it, and gets the result', async () => {
    for (const answer of [accepted('Ada'), declined, { action: 'cancel' }]) {
      const params = calling(elicit(), need);
      const asked = await asks(server, params);
      assert.deepEqual(Object.keys(asked.inputRequests), ['person']);
      assert.equal(asked.inputRequests.person.method, 'elicitation/create');
      assert.equal(asked.inputRequests.person.params.message, 'person?');
      assert.equal(asked.ttlMs, undefined);
      const result = await completes(server, again(params, asked, { person: answer }));
      assert.deepEqual(journal(result), [open, found(answer)]);
      await call(server, 'rounds_journal', { as: 'me' });
    }
  });

  test('answers for its model and its roots in one round', async () => {
    const params = calling(elicit(), sample(), roots(), need);
    const asked = await asks(server, params);
    assert.deepEqual(Object.entries(asked.inputRequests).map(([key, { method }]) => [key, method]), [
      ['person', 'elicitation/create'], ['model', 'sampling/createMessage'], ['roots', 'roots/list'],
    ]);
    const answers = { person: accepted('Ada'), model: sampled, roots: rooted };
    const result = await completes(server, again(params, asked, answers));
    assert.deepEqual(journal(result).slice(-3), [found(answers.person), found(sampled), found(rooted)]);
    await call(server, 'rounds_journal', { as: 'me' });
  });

  test('goes through rounds that keep the state of earlier rounds', async () => {
    const params = calling(state, keep('first'), elicit('a'), need, elicit('b'), need);
    const first = await asks(server, params);
    const second = await asks(server, again(params, first, { a: accepted('A') }));
    assert.deepEqual(Object.keys(second.inputRequests), ['b']);
    assert.notEqual(second.requestState, first.requestState);
    const result = await completes(server, again(params, second, { b: accepted('B') }));
    assert.deepEqual(journal(result), [
      '', 0, open,
      'first', 0, found(accepted('A')), open,
      'first', 0, found(accepted('A')), found(accepted('B')),
    ]);
    await call(server, 'rounds_journal', { as: 'me' });
  });

  test('is asked again for missing or malformed answers; unknown keys are ignored', async () => {
    const params = calling(elicit(), sample(), need);
    let asked = await asks(server, params);
    const wrong = [
      { model: sampled, other: accepted('ignored') }, {}, { person: 42 }, { person: { action: 'accept', content: { name: 7 } } },
      { person: { action: 'maybe' } },
    ];
    for (const answers of wrong) {
      asked = await asks(server, again(params, asked, answers));
      assert.ok(asked.inputRequests.person, JSON.stringify(answers));
      assert.equal(asked.inputRequests.model, undefined, 'the model has answered');
    }
    const result = await completes(server, again(params, asked, { person: accepted('Ada') }));
    assert.deepEqual(journal(result).slice(-2), [found(accepted('Ada')), found(sampled)]);
    await call(server, 'rounds_journal', { as: 'me' });
  });

  test('is refused answers that are not an object, and state that is not a string', async () => {
    assert.match(await refuses(server, { ...calling(elicit(), need), inputResponses: [1] }), /params\.inputResponses/);
    assert.match(await refuses(server, { ...calling(elicit(), need), requestState: 7 }), /params\.requestState/);
  });

  test('gets the name of a capability that it did not declare and the tool needs', async () => {
    const needs = calling(elicit(), { do: 'return', status: -9 });
    const { status, message } = await once(server, 'tools/call', needs, { capabilities: { roots: {} } });
    assert.equal(status, 400);
    assert.equal(message.error.code, -32021);
    assert.deepEqual(message.error.data, { requiredCapabilities: { elicitation: {} } });
    const pages = await once(server, 'tools/call', needs, { capabilities: { elicitation: { url: {} } } });
    assert.deepEqual([pages.status, pages.message.error.code, pages.message.error.data],
      [400, -32021, { requiredCapabilities: { elicitation: { form: {} } } }]);
    const without = await completes(server, calling(elicit(), need), { capabilities: {} });
    assert.deepEqual(journal(without).at(-1), lacking);
    await call(server, 'rounds_journal', { as: 'me' });
  });

  test('is not asked more than eight times', async () => {
    const keys = Array.from({ length: 9 }, (_, i) => `k${i}`);
    const params = calling(...keys.flatMap((key) => [elicit(key), need]));
    let asked = await asks(server, params);
    for (const key of keys.slice(0, 7)) asked = await asks(server, again(params, asked, { [key]: accepted(key) }));
    const result = await completes(server, again(params, asked, { k7: accepted('k7') }));
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /8 rounds/);
    await call(server, 'rounds_journal', { as: 'me' });
  });
});

describe('prompts and resources', () => {
  const scripted = (kind, name, ...steps) => call(server, 'rounds',
    { steps: [{ do: 'script', kind, name, steps: JSON.stringify(steps) }] });
  const kinds = [
    ['prompts/get', { name: 'scripted', arguments: { topic: 't' } }, 'prompt', 'scripted', (result) => result.messages.length],
    ['resources/read', { uri: 'script://fixed' }, 'resource', 'script://fixed', (result) => result.contents.length],
    ['resources/read', { uri: 'script://things/a/1' }, 'resource_template', 'script://things/{kind}/{id}',
      (result) => result.contents.length],
  ];
  for (const [method, params, kind, name, count] of kinds) {
    test(`ask like tools: ${kind}`, async () => {
      await scripted(kind, name, state, keep('kept'), elicit(), need);
      const asked = await asks(server, params, { method });
      assert.deepEqual(Object.keys(asked.inputRequests), ['person']);
      const sent = again(params, asked, { person: accepted('Ada') });
      assert.equal(count(await completes(server, sent, { method })), 1);
      assert.deepEqual(journal(await call(server, 'rounds_journal', { as: `${kind} ${name}` })),
        ['', 0, open, 'kept', 0, found(accepted('Ada'))]);
      await refuses(server, sent, { method });  // once

      const legacy = await AskedSession.open(server);
      const reading = legacy.call(method, params);
      const [request] = await requests(reading);
      assert.equal(await legacy.respond(request, accepted('Ben')), 202);
      assert.equal(count(await reading.result()), 1);
      await scripted(kind, name);
    });
  }
});

describe('a legacy client', () => {
  for (const revision of ['2025-06-18', '2025-11-25']) {
    test(`is sent requests on the stream of its call (${revision})`, async () => {
      const client = await AskedSession.open(server, revision);
      const running = client.run(keep('kept'), state, elicit(), sample(), roots(), need, elicit('more'), need, state);
      const first = await requests(running, 3);
      assert.match(running.type, /^text\/event-stream/);
      assert.deepEqual(first.map(({ method }) => method), ['elicitation/create', 'sampling/createMessage', 'roots/list']);
      assert.equal(new Set(first.map(({ id }) => id)).size, 3);
      for (const [i, answer] of [[2, rooted], [0, declined], [1, sampled]]) {
        assert.equal(await client.respond(first[i], answer), 202);
      }
      const more = (await requests(running, 4))[3];
      assert.equal(more.params.message, 'more?');
      await client.respond(more, accepted('Ada'));
      const noted = journal(await running.result());
      assert.deepEqual(noted.slice(-7),
        [0, 'kept', found(declined), found(sampled), found(rooted), found(accepted('Ada')), 'kept']);
      await call(server, 'rounds_journal', { as: 'me' });
    });
  }

  test('of 2025-06-18 gets no modes, and a later one gets an id with each URL', async () => {
    const url = { do: 'ask', key: 'page', params: { mode: 'url', message: 'Go', url: 'https://a.invalid/' } };
    const plain = { ...elicit(), params: { ...elicit().params, mode: 'form' } };
    const old = await AskedSession.open(server, '2025-06-18');
    const running = old.run(url, plain, need);
    const [request, ...rest] = await requests(running);
    assert.deepEqual(rest, []);
    assert.deepEqual(Object.keys(request.params).sort(), ['message', 'requestedSchema']);
    await old.respond(request, accepted('Ada'));
    assert.deepEqual(journal(await running.result()).slice(-2), [lacking, found(accepted('Ada'))]);
    await call(server, 'rounds_journal', { as: 'me' });
    const recent = await AskedSession.open(server);
    const second = recent.run(url, need);
    const [sent] = await requests(second);
    assert.deepEqual([sent.params.mode, sent.params.url], ['url', 'https://a.invalid/']);
    assert.equal(typeof sent.params.elicitationId, 'string');
    await recent.respond(sent, { action: 'accept' });
    assert.deepEqual(journal(await second.result()).at(-1), found({ action: 'accept' }));
    await call(server, 'rounds_journal', { as: 'me' });
  });

  test('that did not declare the capability is not asked', async () => {
    const cases = [
      ['2025-11-25', {}, {}], ['2025-11-25', { sampling: {} }, {}], ['2025-03-26', everything, {}], ['2024-11-05', everything, {}],
      ['2025-11-25', everything, { accept: 'application/json' }],
    ];
    for (const [revision, capabilities, headers] of cases) {
      const client = await AskedSession.open(server, revision, capabilities);
      const needs = client.call('tools/call', calling(elicit(), { do: 'return', status: -9 }), headers);
      const { isError, content } = await needs.result();
      assert.equal(isError, true);
      assert.equal(JSON.parse(content[0].text).error_code, 'approval_unavailable');
      const can = await client.call('tools/call', calling(elicit(), need), headers).result();
      assert.deepEqual(JSON.parse(can.content[0].text).journal.at(-1), lacking);
      await call(server, 'rounds_journal', { as: 'me' });
    }
  });

  for (const revision of ['2025-06-18', '2025-11-25']) {
    test(`that loses its connection while it is asked resumes and gets the question and the answer (${revision})`, async () => {
      const client = await AskedSession.open(server, revision);
      const body = { jsonrpc: '2.0', id: 'cut', method: 'tools/call', params: calling(elicit('a'), need, elicit('b'), need) };
      let stream = await EventStream.post(client.session, body);
      const asked = [];
      for (let event; (event = await stream.next());) {
        const { message } = event;
        if (message?.result) {
          assert.deepEqual(journal(message.result).slice(-2), [accepted('a?'), accepted('b?')].map(found));
          break;
        }
        stream.cut();
        if (message) {
          asked.push(message.params.message);
          assert.equal(await client.respond(message, accepted(message.params.message)), 202);
        }
        stream = await EventStream.get(client.session, event.id);
      }
      assert.deepEqual(asked, ['a?', 'b?'], 'each once');
      stream.cut();
      await call(server, 'rounds_journal', { as: 'me' });
    });
  }

  test('is not answered for by another session, and its own answer is accepted', async () => {
    const [mine, other] = [await AskedSession.open(server), await AskedSession.open(server)];
    const running = mine.run(elicit(), need);
    const [request] = await requests(running);
    assert.equal(await other.respond(request, accepted('Eve')), 202);
    assert.equal(await mine.respond({ id: 'unknown' }, accepted('Eve')), 202);
    assert.equal(await mine.respond({ id: 99 }, accepted('Eve')), 202);
    await pause(100);
    assert.equal(running.messages.length, 1, 'it still waits');
    await mine.respond(request, accepted('Ada'));
    await mine.respond(request, accepted('Late'));
    assert.deepEqual(journal(await running.result()).at(-1), found(accepted('Ada')));
    await call(server, 'rounds_journal', { as: 'me' });
  });

  test('that refuses cancels an elicitation, and ends the call for other requests', async () => {
    const client = await AskedSession.open(server);
    const running = client.run(elicit(), need);
    await client.respond((await requests(running))[0], { code: -32603, message: 'No.' });
    assert.deepEqual(journal(await running.result()).at(-1), found({ action: 'cancel' }));
    await call(server, 'rounds_journal', { as: 'me' });
    const second = client.run(sample(), elicit(), need);
    const [model, person] = await requests(second, 2);
    await client.respond(model, { code: -1, message: 'User rejected sampling request' });
    const result = await second.result();
    assert.equal(JSON.parse(result.content[0].text).error_code, 'input_refused');
    assert.match(result.content[0].text, /User rejected sampling request/);
    assert.deepEqual(second.heard('notifications/cancelled').map(({ requestId }) => requestId), [person.id]);
    await call(server, 'rounds_journal', { as: 'me' });
  });

  test('that cancels while it is asked gets a cancelled result, and the question is withdrawn', async () => {
    const client = await AskedSession.open(server);
    const running = client.run(elicit(), need);
    const [request] = await requests(running);
    await client.session.notify('notifications/cancelled', { requestId: running.id });
    const result = await running.result();
    assert.match(result.content[0].text, /Cancelled by client \(notifications_cancelled\)/);
    assert.deepEqual(running.heard('notifications/cancelled').map(({ requestId }) => requestId), [request.id]);
    assert.equal(await client.respond(request, accepted('late')), 202);
    await call(server, 'rounds_journal', { as: 'me' });
  });

  test('whose session ends while it is asked has its call cancelled', async () => {
    const client = await AskedSession.open(server);
    const running = client.run(elicit(), need);
    await requests(running);
    assert.equal((await fetch(server.url, { method: 'DELETE', headers: client.session.headers })).status, 204);
    const result = await running.result();
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /session_terminated/);
    await call(server, 'rounds_journal', { as: 'me' });
  });

  test('is not asked within a batch', async () => {
    const client = await AskedSession.open(server, '2025-03-26');
    const { message } = await post(server, [
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: calling(sample(), roots(), need) },
    ], client.session.headers);
    assert.deepEqual(JSON.parse(message[0].result.content[0].text).journal.slice(-2), [lacking, lacking]);
    await call(server, 'rounds_journal', { as: 'me' });
  });
});

describe('limits', () => {
  const refusal = async (running) => JSON.parse((await running.result()).content[0].text);

  test('of the time for an answer: an elicitation is cancelled, a sampling ends the call', async (t) => {
    const own = await startRounds({ limits: { input_timeout_ms: 300 } });
    t.after(() => own.stop());
    const client = await AskedSession.open(own);
    const running = client.run(elicit(), need);
    const [request] = await requests(running);
    assert.deepEqual(journal(await running.result()).at(-1), found({ action: 'cancel' }));
    assert.deepEqual(running.heard('notifications/cancelled').map(({ requestId }) => requestId), [request.id]);
    const second = await refusal(client.run(sample(), need));
    assert.equal(second.error_code, 'input_refused');
    assert.match(second.error, /within 300 ms/);
    await own.stop();
  });

  test('of threads and calls do not count waiting calls', async (t) => {
    const own = await startRounds({ limits: { pool_threads: 1, blocking_threads: 0, max_calls: 1 } });
    t.after(() => own.stop());
    const client = await AskedSession.open(own);
    const waiting = [];
    const asked = [];
    for (let i = 0; i < 2; ++i) {
      waiting.push(client.run(elicit(), need));
      asked.push((await requests(waiting[i]))[0]);
      await pause(50);  // the call that asked ends
    }
    for (let i = 0; i < 3; ++i) assert.ok((await call(own, 'rounds_journal', { as: 'unused' })).structuredContent);
    for (const [i, running] of waiting.entries()) {
      await client.respond(asked[i], accepted('Ada'));
      assert.deepEqual(journal(await running.result()).at(-1), found(accepted('Ada')));
    }
  });

  test('of how many calls wait, of one session and of all', async (t) => {
    const own = await startRounds({ limits: { max_waiting_per_session: 2, max_waiting: 3 } });
    t.after(() => own.stop());
    const [one, two] = [await AskedSession.open(own), await AskedSession.open(own)];
    const waiting = [];
    const waits = async (client) => {
      const running = client.run(elicit(), need);
      await requests(running);
      waiting.push([client, running]);
    };
    await waits(one);
    await waits(one);
    assert.equal((await refusal(one.run(elicit(), need))).error_code, 'approval_unavailable');
    await waits(two);
    assert.equal((await refusal(two.run(elicit(), need))).error_code, 'approval_unavailable');
    for (const [client, running] of waiting) {
      await client.respond((await requests(running))[0], accepted('Ada'));
      assert.ok((await running.result()).structuredContent);
    }
    await waits(two);  // the limits have room again
    await own.stop();
  });
});

describe('a server that stops', () => {
  test('while clients are asked answers them and ends with code 0', async (t) => {
    const own = await startRounds({ config: { shutdown_grace_ms: 1000 } });
    t.after(() => own.stop());
    const client = await AskedSession.open(own);
    const running = client.run(elicit(), need);
    await requests(running);
    await until(() => running.status === 200, 'the stream');
    const began = Date.now();
    await own.stop();
    assert.ok(Date.now() - began < 5000);
    assert.equal((await running.result()).isError, true);
  });
});
