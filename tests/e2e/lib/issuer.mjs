// Issuers of tokens on free ports: `OidcIssuer` is a whole authorization server (npm oidc-provider), whose logins and
// consents finish by themselves; `KeyIssuer` only serves keys and signs what it is told to sign (npm jose).
import { once } from 'node:events';
import { createServer } from 'node:http';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

async function listening(handle) {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

const closed = (server) => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); });

export async function newKey(alg, kid) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey, jwk: { ...await exportJWK(publicKey), kid, alg, use: 'sig' } };
}

/** Serves `keys`; counts the requests. `answer` replaces the reply: (response) => void. */
export class KeyIssuer {
  static async start(keys) {
    const issuer = new KeyIssuer();
    Object.assign(issuer, { keys, fetches: 0, paths: [] });
    Object.assign(issuer, await listening((request, response) => {
      issuer.fetches += 1;
      issuer.paths.push(request.url);
      if (issuer.answer) return issuer.answer(response);
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ keys: issuer.keys.map(({ jwk }) => jwk) }));
    }));
    return issuer;
  }

  get jwks() { return `${this.url}/jwks`; }

  /** A token of good claims with others laid over; undefined leaves one out. */
  token(audience, claims = {}, { key = this.keys[0], header = {} } = {}) {
    const now = Math.floor(Date.now() / 1000);
    const all = {
      iss: this.url, aud: audience, sub: 'anna', client_id: 'app', iat: now, exp: now + 300, scope: 'data.read', ...claims,
    };
    for (const [name, value] of Object.entries(all)) if (value === undefined) delete all[name];
    return new SignJWT(all).setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header }).sign(key.privateKey);
  }

  stop() { return closed(this.server); }
}

export const callback = 'http://127.0.0.1:9/callback';
const client = 'gantry-e2e';

/** Finishes every prompt as the user anna, and consents to all that is asked for. */
async function finish(provider, ctx, next) {
  if (!ctx.path.startsWith('/interaction/')) return next();
  const { prompt, params, session, grantId } = await provider.interactionDetails(ctx.req, ctx.res);
  let result = { login: { accountId: 'anna' } };
  if (prompt.name === 'consent') {
    const grant = grantId ? await provider.Grant.find(grantId)
      : new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    const { missingOIDCScope, missingResourceScopes = {} } = prompt.details;
    if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '));
    for (const [resource, scopes] of Object.entries(missingResourceScopes)) grant.addResourceScope(resource, scopes.join(' '));
    result = { consent: { grantId: await grant.save() } };
  }
  return ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: true }));
}

export class OidcIssuer {
  /** `lifetime`: seconds of an access token. */
  static async start({ resource, scopes, lifetime = 300 }) {
    const issuer = new OidcIssuer();
    Object.assign(issuer, await listening((request, response) => issuer.handle(request, response)));
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const provider = new Provider(issuer.url, {
      clients: [{
        client_id: client, redirect_uris: [callback], token_endpoint_auth_method: 'none', application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
      }, {
        client_id: 'robot', client_secret: 'robot-secret-robot-secret-robot!', redirect_uris: [], response_types: [],
        grant_types: ['client_credentials'],
      }],
      clientDefaults: { id_token_signed_response_alg: 'ES256' },
      jwks: { keys: [{ ...await exportJWK(privateKey), kid: 'oidc', alg: 'ES256', use: 'sig' }] },
      cookies: { keys: ['of the test'] },
      ttl: { AccessToken: lifetime, ClientCredentials: lifetime, RefreshToken: 3600, Session: 3600, Grant: 3600, Interaction: 600 },
      pkce: { required: () => true },
      findAccount: (ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
      issueRefreshToken: async (ctx, to) => to.grantTypeAllowed('refresh_token'),
      extraTokenClaims: async () => ({ tenant_id: 'acme', roles: ['seller'] }),
      interactions: { url: (ctx, interaction) => `/interaction/${interaction.uid}` },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: async () => true,
          getResourceServerInfo: async (ctx, indicator) => ({
            scope: scopes.join(' '), audience: indicator, accessTokenFormat: 'jwt', accessTokenTTL: lifetime,
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
    });
    provider.use((ctx, next) => finish(provider, ctx, next));
    issuer.handle = provider.callback();
    issuer.resource = resource;
    return issuer;
  }

  get jwks() { return `${this.url}/jwks`; }

  /** The token of the client credentials grant. */
  async robot(scope, resource = this.resource) {
    const answer = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('robot:robot-secret-robot-secret-robot!').toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
    });
    return (await answer.json()).access_token;
  }

  stop() { return closed(this.server); }
}

/** The user's part of the code flow, as both official clients want it: keeps what they save, and goes where they send the user. */
export class Browser {
  redirectUrl = callback;
  clientMetadata = { client_name: 'gantry-e2e', redirect_uris: [callback] };
  visits = [];  // the scopes that were asked for
  refreshes = false;  // keeps refresh tokens; client 1.x then refreshes instead of stepping up

  clientInformation() { return { client_id: client }; }
  tokens() { return this.saved; }
  saveTokens({ refresh_token: refresh, ...tokens }) { this.saved = this.refreshes ? { ...tokens, refresh_token: refresh } : tokens; }
  saveCodeVerifier(verifier) { this.verifier = verifier; }
  codeVerifier() { return this.verifier; }
  saveDiscoveryState(state) { this.discovered = state; }
  discoveryState() { return this.discovered; }

  async redirectToAuthorization(url) {
    this.visits.push(url.searchParams.get('scope'));
    const cookies = new Map();
    for (let at = new URL(url); ;) {
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } });
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
        cookies.set(name, value);
      }
      const to = answer.headers.get('location');
      if (!to) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
      at = new URL(to, at);
      if (!at.href.startsWith(callback)) continue;
      this.answer = at.searchParams;
      if (!this.answer.get('code')) throw new Error(`no code: ${at}`);
      return;
    }
  }
}
