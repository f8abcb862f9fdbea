// The command line of gantryd: flags, refusals, exit codes, the ready line, signals.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Server, ownFlags, runToEnd } from './lib/gantryd.mjs';
import { ask, modern } from './lib/rpc.mjs';
import { demoDatabase, scratch } from './lib/paths.mjs';

const flags = [
  '--config', '--db', '--model', '--plugins', '--plugin', '--listen', '--stdio', '--agent',
  '--builtin-plugins', '--control', '--state', '--log-level', '--log-format', '--check-config',
  '--print-config', '--version', '--help',
];

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
  assert.match(stderr, /lissten/);
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
  const { code, stdout, stderr } = await runToEnd(['--listen', address, ...ownFlags()]);
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
    const server = await Server.start({ env, listen });
    await server.stop();
  }
});

test('blanks around a key are ignored', async () => {
  const server = await Server.start({ env: { GANTRY_API_KEY: ' sesame\n' } });
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

test('a missing database is refused by name', async () => {
  const { code, stdout, stderr } = await runToEnd(
    ['--listen', '127.0.0.1:0', '--db', '/nowhere/my.db', ...ownFlags()]);
  assert.equal(code, 2, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /\/nowhere\/my\.db/);
});

test('a file that is no database is refused by name', async () => {
  const file = join(scratch(), 'letter.txt');
  writeFileSync(file, 'Dear reader, '.repeat(1000));
  const { code, stderr } = await runToEnd(['--listen', '127.0.0.1:0', '--db', file, ...ownFlags()]);
  assert.equal(code, 2, stderr);
  assert.ok(stderr.includes(file), stderr);
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
  assert.ok(names.includes('list_tools'));
  assert.ok(!names.includes('query_class'));
  await server.stop();
});

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`${signal} ends it with 0`, async () => {
    const server = await Server.start({ db: demoDatabase() });
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
  const server = await Server.start({ db: demoDatabase(), flags: ['--state', state] });
  assert.equal(statSync(state).mode & 0o777, 0o700);
  await server.stop();
});
