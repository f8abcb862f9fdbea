// Forged, wrong and odd tokens over the wire, as a table: each is refused, with one body for all and its reason in the
// log alone; a good token beside it is served; and nothing that a token names is fetched or read.
import assert from 'node:assert/strict';
import { createHmac, createPublicKey, sign as signWith } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { until } from '../lib/events.mjs';
import { KeyIssuer, newKey } from '../lib/issuer.mjs';
import { modernBody, modernHeaders, post } from '../lib/rpc.mjs';
import { entry, startWithTokens } from '../lib/tokens.mjs';
import { postBytes, Wire } from '../lib/wire.mjs';

const unauthorized = '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unauthorized"}}';
const coded = (value) => Buffer.from(typeof value === 'string' || value instanceof Uint8Array ? value : JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);
const orderOfP256 = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');

let issuer;
let other;      // whose kid is of another issuer
let server;
let trap;       // the address that tokens name; nothing may come there
let caught = 0;
let keys;
before(async () => {
  keys = { ec: await newKey('ES256', 'ec'), rsa: await newKey('RS256', 'rsa'), ed: await newKey('EdDSA', 'ed'), twin: await newKey('ES256', 'twin') };
  const weak = [
    { kty: 'RSA', kid: 'e1', alg: 'RS256', use: 'sig', n: keys.rsa.jwk.n, e: 'AQ' },
    { kty: 'oct', kid: 'oct', alg: 'HS256', k: coded('secret') },
    { kty: 'OKP', crv: 'Ed25519', kid: 'low', x: coded(Buffer.alloc(32)) },
    { kty: 'EC', crv: 'P-256', kid: 'off', x: coded(Buffer.alloc(32, 1)), y: coded(Buffer.alloc(32, 2)) },
    { ...keys.twin.jwk }, { ...(await newKey('ES256', 'twin')).jwk },
  ].map((jwk) => ({ jwk }));
  issuer = await KeyIssuer.start([keys.ec, keys.rsa, keys.ed, ...weak]);
  other = await KeyIssuer.start([await newKey('ES256', 'others')]);
  trap = createServer((_, response) => { caught += 1; response.end('{"keys":[]}'); });
  trap.listen(0, '127.0.0.1');
  await once(trap, 'listening');
  const algorithms = ['ES256', 'RS256', 'EdDSA'];
  server = await startWithTokens((audience) => [entry(issuer, audience, { algorithms, roles_claim: 'roles', tenant_claim: 'tenant_id' }),
    entry(other, audience, { algorithms })], { config: { limits: { pre_auth_per_minute: 100_000 } } });
});
after(async () => { await server.stop(); await issuer.stop(); await other.stop(); trap.close(); });

const list = modernBody('tools/list');
const ask = (token, headers = {}) => post(server, list, { ...modernHeaders(list), ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers });
const header = (more = {}) => ({ alg: 'ES256', typ: 'at+jwt', kid: 'ec', ...more });
const claims = (more = {}) => ({
  iss: issuer.url, aud: server.audience, sub: 'anna', client_id: 'app', iat: now(), exp: now() + 300, scope: 'data.read',
  tenant_id: 'acme', roles: ['seller'], ...more,
});
const without = (name) => { const all = claims(); delete all[name]; return all; };
const signature = (text, { alg, privateKey } = keys.ec) => (alg === 'EdDSA' ? signWith(null, Buffer.from(text), privateKey)
  : signWith('sha256', Buffer.from(text), alg === 'ES256' ? { key: privateKey, dsaEncoding: 'ieee-p1363' } : privateKey));
/** A token of any header and claims, texts as they are, rightly signed by a key. */
const token = (head = header(), body = claims(), key = keys.ec) => {
  const text = `${coded(head)}.${coded(body)}`;
  return `${text}.${coded(signature(text, key))}`;
};
/** The same with another signature. */
const bare = (head, bytes, body = claims()) => `${coded(head)}.${coded(body)}.${coded(bytes)}`;
const resigned = (change) => { const text = `${coded(header())}.${coded(claims())}`; return `${text}.${coded(change(signature(text)))}`; };
const hmac = (key) => { const text = `${coded(header({ alg: 'HS256' }))}.${coded(claims())}`; return `${text}.${coded(createHmac('sha256', key).update(text).digest())}`; };
const publicKey = (format, type) => createPublicKey({ key: keys.ec.jwk, format: 'jwk' }).export({ format, ...(type ? { type } : {}) });
const json = (value, ...changes) => changes.reduce((text, [from, to]) => text.replace(from, to), JSON.stringify(value));

// Group by group: what, how it is made, and the reason in the log.
const table = {
  'names no algorithm that is used': () => [
    ...['none', 'None', 'NONE', '', 'es256', 'ES256 ', 'HS256', 'PS256', 'ES384', null, 1, ['ES256']].flatMap((alg) => [
      [`signed ${JSON.stringify(alg)}`, token(header({ alg }))], [`unsigned ${JSON.stringify(alg)}`, bare(header({ alg }), '')]]),
    ['no alg', token({ typ: 'at+jwt', kid: 'ec' })],
  ],
  'has not three parts': () => {
    const good = token();
    const two = good.slice(0, good.lastIndexOf('.'));
    return ['..', '.', '.a.b', two, `${two}.`, `${good}.`, `${good}.x`, `${good}.x.y`, `.${good}`].map((text) => [text.slice(0, 20), text]);
  },
  'is signed with the public key as a secret': () => [['DER', hmac(publicKey('der', 'spki'))], ['PEM', hmac(publicKey('pem', 'spki'))],
    ['JWK', hmac(JSON.stringify(keys.ec.jwk))], ['nothing', hmac('')], ['the oct key', (() => {
      const text = `${coded(header({ alg: 'HS256', kid: 'oct' }))}.${coded(claims())}`;
      return `${text}.${coded(createHmac('sha256', 'secret').update(text).digest())}`;
    })()]],
  'is of the key of another algorithm or name': () => [
    ['RS256 by EC', token(header({ alg: 'RS256' }))], ['ES256 by RSA', token(header({ kid: 'rsa' }), claims(), keys.rsa)],
    ['PS256 by RSA', token(header({ alg: 'PS256', kid: 'rsa' }), claims(), keys.rsa)], ['EdDSA by EC', token(header({ alg: 'EdDSA' }))],
    ['Ed25519 by EC', token(header({ alg: 'Ed25519' }))],
  ],
  'is of a key that stands twice or is weak': () => [
    ['twin', token(header({ kid: 'twin' }), claims(), keys.twin)], ['e = 1', token(header({ alg: 'RS256', kid: 'e1' }), claims(), keys.rsa)],
    ['low order', bare(header({ alg: 'EdDSA', kid: 'low' }), Buffer.alloc(64))], ['off the curve', bare(header({ kid: 'off' }), Buffer.alloc(64, 1))],
  ],
  'has a kid that is something else': () => ['../../../etc/passwd', "' OR 1=1 --", 'k'.repeat(300), 'ec\u0000', '', 1, null]
    .map((kid) => [JSON.stringify(kid).slice(0, 30), token(header({ kid }))]),
  'brings its own key, or says where it is': () => {
    const url = `http://127.0.0.1:${trap.address().port}/`;
    return [['jwk', { jwk: keys.twin.jwk }], ['x5c', { x5c: ['MIIB'] }], ['jku', { jku: url }], ['x5u', { x5u: url }], ['kid as URL', { kid: url }]]
      .map(([what, more]) => [what, token(header({ ...more }), claims(), keys.twin)]);
  },
  'has a header that changes its meaning': () => [{ crit: ['exp'] }, { crit: [] }, { b64: false }, { zip: 'DEF' }, { enc: 'A128GCM' }, { cty: 'JWT' },
    { typ: 'JWT' }, { typ: 'id+jwt' }, { typ: 1 }, { typ: null }, { typ: '' }, { typ: undefined }].map((more) => [JSON.stringify(more), token(header(more))]),
  'has a signature of another form': () => [
    ['r = s = 0', resigned(() => Buffer.alloc(64))], ['r = n', resigned((s) => Buffer.concat([orderOfP256, s.subarray(32)]))],
    ['s = n', resigned((s) => Buffer.concat([s.subarray(0, 32), orderOfP256]))], ['63 bytes', resigned((s) => s.subarray(0, 63))],
    ['65 bytes', resigned((s) => Buffer.concat([s, Buffer.from('x')]))], ['5,000 bytes', resigned(() => Buffer.alloc(5000, 1))],
    ['DER', (() => { const text = `${coded(header())}.${coded(claims())}`; return `${text}.${coded(signWith('sha256', Buffer.from(text), keys.ec.privateKey))}`; })()],
    ['one bit', resigned((s) => { s[10] ^= 1; return s; })],
  ],
  'has times that are wrong': () => [
    ['over', token(header(), claims({ exp: now() - 62, iat: now() - 400 })), 'expired'], ['no exp', token(header(), without('exp'))],
    ...[String(now() + 300), true, -1, null, [now() + 300]].map((exp) => [`exp ${JSON.stringify(exp)}`, token(header(), claims({ exp }))]),
    ['exp 1e400', token(header(), json(claims({ exp: 1 }), ['"exp":1', '"exp":1e400']))],
    ['exp 1e300', token(header(), json(claims({ exp: 1 }), ['"exp":1', '"exp":1e300']))],
    ['nbf in 65 s', token(header(), claims({ nbf: now() + 65 }))], ['iat in 65 s', token(header(), claims({ iat: now() + 65 }))],
    ['nbf a text', token(header(), claims({ nbf: 'now' }))], ['two days', token(header(), claims({ exp: now() + 2 * 86_400 }))],
  ],
  'is for another audience': () => [undefined, 'https://other.example/mcp', `${server.audience}2`, `${server.audience}/`, server.audience.toUpperCase(),
    server.audience.slice(0, -1), [], [[server.audience]], { a: server.audience }, ['https://other.example', 1, server.audience]]
    .map((aud) => [JSON.stringify(aud), token(header(), claims({ aud })), 'wrong_audience']),
  'is of another issuer': () => [['none', token(header(), without('iss'))], ['a slash', token(header(), claims({ iss: `${issuer.url}/` }))],
    ['one with our kid', token(header(), claims({ iss: 'https://evil.example' }))],
    ['one of ours with the key of another of ours', token(header({ kid: 'others' }), claims(), other.keys[0])],
    ['the other way round', token(header(), claims({ iss: other.url }))], ['a number', token(header(), claims({ iss: 1 }))]],
  'can be read in two ways': () => [
    ['sub twice', token(header(), json(claims(), ['"sub":"anna"', '"sub":"anna","sub":"eve"']))],
    ['aud twice', token(header(), json(claims(), ['"aud":', '"aud":"x","aud":']))],
    ['alg twice', token(json(header(), ['"alg":"ES256"', '"alg":"none","alg":"ES256"']))],
    ['sub with NUL', token(header(), claims({ sub: 'anna\u0000' }))], ['a number as sub', token(header(), claims({ sub: 1 }))],
    ['half a surrogate', token(header(), json(claims(), ['"anna"', '"\\ud800"']))],
    ['bytes that are no UTF-8', (() => { const text = `${coded(header())}.${coded(Buffer.from(json(claims()).replace('anna', '\u00ff'), 'latin1'))}`; return `${text}.${coded(signature(text))}`; })()],
    ['a thousand levels', token(header(), json(claims({ deep: 0 }), ['"deep":0', `"deep":${'['.repeat(1000)}${']'.repeat(1000)}`]))],
    ['text behind the object', token(header(), `${json(claims())} {}`)], ['an array', token(header(), '[]')], ['nothing', token(header(), '')],
    ['padding', `${token()}=`], ['other letters', token().replace(/\.([^.])/, '.+$1')], ['a header of 2 kB', token(header({ x: 'x'.repeat(2000) }))],
    ['9 kB', token(header(), claims({ x: 'x'.repeat(7000) }))],
  ],
  'makes impossible claims about its caller': () => [
    ['no subject', token(header(), without('sub')), 'invalid'],
    ...[undefined, '', 1, ['acme'], null].map((tenant) => [`tenant ${JSON.stringify(tenant)}`, token(header(), claims({ tenant_id: tenant })), 'no_profile']),
    ...[1, { a: 1 }, [1], ['a', ['b']]].map((roles) => [`roles ${JSON.stringify(roles)}`, token(header(), claims({ roles })), 'no_profile']),
    ['300 roles', token(header(), claims({ roles: Array.from({ length: 300 }, (_, i) => `r${i}`) })), 'no_profile'],
    ['client', token(header(), claims({ client_id: 1 })), 'no_profile'],
  ],
};

describe('a token that', () => {
  for (const [group, make] of Object.entries(table)) {
    test(group, async () => {
      const cases = make();
      for (const [what, text, reason = 'invalid'] of cases) {
        const seen = server.stderr.length;
        const answer = await ask(text);
        assert.equal(answer.status, 401, what);
        assert.equal(answer.text, unauthorized, what);
        assert.match(answer.headers.get('www-authenticate'), /^Bearer .*scope="data\.read", error="invalid_token"$/, what);
        await until(() => /credential refused reason=(\S+)/.test(server.stderr.slice(seen)), `the log about ${what}`);
        assert.equal(/credential refused reason=(\S+)/.exec(server.stderr.slice(seen))[1], reason, what);
      }
      assert.equal((await ask(token())).status, 200, 'a good one is served');
    });
  }

  test('is good in every way that is good', async () => {
    for (const [what, text] of [
      ['RS256', token(header({ alg: 'RS256', kid: 'rsa' }), claims(), keys.rsa)], ['EdDSA', token(header({ alg: 'EdDSA', kid: 'ed' }), claims(), keys.ed)],
      ['Ed25519', token(header({ alg: 'Ed25519', kid: 'ed' }), claims(), keys.ed)], ['typ in full', token(header({ typ: 'application/at+jwt' }))],
      ['audiences', token(header(), claims({ aud: ['https://other.example', server.audience] }))], ['within the skew', token(header(), claims({ exp: now() - 50, iat: now() - 400 }))],
      ['nbf within the skew', token(header(), claims({ nbf: now() + 50 }))], ['jku that is not looked at', token(header({ jku: 'http://127.0.0.1:9/' }))],
    ]) assert.equal((await ask(text)).status, 200, what);
  });

  test('bears its signature in another form is the same caller', async () => {
    const text = token();
    const bytes = Buffer.from(text.slice(text.lastIndexOf('.') + 1), 'base64url');
    const turned = BigInt(`0x${orderOfP256.toString('hex')}`) - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
    const same = `${text.slice(0, text.lastIndexOf('.') + 1)}${coded(Buffer.concat([bytes.subarray(0, 32), Buffer.from(turned.toString(16).padStart(64, '0'), 'hex')]))}`;
    const opened = await post(server, { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } },
      { authorization: `Bearer ${text}` });
    const ping = await post(server, { jsonrpc: '2.0', id: 2, method: 'ping' }, { authorization: `Bearer ${same}`, 'mcp-session-id': opened.headers.get('mcp-session-id') });
    assert.equal(ping.status, 200);
  });

  test('comes another way than in its header is not read', async () => {
    const good = token();
    const form = await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: `access_token=${good}` });
    assert.equal(form.status, 415);
    for (const headers of [{ cookie: `access_token=${good}` }, { 'x-mcp-api-key': good }, { 'proxy-authorization': `Bearer ${good}` }]) assert.equal((await ask(undefined, headers)).status, 401);
    assert.equal((await post({ url: new URL(`?access_token=${good}`, server.url) }, list, modernHeaders(list))).status, 401);
    for (const scheme of ['Basic', 'DPoP', 'Token']) assert.equal((await ask(undefined, { authorization: `${scheme} ${good}` })).status, 401, scheme);
    // Two headers: the second must not be what counts.
    const wire = await Wire.open(server.port);
    const bytes = postBytes(server.port, JSON.stringify(list), { ...modernHeaders(list), Authorization: 'Bearer bad.bad.bad' }).toString('latin1');
    await wire.write(bytes.replace('\r\n\r\n', `\r\nAuthorization: Bearer ${good}\r\n\r\n`));
    assert.equal((await wire.read()).status, 400);
    wire.close();
  });

  test('names addresses and keys makes nothing happen there, nor is it in the log', () => {
    assert.equal(caught, 0);
    assert.ok(issuer.fetches <= 2 && other.fetches <= 2, `${issuer.fetches} and ${other.fetches} fetches`);
    assert.doesNotMatch(server.stderr, /eyJ/);
  });
});
