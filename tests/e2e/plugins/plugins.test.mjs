// Plugins in a running server: found, refused, started, listed, changed, stopped.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '../lib/events.mjs';
import { Server, noBuiltIns, runToEnd } from '../lib/gantryd.mjs';
import { LegacySession, ask, call, modern, modernBody, refused } from '../lib/rpc.mjs';
import { fixture, logged, named, noted, script, scriptFlags, startScripts, testPlugin } from '../lib/script.mjs';
import { Stdio } from '../lib/stdio.mjs';
import { gantryd, scratch } from '../lib/paths.mjs';

const [ok, invalid, denied, tooBig, misuse] = [0, -2, -4, -8, -11];
const tools = async (server) => (await modern(server, 'tools/list')).message.result.tools;
const names = async (server) => (await tools(server)).map(({ name }) => name);
const bare = (name, more = {}) => ({ kind: 'tool', name, inputSchema: { type: 'object' }, ...more });
const json = (items) => JSON.stringify(items);

/** The reason that the log gives for a refused plugin or file. */
function reasonOf(server, plugin) {
  const line = server.stderr.split('\n').find((one) => one.includes('plugin refused') && one.includes(`plugin=${plugin} `));
  if (!line) return undefined;
  const reason = line.slice(line.indexOf('reason=') + 'reason='.length);
  return reason.startsWith('"') ? JSON.parse(reason) : reason;
}

for (const isolate of ['process', 'in-process']) {
  test(`a service that the manifest does not name is named when the plugin asks for it (${isolate})`, async () => {
    // The built-in discovery, with blanks where its manifest names the service.
    const bytes = readFileSync(join(dirname(gantryd), '..', 'plugins', 'discovery.so'));
    const need = /,\s*"gantry\.catalog\/1"/.exec(bytes.toString('latin1'));
    bytes.fill(' ', need.index, need.index + need[0].length);
    const file = join(scratch(), 'discovery.so');
    writeFileSync(file, bytes);
    const config = join(scratch(), 'gantry.json');
    writeFileSync(config, JSON.stringify({ plugins: { discovery: { isolate } } }));
    const server = await Server.start({ flags: [...noBuiltIns, '--config', config, '--plugin', file] });
    await server.stop();
    const { stderr } = server;
    assert.match(stderr, /it asked for gantry\.catalog\/1, which its manifest does not name/);
    assert.deepEqual([...stderr.matchAll(/it asked for ([^,]+),/g)].map(([, name]) => name), ['gantry.catalog/1']);
    assert.match(stderr, /the host does not give this plugin gantry\.catalog\/1; add "?\\?"?gantry\.catalog\/1\\?" to \\?"needs\\?" in its manifest/);
  });
}

describe('a directory of broken plugins with a good one', () => {
  const rules = {
    no_entry: /exports no gantry_plugin_v1; define that table/,
    wrong_major: /built for ABI 2, this host speaks 1; rebuild it/,
    wrong_abi: /built for ABI 2, this host speaks 1/,
    entry_is_function: /gantry_plugin_v1 is not a data object/,
    entry_too_small: /has 4 bytes where a gantry_plugin has at least/,
    no_note: /has no manifest; build it with gantry_add_plugin/,
    note_not_json: /the manifest is not usable JSON: at byte 1/,
    no_version: /the manifest is refused: version is missing/,
    bad_plugin_name: /name must be 1 to 64 lower-case letters.*Bad Name/,
    'missing-need': /it needs gantry\.kv\/1, which this host and no loaded plugin offers/,
    'other-revision': /it needs gantry\.call\/9, here is gantry\.call\/1/,
    'create-fails': /create\(\) failed: the moon is not full/,
    'create-silent': /create\(\) failed with status -4 and gave no reason/,
    'start-fails': /start\(\) failed: the port 1 is taken/,
    'self-check-fails': /its self-check failed: two and two make five/,
    duplicate_tool: /the tool "twice" is there twice/,
    no_schema: /items\[0\] \("bare"\)\.inputSchema is missing/,
    bad_name: /\.name must be 1 to 64 of A-Z a-z 0-9/,
    bad_header: /x-mcp-header at #\/properties\/size/,
    bad_schema: /items\[0\] \("odd"\)\.inputSchema: .*\/properties\/a/,
    'offer-bad': /the offer of offer-bad is refused: items must be an array/,
    'offer-nothing': /start\(\) offered nothing; call offer\(\) there/,
    undeclared_service: /is a service that the manifest's offers does not name/,
    'bad-magic': /does not begin with GANTRY_MAGIC/,
    'short-table': /says it has 40 bytes; set its member size/,
    'null-function': /lacks a function/,
    throws: /create\(\) threw "no catch here" across the contract/,
    'config-rejected': /its configuration is refused: .*path/,
    'circle-a': /in a circle: circle-a -> circle-b -> circle-a/,
    'circle-b': /in a circle/,
    'taken-tool': /offers the tool "echo", which the plugin "echo" already offers/,
    'undefined-symbol': /undefined symbol: fixture_nowhere/,
  };
  let server;
  before(async () => {
    const first = scratch();  // folders come in the order they were named, and before single files
    copyFileSync(fixture('good', 'echo'), join(first, 'echo.so'));
    server = await Server.start({ flags: [...noBuiltIns, '--plugins', first, '--plugins', dirname(fixture('broken', 'throws')),
      '--plugin', testPlugin('example-cpp')] });
  });
  after(() => server.stop());

  test('starts and serves the good one', async () => {
    assert.deepEqual(await names(server), ['echo', 'word_count']);
    assert.deepEqual(await ask(server, 'word_count', { text: 'a good one' }), { words: 3 });
  });

  for (const [plugin, sentence] of Object.entries(rules)) {
    test(`names the fault of ${plugin}`, () => { assert.match(reasonOf(server, plugin) ?? 'nothing', sentence); });
  }

  test('names a fault of every file', () => {
    // One is broken only for a host without worker processes.
    const files = readdirSync(dirname(fixture('broken', 'throws')))
      .filter((file) => file.endsWith('.so') && file !== 'wants_process.so');
    const named = new Set(server.stderr.split('\n').filter((line) => line.includes('plugin refused'))
      .map((line) => /\/broken\/([^/ "]+\.so)/.exec(line)?.[1]));
    assert.deepEqual(files.filter((file) => !named.has(file)), []);
    assert.equal(Object.keys(rules).length, files.length, 'a fixture without a sentence here');
  });

  test('serves it on stdio too', async () => {
    const pipe = Stdio.start({ flags: [...noBuiltIns, '--plugins', dirname(fixture('broken', 'throws')), '--plugin', testPlugin('example-cpp')] });
    const answer = await pipe.request(modernBody('tools/call', { name: 'word_count', arguments: { text: 'x y' } }, 1));
    assert.deepEqual(answer.result.structuredContent, { words: 2 });
    await pipe.end();
  });
});

describe('files', () => {
  test('that have the same plugin in them: the first serves, the second is refused by name', async () => {
    const copy = join(scratch(), 'zz.so');
    copyFileSync(testPlugin('example-cpp'), copy);
    const server = await Server.start({ flags: [...noBuiltIns, '--plugin', testPlugin('example-cpp'), '--plugin', copy] });
    assert.match(reasonOf(server, 'example-cpp'), /"example-cpp" is loaded from .*example-cpp\.so already; remove one/);
    assert.deepEqual(await ask(server, 'word_count', { text: 'still here' }), { words: 2 });
    await server.stop();
  });

  test('named twice, by link or by folder, count once', async () => {
    const folder = scratch();
    copyFileSync(testPlugin('example-cpp'), join(folder, 'a.so'));
    symlinkSync('a.so', join(folder, 'b.so'));
    const server = await Server.start({ flags: [...noBuiltIns, '--plugins', folder, '--plugin', join(folder, 'a.so'), '--plugins', `${folder}/../${folder.split('/').at(-1)}`] });
    assert.doesNotMatch(server.stderr, /refused/);
    assert.equal(server.stderr.match(/plugins loaded count=1 /g).length, 1);
    await server.stop();
  });

  test('that offer the same tool: the newcomer is refused by the owner\'s name, both names stay alive', async () => {
    const server = await Server.start({ flags: [...noBuiltIns, '--plugin', testPlugin('example-c'), '--plugin', testPlugin('example-cpp')] });
    assert.match(reasonOf(server, 'example-cpp'), /offers the tool "word_count", which the plugin "example-c" already offers; rename it or remove/);
    assert.deepEqual(await ask(server, 'word_count', { text: 'one two' }), { words: 2 });
    await server.stop();
  });

  test('in a folder: only *.so, no hidden ones, none below', async () => {
    const folder = scratch();
    for (const name of ['.hidden.so', 'plugin.txt', 'good.so']) copyFileSync(testPlugin('example-cpp'), join(folder, name));
    mkdirSync(join(folder, 'below'));
    copyFileSync(testPlugin('example-c'), join(folder, 'below', 'c.so'));
    const server = await Server.start({ flags: [...noBuiltIns, '--plugins', folder] });
    assert.doesNotMatch(server.stderr, /plugin refused/);
    assert.deepEqual(await names(server), ['word_count']);
    await server.stop();
  });

  for (const language of ['example-c', 'example-cpp', 'example-rust']) {
    test(`${language} behaves like the other languages`, { skip: !existsSync(testPlugin(language)) && 'not built here' }, async () => {
      const server = await Server.start({ flags: [...noBuiltIns, '--plugin', testPlugin(language)] });
      const session = await LegacySession.open(server);
      const legacy = await session.request('tools/call', { name: 'word_count', arguments: { text: 'ä b ä', word: 'ä', repeat: 3 } });
      assert.deepEqual(legacy.message.result.structuredContent, { words: 6 });
      assert.match((await refused(server, 'word_count', { text: '' })).message, /empty/);
      await server.stop();
    });
  }
});

describe('built-in names', () => {
  const builtIns = join(scratch(), 'plugins');
  mkdirSync(builtIns, { recursive: true });
  copyFileSync(testPlugin('example-c'), join(builtIns, 'example-c.so'));
  const flags = ['--builtin-plugins', builtIns, '--plugin', testPlugin('example-cpp')];
  const titled = async (server) => (await tools(server)).map(({ name, title }) => [name, title]);

  test('are reserved, and a refused newcomer is pointed to overrides', async () => {
    const server = await Server.start({ flags });
    assert.match(reasonOf(server, 'example-cpp'), /built-in plugin "example-c" already offers; rename it, or list "example-cpp" under overrides/);
    await server.stop();
  });

  test('are taken by a plugin that overrides lists', async () => {
    const file = join(scratch(), 'gantry.json');
    writeFileSync(file, JSON.stringify({ overrides: ['example-cpp'] }));
    const server = await Server.start({ flags: ['--config', file, ...flags] });
    assert.doesNotMatch(server.stderr, /refused/);
    assert.deepEqual(await titled(server), [['word_count', 'Count words']]);
    assert.deepEqual(await ask(server, 'word_count', { text: 'once' }), { words: 1 });
    await server.stop();
  });
});

describe('the life of a plugin', () => {
  const failing = async (config) => {
    const server = await startScripts({ plugins: ['script-one', 'script-two', 'script-three', 'script-serial', 'script-async', 'script'],
      config: { plugins: { script: { config } } } });
    await call(server, 'serial', script());  // the others serve
    assert.ok(!(await names(server)).includes('script'));
    await server.stop();
    return { reason: reasonOf(server, 'script'), log: server.stderr };
  };

  test('ends in create() with its reason; none of its other functions is called', async () => {
    const { reason, log } = await failing({ fail_at: 'create', say: 'no é today' });
    assert.equal(reason, 'create() failed: no é today');
    assert.doesNotMatch(log, /(stop: |destroy: ).*plugin=script$/m);
    assert.match((await failing({ fail_at: 'create', status: -4 })).reason, /create\(\) failed with status -4 and gave no reason/);
    assert.match((await failing({ fail_at: 'create', throw: 'roof' })).reason, /create\(\) threw "roof" across the contract/);
  });

  test('ends in start() with its reason; stop() does not follow', async () => {
    const { reason, log } = await failing({ fail_at: 'start', say: 'port taken' });
    assert.equal(reason, 'start() failed: port taken');
    // It failed in its trial process; the reason is its message there, and nothing else.
    assert.doesNotMatch(log, /stop: .*plugin=script$/m);
  });

  test('ends in its self-check with the sentence', async () => {
    assert.equal((await failing({ fail_at: 'self_check', say: 'two and two make five' })).reason, 'its self-check failed: two and two make five');
  });

  test('ends in order: stop() with its deadline and no call pending, then destroy(), users before providers', async () => {
    const server = await startScripts();
    await noted(server, 'script', 'pending');
    await server.stop();
    const lines = server.stderr.split('\n');
    const stop = lines.find((line) => /stop: .*plugin=script$/.test(line));
    const [, left, pending] = /stop: (\d+) ms to go, (\d+) calls pending/.exec(stop);
    assert.ok(Number(left) > 500 && Number(left) <= 10_000, stop);
    assert.equal(pending, '0');
    const at = (text) => lines.findIndex((line) => line.includes(text));
    assert.ok(at('destroy: ') > lines.indexOf(stop));
    const order = lines.filter((line) => line.includes('destroy: ')).map((line) => /plugin=(\S+)/.exec(line)[1]);
    const before = (user, provider) => assert.ok(order.indexOf(user) < order.indexOf(provider), `${user}: ${order}`);
    assert.equal(order.length, 6);
    before('script', 'script-one');
    before('script-one', 'script-two');
    before('script-two', 'script-three');
    assert.doesNotMatch(server.stderr, /plugins did not go/);
  });

  test('whose stop() fails is logged, and the server still ends with code 0', async () => {
    const server = await startScripts({ config: { plugins: { script: { config: { fail_at: 'stop', say: 'cannot let go' } } } } });
    await server.stop();
    assert.match(server.stderr, /stop\(\) failed with status -1; its library stays mapped/);
  });
});

describe('configuration', () => {
  const withSection = (section) => ({ config: { plugins: { script: section } } });

  test('reaches the plugin as it was written', async () => {
    const server = await startScripts(withSection({ config: { note: 'é "quoted"', say: '' } }));
    assert.deepEqual(await noted(server, 'script', 'config'), [{ note: 'é "quoted"', say: '' }]);
    await server.stop();
  });

  test('is {} without a section', async () => {
    const server = await startScripts();
    assert.deepEqual(await noted(server, 'script', 'config'), [{}]);
    await server.stop();
  });

  test('that the plugin\'s schema refuses, refuses the plugin with path and name', async () => {
    const server = await startScripts(withSection({ config: { sya: 1 } }));
    assert.match(reasonOf(server, 'script'), /its configuration is refused: .*plugins\.script\.config.*sya/);
    await server.stop();
  });

  test('for a plugin without configuration is refused', async () => {
    const server = await startScripts({ config: { plugins: { 'script-serial': { config: { a: 1 } } } } });
    assert.match(reasonOf(server, 'script-serial'), /takes no configuration; remove plugins\.script-serial\.config/);
    await server.stop();
  });
});

describe('secrets', () => {
  const folder = scratch();
  const file = (name, bytes) => { writeFileSync(join(folder, name), bytes); return { file: join(folder, name) }; };
  const secrets = {
    env: { env: 'E2E_SECRET' }, file: file('plain', 'aus der Datei é\n'), lines: file('lines', 'two\n\n'),
    full: file('full', `${'k'.repeat(65_536)}\n`), big: file('big', 'k'.repeat(65_537)), later: { file: join(folder, 'later') },
    no_env: { env: 'E2E_NOT_SET' }, empty: file('empty', ''),
  };
  const config = { plugins: { script: { secrets } } };
  const read = (name, show = true) => ({ do: 'secret', name, ...(show ? { show } : {}) });
  let server;
  before(async () => { server = await startScripts({ config, env: { E2E_SECRET: 'open-sesame-4711' }, flags: ['--log-level', 'trace'] }); });
  after(async () => {
    await server.stop();
    assert.doesNotMatch(server.stderr, /open-sesame|aus der Datei/);
  });

  test('come from the environment and from files, less one final newline', async () => {
    assert.deepEqual(await noted(server, 'script', read('env'), read('file'), read('lines'), read('empty')), [
      { status: ok, size: 16, bytes: 'open-sesame-4711' }, { status: ok, size: 16, bytes: 'aus der Datei é' },
      { status: ok, size: 4, bytes: 'two\n' }, { status: ok, size: 0, bytes: '' }]);
  });

  test('are read when they are asked for', async () => {
    assert.deepEqual(await noted(server, 'script', read('later')), [{ status: -3, size: 0, bytes: '' }]);
    writeFileSync(join(folder, 'later'), 'now');
    assert.deepEqual(await noted(server, 'script', read('later')), [{ status: ok, size: 3, bytes: 'now' }]);
  });

  test('have 64 KiB at most', async () => {
    assert.deepEqual(await noted(server, 'script', read('full', false), read('big', false)), [{ status: ok, size: 65_536 }, { status: tooBig, size: 0 }]);
  });

  test('that were not granted or do not exist are not found', async () => {
    assert.deepEqual(await noted(server, 'script', read('other'), read('no_env')),
      [{ status: -3, size: 0, bytes: '' }, { status: -3, size: 0, bytes: '' }]);
  });

  test('are shown by no --print-config', async () => {
    const { code, stdout } = await runToEnd([...scriptFlags({ config }), '--print-config'], { env: { E2E_SECRET: 'open-sesame-4711' } });
    assert.equal(code, 0);
    assert.match(stdout, /E2E_SECRET/);
    assert.doesNotMatch(stdout, /open-sesame|aus der Datei/);
  });
});

describe('a service that the manifest does not ask for', () => {
  test('is not given, and those that it asks for are', async () => {
    const server = await startScripts();
    const ids = ['gantry.call/1', 'gantry.invoke/1', 'gantry.config/1', 'gantry.secret/1', 'gantry.catalog/1'];
    const service = (id) => ({ do: 'service', id });
    assert.deepEqual(await noted(server, 'script', ...[...ids, 'gantry.call/2', '', 'x'.repeat(100)].map(service)),
      [true, true, true, true, true, false, false, false]);
    assert.deepEqual(await noted(server, 'serial', ...ids.map(service)), [true, true, false, false, false]);
    await server.stop();
  });
});

describe('tools/list', () => {
  let server;
  before(async () => { server = await startScripts(); });
  after(() => server.stop());
  const entry = async (revision) => {
    const session = await LegacySession.open(server, revision);
    return (await session.request('tools/list')).message.result.tools.find(({ name }) => name === 'script');
  };
  const full = {
    name: 'script', title: 'Script', description: 'Carries out steps.',
    inputSchema: { type: 'object', properties: { steps: { type: 'array' } } }, outputSchema: { type: 'object' },
    annotations: { title: 'Annotated', readOnlyHint: true, idempotentHint: true },
    icons: [{ src: 'https://gantry.invalid/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
    _meta: { category: 'fixtures', 'gantry.invalid/note': [1, 'zwei', null] },
  };
  const without = (...members) => Object.fromEntries(Object.entries(full).filter(([name]) => !members.includes(name)));

  test('gives each revision the members that it defines', async () => {
    assert.deepEqual((await tools(server)).find(({ name }) => name === 'script'), full);
    assert.deepEqual(await entry('2025-11-25'), full);
    assert.deepEqual(await entry('2025-06-18'), without('icons'));
    assert.deepEqual(await entry('2025-03-26'), without('icons', 'title', 'outputSchema', '_meta'));
    assert.deepEqual(await entry('2024-11-05'), without('icons', 'title', 'outputSchema', '_meta', 'annotations'));
  });

  test('has numbered tools first, then by plugin, as their manifest lists them', async () => {
    assert.deepEqual(await names(server), ['script_journal', 'script', 'script_plain', 'script_typed', 'script_brief', 'script_long',
      'script_inline', 'script_blocking', 'serial', 'serial_journal']);
  });

  test('can be filtered by category; a tool without one is custom', async () => {
    const of = async (category) => (await modern(server, 'tools/list', { category })).message.result.tools.map(({ name }) => name);
    assert.deepEqual(await of('FIXTURES'), ['script']);
    assert.ok((await of('custom')).includes('serial'));
    assert.deepEqual(await of('none'), []);
  });

  test('leaves out tools that the agent\'s tier may not call', async () => {
    const own = await startScripts({ env: { GANTRY_API_KEY: 'k' } });
    const key = { authorization: 'Bearer k' };
    const listed = (await modern(own, 'tools/list', {}, key)).message.result.tools.map(({ name }) => name);
    assert.deepEqual([listed.includes('script'), listed.includes('script_write'), listed.includes('script_admin')], [true, false, false]);
    const { message } = await modern(own, 'tools/call', { name: 'script_write', arguments: {} }, key);
    assert.match(JSON.stringify(message), /permission_denied/);
    await own.stop();
  });
});

describe('an offer at run time', () => {
  let server;
  const offer = (items) => noted(server, 'serial', { do: 'offer', items: typeof items === 'string' ? items : json(items) });
  const service = { kind: 'service', name: 'script.serial/1' };
  const serial = [service, bare('serial'), bare('serial_journal')];
  before(async () => { server = await startScripts(); });
  after(() => server.stop());

  test('replaces all at once: new tools are listed and callable, old ones are not', async () => {
    assert.deepEqual(await offer([...serial, bare('newcomer', { description: 'Neu', category: 'new' })]), [ok]);
    const found = (await tools(server)).find(({ name }) => name === 'newcomer');
    assert.deepEqual(found, { name: 'newcomer', description: 'Neu', inputSchema: { type: 'object' }, _meta: { category: 'new' } });
    assert.deepEqual(await noted(server, 'newcomer', { do: 'cancelled' }), [0]);
    assert.deepEqual(await offer([service, bare('serial')]), [ok]);
    assert.ok(!(await names(server)).includes('newcomer'));
    const { message } = await modern(server, 'tools/call', { name: 'newcomer', arguments: {} });
    assert.equal(message.error.code, -32602);
    await offer(serial);
  });

  test('lets a running call end under the offer that admitted it', async () => {
    assert.deepEqual(await noted(server, 'serial', { do: 'offer', items: json([service, bare('other_name')]) }, { do: 'cancelled' }), [ok, 0]);
    assert.deepEqual(await noted(server, 'other_name', { do: 'offer', items: json(serial) }), [ok]);
  });

  test('that is invalid is refused with a reason in the log, and the old one stays', async () => {
    const cases = [['{', invalid], ['{}', invalid], ['[1]', invalid], [json([{ kind: 'tool', name: 'no schema' }]), invalid],
      [json([bare('bad name!')]), invalid], [json([bare('a', { permission: 'root' })]), invalid], [json([bare('a'), bare('a')]), invalid],
      [json([bare('a', { inputSchema: { type: 'object', properties: { x: { type: 'wrong' } } } })]), invalid],
      [json([bare('script')]), denied], [json([{ kind: 'service', name: 'script.one/1' }]), invalid]];
    for (const [items, status] of cases) {
      const from = server.stderr.length;
      assert.deepEqual([items, await offer(items)], [items, [status]]);
      await until(() => / error .*plugin=script-serial/.test(server.stderr.slice(from)), `a reason for ${items}`);
    }
    assert.match(server.stderr, /offers the tool \\?"script\\?", which the plugin \\?"script\\?" already offers/);
    assert.deepEqual((await names(server)).filter((name) => name.startsWith('serial')), ['serial', 'serial_journal']);
  });

  test('has 1,024 items and 4 MiB at most', async () => {
    const many = (count) => json([...serial, ...Array.from({ length: count - 3 }, (_, i) => bare(`m${i}`))]);
    assert.ok((await offer(many(1025)))[0] < 0);
    assert.deepEqual(await offer(many(1024)), [ok]);
    let cursor;
    const listed = new Set();
    do {
      const { result } = (await modern(server, 'tools/list', cursor ? { cursor } : {})).message;
      for (const { name } of result.tools) listed.add(name);
      cursor = result.nextCursor;
    } while (cursor);
    assert.equal(listed.size, 1023 + 8, 'script shows 8 to this agent');
    assert.deepEqual(await noted(server, 'm1020'), []);
    assert.deepEqual(await noted(server, 'serial', { do: 'offer', fill: 4_194_304 }), [tooBig]);
    assert.deepEqual(await offer(serial), [ok]);
  });

  test('that drops a service takes back its users\' items until the service returns', async () => {
    assert.deepEqual(await offer([bare('serial')]), [ok]);
    assert.deepEqual(await names(server), ['serial'], 'script needs script.serial/1');
    assert.deepEqual(await offer(serial), [ok]);
    assert.ok((await names(server)).includes('script'));
    assert.deepEqual((await noted(server, 'script', { do: 'invoke', kind: 'service', name: 'script.serial/1' }))[0].status, ok);
  });

  test('may be made in start(), and not after stop() was called', async () => {
    const items = json([bare('script'), bare('at_start')]);
    const own = await startScripts({ config: { plugins: { script: { config: { offer: items } } } } });
    assert.ok((await names(own)).includes('at_start'));
    assert.ok(!(await names(own)).includes('script_plain'));
    await own.stop();
    assert.match(own.stderr, new RegExp(`offer at start: 0`));
    assert.match(own.stderr, new RegExp(`offer at stop: ${misuse} plugin=script\\b`));
  });
});

describe('the built-in families', () => {
  const folder = join(dirname(gantryd), '..', 'plugins');

  test('hide without a database and are there with one', { skip: !existsSync(join(folder, 'query.so')) && 'not built' }, async () => {
    const server = await Server.start();
    const without = await names(server);
    assert.ok(!without.includes('query_class') && !without.includes('get_schema'), without);
    await server.stop();
    const { DatabaseSync } = await import('node:sqlite');
    const file = join(mkdtempSync(join(scratch(), 'db-')), 'a.db');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
    db.close();
    const full = await Server.start({ db: file });
    const there = await names(full);
    for (const name of ['query_class', 'get_schema', 'describe_access']) assert.ok(there.includes(name), name);
    await full.stop();
  });
});
