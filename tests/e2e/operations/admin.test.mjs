// An operator manages a serving host with `gantry`: over the control socket and over HTTP.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../lib/events.mjs';
import { Server, noBuiltIns, ownFlags, runToEnd } from '../lib/gantryd.mjs';
import { gantry, testPlugin } from '../lib/gantry.mjs';
import { ask, modern } from '../lib/rpc.mjs';
import { scratch } from '../lib/paths.mjs';

const adminKey = 'an admin of this test';

/** A host with a control socket and its path. */
async function serve({ flags = [], ...more } = {}) {
  const control = join(scratch(), 'c.sock');
  const server = await Server.start({ flags: ['--control', control, ...noBuiltIns, ...flags], ...more });
  server.control = control;
  server.gantry = (...words) => gantry(['plugin', ...words, '--control', control]);
  return server;
}

/** A copy of a test plugin in a folder of its own. */
function pluginFile(name) {
  const file = join(scratch(), `${name}.so`);
  copyFileSync(testPlugin(name), file);
  return file;
}

const toolNames = async (server) =>
  (await modern(server, 'tools/list')).message.result.tools.map((tool) => tool.name);

const admin = (server, path, { key = adminKey, method = 'GET', body, headers = {} } = {}) =>
  fetch(new URL(path, server.url), {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}), ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

test('gantry loads, lists, shows, reloads, disables and unloads a plugin of a running host', async () => {
  const server = await serve();
  assert.deepEqual(await toolNames(server), []);
  const loaded = await server.gantry('load', pluginFile('hello-c'));
  assert.equal(loaded.code, 0, loaded.stderr);
  assert.match(loaded.stdout, /hello-c +1\.0\.0 +1 +serving/);
  assert.deepEqual(await toolNames(server), ['hello_c_greet']);
  assert.deepEqual(await ask(server, 'hello_c_greet', { name: 'Ada' }), { greeting: 'Hello, Ada!' });

  const { plugins } = JSON.parse((await server.gantry('list', '--json')).stdout);
  assert.equal(plugins.length, 1);
  assert.equal(plugins[0].state, 'serving');
  const info = JSON.parse((await server.gantry('info', 'hello-c', '--json')).stdout);
  assert.equal(info.manifest.name, 'hello-c');
  assert.ok(JSON.stringify(info.offer).includes('hello_c_greet'));

  assert.match((await server.gantry('reload', 'hello-c')).stdout, /hello-c +1\.0\.0 +2 +serving/);
  const disabled = await server.gantry('disable', 'hello-c');
  assert.match(disabled.stdout, /disabled/, disabled.stderr);
  assert.deepEqual(await toolNames(server), []);
  assert.match((await server.gantry('enable', 'hello-c')).stdout, /serving/);
  assert.match((await server.gantry('quarantine', 'hello-c')).stdout, /quarantined/);
  assert.deepEqual(await toolNames(server), []);
  assert.match((await server.gantry('quarantine', 'hello-c', '--lift')).stdout, /serving/);
  assert.deepEqual(await toolNames(server), ['hello_c_greet']);
  assert.equal((await server.gantry('unload', 'hello-c')).code, 0);
  assert.deepEqual(await toolNames(server), []);
  await server.stop();
  assert.match(server.stderr, /admin command.*plugin\.load.*control socket/);
});

test('a plugin that cannot be loaded is refused with the reason, and the others go on', async () => {
  const server = await serve();
  await server.gantry('load', pluginFile('hello-c'));
  const broken = join(scratch(), 'broken.so');
  writeFileSync(broken, 'no ELF file');
  const refused = await server.gantry('load', broken);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^gantry: .*ELF/);
  assert.equal((await server.gantry('info', 'missing')).code, 1);
  assert.deepEqual(await toolNames(server), ['hello_c_greet']);
  await server.stop();
});

test('the control socket is private, is removed with its host, and a second host cannot take it', async () => {
  const server = await serve();
  assert.equal(statSync(server.control).mode & 0o777, 0o600);
  const second = await runToEnd(['--listen', '127.0.0.1:0', '--state', scratch(), '--control', server.control, ...noBuiltIns]);
  assert.equal(second.code, 3, second.stderr);
  assert.ok(second.stderr.includes(server.control), second.stderr);
  assert.equal((await server.gantry('list')).code, 0);
  await server.stop();
  assert.ok(!existsSync(server.control));
  const unanswered = await server.gantry('list');
  assert.equal(unanswered.code, 2);
  assert.ok(unanswered.stderr.includes(server.control), unanswered.stderr);
});

test('a socket that a killed host left is taken over', async () => {
  const control = join(scratch(), 'c.sock');
  const killed = await Server.start({ flags: ['--control', control, ...noBuiltIns] });
  await killed.kill();
  assert.ok(existsSync(control));
  const next = await Server.start({ flags: ['--control', control, ...noBuiltIns] });
  assert.equal((await gantry(['plugin', 'list', '--control', control])).code, 0);
  await next.stop();
});

test('a path that no socket can have is refused with a sentence', async () => {
  const long = join(scratch(), 'x'.repeat(120));
  const { code, stdout, stderr } = await runToEnd(['--listen', '127.0.0.1:0', '--state', scratch(), '--control', long, ...noBuiltIns]);
  assert.equal(code, 3, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /107/);
});

test('without --control hosts are found by default, each under a name of its own', async () => {
  const runtime = scratch();
  const env = { XDG_RUNTIME_DIR: runtime };
  const start = () => Server.start({ flags: ['--control', '', ...noBuiltIns], env });
  const first = await start();
  assert.equal(statSync(join(runtime, 'gantry')).mode & 0o777, 0o700);
  const found = await gantry(['plugin', 'list'], { env });
  assert.equal(found.code, 0, found.stderr);
  const second = await start();
  const several = await gantry(['plugin', 'list'], { env });
  assert.equal(several.code, 2);
  assert.ok(several.stderr.includes(`:${first.port}/mcp`), several.stderr);
  assert.ok(several.stderr.includes(`:${second.port}/mcp`), several.stderr);
  await second.kill();
  assert.equal((await gantry(['plugin', 'list'], { env })).code, 0);
  await first.stop();
  const third = await start();
  assert.equal(readdirSync(join(runtime, 'gantry')).length, 1, 'what the killed host left is removed');
  await third.stop();
});

test('clients that drip, babble or hang do not disturb the host', async () => {
  const server = await serve();
  const clients = Array.from({ length: 12 }, () => connect(server.control));
  for (const [index, client] of clients.entries()) {
    client.on('error', () => {});
    client.write(index % 3 === 0 ? '{' : index % 3 === 1 ? '\0\xff garbage\n'.repeat(100) : 'x'.repeat(200000));
  }
  assert.equal((await server.gantry('list')).code, 0);
  assert.deepEqual(await toolNames(server), []);
  for (const client of clients) client.destroy();
  await server.stop();
});

test('/admin is not there without GANTRY_ADMIN_KEY', async () => {
  const server = await Server.start({ flags: noBuiltIns });
  const answer = await admin(server, '/admin/plugins');
  assert.equal(answer.status, 404);
  const cli = await gantry(['plugin', 'list', '--url', String(server.url), '--key', 'k']);
  assert.equal(cli.code, 2);
  assert.match(cli.stderr, /GANTRY_ADMIN_KEY/);
  await server.stop();
});

test('an admin manages plugins over HTTP; a caller without the key learns nothing', async () => {
  const server = await serve({ env: { GANTRY_ADMIN_KEY: adminKey } });
  const file = pluginFile('hello-c');
  const loaded = await admin(server, '/admin/plugins', { method: 'POST', body: { file } });
  assert.equal(loaded.status, 200, await loaded.clone().text());
  assert.equal((await loaded.json()).plugins[0].name, 'hello-c');
  assert.deepEqual(await toolNames(server), ['hello_c_greet'], 'others need no key');
  assert.equal((await (await admin(server, '/admin/plugins/hello-c')).json()).generation, 1);

  for (const path of ['/admin/plugins', '/admin/plugins/hello-c', '/admin/plugins/missing']) {
    const keyless = await admin(server, path, { key: '' });
    assert.equal(keyless.status, 401);
    assert.doesNotMatch(await keyless.text(), /hello/);
    assert.equal((await admin(server, path, { key: 'wrong' })).status, 401);
  }
  const page = await admin(server, '/admin/plugins', { headers: { origin: 'https://evil.example' } });
  assert.equal(page.status, 403);

  const url = String(server.url);
  const by = { env: { GANTRY_ADMIN_KEY: adminKey } };
  const listed = await gantry(['plugin', 'list', '--url', url], by);
  assert.equal(listed.code, 0, listed.stderr);
  assert.match(listed.stdout, /hello-c +1\.0\.0 +1 +serving/);
  assert.match((await gantry(['plugin', 'reload', '--url', url], by)).stdout, /hello-c +1\.0\.0 +2/);
  assert.match((await gantry(['plugin', 'quarantine', 'hello-c', '--url', url], by)).stdout, /quarantined/);
  assert.match((await gantry(['plugin', 'quarantine', 'hello-c', '--lift', '--url', url], by)).stdout, /serving/);
  assert.equal((await gantry(['plugin', 'info', 'no/body', '--url', url], by)).code, 1);
  const wrong = await gantry(['plugin', 'list', '--url', url, '--key', 'wrong']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /key/);
  const gone = await admin(server, '/admin/plugins/hello-c/unload', { method: 'POST', body: {} });
  assert.equal(gone.status, 200);
  assert.deepEqual(await toolNames(server), []);
  await server.stop();
  assert.ok(!server.stderr.includes(adminKey), 'a key is never logged');
});

test('a readonly key is no admin', async () => {
  const server = await Server.start({ flags: noBuiltIns, env: { GANTRY_API_KEY: 'reader', GANTRY_ADMIN_KEY: adminKey } });
  const answer = await admin(server, '/admin/plugins', { key: 'reader' });
  assert.equal(answer.status, 403);
  assert.equal((await admin(server, '/admin/plugins')).status, 200);
  await server.stop();
});

test('/admin beyond loopback needs remote_admin', async () => {
  const env = { GANTRY_API_KEY: 'a reader of plugins', GANTRY_ADMIN_KEY: adminKey };
  const flags = ['--listen', '0.0.0.0:0', ...ownFlags()];
  const refused = await runToEnd(flags, { env });
  assert.equal(refused.code, 2, refused.stderr);
  assert.match(refused.stderr, /remote_admin/);
  for (const more of [['--allow-host', 'mcp.example'], ['--public-url', 'https://mcp.example/mcp']]) {
    const proxied = await runToEnd(['--listen', '127.0.0.1:0', ...ownFlags(), ...more], { env });
    assert.equal(proxied.code, 2, `${more}: ${proxied.stderr}`);
    assert.match(proxied.stderr, /GANTRY_ADMIN_KEY makes an admin.*remote_admin/);
  }
  const config = join(scratch(), 'gantry.json');
  writeFileSync(config, '{"remote_admin": true}');
  const server = await Server.start({ listen: '0.0.0.0:0', flags: ['--config', config, ...noBuiltIns], env });
  await until(() => /security.*remote_admin\S*admin/.test(server.stderr), 'the log names the tier that may manage plugins')
    .finally(() => server.stop());
  const same = await runToEnd(flags, { env: { GANTRY_API_KEY: 'k', GANTRY_ADMIN_KEY: 'k' } });
  assert.equal(same.code, 2);
  assert.match(same.stderr, /same/);
});

test('gantry plugin new refuses bad names, built-ins and folders that exist', async () => {
  const cwd = scratch();
  mkdirSync(join(cwd, 'taken'));
  for (const [name, word] of [['Word', 'lower-case'], ['../up', 'lower-case'], ['1st', 'lower-case'],
    ['test', 'CMake'], ['query', 'gantryd'], ['taken', 'exists']]) {
    const { code, stderr } = await gantry(['plugin', 'new', name], { cwd });
    assert.equal(code, 2, name);
    assert.ok(stderr.includes(word), stderr);
  }
  assert.equal((await gantry(['plugin', 'new', 'a', '--lang', 'cobol'], { cwd })).code, 2);
  assert.deepEqual(readdirSync(cwd), ['taken']);
  const made = await gantry(['plugin', 'new', 'word-count', '--lang', 'c', '--dir', 'deep/words'], { cwd });
  assert.equal(made.code, 0, made.stderr);
  assert.ok(existsSync(join(cwd, 'deep/words/CMakeLists.txt')));
});
