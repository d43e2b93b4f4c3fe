import assert from 'node:assert/strict';
import { request } from 'node:http';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { type ShopChanges, setShop } from '../../src/access/accounts/set-shop.flow.ts';
import { sealProduct } from '../../src/supply/catalog/catalog-tokens.ts';
import { bindPlatform } from '../../src/surfaces/ucp/platforms.db.ts';
import { freePort } from '../given/command.ts';
import { authorizePath, givenBrowser, givenDynamicClient, postForm, REDIRECT, verifier } from '../given/sign-in.ts';
import { givenStores, STORE_LINE } from '../given/stores.ts';
import { type App, givenApp } from '../harness.ts';
import { HAS_CONTRACTS, shapeOf } from './contract.ts';
import { givenPlatform, type Platform, profileOf } from './platform.ts';

/** The service with a shop at an account's own host, and a platform that shops there. */

export const HOST = 'order.greenmarket.example';
export const TERMS = {
  termsUrl: 'https://greenmarket.example/terms',
  privacyUrl: 'https://greenmarket.example/privacy',
};
export const SHOPPING = [
  'dev.ucp.shopping.catalog.search',
  'dev.ucp.shopping.catalog.lookup',
  'dev.ucp.shopping.fulfillment',
  'dev.ucp.shopping.cart',
  'dev.ucp.shopping.checkout',
  'dev.ucp.shopping.order',
];
export const HOME = {
  street_address: '120 5th Ave',
  address_locality: 'New York',
  address_region: 'NY',
  postal_code: '10011',
  address_country: 'US',
};
export const BUYER = {
  first_name: 'Dana',
  last_name: 'Reyes',
  email: 'dana@example.com',
  phone_number: '+12125550142',
};
const COMMON = ['dev.ucp.common.location.search', 'dev.ucp.common.location.lookup'];

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of an answer and fails where it is not there
export type Got = { status: number; body: any; headers: Record<string, unknown>; rpcCode?: number };
type Sent = { method?: 'GET' | 'POST' | 'PUT'; host?: string; profile?: string; headers?: Record<string, string> };

export type ShopApp = App & {
  platform: Platform;
  profile: string;
  open(path: string, host?: string): Promise<Got>;
  /** Asks over REST, at a path below `/ucp`. */
  ask(path: string, body?: object, sent?: Sent): Promise<Got>;
  /** Calls a tool; returns its structured content, or the error's data. */
  tool(name: string, args: object, meta?: object, sent?: Sent): Promise<Got>;
  /** Sends a message of MCP. */
  message(message: object, sent?: Sent): Promise<Got>;
  setShop(changes: ShopChanges, accountId?: string): Promise<boolean>;
};

/** An account whose verified host is `host`. */
export async function givenHost(app: App, host: string, accountId = app.accountId): Promise<void> {
  const { db, trackingSites } = app.service.deps;
  await saveBranding(
    db,
    accountId,
    { ...TERMS, displayName: 'Greenmarket', helpUrl: 'https://greenmarket.example/help', trackingHost: host },
    app.now(),
  );
  await sql`update brandings set tracking_host_verified_at = now() where account_id = ${accountId}`.execute(db);
  await trackingSites.refresh();
}

export async function givenShopApp(names: readonly string[], env: Record<string, string> = {}): Promise<ShopApp> {
  const PORT = await freePort();
  const app = await givenApp({ env: { UCP: 'released', WEBHOOK_ALLOW_PRIVATE: 'true', PORT, ...env } });
  const url = await app.service.listen();
  const platform = await givenPlatform();
  const profile = platform.publish('/agent', profileOf([], [...COMMON, ...names]));
  const { service } = app;
  const sendTo = (path: string, body: object | undefined, sent: Sent): Promise<Got> => {
    const { host = HOST, method = 'POST', headers = {}, profile: named = profile } = sent;
    const agent = named === '' ? {} : { 'ucp-agent': `profile="${named}"` };
    const type: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
    const options = { method, headers: { host, ...agent, ...type, ...headers } };
    return new Promise((done, fail) => {
      const sending = request(url + path, options, async (reply) => {
        const text = Buffer.concat(await Array.fromAsync(reply)).toString();
        const isJson = /json/.test(String(reply.headers['content-type']));
        done({ status: reply.statusCode ?? 0, body: isJson ? JSON.parse(text) : text, headers: reply.headers });
      });
      sending.on('error', fail).end(body && JSON.stringify(body));
    });
  };
  await givenHost(app, HOST);
  return {
    ...app,
    platform,
    profile,
    open: (path, host = HOST) => sendTo(path, undefined, { host, method: 'GET' }),
    ask: (path, body = {}, sent = {}) => sendTo(`/ucp${path}`, sent.method === 'GET' ? undefined : body, sent),
    message: (message, sent = {}) => sendTo('/ucp/mcp', message, sent),
    async tool(name, args, meta = {}, sent = {}) {
      const params = { name, arguments: { meta: { 'ucp-agent': { profile }, ...meta }, ...args } };
      const { body, ...answer } = await sendTo(
        '/ucp/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
        sent,
      );
      return { ...answer, body: body.error?.data ?? body.result?.structuredContent ?? body, rpcCode: body.error?.code };
    },
    setShop: (changes, accountId = app.accountId) =>
      service.deps.db.transaction().execute((tx) => setShop(tx, accountId, changes, app.now())),
    async close() {
      await platform.close();
      await app.close();
    },
  };
}

/**
 * Opens the shop of the stores in the sandbox, and binds its platform if that may place orders. Returns the products' IDs
 * by name.
 */
export async function openShop(app: ShopApp, storeIds: string[], mayPlace = false): Promise<Record<string, string>> {
  await app.setShop({ mode: 'sandbox', storeIds, ucp: 'sandbox' });
  const { db, tokens } = app.service.deps;
  const bound = { profileUrl: app.profile, accountId: app.accountId, mode: 'sandbox', orders: 'place' } as const;
  if (mayPlace) await bindPlatform(db, bound, app.now());
  const rows = await db.selectFrom('products').select(['name', 'storeId', 'productNo']).execute();
  return Object.fromEntries(rows.map(({ name, ...ref }) => [name, sealProduct(tokens, ref)]));
}

/** Each operation over REST, with the argument that is its body over MCP. */
const REST: Record<string, [method: 'GET' | 'POST' | 'PUT', path: string, bodyName?: string]> = {
  search_locations: ['POST', '/locations/search', 'location'],
  search_catalog: ['POST', '/catalog/search', 'catalog'],
  create_cart: ['POST', '/carts', 'cart'],
  get_cart: ['GET', '/carts/:id'],
  update_cart: ['PUT', '/carts/:id', 'cart'],
  cancel_cart: ['POST', '/carts/:id/cancel'],
  create_checkout: ['POST', '/checkout-sessions', 'checkout'],
  get_checkout: ['GET', '/checkout-sessions/:id'],
  update_checkout: ['PUT', '/checkout-sessions/:id', 'checkout'],
  complete_checkout: ['POST', '/checkout-sessions/:id/complete', 'checkout'],
  cancel_checkout: ['POST', '/checkout-sessions/:id/cancel'],
  get_order: ['GET', '/orders/:id'],
};

export const TRANSPORTS = ['rest', 'mcp'] as const;
type How = { id?: string; key?: string; headers?: Record<string, string>; profile?: string };
export type Call = (operation: string, body?: object, how?: How) => Promise<Got>;

/** Calls operations by one transport. \`headers\` are of every call. */
export function callsBy(app: ShopApp, transport: string, headers: Record<string, string> = {}): Call {
  return (operation, body = {}, { id = '', key, headers: more, profile = app.profile } = {}) => {
    const [method = 'GET', path = '', bodyName] = REST[operation] ?? [];
    const sent = { ...headers, ...more };
    if (transport === 'rest') {
      const keyed: Record<string, string> = key === undefined ? sent : { ...sent, 'idempotency-key': key };
      return app.ask(path.replace(':id', id), body, { method, headers: keyed, profile });
    }
    const args = { ...(bodyName ? { [bodyName]: body } : {}), ...(id ? { id } : {}) };
    const meta = { 'ucp-agent': { profile }, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    return app.tool(operation, args, meta, { headers: sent, profile: '' });
  };
}

/** A token of a customer at the shop's host. */
export async function givenTokenOf(
  app: ShopApp,
  contact: string,
  scope?: string,
  allowed: Record<string, string> = {},
): Promise<string> {
  const { client_id } = await givenDynamicClient(app, {}, HOST);
  const browser = givenBrowser(app, HOST);
  const path = authorizePath(client_id, { scope });
  await browser.signIn(path, contact);
  await browser.open(path);
  const { location } = await browser.submit(path, { step: 'allow', ...allowed });
  const code = new URL(location).searchParams.get('code') ?? '';
  const fields = { grant_type: 'authorization_code', client_id, code, redirect_uri: REDIRECT, code_verifier: verifier };
  const { body } = await postForm(app, '/oauth/token', fields, { host: HOST });
  return body.access_token;
}

/** A grocery that delivers and is always open. */
const grocery = (changes: object) => ({ ...STORE_LINE, type: 'grocery', ...changes });

export const givenGroceries = (app: App, lines: readonly object[]) => givenStores(app, lines.map(grocery) as never);

/** Checks a response against a schema of the release; says nothing where the contracts are not there. */
export function assertShape(name: string, answer: unknown, operation?: string): void {
  if (!HAS_CONTRACTS) return;
  const shape = shapeOf(name, 'response', operation);
  assert.deepEqual(Compile(Type.Unsafe(shape)).Errors(answer), [], JSON.stringify(answer));
}
