import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { KeyMode } from '../../src/access/accounts/account.ts';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { setShop } from '../../src/access/accounts/set-shop.flow.ts';
import { hostSiteUrl } from '../../src/access/accounts/tracking-site.ts';
import { CUSTOMER_SCOPES } from '../../src/access/customers/customer.ts';
import { findOrInsertCustomer } from '../../src/access/customers/customers.db.ts';
import { exchangeCode, grantCode } from '../../src/access/customers/give-tokens.flow.ts';
import { randomId } from '../../src/platform/lib/random-id.ts';
import { sha256 } from '../../src/platform/lib/sha256.ts';
import type { App } from '../harness.ts';

export const HOST = 'order.pizza.example';

/** An account's verified host with its shop; returns the issuer of its sign-in. */
export async function givenSignInHost(app: App, mode: KeyMode = 'sandbox', host = HOST, accountId = app.accountId) {
  const { db, trackingSites } = app.service.deps;
  await saveBranding(db, accountId, { displayName: 'Pizza & Palace', trackingHost: host }, app.now());
  await sql`update brandings set tracking_host_verified_at = now() where account_id = ${accountId}`.execute(db);
  await db.transaction().execute((tx) => setShop(tx, accountId, { mode }, app.now()));
  await trackingSites.refresh();
  return originAt(app, host);
}

const originAt = ({ config }: App, host: string) => hostSiteUrl(host, config.trackingUrl);

const FORM = 'application/x-www-form-urlencoded';

export type Page = { status: number; text: string; location: string; headers: Record<string, unknown> };
export type Browser = {
  cookies: Map<string, string>;
  open(path: string): Promise<Page>;
  /** Sends a form of the last page, with its token unless `fields` name another one. */
  submit(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Page>;
  /** Signs in on a page with the sandbox's code. */
  signIn(path: string, contact?: string): Promise<Page>;
};

/** A browser at a host: keeps cookies, sends forms as browsers do, and follows no redirect. */
export function givenBrowser(app: App, host = HOST): Browser {
  const cookies = new Map<string, string>();
  let csrf = '';
  async function send(method: 'GET' | 'POST', url: string, more: object, headers: Record<string, string> = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = { host, accept: 'text/html', ...(cookie !== '' && { cookie }), ...headers };
    const reply = await app.service.http.inject({ method, url, headers: all, ...more });
    for (const { name, value, maxAge } of reply.cookies) {
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = reply.body;
    csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? csrf;
    return { status: reply.statusCode, text, location: String(reply.headers.location ?? ''), headers: reply.headers };
  }
  const browser: Browser = {
    cookies,
    open: (path) => send('GET', path, {}),
    submit: (path, fields, headers = {}) =>
      send(
        'POST',
        path,
        { payload: new URLSearchParams({ csrf, ...fields }).toString() },
        { 'content-type': FORM, 'sec-fetch-site': 'same-origin', origin: originAt(app, host), ...headers },
      ),
    async signIn(path, contact = 'ana@example.com') {
      await browser.open(path);
      const sent = await browser.submit(path, { step: 'contact', contact });
      assert.equal(sent.status, 303, sent.text);
      await browser.open(path);
      const opened = await browser.submit(path, { step: 'code', code: '000000' });
      assert.equal(opened.status, 303, opened.text);
      return browser.open(path);
    },
  };
  return browser;
}

export const verifier = randomBytes(32).toString('base64url');
export const REDIRECT = 'https://app.example/callback?a=1';

/** The path of a request to authorize; `changes` override its parameters, and undefined ones are left out. */
export function authorizePath(clientId: string, changes: Record<string, string | undefined> = {}): string {
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: sha256(verifier).toString('base64url'),
    code_challenge_method: 'S256',
    state: 'st&te',
    ...changes,
  };
  const present = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/oauth/authorize?${new URLSearchParams(present)}`;
}

/** Sends a form to an endpoint for programs. */
export async function postForm(
  app: App,
  path: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
) {
  const reply = await app.service.http.inject({
    method: 'POST',
    url: path,
    headers: { host: HOST, 'content-type': FORM, ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
}

/** Registers a client at the site. */
export async function givenDynamicClient(
  app: App,
  metadata: object = {},
  host = HOST,
): Promise<{ client_id: string; client_secret?: string }> {
  const reply = await app.service.http.inject({
    method: 'POST',
    url: '/oauth/register',
    headers: { host },
    payload: { redirect_uris: [REDIRECT], client_name: 'Helper', token_endpoint_auth_method: 'none', ...metadata },
  });
  assert.equal(reply.statusCode, 201, reply.body);
  return reply.json();
}

/** Allows a client what it asks, and returns the code. */
export async function givenCode(browser: Browser, path: string): Promise<string> {
  await browser.open(path);
  const { status, location, text } = await browser.submit(path, { step: 'allow' });
  assert.equal(status, 303, text);
  return new URL(location).searchParams.get('code') ?? '';
}

/** A customer's token with every scope, of a program that places up to $1,000. */
export async function givenToken(app: App, email = 'token@example.com'): Promise<{ token: string; userId: string }> {
  const { db, clock } = app.service.deps;
  const site = { accountId: app.accountId, mode: 'sandbox', host: HOST, issuer: originAt(app, HOST) } as const;
  const found = { ...site, contact: email, userId: randomId('cus_'), language: 'en' } as const;
  const customer = await findOrInsertCustomer(db, found, app.now());
  const named = { clientId: 'https://app.example/client.json', name: 'Helper', host: 'app.example', jwksUri: null };
  const client = { ...named, kind: 'document', redirectUris: [REDIRECT], methods: ['none'] } as const;
  const codeChallenge = sha256(verifier).toString('base64url');
  const wanted = { redirectUri: REDIRECT, codeChallenge, scopes: CUSTOMER_SCOPES, resource: site.issuer };
  const { code } = await grantCode({ db, clock }, customer, client, { ...wanted, maxOrderCents: 100_000 });
  const sent = { code, redirectUri: REDIRECT, verifier, resource: undefined };
  const { accessToken } = await exchangeCode({ db, clock }, site, { client, isConfidential: false }, sent);
  return { token: accessToken, userId: customer.userId };
}
