// `gantry chat` with a scripted model of either wire and the tools of a real server.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { chat, resultsIn, saidIn, toolsIn } from '../lib/chat.mjs';
import { until } from '../lib/events.mjs';
import { Server } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { Provider, theKey } from '../lib/provider.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const db = demoDatabase();
let server;
before(async () => { server = await Server.start({ db }); });
after(() => server.stop());

const count = (id) => ({ ...(id ? { id } : {}), name: 'count_objects', arguments: { class_name: 'countries' } });
/** Says what the tool found. */
const tells = (body) => ({ text: `There are ${JSON.parse(resultsIn(body)[0]).count} countries.`, split: 3 });

/** With --json the last line of standard error is the error. */
const lastError = (stderr) => JSON.parse(stderr.trim().split('\n').at(-1)).error;

for (const kind of ['openai', 'anthropic']) {
  describe(`with ${kind}`, () => {
    let provider;
    before(async () => { provider = await Provider.start({ kind }); });
    beforeEach(() => provider.play());
    after(() => provider.stop());
    const run = (words, options) => chat(provider, [...words, '--url', server.url.href], options);
    const accepted = () => assert.deepEqual(provider.faults, []);

    test('a question is answered with the result of a tool', async () => {
      for (const split of [undefined, 1, 5]) {
        provider.play({ text: 'Let me count.', thinking: 'How many are there?', calls: [count()], split, crlf: split === 5 }, tells);
        const { code, stdout, stderr } = await run(['--ask', 'How many?']);
        assert.equal(code, 0, stderr);
        assert.equal(stdout, 'Let me count.\nThere are 249 countries.\n');
        assert.match(stderr, /^ {2}count_objects {2}\d+ ms {2}\d+ B$/m);
        accepted();
        const [first] = provider.bodies;
        assert.deepEqual(saidIn(first), ['How many?']);
        assert.ok(toolsIn(first).includes('query_class'));
        const system = first.system ?? first.messages[0].content;
        assert.match(system, /demo\.db/, 'the server introduces itself to the model');
      }
    });

    test('--json tells answer, calls, usage, cost, rounds and model', async () => {
      const pricing = join(scratch(), 'prices.json');
      writeFileSync(pricing, JSON.stringify({ per: 1000, models: [{ provider: kind, match: 'test', input: 1, cache_read: 0.5, output: 2 }] }));
      provider.play({ text: 'Wait.', calls: [count()], usage: { input: 1000, cached: 400, output: 50 } },
        { text: 'All 249.', usage: { input: 2000, output: 100 }, model: 'test-model-2026' });
      const { code, stdout, stderr } = await run(['--ask', 'How many?', '--json', '--pricing', pricing]);
      assert.equal(code, 0, stderr);
      const { tool_calls: [called, ...others], cost_usd: cost, ...rest } = JSON.parse(stdout);
      assert.deepEqual(rest, { answer: 'All 249.', rounds: 1, model: 'test-model-2026',
        usage: { input_tokens: 3000, output_tokens: 150, cache_read_tokens: 400, cache_write_tokens: 0 } });
      assert.ok(Math.abs(cost - (0.6 + 0.2 + 0.1 + 2 + 0.2)) < 1e-9, cost);
      assert.deepEqual(others, []);
      assert.deepEqual([called.name, called.arguments, called.is_error], ['count_objects', { class_name: 'countries' }, false]);
      assert.ok(called.ms >= 0 && called.bytes > 10);
      assert.doesNotMatch(stderr, /no price/);
    });

    test('a model without a price counts as 0, which is said once', async () => {
      provider.play({ calls: [count()] }, {});
      const { stdout, stderr } = await run(['--ask', 'x', '--json']);
      assert.equal(JSON.parse(stdout).cost_usd, 0);
      assert.deepEqual(stderr.match(/no price is known for test-model/g), ['no price is known for test-model']);
    });

    test('the conversation goes on, and /reset begins anew', async () => {
      provider.play({ thinking: 'so', calls: [count()] }, tells, { text: 'As I said: 249.' }, { text: 'Hello.' });
      const { code, stdout } = await run([], { lines: ['How many?', '', 'Again?', '/history', '/reset', 'Hi', '/history', '/exit', 'never'] });
      assert.equal(code, 0);
      assert.equal(stdout, ['There are 249 countries.', 'As I said: 249.', 'you: How many?', /tool: \d+ B/.exec(stdout)[0], 'model: There are 249 countries.',
        'you: Again?', 'model: As I said: 249.', 'Hello.', 'you: Hi', 'model: Hello.', ''].join('\n'));
      assert.deepEqual(provider.bodies.map((body) => saidIn(body).length), [1, 1, 2, 1]);
      accepted();
    });

    test('/cost, /tools and /trace show the session, and no secret', async () => {
      provider.play({ calls: [count()], usage: { input: 1234, output: 5 } }, tells);
      const { stdout, stderr } = await run([], { lines: ['How many?', '/cost', '/tools', '/trace', '/nothing'] });
      assert.match(stdout, /^REQUEST +MODEL +INPUT +CACHE READ +CACHE WRITE +OUTPUT +COST\n1 +test-model +1,234 .*\n2 .*\nall +1,334 /m);
      assert.match(stdout, /^NAME +ASKS FIRST +DESCRIPTION\n/m);
      assert.match(stdout, /^count_objects {2,}Counts/m, 'a tool that only reads does not ask');
      assert.match(stdout, /^POST http:\/\/127.0.0.1:\d+\/v1\/\S+ {2}200 {2}\d+ ms {2}\d/m);
      assert.match(stdout, /^ {2}x-ratelimit-remaining-requests: 99$/m);
      assert.match(stdout, /^tool count_objects {2}\d+ ms/m);
      assert.match(stderr, /there is no command \/nothing\n\/reset/);
      assert.match(stderr, /^1,334 in \+ 15 out tokens, \$0\.0000 \(session \$0\.0000\)$/m);
      for (const secret of [theKey, 'secret-cookie', 'class_name']) assert.ok(!/^POST[^]*/m.exec(stdout)[0].includes(secret), secret);
    });

    test('all calls of a reply run, and mistakes are results', async () => {
      provider.play({ calls: [
        { id: 'c1', name: 'count_objects', arguments: { class_name: 'scripts' } }, { id: 'c2', name: 'no_such', arguments: {} },
        { id: 'c3', name: 'count_objects', arguments: '[1]' }, { id: 'c4', name: 'count_objects', arguments: '{"class_name":' },
        { id: 'c5', name: 'count_objects', arguments: { class_name: 'nope' } }, count('c6')] }, { text: 'Well.' });
      const wrong = kind === 'anthropic' ? provider.script[0].calls.splice(2, 1) : [];
      const { code, stdout } = await run(['--ask', 'x', '--json']);
      assert.equal(code, 0);
      const results = resultsIn(provider.bodies[1]);
      assert.equal(results.length, 6 - wrong.length);
      assert.equal(JSON.parse(results[0]).count, 182);
      assert.match(results[1], /no tool 'no_such'/);
      for (const result of results.slice(2, -2)) assert.match(result, /not a JSON object/);
      assert.match(results.at(-2), /not accessible/);
      assert.equal(JSON.parse(results.at(-1)).count, 249);
      assert.deepEqual(JSON.parse(stdout).tool_calls.map((call) => call.is_error).slice(-2), [true, false]);
      accepted();
    });

    test('after eight rounds the model must answer', async () => {
      provider.play(...Array.from({ length: 8 }, () => ({ calls: [count()] })), { text: 'Enough.' });
      const { code, stdout } = await run(['--ask', 'x', '--json']);
      assert.equal(code, 0);
      assert.deepEqual([JSON.parse(stdout).rounds, JSON.parse(stdout).answer], [8, 'Enough.']);
      assert.equal(provider.requests.length, 9);
      const chosen = provider.bodies.map(({ tool_choice: choice }) => choice?.type ?? choice);
      assert.deepEqual(chosen.slice(7), [kind === 'openai' ? undefined : 'auto', 'none']);
      assert.deepEqual(toolsIn(provider.bodies[8]), toolsIn(provider.bodies[0]), 'the cached beginning stays the same');
      accepted();
    });

    test('a full context is compacted between questions', async () => {
      provider.play({ calls: [count()] }, tells, { text: 'Two.' }, { text: 'Three.', usage: { input: 900, output: 200 } },
        (body) => { assert.match(JSON.stringify(body), /There are 249/); return { text: 'They counted 249.', usage: { input: 70, output: 7 } }; }, { text: 'Four.' });
      const { stdout, stderr } = await run(['--compact-at', '1000'], { lines: ['one', 'two', 'three', 'four', '/history', '/cost'] });
      assert.match(stderr, /compacted: the conversation has about \d+ tokens, not \d+/);
      assert.deepEqual(toolsIn(provider.bodies[4]), [], 'the summary needs no tools');
      assert.deepEqual(saidIn(provider.bodies[5]), ['Summary of the conversation so far:\nThey counted 249.', 'two', 'three', 'four']);
      assert.match(stdout, /you: one\n/, '/history keeps the originals');
      assert.match(stdout, /^5 +test-model +70 .* 7 /m, 'the summary is charged');
      accepted();
    });

    test('/compact without anything old says so', async () => {
      const { stderr } = await run([], { lines: ['/compact', 'one', '/compact'] });
      assert.equal(stderr.match(/there is nothing to compact yet/g).length, 2);
    });

    test('--tools gives the model fewer, and a wrong name is refused', async () => {
      provider.play({});
      assert.equal((await run(['--ask', 'x', '--tools', 'count_objects,get_schema'])).code, 0);
      assert.deepEqual(toolsIn(provider.bodies[0]).sort(), ['count_objects', 'get_schema']);
      const { code, stderr } = await run(['--ask', 'x', '--tools', 'count_object']);
      assert.equal(code, 2);
      assert.match(stderr, /--tools: there is no tool 'count_object'; did you mean 'count_objects'\?/);
    });

    test('passing failures are tried again, as the provider says', async () => {
      const slow = kind === 'openai' ? { headers: { 'retry-after-ms': '150' }, wait: 145 } : { headers: { 'retry-after': '1' }, wait: 950 };
      provider.play({ fail: { status: 429, error: { type: 'rate_limit_error', message: 'slow down' }, headers: slow.headers } },
        { fail: { status: 529, error: { type: 'overloaded_error', message: 'Overloaded' } } }, { text: 'Now.' });
      const { code, stdout, stderr } = await run(['--ask', 'x']);
      assert.deepEqual([code, stdout], [0, 'Now.\n']);
      assert.match(stderr, new RegExp(`${kind} answered 429: slow down; once more in ${slow.wait === 145 ? 150 : 1000} ms`));
      const [first, second, third] = provider.requests.map(({ at }) => at);
      assert.ok(second - first >= slow.wait && third - second >= 700, `${second - first} ${third - second}`);
    });

    test('a reply that fails before its first word is tried again, later it is not', async () => {
      provider.play({ errorAfter: { events: 2, error: { type: 'overloaded_error', message: 'Overloaded' } } }, { text: 'a b', cutAfter: 1 }, { text: 'Fine.' });
      assert.equal((await run(['--ask', 'x'])).stdout, 'Fine.\n');
      provider.play({ text: 'Half of the answer', cutAfter: 5 });
      const { code, stdout, stderr } = await run(['--ask', 'x']);
      assert.equal(code, 1);
      assert.match(stdout, /^Half /);
      assert.match(stderr, new RegExp(`gantry: ${kind} at http`));
      assert.equal(provider.requests.length, 1);
    });

    test('final failures end with the words of the provider', async () => {
      for (const [status, error, headers] of [[400, { type: 'invalid_request_error', message: 'too odd' }], [403, { type: 'permission_error', message: 'not you' }],
        [429, { type: 'insufficient_quota', code: 'insufficient_quota', message: 'You exceeded your current quota' }, { 'retry-after': '1' }],
        [500, { type: 'api_error', message: 'no more' }, { 'x-should-retry': 'false' }]]) {
        provider.play({ fail: { status, error, headers } });
        const { code, stderr } = await run(['--ask', 'x', '--json']);
        assert.equal(code, 1);
        const failure = lastError(stderr);
        assert.deepEqual([failure.code, failure.message], ['failed', `${kind} answered ${status}: ${error.message}`]);
        assert.equal(provider.requests.length, 1, status);
      }
    });

    test('a refused key ends with 1 and is not shown', async () => {
      const { code, stderr } = await run(['--ask', 'x'], { env: { LLM_API_KEY: 'sk-wrong-secret' } });
      assert.equal(code, 1);
      assert.match(stderr, /answered 401: .*check LLM_API_KEY/);
      assert.doesNotMatch(stderr, /sk-wrong-secret/);
    });

    test('a question that fails is forgotten, and the next one works', async () => {
      provider.play({ fail: { status: 400, error: { message: 'no' } } }, { text: 'Yes.' });
      const { code, stdout } = await run([], { lines: ['one', 'two'] });
      assert.deepEqual([code, stdout], [0, 'Yes.\n']);
      assert.deepEqual(saidIn(provider.bodies[1]), ['two']);
      accepted();
    });

    test('a refusal is said, and forgotten', async () => {
      const refusal = kind === 'openai' ? { refusal: 'I must not' } : { end: 'refusal' };
      provider.play(refusal, { text: 'Yes.' });
      const { stdout, stderr } = await run([], { lines: ['bad', 'good'] });
      assert.match(stderr, kind === 'openai' ? /gantry: the model refused: I must not/ : /gantry: the model refused to answer/);
      assert.equal(stdout, 'Yes.\n');
      assert.deepEqual(saidIn(provider.bodies[1]), ['good']);
      provider.play(refusal);
      const once = await run(['--ask', 'bad', '--json']);
      assert.deepEqual([once.code, lastError(once.stderr).code], [1, 'refused']);
    });

    test('an answer that is cut says so', async () => {
      provider.play({ text: 'And so', end: kind === 'openai' ? 'length' : 'max_tokens' });
      const { stdout, stderr } = await run(['--ask', 'x']);
      assert.equal(stdout, 'And so\n');
      assert.match(stderr, /the answer is cut/);
    });

    test('no text of a model reaches the terminal as control characters', async () => {
      provider.play({ text: 'a\u001b[31mb\u0007c\u007f', calls: [{ name: 'x\u001b]0;t\u0007', arguments: {} }] }, { fail: { status: 400, error: { message: 'e\u001b[2Jf' } } });
      const { stdout, stderr } = await run([], { lines: ['x', '/trace', '/history'] });
      for (const text of [stdout, stderr]) assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f]/);
      assert.match(stdout, /^a \[31mb c $/m);
    });
  });
}

describe('with Anthropic', () => {
  test('a reply that pauses is sent back until it ends', async () => {
    const provider = await Provider.start({ kind: 'anthropic', script: [{ text: 'I look.', end: 'pause_turn' }, { text: 'Found.' }] });
    // The strict rule about turns of the same side does not hold for a paused one: they are sent as one.
    const { code, stdout } = await chat(provider, ['--ask', 'x', '--url', server.url.href]);
    assert.deepEqual([code, stdout], [0, 'I look.\nFound.\n']);
    assert.equal(provider.bodies[1].messages.at(-1).role, 'assistant');
    await provider.stop();
  });
});

describe('the command line', () => {
  let provider;
  before(async () => { provider = await Provider.start({ kind: 'openai' }); });
  beforeEach(() => provider.play());
  after(() => provider.stop());

  test('wrong settings end with 2 and name the variable', async () => {
    const prices = join(scratch(), 'bad.json');
    writeFileSync(prices, '{"models":[{}]}');
    for (const [env, words, said] of [[{ LLM_PROVIDER: '' }, [], /LLM_PROVIDER must be openai, anthropic or local, and is not set/],
      [{ LLM_PROVIDER: 'gpt' }, [], /got gpt/], [{ LLM_API_KEY: '' }, [], /openai needs a key: set LLM_API_KEY/],
      [{ LLM_API_KEY: 'a b' }, [], /has a blank/], [{ LLM_MODEL: '' }, [], /LLM_MODEL is not set/],
      [{ LLM_BASE_URL: 'ftp://x' }, [], /LLM_BASE_URL must begin with http/],
      [{ LLM_BASE_URL: 'http://127.0.0.1.example.com/v1' }, [], /would send the key unencrypted to another machine/], [{}, ['--key-file', '/nowhere'], /--key-file \/nowhere has no key/],
      [{}, ['--pricing', '/nowhere'], /--pricing \/nowhere cannot be read/], [{}, ['--pricing', prices], /models\[0\] needs the text provider/],
      [{}, ['--json'], /--json requires --ask/], [{}, ['--compact-at', '0'], /--compact-at: a whole number of 1 or more is needed, got '0'\n/],
      [{}, ['--ask', ''], /--ask: the question is empty/], [{}, ['--ask', ' '], /--ask: the question is empty/]]) {
      const { code, stdout, stderr } = await chat(provider, ['--url', server.url.href, ...words], { env });
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, said);
    }
    assert.equal(provider.requests.length, 0);
  });

  test('the key may stand in a file', async () => {
    const file = join(scratch(), 'key');
    writeFileSync(file, `${theKey}\r\nmore\n`);
    assert.equal((await chat(provider, ['--ask', 'x', '--key-file', file, '--url', server.url.href], { env: { LLM_API_KEY: 'wrong' } })).code, 0);
  });

  test('a database is served for the chat alone, as a profile', async () => {
    const agents = join(scratch(), 'agents.json');
    writeFileSync(agents, JSON.stringify({ agents: { narrow: { tools: ['count_objects'] }, wide: {} } }));
    provider.play({ calls: [count()] }, tells);
    const { code, stdout, stderr } = await chat(provider, ['--ask', 'x', '--db', db, '--agents', agents, '--agent', 'narrow']);
    assert.deepEqual([code, stdout], [0, 'There are 249 countries.\n'], stderr);
    assert.deepEqual(toolsIn(provider.bodies[0]), ['count_objects']);
  });

  test('SIGTERM ends a running question and the chat', async () => {
    provider.play({ hangAfter: 2 });
    const running = chat(provider, ['--db', db], { lines: ['x', 'y'], begun: (child) => { until(() => provider.requests.length === 1, 'the request').then(() => child.kill('SIGTERM')); } });
    const { code, stderr } = await running;
    assert.equal(code, 1);
    assert.match(stderr, /^gantry: cancelled$/m);
    assert.equal(provider.requests.length, 1, 'the next question is not asked');
  });

  test('a true model answers', { skip: process.env.GANTRY_TEST_LLM_URL ? false : 'GANTRY_TEST_LLM_URL names no server of a model' }, async () => {
    const env = { LLM_PROVIDER: 'local', LLM_BASE_URL: process.env.GANTRY_TEST_LLM_URL };
    const { code, stdout, stderr } = await chat(undefined, ['--ask', 'How many objects has the class countries? Use count_objects.', '--tools', 'count_objects', '--json', '--url', server.url.href],
      { env, timeout: 300000 });
    assert.equal(code, 0, stderr);
    assert.match(JSON.parse(stdout).answer, /249/);
  });
});
