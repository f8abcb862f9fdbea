// `gantry chat` on a terminal: questions before tools that change data, approvals, Ctrl-C, and what a screen shows.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Vault } from '../lib/approvals.mjs';
import { chat, ChatTerminal, resultsIn, saidIn } from '../lib/chat.mjs';
import { until } from '../lib/events.mjs';
import { gantryProgram } from '../lib/gantry.mjs';
import { cleanEnvironment, Server } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { Provider } from '../lib/provider.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const note = { name: 'vault_note', arguments: { text: 'hello' } };
const set = (value) => ({ name: 'vault_set', arguments: { value } });

describe('a tool that may change data', () => {
  let vault;
  let provider;
  before(async () => { vault = await Vault.start(); provider = await Provider.start({ kind: 'openai' }); });
  beforeEach(() => provider.play());
  after(async () => { await provider.stop(); await vault.stop(); });
  const start = (agent, ...words) => ChatTerminal.start(provider, [...words, '--url', vault.server.url.href], { env: { GANTRY_API_KEY: vault.governed.keys[agent] } });

  test('runs only after a yes', async () => {
    provider.play({ calls: [note] }, { text: 'As you wish.' }, { calls: [note] }, { text: 'It ran.' });
    const screen = start('free');
    const runs = await vault.runs();
    await screen.shows(/> $/);
    screen.say('do it');
    await screen.shows(/The model calls vault_note {"text":"hello"}\r\nIt may change or remove data\. Run it\?\r\n\[y\/N\] $/);
    screen.say('');
    await screen.shows(/As you wish\.[^]*> $/);
    assert.match(resultsIn(provider.bodies[1])[0], /the user declined: the tool did not run/);
    assert.equal(await vault.runs(), runs);
    screen.say('do it now');
    await screen.shows(/\[y\/N\] $/);
    screen.say('y');
    await screen.shows(/vault_note {2}\d+ ms[^]*It ran\.[^]*> $/);
    assert.equal(await vault.runs(), runs + 1);
    assert.equal(await screen.leave(), 0);
    assert.deepEqual(provider.faults, []);
  });

  test('does not run where there is no terminal, unless --yes says so', async () => {
    const options = { env: { GANTRY_API_KEY: vault.governed.keys.free } };
    const words = ['--ask', 'x', '--url', vault.server.url.href];
    const runs = await vault.runs();
    provider.play({ calls: [note] }, { text: 'No.' });
    assert.match((await chat(provider, words, options)).stderr, /There is no terminal to ask at: no/);
    assert.equal(await vault.runs(), runs);
    provider.play({ calls: [note] }, { text: 'Yes.' });
    assert.equal((await chat(provider, [...words, '--yes'], options)).stdout, 'Yes.\n');
    assert.equal(await vault.runs(), runs + 1);
  });

  test('waits for an approval, which is given or declined in the chat', async () => {
    provider.play({ calls: [set('approved')] }, { text: 'Set.' }, { calls: [set('never')] }, { text: 'Not set.' });
    const screen = start('writer', '--yes');
    await screen.shows(/> $/);
    screen.say('set it');
    await screen.shows(/agent 'writer'[^]*'vault_set'[^]*Arguments: {"value":"approved"}[^]*"after":"approved"[^]*\[y\/N\] $/);
    screen.say('y');
    await screen.shows(/Set\.[^]*> $/);
    assert.equal((await vault.state()).value, 'approved');
    screen.say('again');
    await screen.shows(/\[y\/N\] $/);
    screen.say('n');
    await screen.shows(/Not set\.[^]*> $/);
    assert.match(resultsIn(provider.bodies[3])[0], /approval_declined/);
    assert.equal((await vault.state()).value, 'approved');
    assert.equal(await screen.leave(), 0);
  });

  test('is not accepted by input that was typed before the question', async () => {
    let go;
    const typed = new Promise((resolve) => { go = resolve; });
    provider.play(async () => { await typed; return { calls: [note] }; }, { text: 'No.' });
    const screen = start('free');
    const runs = await vault.runs();
    await screen.shows(/> $/);
    screen.say('go');
    await until(() => provider.requests.length === 1, 'the request');
    screen.say('y');
    await screen.shows(/y\r\n/);
    go();
    await screen.shows(/\[y\/N\] $/);
    screen.say('');
    await screen.shows(/No\.[^]*> $/);
    assert.equal(await vault.runs(), runs);
    assert.equal(await screen.leave(), 0);
  });

  test('can be approved by an operator where there is no terminal', async () => {
    provider.play({ calls: [set('by operator')] }, { text: 'Set.' });
    const asked = chat(provider, ['--ask', 'x', '--yes', '--url', vault.server.url.href], { env: { GANTRY_API_KEY: vault.governed.keys.writer } });
    const { id } = await vault.one();
    assert.equal((await vault.cli('accept', id, '--yes')).code, 0);
    const { stdout, stderr } = await asked;
    assert.equal(stdout, 'Set.\n');
    assert.match(stderr, new RegExp(`^ {2}vault_set {2}Waits for approval ${id}; .* gantry approvals accept ${id}`, 'm'));
    assert.equal((await vault.state()).value, 'by operator');
  });

  test('is cancelled by Ctrl-C at its question, and at its approval', async () => {
    for (const [agent, words] of [['free', []], ['writer', ['--yes']]]) {
      provider.play({ calls: [note, set('other')] }, { text: 'Well.' });
      const screen = start(agent, ...words);
      const runs = await vault.runs();
      await screen.shows(/> $/);
      screen.say('go');
      await screen.shows(/\[y\/N\] $/);
      screen.interrupt();
      await screen.shows(/gantry: cancelled\r\n[^]*> $/);
      screen.say('go on');
      await screen.shows(/Well\.[^]*> $/);
      assert.deepEqual(resultsIn({ messages: provider.bodies[1].messages.slice(0, -1) }), Array(2).fill('cancelled by the user'));
      assert.equal(await vault.runs(), runs);
      assert.deepEqual(provider.faults, []);
      assert.equal(await screen.leave(), 0);
      await vault.clear();
    }
  });

  test('may ask for more before it runs', async () => {
    provider.play({ calls: [{ name: 'vault_ask', arguments: {} }] }, { text: 'Asked.' });
    const screen = start('free', '--yes');
    const runs = await vault.runs();
    await screen.shows(/> $/);
    screen.say('ask');
    await screen.shows(/A word\?\r\n\[y\/N\] $/);
    screen.say('y');
    await screen.shows(/Asked\.[^]*> $/);
    assert.equal(await vault.runs(), runs + 1);
    assert.equal(await screen.leave(), 0);
  });
});

for (const kind of ['openai', 'anthropic']) {
  describe(`Ctrl-C with ${kind}`, () => {
    let server;
    let provider;
    before(async () => { server = await Server.start({ db: demoDatabase() }); provider = await Provider.start({ kind }); });
    beforeEach(() => provider.play());
    after(async () => { await provider.stop(); await server.stop(); });
    const start = () => ChatTerminal.start(provider, ['--url', server.url.href]);

    test('ends a reply, and the next question works', async () => {
      provider.play({ text: 'This is a long story about', hangAfter: 5 }, { text: 'Short.' }, { hangAfter: 1 }, { text: 'End.' });
      const screen = start();
      await screen.shows(/> $/);
      screen.say('tell me');
      await screen.shows(/This is/);
      screen.interrupt();
      await screen.shows(/gantry: cancelled\r\n[^]*> $/);
      screen.say('shorter');
      await screen.shows(/Short\.[^]*> $/);
      assert.deepEqual(saidIn(provider.bodies[1]), ['tell me', 'shorter']);
      assert.match(JSON.stringify(provider.bodies[1]), /This is/, 'what was said stays');
      screen.say('more');
      await until(() => provider.requests.length === 3, 'the third request');
      screen.interrupt();
      await screen.shows(/gantry: cancelled\r\n[^]*> $/);
      screen.say('end');
      await screen.shows(/End\.[^]*> $/);
      assert.deepEqual(saidIn(provider.bodies[3]), ['tell me', 'shorter', 'end'], 'without a word there is no answer to keep');
      assert.deepEqual(provider.faults, []);
      assert.equal(await screen.leave(), 0);
    });

    test('ends running tools: each call has its result', async () => {
      const forever = { name: 'query_sql', arguments: { sql: 'SELECT count(*) FROM countries a, countries b, countries c, countries d' } };
      provider.play({ calls: [forever, { name: 'count_objects', arguments: { class_name: 'countries' } }, forever, forever, forever, forever] }, { text: 'Fine.' });
      const screen = start();
      await screen.shows(/> $/);
      screen.say('count all');
      await screen.shows(/count_objects {2}\d+ ms/);
      screen.interrupt();
      await screen.shows(/gantry: cancelled\r\n[^]*> $/);
      screen.say('never mind');
      await screen.shows(/Fine\.[^]*> $/);
      const { messages } = provider.bodies[1];
      const results = kind === 'openai' ? resultsIn({ messages: messages.slice(0, -1) }) : resultsIn(provider.bodies[1]);
      assert.deepEqual(results.map((text) => text === 'cancelled by the user'), [true, false, true, true, true, true]);
      assert.deepEqual(provider.faults, []);
      assert.equal(await screen.leave(), 0);
    });
  });
}

describe('the terminal', () => {
  let server;
  let provider;
  before(async () => { server = await Server.start({ db: demoDatabase() }); provider = await Provider.start({ kind: 'openai' }); });
  beforeEach(() => provider.play());
  after(async () => { await provider.stop(); await server.stop(); });

  test('Ctrl-C at the prompt asks again, Ctrl-D leaves', async () => {
    const screen = ChatTerminal.start(provider, ['--url', server.url.href]);
    await screen.shows(/test-model of openai with \d+ tools of http\S+; \/help shows the commands\r\n> $/);
    screen.type('half a ques');
    await screen.shows(/ques$/);
    screen.interrupt();
    await screen.shows(/\n> $/);
    screen.say('whole');
    await screen.shows(/Done\.[^]*> $/);
    assert.deepEqual(saidIn(provider.bodies[0]), ['whole']);
    screen.type('\x04');
    assert.equal((await screen.ended)[0], 0);
  });

  test('the arrow key finds a question again, Tab completes a command', async () => {
    const screen = ChatTerminal.start(provider, ['--url', server.url.href]);
    await screen.shows(/> $/);
    screen.say('How many?');
    await screen.shows(/Done\.[^]*> $/);
    screen.type('\x1b[A');
    await screen.shows(/How many\?/);
    screen.say('!');
    await screen.shows(/Done\.[^]*> $/);
    assert.deepEqual(saidIn(provider.bodies[1]), ['How many?', 'How many?!']);
    screen.type('/his\t');
    await screen.shows(/tory /);
    screen.say('');
    await screen.shows(/you: How many\?!\r\nmodel: Done\.\r\n> $/);
    assert.equal(await screen.leave(), 0);
  });

  test('shows a dim line for each call, and none of the escapes with NO_COLOR', async () => {
    const call = () => [{ calls: [{ name: 'count_objects', arguments: { class_name: 'countries' } }] }, { text: 'So.' }];
    for (const [env, dim] of [[{ NO_COLOR: '' }, true], [{ NO_COLOR: '1' }, false], [{ NO_COLOR: '', TERM: 'dumb' }, false]]) {
      provider.play(...call());
      const screen = ChatTerminal.start(provider, ['--url', server.url.href], { env });
      await screen.shows(/> $/);
      screen.say('x');
      await screen.shows(/So\.[^]*> $/);
      assert.equal(/\x1b\[2m {2}count_objects {2}\d+ ms {2}\d+ B\x1b\[0m\r\n/.test(screen.shown), dim, JSON.stringify(env));
      assert.equal(screen.shown.includes('\x1b[2m'), dim);
      assert.equal(await screen.leave(), 0);
    }
  });

  test('edits lines and shows answers in tmux', async () => {
    const socket = join(scratch(), 'tmux');
    const tmux = (...words) => execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { env: { ...cleanEnvironment(), ...provider.env('gpt-4o'), TERM: 'xterm' }, encoding: 'utf8' });
    const shows = async (pattern) => {
      let screen = '';
      await until(() => { screen = tmux('capture-pane', '-p', '-t', 'chat'); return pattern.test(screen); }, `${pattern}`).catch((error) => { throw new Error(`${error.message}\n${screen}`); });
    };
    provider.play({ text: 'I count.', calls: [{ name: 'count_objects', arguments: { class_name: 'countries' } }] }, { text: 'There are 249, größer als 😀.', split: 3 });
    tmux('new-session', '-d', '-s', 'chat', '-x', '100', '-y', '30', `'${gantryProgram}' chat --url '${server.url.href}'; echo "ended with $?"; sleep 60`);
    try {
      await shows(/^> *$/m);
      tmux('send-keys', '-t', 'chat', '-l', 'How many countriez');
      tmux('send-keys', '-t', 'chat', 'BSpace', 'Enter');
      await shows(/^> How many countrie\nI count\.\n {2}count_objects {2}\d+ ms {2}\d+ B\nThere are 249, größer als 😀\.\n200 in \+ 20 out tokens, \$0\.0007 \(session \$0\.0007\)\n>/m);
      assert.deepEqual(saidIn(provider.bodies[0]), ['How many countrie'], 'the terminal edits the line');
      tmux('send-keys', '-t', 'chat', '/exit', 'Enter');
      await shows(/^ended with 0$/m);
    } finally {
      tmux('kill-server');
    }
  });
});
