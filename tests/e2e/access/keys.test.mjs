// API keys: made, listed, rotated and revoked by `gantry key`, and taken over by a running server.
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gantry } from '../lib/gantry.mjs';
import { runToEnd, Server } from '../lib/gantryd.mjs';
import { scratch } from '../lib/paths.mjs';
import { modern, post } from '../lib/rpc.mjs';

const bearer = (key) => ({ authorization: `Bearer ${key}` });
const agentsFile = (content) => {
  const file = join(scratch(), 'agents.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
};
const two = { agents: { sales: { tenant_id: 'acme' }, boss: { permissions: 'admin' } } };
const privateState = () => { const state = scratch(); chmodSync(state, 0o700); return state; };
const command = async (state, ...words) => {
  const { code, stdout, stderr } = await gantry(['key', ...words, '--state', state, '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
};

/** Waits until the server answers with this status. */
async function becomes(server, key, status) {
  for (let i = 0; i < 100; ++i) {
    const answer = await modern(server, 'tools/list', {}, key ? bearer(key) : {});
    if (answer.status === status) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail(`no ${status} within 5 s`);
}

const start = async (t, state, flags = ['--agents', agentsFile(two)], env = {}) => {
  const server = await Server.start({ flags: ['--state', state, ...flags], env });
  t.after(() => server.stop());
  return server;
};

describe('gantry key', () => {
  test('makes a key that is shown once and stored as its hash alone', async () => {
    const state = privateState();
    const made = await command(state, 'create', 'sales', '--note', 'laptop', '--expires', '90d');
    assert.match(made.key, /^gnt_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    assert.equal(made.id, made.key.slice(4, 12));
    assert.equal(Date.parse(made.expires) - Date.parse(made.created), 90 * 86_400_000);
    const file = join(state, 'keys.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.ok(!readFileSync(file, 'utf8').includes(made.key.slice(13)));
    const { keys: [listed] } = await command(state, 'list');
    assert.deepEqual([listed.id, listed.agent, listed.note], [made.id, 'sales', 'laptop']);
    assert.ok(!('key' in listed));
  });

  test('warns of the first key, and of a profile that was not checked', async () => {
    const state = privateState();
    const warnings = async (...words) => {
      const { code, stdout, stderr } = await gantry(['key', 'create', ...words, '--state', state]);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^gnt_\w+\n$/, 'the key is alone');
      return [/it is the first key: from now on .* refuse callers without a key/, /not checked that there is a profile 'sales'/]
        .map((words) => words.test(stderr));
    };
    assert.deepEqual(await warnings('sales'), [true, true]);
    assert.deepEqual(await warnings('sales', '--agents', agentsFile(two)), [false, false]);
    assert.deepEqual(await warnings('local'), [false, false]);
  });

  test('names the error in a command', async () => {
    const state = privateState();
    for (const [words, code, message] of [
      [['create', 'sales', '--expires', 'soon'], 2, /--expires: 'soon' is no duration/],
      [['create', 'salse', '--agents', agentsFile(two)], 2, /no profile 'salse'.*profiles: boss, sales/],
      [['revoke', 'abcdefgh'], 1, /there is no key 'abcdefgh'/], [['rotate', 'abcdefgh'], 1, /there is no key/],
    ]) {
      const done = await gantry(['key', ...words, '--state', state]);
      assert.equal(done.code, code, done.stderr);
      assert.match(done.stderr, message);
    }
  });
});

describe('a correlation id that is bound to a key', () => {
  test('names all its calls in the audit record over the caller\'s own id; other keys keep that id', async (t) => {
    const state = privateState();
    const bound = await command(state, 'create', 'sales', '--correlation', 'ticket-7');
    const free = await command(state, 'create', 'sales');
    assert.equal(bound.correlation_id, 'ticket-7');
    assert.deepEqual((await command(state, 'list')).keys.map((key) => key.correlation_id).sort(), ['ticket-7', undefined]);
    assert.match((await gantry(['key', 'list', '--state', state])).stdout, /CORRELATION\n(.*\n)*.*ticket-7\n/);
    const server = await start(t, state, ['--agents', agentsFile(two), '--log-format', 'json']);
    for (const { key } of [bound, free]) {
      const params = { name: 'no_such', arguments: {}, _meta: { 'gantry/correlationId': 'chosen' } };
      await modern(server, 'tools/call', params, bearer(key));
      await modern(server, 'tools/call', params, { ...bearer(key), 'x-mcp-session-id': 'header' });
    }
    await server.stop();
    const records = server.stderr.split('\n').filter((line) => line.includes('"message":"call"')).map((line) => JSON.parse(line));
    assert.deepEqual(records.map((record) => record.correlation_id), ['ticket-7', 'ticket-7', 'chosen', 'header']);
  });

  test('stays with a rotated key, and one of other characters is refused', async () => {
    const state = privateState();
    const { id } = await command(state, 'create', 'sales', '--correlation', 'ticket-7');
    assert.equal((await command(state, 'rotate', id)).correlation_id, 'ticket-7');
    const refused = await gantry(['key', 'create', 'sales', '--correlation', 'a b', '--state', state]);
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, /a correlation id is 1 to 128 of/);
  });
});

describe('a server with keys', () => {
  test('knows a key that was made while it runs, in both headers, and refuses callers without one', async (t) => {
    const state = privateState();
    const server = await start(t, state);
    assert.equal((await modern(server, 'tools/list', {})).status, 401);
    const { key } = await command(state, 'create', 'sales');
    const listed = await becomes(server, key, 200);
    assert.equal(listed.message.result.cacheScope, 'private');
    assert.equal((await modern(server, 'tools/list', {}, { 'x-mcp-api-key': key })).status, 200);
    const other = key.slice(0, -7) + (key.at(-7) === 'a' ? 'b' : 'a') + key.slice(-6);
    for (const wrong of [key.slice(0, -1), `${key}0`, other, key.toLowerCase()]) {
      const refused = await modern(server, 'tools/list', {}, bearer(wrong));
      assert.equal(refused.status, 401);
      assert.equal(refused.text, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unauthorized"}}');
    }
    assert.ok(!server.stderr.includes(key.slice(13)), 'no secret in the log');
  });

  test('ends the sessions and streams of a revoked key', async (t) => {
    const state = privateState();
    const [mine, others] = [await command(state, 'create', 'sales'), await command(state, 'create', 'sales')];
    const server = await start(t, state);
    const open = async ({ key }) => {
      const begun = await post(server, { jsonrpc: '2.0', id: 1, method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } }, bearer(key));
      const headers = { ...bearer(key), 'mcp-session-id': begun.headers.get('mcp-session-id') };
      await post(server, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
      const stream = await fetch(server.url, { headers: { ...headers, accept: 'text/event-stream' } });
      assert.equal(stream.status, 200);
      return { headers, stream };
    };
    const [ending, staying] = [await open(mine), await open(others)];
    await command(state, 'revoke', mine.id);
    await ending.stream.text();  // it ends
    await becomes(server, mine.key, 401);
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    assert.equal((await post(server, ping, ending.headers)).status, 401);
    assert.equal((await post(server, ping, { ...ending.headers, ...bearer(others.key) })).status, 404, 'no other key gets it');
    assert.equal((await post(server, ping, staying.headers)).status, 200);
    await staying.stream.body.cancel();
  });

  test('takes both keys while one is rotated, and says so; then the new one alone', async (t) => {
    const state = privateState();
    const old = await command(state, 'create', 'sales', '--note', 'laptop');
    const fresh = await command(state, 'rotate', old.id, '--overlap', '3s');
    assert.equal(fresh.note, 'laptop');
    const server = await start(t, state);
    await becomes(server, old.key, 200);
    await becomes(server, fresh.key, 200);
    await becomes(server, old.key, 401);
    await becomes(server, fresh.key, 200);
    await server.stop();
    assert.match(server.stderr, /credential refused reason=expired/);
  });

  test('refuses a key whose profile is gone', async (t) => {
    const state = privateState();
    const { key } = await command(state, 'create', 'nobody');
    const server = await start(t, state);
    await becomes(server, key, 401);
    await server.stop();
    assert.match(server.stderr, /a key acts as no profile/);
    assert.match(server.stderr, /credential refused reason=no_profile/);
  });

  test('writes when a key was used last', async (t) => {
    const state = privateState();
    const { key } = await command(state, 'create', 'sales');
    const server = await start(t, state);
    await becomes(server, key, 200);
    await server.stop();
    assert.ok((await command(state, 'list')).keys[0].last_used);
  });

  test('without profiles knows the profile local alone', async (t) => {
    const state = privateState();
    const { key } = await command(state, 'create', 'local');
    const server = await start(t, state, []);
    await becomes(server, key, 200);
    assert.equal((await modern(server, 'tools/list', {})).status, 401);
  });

  test('does not start with a key file that others may read, or that is damaged', async () => {
    const state = privateState();
    await command(state, 'create', 'sales');
    chmodSync(join(state, 'keys.json'), 0o644);
    const flags = ['--listen', '127.0.0.1:0', '--control', 'none', '--state', state];
    assert.match((await runToEnd(flags)).stderr, /chmod 600/);
    chmodSync(join(state, 'keys.json'), 0o600);
    writeFileSync(join(state, 'keys.json'), '{');
    const refused = await runToEnd(flags);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /is no file of API keys/);
  });
});
