// `gantry audit`, `open`, `sessions`, `subscriptions`: what an operator sees of a running host.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '../lib/events.mjs';
import { gantry, gantryProgram } from '../lib/gantry.mjs';
import { Server, cleanEnvironment } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { LegacySession, ask, refused } from '../lib/rpc.mjs';
import { demoDatabase } from '../lib/shared.mjs';

const db = demoDatabase();
const control = join(scratch(), 'control.sock');
const file = join(scratch(), 'audit.jsonl');
let server;
const run = (words, options) => gantry([...words, '--control', control], options);

before(async () => {
  const config = join(scratch(), 'gantry.json');
  writeFileSync(config, JSON.stringify({ audit: { file } }));
  server = await Server.start({ db, flags: ['--control', control, '--config', config] });
  await ask(server, 'count_objects', { class_name: 'countries' });
  await refused(server, 'count_objects', { class_name: 'nope' });
});
after(() => server.stop());

describe('gantry audit', () => {
  test('shows records, the newest last, and chooses', async () => {
    const { code, stdout, stderr } = await run(['audit']);
    assert.equal(code, 0, stderr);
    const lines = stdout.trim().split('\n');
    assert.match(lines[0], /^TIME +TOOL +AGENT +OUTCOME +MS +BYTES$/);
    assert.match(lines.at(-2), /count_objects +local +ok /);
    assert.match(lines.at(-1), /count_objects +local +access_denied /);
    const denied = (await run(['audit', '--denied', '--json', '--since', '1h'])).stdout.trim().split('\n').map(JSON.parse);
    assert.deepEqual(denied.map((one) => [one.tool, one.error_code]), [['count_objects', 'access_denied']]);
    assert.equal((await run(['audit', '--json', '--tool', 'query_class'])).stdout, '');
    assert.equal((await run(['audit', '--json', '--agent', 'other'])).stdout, '');
    assert.equal((await run(['audit', '--json', '--since', '2030-01-01'])).stdout, '');
    assert.equal((await run(['audit', '--json', '--limit', '1'])).stdout.trim().split('\n').length, 1);
    const wrong = await run(['audit', '--since', 'soon']);
    assert.deepEqual([wrong.code, /--since takes 90s/.test(wrong.stderr)], [2, true]);
  });

  test('--file reads the audit file without a host', async () => {
    await until(() => readFileSync(file, 'utf8').includes('access_denied'), 'the file has both');
    const { code, stdout } = await gantry(['audit', '--file', file, '--denied', '--json']);
    assert.equal(code, 0);
    assert.deepEqual(stdout.trim().split('\n').map((line) => JSON.parse(line).error_code), ['access_denied']);
    const all = await gantry(['audit', '--file', file]);
    assert.match(all.stdout, /ok .*\n.*access_denied/);
    const none = await gantry(['audit', '--file', '/nowhere']);
    assert.deepEqual([none.code, /cannot read the audit file/.test(none.stderr)], [2, true]);
    const other = await gantry(['audit', '--file', '/etc/passwd']);
    assert.deepEqual([other.code, other.stdout, /\/etc\/passwd is no audit file/.test(other.stderr)], [2, '', true]);
    assert.equal((await gantry(['audit', '--file', file, '--follow'])).code, 2);
  });

  test('--follow shows a call as it comes, and Ctrl-C ends it with 0', async () => {
    const child = spawn(gantryProgram, ['audit', '--follow', '--json', '--limit', '1', '--control', control], { env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.on('data', (bytes) => { stdout += bytes; });
    await until(() => stdout.includes('\n'), 'the latest record');
    await ask(server, 'count_objects', { class_name: 'scripts' });
    await ask(server, 'get_all_schemas', { prefix: 'scr' });
    await until(() => stdout.includes('get_all_schemas'), 'the new records');
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'close'), [0, null]);
    assert.deepEqual(stdout.trim().split('\n').map((line) => JSON.parse(line).tool), ['count_objects', 'count_objects', 'get_all_schemas']);
  });
});

test('a command that follows ends when its reader has left', { timeout: 60_000 }, async () => {
  for (const [words, reader] of [['audit --follow', 'head -n 2'], ['approvals list --watch', 'true']]) {
    const child = spawn('bash', ['-c', `'${gantryProgram}' ${words} --control '${control}' | ${reader}`], { env: cleanEnvironment(), stdio: ['ignore', 'ignore', 'inherit'] });
    assert.deepEqual(await once(child, 'close'), [0, null]);
  }
});

test('gantry open gives a link that logs in once', async () => {
  const { code, stdout, stderr } = await run(['open', '--no-open']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, new RegExp(`^${server.url.origin}/#token=\\S+\\n$`));
  assert.match(stderr, /once, within 10 minutes/);
  const login = (token) => fetch(new URL('/console/login', server.url), { method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url.origin, 'sec-fetch-site': 'same-origin' }, body: JSON.stringify({ token }) });
  const token = stdout.trim().split('#token=')[1];
  assert.equal((await login(token)).status, 204);
  assert.notEqual((await login(token)).status, 204);
  assert.match((await run(['open'], { env: { SSH_CONNECTION: 'a 1 b 2' } })).stderr, new RegExp(`ssh -L ${server.port}:127\\.0\\.0\\.1:${server.port} `));
  assert.equal((await gantry(['open', '--control', '/nowhere.sock'])).code, 2);
});

test('gantry sessions and subscriptions list and end them', async () => {
  assert.equal((await run(['sessions'])).stdout, 'there are no sessions\n');
  assert.equal((await run(['subscriptions'])).stdout, 'there are no subscriptions\n');
  const session = await LegacySession.open(server);
  await session.request('resources/subscribe', { uri: 'data://countries/count' });
  const listed = await run(['sessions']);
  assert.match(listed.stdout, /^ID +PRINCIPAL +REVISION +AGE +IDLE +CALLS +STREAMS\n\S+ .* 2025-11-25 /);
  assert.match((await run(['subscriptions'])).stdout, /^URI +AGENT +PRINCIPAL +KIND +SESSION +AGE\ndata:\/\/countries\/count +local .* \d+ s\n$/);
  const { sessions: [one] } = JSON.parse((await run(['sessions', '--json'])).stdout);
  assert.match((await run(['sessions', '--end', one.id])).stdout, /^ended; 0 calls cancelled/);
  assert.equal((await run(['sessions'])).stdout, 'there are no sessions\n');
  const again = await run(['sessions', '--end', one.id]);
  assert.deepEqual([again.code, again.stderr], [1, `gantry: there is no session '${one.id}', or not any more; the list of sessions has all\n`]);
});
