// The command line of gantryd: flags, refusals, exit codes, the ready line, signals.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Server, noBuiltIns, ownFlags, runToEnd } from '../lib/gantryd.mjs';
import { ask, modern } from '../lib/rpc.mjs';
import { scratch } from '../lib/paths.mjs';
import { logged } from '../lib/script.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const flags = [
  '--config', '--db', '--model', '--accept-drafts', '--plugins', '--plugin', '--listen', '--stdio', '--agent',
  '--builtin-plugins', '--control', '--state', '--log-level', '--log-format', '--check-config',
  '--print-config', '--version', '--help', '--allow-host', '--allow-origin', '--instructions',
];

/** 403 when a server refuses a request under this name, else 200. */
async function statusFor(server, host) {
  const [answer] = await once(get({ host: '127.0.0.1', port: server.port, path: '/mcp', headers: { host } }), 'response');
  answer.resume();
  return answer.statusCode === 403 ? 403 : 200;
}

function configFile(text) {
  const file = join(scratch(), 'gantry.json');
  writeFileSync(file, text);
  return file;
}

test('--help names every flag', async () => {
  const { code, stdout } = await runToEnd(['--help']);
  assert.equal(code, 0);
  for (const flag of flags) assert.ok(stdout.includes(flag), flag);
});

test('--version prints name and version', async () => {
  const { code, stdout } = await runToEnd(['--version']);
  assert.equal(code, 0);
  assert.match(stdout, /^(gantryd )?\d+\.\d+\.\d+\S*\n$/);
});

test('an unknown flag ends with 2 and names the flag', async () => {
  const { code, stdout, stderr } = await runToEnd(['--lissten', '127.0.0.1:0']);
  assert.equal(code, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /lissten.*; did you mean '--listen'\?/);
  assert.match((await runToEnd(['--bd', 'shop.db'])).stderr, /^gantryd: .*--bd; did you mean '--db'\?\n/);
});

test('--check-config accepts a file with comments and does not serve', async () => {
  const file = configFile('// mine\n{\n  /* quiet */ "log_level": "warn"\n}\n');
  const { code, stdout, stderr } = await runToEnd(['--check-config', '--config', file]);
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stdout, /ready/);
});

test('an unknown key in the configuration is refused with file, line and the allowed keys', async () => {
  const file = configFile('{\n  "log_level": "warn",\n  "lissten": "127.0.0.1:0"\n}\n');
  const { code, stderr } = await runToEnd(['--check-config', '--config', file]);
  assert.equal(code, 2);
  assert.ok(stderr.includes(`${file}:3`), stderr);
  assert.match(stderr, /lissten/);
  assert.match(stderr, /\blisten\b/);
});

test('a wrong value in the configuration is refused with file, line and the allowed values', async () => {
  const file = configFile('{\n\n  "log_level": "loud"\n}\n');
  const { code, stderr } = await runToEnd(['--check-config', '--config', file]);
  assert.equal(code, 2);
  assert.ok(stderr.includes(`${file}:3`), stderr);
  assert.match(stderr, /warn/);
});

test('a configuration that is not JSON is refused with file and line', async () => {
  const file = configFile('{\n  "listen": \n}\n');
  const { code, stderr } = await runToEnd(['--check-config', '--config', file]);
  assert.equal(code, 2);
  assert.ok(stderr.includes(`${file}:3`), stderr);
});

test('a missing configuration file is refused by name', async () => {
  const { code, stderr } = await runToEnd(['--config', '/nowhere/gantry.json']);
  assert.equal(code, 2);
  assert.match(stderr, /\/nowhere\/gantry\.json/);
});

test('--print-config prints JSON that is a configuration, flags included', async () => {
  const { code, stdout } = await runToEnd(['--print-config', '--listen', '127.0.0.1:4711']);
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).listen, '127.0.0.1:4711');
  const { code: again, stderr } = await runToEnd(['--check-config', '--config', configFile(stdout)]);
  assert.equal(again, 0, stderr);
});

test('a port in use ends with 3 and names the address', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const address = `127.0.0.1:${squatter.address().port}`;
  const { code, stdout, stderr } = await runToEnd(['--listen', address, ...noBuiltIns, ...ownFlags()]);
  squatter.close();
  assert.equal(code, 3, stderr);
  assert.equal(stdout, '');
  assert.ok(stderr.includes(address), stderr);
});

test('a key that is blank, or too short for an address beyond loopback, is refused', async () => {
  const every = '[::ffff:0.0.0.0]:0';
  const good = 'a key of sixteen';
  for (const [env, listen, said] of [
    [{ GANTRY_API_KEY: ' ' }, every, /GANTRY_API_KEY is blank/], [{ GANTRY_API_KEY: ' \t\n' }, '127.0.0.1:0', /GANTRY_API_KEY is blank/],
    [{ GANTRY_ADMIN_KEY: '  ' }, '127.0.0.1:0', /GANTRY_ADMIN_KEY is blank/], [{ GANTRY_API_KEY: '' }, every, /no credential is configured/],
    [{}, every, /no credential is configured/], [{ GANTRY_API_KEY: good.slice(1) }, every, /fewer than 16 characters/],
    [{ GANTRY_API_KEY: `  ${good.slice(1)}  ` }, '0.0.0.0:0', /fewer than 16 characters/],
    [{ GANTRY_API_KEY: good, GANTRY_ADMIN_KEY: 'short' }, '[::]:0', /fewer than 16 characters/],
  ]) {
    const { code, stdout, stderr } = await runToEnd(['--listen', listen, ...ownFlags()], { env });
    assert.deepEqual([code, stdout], [2, ''], `${JSON.stringify(env)} ${listen}: ${stderr}`);
    assert.match(stderr, said);
  }
  for (const [env, listen] of [[{ GANTRY_API_KEY: good }, every], [{ GANTRY_API_KEY: 'k' }, '[::ffff:127.0.0.1]:0'], [{}, '[::ffff:127.0.0.1]:0']]) {
    const server = await Server.start({ env, listen, flags: noBuiltIns });
    await server.stop();
  }
});

test('blanks around a key are ignored', async () => {
  const server = await Server.start({ env: { GANTRY_API_KEY: ' sesame\n' }, flags: noBuiltIns });
  assert.equal((await modern(server, 'server/discover', {}, { 'x-mcp-api-key': 'sesame' })).status, 200);
  assert.equal((await modern(server, 'server/discover')).status, 401);
  await server.stop();
});

test('an address beyond loopback without credentials is refused', async () => {
  const { code, stdout, stderr } = await runToEnd(['--listen', '0.0.0.0:0', ...ownFlags()]);
  assert.equal(code, 2, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /0\.0\.0\.0/);
});

test('a path without a database, or without a plugin, is refused by one sentence with its name', async () => {
  const letter = join(scratch(), 'letter.txt');
  writeFileSync(letter, 'Dear reader, '.repeat(1000));
  for (const [flag, name, said] of [['--db', '/nowhere/my.db', /does not exist/], ['--db', scratch(), /is a directory/], ['--db', letter, /is not a/i],
    ['--plugin', '/nowhere/my.so', /no such file/], ['--plugins', '/nowhere', /no such file/], ['--builtin-plugins', '/nowhere', /no such file/]]) {
    for (const more of [[], ['--check-config']]) {
      const { code, stdout, stderr } = await runToEnd(['--listen', '127.0.0.1:0', flag, name, ...more, ...ownFlags()]);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, /^gantryd: [^\n]+\n$/);
      assert.match(stderr, said);
      assert.ok(stderr.includes(name), stderr);
    }
  }
});

test('the database may be named without a flag, and with sqlite:, but by no other URI', async () => {
  const db = demoDatabase();
  for (const name of [db, `sqlite:${db}`]) {
    const server = await Server.start({ flags: [name] });
    assert.equal((await ask(server, 'count_objects', { class_name: 'countries' })).count, 249);
    await server.stop();
  }
  for (const name of [`file:${db}?mode=ro`, 'postgresql://a/b']) {
    const { code, stderr } = await runToEnd([name, ...ownFlags()]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /give FILE or sqlite:FILE, not a URI/);
  }
  assert.equal((await runToEnd([db, '--db', db, ...ownFlags()])).code, 2);
});

test('the start says which database is served, and names all plugins in one line', async () => {
  const db = demoDatabase();
  const server = await Server.start({ db });
  await logged(server, `serves ${db} read-only: 10 classes`);
  await logged(server, 'plugins loaded');
  assert.equal(server.stderr.match(/plugins loaded count=9 plugins="aggregate data /g).length, 1);
  assert.doesNotMatch(server.stderr, /plugin loaded/);
  await server.stop();
  const empty = join(scratch(), 'empty.db');
  writeFileSync(empty, '');
  const none = await Server.start({ db: empty });
  assert.match(await logged(none, 'empty.db'), /warning serves .*empty\.db read-only: 0 classes; the database has no tables and no views/);
  await none.stop();
});

test('--check-config reports its findings', async () => {
  const db = demoDatabase();
  const { code, stdout, stderr } = await runToEnd(['--check-config', db]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.ok(stdout.includes(`serves ${db} read-only: 10 classes`), stdout);
  assert.match(stdout, /plugins loaded count=9/);
  assert.match(stdout, /\ngantryd: the configuration is good\n$/);
  const model = scratch();
  writeFileSync(join(model, 'bad.json'), '{"class": 7}');
  const bad = await runToEnd(['--check-config', db, '--model', model]);
  assert.equal(bad.code, 2, bad.stdout);
  assert.match(bad.stderr, /^gantryd: .*bad\.json/);
  const broken = join(scratch(), 'broken');
  mkdirSync(broken);
  writeFileSync(join(broken, 'broken.so'), 'not an ELF file');
  const refused = await runToEnd(['--check-config', '--plugins', broken]);
  assert.equal(refused.code, 2, refused.stdout);
  assert.match(refused.stderr, /^gantryd: the plugin .*broken\.so is refused/);
});

test('errors of a configuration file begin with gantryd:, and that of listen says HOST:PORT', async () => {
  const { code, stderr } = await runToEnd(['--config', configFile('{"listen": 9000}')]);
  assert.equal(code, 2);
  assert.match(stderr, /^gantryd: .*listen.*HOST:PORT/);
});

test('--listen takes a port alone, and excludes --stdio', async () => {
  const server = await Server.start({ listen: '0', flags: noBuiltIns });
  assert.equal(server.url.hostname, '127.0.0.1');
  await server.stop();
  const { code, stderr } = await runToEnd(['--stdio', '--listen', '0', ...ownFlags()]);
  assert.equal(code, 2);
  assert.match(stderr, /--stdio and --listen exclude each other/);
  const file = configFile('{"stdio": true}');
  const flag = await Server.start({ flags: ['--config', file, ...noBuiltIns] });  // with --listen, which wins
  await flag.stop();
});

test('--allow-host and --allow-origin let in, and --instructions is sent', async () => {
  const text = join(scratch(), 'guide.txt');
  writeFileSync(text, 'Ask for countries.');
  const server = await Server.start({ db: demoDatabase(), flags: ['--instructions', `@${text}`,
    '--allow-host', 'gantry.example', '--allow-origin', 'https://a.example'] });
  const { message } = await modern(server, 'server/discover');
  assert.match(message.result.instructions, /Ask for countries\./);
  for (const [headers, status] of [[{ origin: 'https://a.example' }, 200], [{ origin: 'https://b.example' }, 403]]) {
    assert.equal((await modern(server, 'server/discover', {}, headers)).status, status);
  }
  for (const [host, status] of [['gantry.example', 200], ['other.example', 403]]) {
    assert.equal(await statusFor(server, host), status, host);
  }
  await server.stop();
});

test('a file that is not a plugin is refused by name and the others serve', async () => {
  const folder = scratch();
  writeFileSync(join(folder, 'broken.so'), 'not an ELF file');
  const server = await Server.start({ db: demoDatabase(), flags: ['--plugins', folder] });
  assert.match(server.stderr, /broken\.so/);
  assert.equal((await ask(server, 'count_objects', { class_name: 'countries' })).count, 249);
  await server.stop();
});

test('it serves without a database and offers no tool that needs one', async () => {
  const server = await Server.start();
  const { message } = await modern(server, 'tools/list');
  const names = message.result.tools.map((tool) => tool.name);
  assert.ok(names.includes('describe_access'));
  assert.ok(!names.includes('query_class'));
  await server.stop();
});

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`${signal} ends it with 0`, async () => {
    const server = await Server.start({ flags: noBuiltIns });
    await server.stop(signal);
  });
}

test('standard output holds the ready line and nothing else', async () => {
  const server = await Server.start({ db: demoDatabase(), flags: ['--log-level', 'debug'] });
  await ask(server, 'get_all_schemas');
  await modern(server, 'no/such/method');
  await server.stop();  // asserts it
});

test('logs as JSON are one object a line', async () => {
  const server = await Server.start({ db: demoDatabase(), flags: ['--log-format', 'json', '--log-level', 'info'] });
  await ask(server, 'get_all_schemas');
  await server.stop();
  const lines = server.stderr.trim().split('\n');
  assert.ok(lines.length > 0);
  for (const line of lines) assert.equal(typeof JSON.parse(line), 'object', line);
});

test('a second server with its own state serves beside the first', async () => {
  const db = demoDatabase();
  const servers = await Promise.all([Server.start({ db }), Server.start({ db })]);
  for (const server of servers) {
    assert.equal((await ask(server, 'count_objects', { class_name: 'scripts' })).count, 182);
  }
  await Promise.all(servers.map((server) => server.stop()));
});

test('a state folder that does not exist is made, private', async () => {
  const state = join(scratch(), 'deep', 'state');
  const server = await Server.start({ flags: ['--state', state, ...noBuiltIns] });
  assert.equal(statSync(state).mode & 0o777, 0o700);
  await server.stop();
});
