import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { givenOfficialClient } from '../../../test/given/official-client.ts';
import { givenFetch } from '../../../test/given/page-fetch.ts';
import { givenPizzeria, type Pizzeria } from '../../../test/given/pizzeria.ts';
import { type Browser, givenBrowser, givenSignInHost, HOST } from '../../../test/given/sign-in.ts';
import { givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { CUSTOMER_SCOPES, DEFAULT_SCOPE_TEXT, scopeText } from '../../access/customers/customer.ts';

/* Third-party OAuth and MCP clients sign a customer in and call tools, with any setup of their hosts. */

let shop: Pizzeria;
let issuer: string;
let ana: Browser;
before(async () => {
  shop = await givenPizzeria(() => givenApp({ env: { TRACKING_URL: 'https://track.example' } }));
  issuer = await givenSignInHost(shop);
  ana = givenBrowser(shop);
  await ana.signIn('/connections');
  assert.ok([...ana.cookies.keys()].every((name) => name.startsWith('__Host-')));
});
after(() => shop.close());

const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
const VERSIONS = ['2026-07-28', ...LEGACY] as const;
const REFUSED = [
  'javascript:alert(1)',
  'DATA:text/html,x',
  'file:///etc/passwd',
  'blob:https://a.example/1',
  'about:blank',
];

/** How the host of a client is set up. */
type Setup = {
  /** The origin of the page that it runs in; programs have none. */
  origin: string | undefined;
  redirectUrl: string;
  redirectUris: [string, ...string[]];
  scope: string | undefined;
  scopeText: string;
  /** Named at both endpoints, or at the token endpoint only. */
  resource: string | undefined;
  isResourceLate: boolean;
  version: (typeof VERSIONS)[number];
};

const hosts = fc.stringMatching(/^[a-z][a-z\d-]{0,12}[a-z\d]$/);
const origins = fc.oneof(
  fc.constantFrom(undefined, 'null', 'https://claude.ai', 'vscode-file://vscode-app', 'http://localhost:6274'),
  hosts.map((host) => `https://${host}.example`),
  hosts.map((host) => `chrome-extension://${host}`),
);
const ports = fc.integer({ min: 1, max: 65_535 });
const redirects = fc.oneof(
  hosts.map((host) => `https://${host}.example/callback`),
  ports.map((port) => `http://127.0.0.1:${port}/callback`),
  ports.map((port) => `http://[::1]:${port}/`),
  ports.map((port) => `http://localhost:${port}/callback`),
  fc.constantFrom(
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate',
  ),
  hosts.map((host) => `com.example.${host}:/callback`),
  hosts.map((host) => `x-${host}://callback`),
);
const refused = fc.oneof(
  fc.constantFrom(...REFUSED),
  hosts.map((host) => `http://${host}.example/callback`),
  fc.integer({ min: 65_536, max: 99_999 }).map((port) => `http://127.0.0.1:${port}/callback`),
);
const resources = fc
  .record({
    path: fc.constantFrom('', '/mcp', '/ucp', '/ucp/mcp'),
    host: fc.constantFrom(HOST, HOST.toUpperCase(), `${HOST}:443`),
    slash: fc.constantFrom('', '/'),
  })
  .map(({ path, host, slash }) => `https://${host}${path}${slash}`);
const setups: fc.Arbitrary<Setup> = fc
  .record({
    origin: origins,
    redirectUrl: redirects,
    before: fc.array(refused, { maxLength: 6 }),
    after: fc.array(fc.oneof(redirects, refused), { maxLength: 20 }),
    known: fc.subarray([...CUSTOMER_SCOPES]),
    unknown: fc.subarray(['openid', 'email', 'profile', 'offline_access', 'mcp:tools']),
    isScoped: fc.boolean(),
    resource: fc.option(resources, { nil: undefined }),
    isResourceLate: fc.boolean(),
    version: fc.constantFrom(...VERSIONS),
  })
  .map(({ before, after, known, unknown, isScoped, ...setup }) => {
    // The box for placing orders is off.
    const granted = scopeText(known.filter((scope) => scope !== 'checkout:complete'));
    return {
      ...setup,
      redirectUris: [...before, setup.redirectUrl, ...after] as [string, ...string[]],
      scope: isScoped ? [...unknown, scopeText(known)].join(' ').trim() : undefined,
      scopeText: isScoped && known.length > 0 ? granted : DEFAULT_SCOPE_TEXT,
    };
  })
  // An empty grant allows nothing to look at.
  .filter(({ scopeText }) => scopeText !== '');

/** The customer approves a client's request; returns where the browser continues. */
async function allow({ pathname, search }: URL, { redirectUrl }: Setup): Promise<string> {
  const page = await ana.open(pathname + search);
  assert.equal(page.status, 200, page.text);
  assert.equal(/An app on this device/.test(page.text), !redirectUrl.startsWith('https:'), redirectUrl);
  const { location } = await ana.submit(pathname + search, { step: 'allow' });
  assert.ok(location.startsWith(redirectUrl), location);
  return location;
}

/** Begins a session of MCP and lists its tools. */
async function listTools(send: (message: object, headers: Record<string, string>) => Promise<Response>, setup: Setup) {
  const version = LEGACY.find((each) => each === setup.version) ?? LEGACY[0];
  const clientInfo = { name: 'test', version: '1' };
  const initialize = { method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo } };
  const begun = await send({ jsonrpc: '2.0', id: 1, ...initialize }, {});
  const { result } = (await begun.json()) as { result: { protocolVersion: string } };
  assert.equal(result.protocolVersion, version);
  const listed = await send({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, { 'mcp-protocol-version': version });
  const { tools } = ((await listed.json()) as { result: { tools: object[] } }).result;
  assert.ok(tools.length > 5);
}

/** Each signs in with only the address of `/mcp`, and returns the scope that it was granted. */
const CLIENTS: Record<string, (setup: Setup) => Promise<string>> = {
  async 'the official client of MCP'(setup) {
    const isModern = setup.version === VERSIONS[0];
    const options = isModern
      ? { versionNegotiation: { mode: { pin: setup.version } } }
      : { supportedProtocolVersions: [setup.version] };
    const agent = givenOfficialClient(givenFetch(shop, setup.origin), issuer, { ...setup, options });
    await agent.finish(await allow(await agent.begin(), setup));
    const { tools } = await agent.client.listTools();
    assert.ok(tools.some(({ name }) => name === 'list_orders'));
    assert.equal(agent.client.getNegotiatedProtocolVersion(), setup.version);
    await agent.client.close();
    return setup.scopeText;
  },

  async oauth4webapi(setup) {
    const custom = { [oauth.customFetch]: givenFetch(shop, setup.origin) as never };
    const mcp = new URL('/mcp', issuer);
    const json = new Headers({ 'content-type': 'application/json' });
    const challenged = await oauth
      .protectedResourceRequest('none', 'POST', mcp, json, '{}', custom)
      .then(() => assert.fail('no sign-in is asked'))
      .catch((error) => error);
    assert.ok(challenged instanceof oauth.WWWAuthenticateChallengeError, challenged);
    const found = await oauth.resourceDiscoveryRequest(mcp, custom);
    const { authorization_servers: [server = ''] = [] } = await oauth.processResourceDiscoveryResponse(mcp, found);
    const discovered = await oauth.discoveryRequest(new URL(server), { ...custom, algorithm: 'oauth2' });
    const as = await oauth.processDiscoveryResponse(new URL(server), discovered);
    const metadata = { redirect_uris: setup.redirectUris, client_name: 'Web', token_endpoint_auth_method: 'none' };
    const registered = await oauth.dynamicClientRegistrationRequest(as, metadata, custom);
    const client = await oauth.processDynamicClientRegistrationResponse(registered);
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(String(as.authorization_endpoint));
    url.search = `${new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: setup.redirectUrl,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(setup.scope !== undefined && { scope: setup.scope }),
      ...(setup.resource !== undefined && !setup.isResourceLate && { resource: setup.resource }),
    })}`;
    const back = new URL(await allow(url, setup));
    const params = oauth.validateAuthResponse(as, client, back, oauth.expectNoState);
    const additionalParameters = setup.resource === undefined ? {} : { resource: setup.resource };
    const exchange = { ...custom, additionalParameters };
    const { redirectUrl } = setup;
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.None(),
      params,
      redirectUrl,
      verifier,
      exchange,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer);
    await listTools((message, headers) => {
      const all = new Headers([...json, ...Object.entries(headers)]);
      return oauth.protectedResourceRequest(tokens.access_token, 'POST', mcp, all, JSON.stringify(message), custom);
    }, setup);
    return String(tokens.scope);
  },

  async 'openid-client'(setup) {
    const custom = { [openid.customFetch]: givenFetch(shop, setup.origin) as never };
    const metadata = { redirect_uris: setup.redirectUris, client_name: 'Open' };
    const options = { ...custom, algorithm: 'oauth2' } as const;
    const config = await openid.dynamicClientRegistration(new URL(issuer), metadata, undefined, options);
    const verifier = openid.randomPKCECodeVerifier();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: setup.redirectUrl,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: 'st&te',
      ...(setup.scope !== undefined && { scope: setup.scope }),
      ...(setup.resource !== undefined && !setup.isResourceLate && { resource: setup.resource }),
    });
    const back = new URL(await allow(url, setup));
    const checks = { pkceCodeVerifier: verifier, expectedState: 'st&te' };
    const named = setup.resource === undefined ? {} : { resource: setup.resource };
    const tokens = await openid.authorizationCodeGrant(config, back, checks, named);
    const scope = setup.scope === undefined ? {} : { scope: 'openid offline_access' };
    const again = await openid.refreshTokenGrant(config, String(tokens.refresh_token), { ...scope, ...named });
    await listTools((message, headers) => {
      const all = new Headers({ 'content-type': 'application/json', ...headers });
      const body = JSON.stringify(message);
      return openid.fetchProtectedResource(config, again.access_token, new URL('/mcp', issuer), 'POST', body, all);
    }, setup);
    await openid.tokenRevocation(config, String(again.refresh_token));
    return String(again.scope);
  },
};

for (const [name, signIn] of Object.entries(CLIENTS)) {
  test(`${name} signs a customer in from any origin, by any allowed redirect, scope, resource and version`, async () => {
    await fc.assert(
      fc.asyncProperty(setups, async (setup) => {
        await shop.advance({ minutes: 1 });
        assert.equal(await signIn(setup), setup.scopeText);
      }),
      { numRuns: runs(100, 30) },
    );
  });
}
