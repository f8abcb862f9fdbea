// Tokens: an authorization server of npm, both official clients through the whole code flow, and what a server must
// refuse.
import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Browser, KeyIssuer, OidcIssuer, newKey } from '../lib/issuer.mjs';
import { until } from '../lib/events.mjs';
import { scratch } from '../lib/paths.mjs';
import { LegacySession, modernBody, modernHeaders, post } from '../lib/rpc.mjs';
import { logged, named, script } from '../lib/script.mjs';
import { BareSse } from '../lib/sse_client.mjs';
import { agentsOf, entry, startWithTokens } from '../lib/tokens.mjs';
import { Wire } from '../lib/wire.mjs';

const me = { name: 'gantry-e2e', version: '1' };
const unauthorized = '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unauthorized"}}';

const list = modernBody('tools/list');
const ask = (server, token, body = list, headers = {}) =>
  post(server, body, { ...modernHeaders(body), ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers });
const call = (name, args = {}) => modernBody('tools/call', { name, arguments: args });

// Each official client: how it is made, and what it takes of the authorization server's answer.
const clients = [
  ['client 1.x', (url, authProvider) => ({ client: new ClientV1(me), transport: new HttpV1(url, { authProvider }) }),
    (answer) => answer.get('code')],
  ['client 2.x', (url, authProvider) => ({
    client: new ClientV2(me, { versionNegotiation: { mode: { pin: '2026-07-28' } } }), transport: new HttpV2(url, { authProvider }),
  }), (answer) => answer],
];

describe('an authorization server and the official clients', () => {
  let issuer;
  let server;
  before(async () => {
    issuer = await OidcIssuer.start({ scopes: ['data.read', 'data.write'] });
    server = await startWithTokens((audience) => [entry(issuer, audience, { tenant_claim: 'tenant_id', roles_claim: 'roles' })]);
  });
  after(async () => { await server.stop(); await issuer.stop(); });

  for (const [name, make, part] of clients) {
    // A client that has gone through the code flow.
    const connect = async (user) => {
      const first = make(server.url, user);
      await assert.rejects(first.client.connect(first.transport), /Unauthorized/);
      assert.deepEqual(user.visits[0].split(' ').filter((scope) => scope.startsWith('data')), ['data.read']);
      await first.transport.finishAuth(part(user.answer));
      const { client, transport } = make(server.url, user);
      client.onerror = () => {};
      await client.connect(transport);
      return { client, transport, listed: async () => (await client.listTools()).tools.map((tool) => tool.name) };
    };

    test(`${name} goes through the code flow and steps up for a call that needs another scope`, async () => {
      const user = new Browser();
      const { client, transport, listed } = await connect(user);
      const before = await listed();
      assert.ok(before.includes('script') && !before.includes('script_write'));
      const write = () => client.callTool({ name: 'script_write', arguments: script() });
      await assert.rejects(write());
      assert.equal(user.visits.length, 2);
      for (const scope of ['data.read', 'data.write']) assert.ok(user.visits[1].split(' ').includes(scope), user.visits[1]);
      await transport.finishAuth(part(user.answer));
      assert.notEqual((await write()).isError, true);
      const next = make(server.url, user);  // another one, because client 2.x keeps lists for their time
      await next.client.connect(next.transport);
      assert.ok((await next.client.listTools()).tools.some((tool) => tool.name === 'script_write'));
      await next.client.close();
      await client.close();
    });

    test(`${name} refreshes a token that is refused, and its session goes on`, async () => {
      const user = new Browser();
      user.refreshes = true;
      const { client, transport, listed } = await connect(user);
      const { sessionId } = transport;
      const before = user.saved.access_token;
      user.saved = { ...user.saved, access_token: `${before.slice(0, -8)}AAAAAAAA` };
      assert.ok((await listed()).includes('script'));
      assert.notEqual(user.saved.access_token, before);
      assert.equal(user.visits.length, 1);
      assert.equal(transport.sessionId, sessionId);
      await client.close();
    });
  }

  test('a program of its own has a token by client credentials', async () => {
    const token = await issuer.robot('data.read', server.audience);
    assert.equal((await ask(server, token)).status, 200);
    const elsewhere = await issuer.robot('data.read', 'http://127.0.0.1:1/mcp');
    assert.equal((await ask(server, elsewhere)).status, 401);
    await logged(server, 'wrong_audience');
  });

  test('the metadata is at both addresses, for pages of every origin', async () => {
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      const answer = await fetch(new URL(path, server.url), { headers: { origin: 'https://inspector.example' } });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(answer.headers.get('cache-control'), 'max-age=3600');
      assert.deepEqual(await answer.json(), {
        resource: server.audience, authorization_servers: [issuer.url], scopes_supported: ['data.read', 'data.write'],
        bearer_methods_supported: ['header'], resource_name: 'Gantry',
      });
    }
  });
});

describe('a token', () => {
  let issuer;
  let server;
  let other;
  before(async () => {
    issuer = await KeyIssuer.start([await newKey('ES256', 'one'), await newKey('EdDSA', 'two')]);
    other = await newKey('ES256', 'one');
    server = await startWithTokens((audience) => [entry(issuer, audience, { algorithms: ['ES256', 'EdDSA'] })]);
  });
  after(async () => { await server.stop(); await issuer.stop(); });
  const now = () => Math.floor(Date.now() / 1000);

  test('of each algorithm is accepted', async () => {
    for (const key of issuer.keys) {
      assert.equal((await ask(server, await issuer.token(server.audience, {}, { key }))).status, 200);
    }
  });

  test('that is forged, of another audience or too old is refused, always with the same answer', async () => {
    const good = await issuer.token(server.audience);
    const [header, payload, signature] = good.split('.');
    const coded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const bad = {
      'no signature': `${header}.${payload}.`,
      'alg none': `${coded({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      'alg HS256': `${coded({ alg: 'HS256', typ: 'at+jwt', kid: 'one' })}.${payload}.${signature}`,
      'another key': await issuer.token(server.audience, {}, { key: other }),
      'own key in the header': await issuer.token(server.audience, {}, { key: other, header: { jwk: other.jwk } }),
      'a kid that is a path': await issuer.token(server.audience, {}, { header: { kid: '../../../etc/passwd' } }),
      'an ID token': await issuer.token(server.audience, {}, { header: { typ: 'JWT' } }),
      'another audience': await issuer.token(`${server.audience}2`),
      'no audience': await issuer.token(undefined),
      'another issuer': await issuer.token(server.audience, { iss: 'https://evil.example' }),
      'expired': await issuer.token(server.audience, { exp: now() - 61, iat: now() - 400 }),
      'not yet': await issuer.token(server.audience, { nbf: now() + 120 }),
      'for a year': await issuer.token(server.audience, { exp: now() + 365 * 86400 }),
      'no subject': await issuer.token(server.audience, { sub: undefined }),
      'padding': `${good}=`,
      'twice as many parts': `${good}.${good}`,
      'nothing': '..',
    };
    for (const [what, token] of Object.entries(bad)) {
      const answer = await ask(server, token);
      assert.equal(answer.status, 401, what);
      assert.equal(answer.text, unauthorized, what);
      assert.match(answer.headers.get('www-authenticate'), /^Bearer .*error="invalid_token"/, what);
    }
    assert.equal((await ask(server, good)).status, 200);
    assert.doesNotMatch(server.stderr, new RegExp(payload));
    for (const reason of ['invalid', 'expired', 'wrong_audience']) await logged(server, reason);
  });

  test('is read from its header alone, and without one no caller is local', async () => {
    const token = await issuer.token(server.audience);
    const none = await ask(server, undefined);
    assert.equal(none.status, 401);
    assert.match(none.headers.get('www-authenticate'),
      /^Bearer realm="gantry", resource_metadata="http:[^"]+\/\.well-known\/oauth-protected-resource\/mcp", scope="data\.read"$/);
    for (const headers of [{ cookie: `access_token=${token}` }, { 'x-mcp-api-key': token }]) {
      assert.equal((await ask(server, undefined, list, headers)).status, 401);
    }
    assert.equal((await ask({ url: new URL(`?access_token=${token}`, server.url) }, undefined)).status, 401);
    assert.equal((await ask({ url: new URL('/metrics', server.url) }, undefined)).status >= 400, true);
    const { message } = await ask(server, token);
    assert.notEqual(message.result.cacheScope, 'public');
  });

  test('without a scope that a call needs gets a challenge, and one that no scope permits the tool\'s own answer', async () => {
    const token = await issuer.token(server.audience);
    const write = call('script_write', script());
    const step = await ask(server, token, write);
    assert.equal(step.status, 403);
    assert.match(step.headers.get('www-authenticate'), /scope="data\.read data\.write", error="insufficient_scope"/);
    assert.equal((await ask(server, await issuer.token(server.audience, { scope: 'data.read data.write' }), write)).status, 200);
    const admin = await ask(server, token, call('script_admin', script()));
    assert.equal(admin.status, 200);
    assert.equal(admin.message.result.isError, true);
    assert.equal((await ask(server, await issuer.token(server.audience, { scope: 'other' }))).status, 403);
  });

  test('without a scope that one call of a batch needs gets a challenge, and no call of it is run', async () => {
    const poor = { authorization: `Bearer ${await issuer.token(server.audience)}` };
    const session = await LegacySession.open(server, '2025-03-26', { headers: poor });
    const element = (id, name) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: named(`batch ${name}`, { do: 'write', body: 'x' }) } });
    const batch = (...names) => post(server, names.map((name, i) => element(i, name)), session.headers);
    const step = await batch('script_plain', 'script_write');
    assert.equal(step.status, 403);
    assert.match(step.headers.get('www-authenticate'), /scope="data\.read data\.write", error="insufficient_scope"/);
    assert.equal((await batch('script_plain', 'script_admin')).status, 200, 'no scope permits it');
    session.headers.authorization = `Bearer ${await issuer.token(server.audience, { scope: 'data.read data.write' })}`;
    const { status, message } = await batch('script_plain', 'script_write');
    assert.equal(status, 200);
    assert.deepEqual(message.map(({ result }) => result?.isError ?? false), [false, false], JSON.stringify(message));
  });

  test('without a scope that a call over HTTP+SSE needs gets a challenge', async () => {
    const client = await BareSse.open(server, { authorization: `Bearer ${await issuer.token(server.audience)}` });
    await client.initialize();
    const step = await client.post({ id: 2, method: 'tools/call', params: { name: 'script_write', arguments: script() } });
    assert.equal(step.status, 403);
    assert.match(step.headers.get('www-authenticate'), /error="insufficient_scope"/);
    client.leave();
  });

  test('binds the correlation id of the claim that its issuer\'s entry names, and the caller chooses none', async (t) => {
    const bound = await startWithTokens((audience) => [entry(issuer, audience, { correlation_claim: 'ticket' })], { flags: ['--log-format', 'json'] });
    t.after(() => bound.stop());
    for (const ticket of ['t-7', undefined]) {
      const headers = { 'x-mcp-session-id': 'mine' };
      assert.equal((await ask(bound, await issuer.token(bound.audience, { ticket }), call('script_plain'), headers)).status, 200);
    }
    await bound.stop();
    const records = bound.stderr.split('\n').filter((line) => line.includes('"message":"call"')).map((line) => JSON.parse(line));
    assert.deepEqual(records.map((record) => record.correlation_id), ['t-7', 'mine']);
  });

  test('that is refreshed keeps its session; another subject\'s does not reach it', async () => {
    const headers = (token, more = {}) => ({ authorization: `Bearer ${token}`, ...more });
    const opened = await post(server, {
      jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: me },
    }, headers(await issuer.token(server.audience, { jti: '1' })));
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    const next = await issuer.token(server.audience, { jti: '2', scope: 'data.read data.write' });
    assert.equal((await post(server, ping, headers(next, session))).status, 200);
    assert.equal((await post(server, ping, headers(await issuer.token(server.audience, { sub: 'eve' }), session))).status, 404);
    assert.equal((await post(server, ping, headers(await issuer.token(server.audience, { client_id: 'eve' }), session))).status, 404);
  });
});

describe('beyond loopback', () => {
  const challengeOf = async (server, host) => {
    const wire = await Wire.open(server.port);
    const body = JSON.stringify(list);
    await wire.write(`POST /mcp HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
      + `mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/list\r\n\r\n${body}`);
    const { status, headers } = await wire.read();
    wire.close();
    return [status, /resource_metadata="([^"]*)"/.exec(headers['www-authenticate'])?.[1]];
  };

  test('a request without a token is refused, and the resource is where the operator says', async () => {
    const issuer = await KeyIssuer.start([await newKey('ES256', 'one')]);
    const jwt = (audience) => [entry(issuer, audience)];
    const silent = await startWithTokens(jwt, { host: '0.0.0.0' });
    await logged(silent, '--public-url');
    assert.deepEqual(await challengeOf(silent, '192.0.2.7'), [401, undefined]);
    await silent.stop();
    const named = await startWithTokens(jwt, { host: '0.0.0.0', flags: ['--public-url', 'https://MCP.example'] });
    assert.deepEqual(await challengeOf(named, '192.0.2.7'), [401, 'https://mcp.example/.well-known/oauth-protected-resource/mcp']);
    assert.deepEqual(await challengeOf(named, 'localhost:1'), [401, 'http://localhost:1/.well-known/oauth-protected-resource/mcp']);
    assert.doesNotMatch(named.stderr, /--public-url/);
    await named.stop();
    await issuer.stop();
  });
});

describe('the keys of an issuer', () => {
  const servers = [];
  const issuers = [];
  after(async () => {
    for (const each of [...servers, ...issuers]) await each.stop();
  });
  const issuerOf = async (...kids) => {
    const issuer = await KeyIssuer.start(await Promise.all(kids.map((kid) => newKey('ES256', kid))));
    issuers.push(issuer);
    return issuer;
  };
  const serverOf = async (issuer, more) => {
    const server = await startWithTokens((audience) => [entry(issuer, audience, more)]);
    servers.push(server);
    return server;
  };

  test('that cannot be got are an error of the server and never access; later they are got', async () => {
    const issuer = await issuerOf('one');
    issuer.answer = (response) => response.writeHead(302, { location: `${issuer.url}/elsewhere` }).end();
    const server = await serverOf(issuer);
    const token = await issuer.token(server.audience);
    const down = await ask(server, token);
    assert.equal(down.status, 500);
    assert.equal(down.message.error.code, -32603);
    assert.ok(!issuer.paths.includes('/elsewhere'), 'a redirect is not followed');
    assert.ok(issuer.fetches <= 2);
  });

  test('are waited for by requests that come before them, 64 at most', async () => {
    const issuer = await issuerOf('one');
    const held = [];
    issuer.answer = (response) => { held.push(response); };
    const server = await serverOf(issuer);
    const token = await issuer.token(server.audience);
    let refused = 0;
    const asked = Array.from({ length: 80 }, async () => {
      const answer = await ask(server, token);
      if (answer.status === 500) refused += 1;
      return answer;
    });
    await until(() => refused === 16 && held.length > 0, 'the refusals beyond 64');
    issuer.answer = undefined;
    for (const response of held) response.end(JSON.stringify({ keys: issuer.keys.map(({ jwk }) => jwk) }));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 500).length], [64, 16]);
    assert.equal(issuer.fetches, 1);
  });

  test('that are unknown are looked for once in half a minute; then a rotated one is found, in traffic without a refusal', async () => {
    const issuer = await issuerOf('one');
    const server = await serverOf(issuer);
    const old = await issuer.token(server.audience);
    assert.equal((await ask(server, old)).status, 200);
    const next = await newKey('ES256', 'next');
    const fresh = await issuer.token(server.audience, {}, { key: next });
    issuer.keys = [...issuer.keys, next];
    const unknown = await Promise.all(Array.from({ length: 200 }, async (_, i) =>
      issuer.token(server.audience, {}, { header: { kid: `k${i}` } })));
    const statuses = new Set((await Promise.all(unknown.map((token) => ask(server, token)))).map(({ status }) => status));
    assert.deepEqual([...statuses], [401]);
    assert.equal((await ask(server, fresh)).status, 401);
    assert.equal(issuer.fetches, 1);

    let calls = 0;
    let ends = false;
    const traffic = Array.from({ length: 8 }, async () => {
      while (!ends) {
        assert.equal((await ask(server, old)).status, 200);
        calls += 1;
        await new Promise((resolve) => { setTimeout(resolve, 20); });
      }
    });
    await new Promise((resolve) => { setTimeout(resolve, 31_000); });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(server, fresh)));
    assert.ok(answers.every(({ status }) => status === 200));
    ends = true;
    await Promise.all(traffic);
    assert.ok(calls > 1000, String(calls));
    assert.equal(issuer.fetches, 2);
  });

  test('in a file are read again when it changes', async () => {
    const issuer = await issuerOf('one');
    const file = join(scratch(), 'keys.json');
    const write = (...keys) => writeFileSync(file, JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
    write(...issuer.keys);
    const server = await serverOf(issuer, { jwks: file });
    const old = await issuer.token(server.audience);
    assert.equal((await ask(server, old)).status, 200);
    const next = await newKey('ES256', 'next');
    const fresh = await issuer.token(server.audience, {}, { key: next });
    assert.equal((await ask(server, fresh)).status, 401);
    write(next);
    await until(async () => (await ask(server, fresh)).status === 200, 'the new key');
    assert.equal((await ask(server, old)).status, 401);
    writeFileSync(file, '{"keys": [');
    await logged(server, 'last good ones stay');
    assert.equal((await ask(server, fresh)).status, 200);
    assert.equal(issuer.fetches, 0);
  });

  test('in a file can rotate ten times in traffic, and no good token is refused', async () => {
    const issuer = await issuerOf('0');
    const file = join(scratch(), 'keys.json');
    const write = (...keys) => {
      writeFileSync(`${file}.new`, JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
      renameSync(`${file}.new`, file);
    };
    let [key] = issuer.keys;
    write(key);
    const server = await serverOf(issuer, { jwks: file });
    const tokenOf = (by) => issuer.token(server.audience, { jti: String(Math.random()) }, { key: by });
    let ends = false;
    let calls = 0;
    const traffic = Array.from({ length: 8 }, async () => {
      while (!ends) {
        const by = key;
        const { status } = await ask(server, await tokenOf(by));
        // Its key may have been taken out while it was on its way.
        if (by === key) assert.equal(status, 200);
        calls += 1;
      }
    });
    for (let i = 1; i <= 10; ++i) {
      const [old, next] = [key, await newKey('ES256', String(i))];
      write(old, next);
      await until(async () => (await ask(server, await tokenOf(next))).status === 200, `the key ${i}`);
      key = next;
      const late = await tokenOf(old);
      write(next);
      await until(async () => (await ask(server, late)).status === 401, `the end of the key ${i - 1}`);
    }
    ends = true;
    await Promise.all(traffic);
    assert.ok(calls > 100, String(calls));
    assert.equal(issuer.fetches, 0);
  });

  test('of an issuer that is taken out of the agents file open nothing any more', async () => {
    const issuer = await issuerOf('one');
    const server = await serverOf(issuer);
    const token = await issuer.token(server.audience);
    assert.equal((await ask(server, token)).status, 200);
    server.write(agentsOf([]));
    await until(async () => (await ask(server, token)).status === 401, 'the refusal');
    assert.equal((await fetch(new URL('/.well-known/oauth-protected-resource', server.url))).status, 404);
  });
});
