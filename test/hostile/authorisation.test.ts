import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { KEY_SCOPES } from '../../src/access/accounts/account.ts';
import { revokeKey } from '../../src/access/accounts/accounts.db.ts';
import { createAccount, issueKey, issuePublishableKey } from '../../src/access/accounts/issue-key.flow.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../../src/access/sessions/operator.ts';
import { removeStaff } from '../../src/access/sessions/set-staff.flow.ts';
import { issueStoreKey } from '../../src/access/sessions/store-keys.db.ts';
import { takeStep } from '../../src/ordering/money/take-step.flow.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenChannel, givenConsole, givenOperator, givenStaff, givenStoreLink, SAME_SITE } from '../given/merchant.ts';
import { orderBody, productTokens } from '../given/orders.ts';
import { givenToken } from '../given/sign-in.ts';
import { givenStores } from '../given/stores.ts';
import { runs } from '../runs.ts';
import { assertProblem } from './assert-refused.ts';
import { type Audience, describedEndpoints, type Endpoint, goodRequestOf, wireRequest } from './described-endpoints.ts';
import { givenShop, type Shop } from './given-shop.ts';

const OUTSIDE = [
  'missing_api_key',
  'invalid_api_key',
  'sandbox_only',
  'cross_site_request',
  'role_not_allowed',
  'scope_not_allowed',
  'key_is_publishable',
] as const;

/** A role's outcome at an endpoint: `in` is admitted with any response; otherwise the error's code. */
type Outcome = 'in' | (typeof OUTSIDE)[number];

type Role = { name: string; headers: Readonly<Record<string, string>> };

/**
 * Audiences by role; a role that is not listed gets invalid_api_key. What an admitted role may see is tested in ids and
 * store-orders.
 */
const LETS_IN: Readonly<Record<Audience, Readonly<Record<string, Outcome>>>> = {
  account: {
    none: 'missing_api_key',
    'account sandbox': 'in',
    'account live': 'in',
    'scope read': 'in',
    'scope order': 'in',
    'scope webhooks': 'in',
    'publishable key': 'in',
  },
  store: {
    none: 'missing_api_key',
    'store key': 'in',
    'store key sandbox': 'in',
    "another store's key": 'in',
    'one-order link': 'in',
    'store session': 'in',
    'store session sandbox': 'in',
    'store staff': 'in',
    "another store's session": 'in',
  },
  operator: { none: 'missing_api_key', viewer: 'in', support: 'in', admin: 'in' },
};

/**
 * The least role of an operators' endpoint: viewers read and go on duty, support works on orders and alerts, admins do
 * everything else.
 */
function roleFor({ method, path }: Endpoint): OperatorRole {
  if (method === 'GET') return ADMIN_READS.includes(path) ? 'admin' : 'viewer';
  if (path === '/operator/duty') return 'viewer';
  return /^\/operator\/(?:orders|webhook-calls|alerts|duty)\//.test(path) ? 'support' : 'admin';
}
const RANKS: readonly string[] = OPERATOR_ROLES;
const ADMIN_READS = ['/operator/sessions', '/operator/operators'];

/** What only a store's owner may do: its staff, its tablets, its promotions, its brands and what it is owed. Staff may do everything else. */
const isOwners = ({ path }: Endpoint) =>
  /^\/store\/(?:staff|sessions|statements|promotions|brands)\b/.test(path) ||
  path === '/store/orders/{order_id}/refund';

/** Denied even to a store key: a revoked key leaves nothing behind. */
const isOwnersSession = ({ path }: Endpoint) => /^\/store\/(?:staff|sessions)\b/.test(path);

/** The scope of a key at an account's endpoint: reads, except cards and promotions; webhooks; everything else orders. */
function scopeFor({ method, path }: Endpoint): string {
  if (path.startsWith('/account/tracking/')) return 'webhooks';
  return method === 'GET' && !/^\/(payment\/list|account\/promotions)/.test(path) ? 'read' : 'order';
}

/** What a publishable key may call; of an order only what `publishable-key.test.ts` has. */
const OPEN_TO_PAGES = [
  ...['GET /search/store/v3', 'GET /search/product/v4', 'GET /search/cart'],
  ...['GET /details/store', 'GET /details/inventory', 'GET /details/product', 'GET /utils/geocode'],
];

/** Account endpoints ignore cookies, but a store reads page data: there a session isn't a key. */
const SESSIONS = [
  'store session',
  'store session sandbox',
  'store staff',
  "another store's session",
  'revoked session',
  'removed staff',
  'viewer',
  'support',
  'admin',
  'disabled admin',
];

/** Endpoints without a key: they are the sign-in, use an unguessable link, or hold no secret. */
const PUBLIC = [
  ...[
    'GET /',
    'GET /healthz',
    'GET /readyz',
    'GET /readyz/node',
    'GET /metrics',
    'GET /openapi.json',
    'GET /reference',
  ],
  ...[
    'GET /reference/assets/{name}',
    'GET /sandbox/driver.svg',
    'GET /docs',
    'GET /docs/{page}',
    'GET /docs/adr/{page}',
  ],
  ...['GET /docs/images/{name}', 'GET /docs/assets/{name}', 'GET /docs/search/words.json'],
  'GET /llms.txt',
  'GET /photos/{photo_id}/{file}',
  'GET /t/{short_code}',
  ...['GET /tracking', 'GET /tracking/events', 'GET /tracking/assets/{name}', 'GET /tracking/favicon'],
  ...[
    'GET /tracking/colors/{name}',
    'GET /tracking/receipt',
    'GET /tracking/cancel',
    'POST /tracking/cancel',
    'GET /tracking/photo',
    'GET /tracking/notes',
    'POST /tracking/notes',
    'GET /tracking/problem',
    'POST /tracking/problem',
    'GET /tracking/tip',
    'POST /tracking/tip',
    'GET /tracking/calendar.ics',
    'GET /tracking/host',
    'GET /tracking/tiles.pmtiles',
  ],
  ...[
    'GET /driver/{token}',
    'POST /driver/{token}',
    'GET /driver/{token}/code.svg',
    'GET /driver/{token}/state',
    'GET /driver/assets/{name}',
  ],
  ...['accept', 'position', 'pick_up', 'complete', 'photo'].map((step) => `POST /driver/{token}/${step}`),
  ...['GET', 'POST'].flatMap((method) => [
    ...[`${method} /payment/setup/{setup_id}`, `${method} /payment/authenticate/{link}`],
  ]),
  ...['GET /checkout/{link}', 'POST /checkout/{link}', 'GET /checkout/{link}/approved', 'GET /checkout/assets/{name}'],
  ...['GET /checkout/again', 'POST /checkout/again'],
  ...['GET /checkout/card', 'POST /checkout/card', 'GET /checkout/card/back'],
  ...['GET /payment/setup/{setup_id}/return', 'GET /payment/authenticated'],
  // The page redirects a visitor without a session to the sign-in.
  ...['GET /console/operator', 'GET /console/operator/assets/{name}'],
  ...['GET', 'POST'].flatMap((method) => [
    `${method} /console/operator/sign-in`,
    `${method} /console/operator/link/{token}`,
  ]),
  ...['GET /console/operator/openid', 'GET /console/operator/openid/callback'],
  // The shop: pages for anyone, which read the API with its publishable key, as their visitor.
  ...['', '/shop', '/shops/{account_id}'].flatMap((at) => [
    `GET ${at}/s/{store}`,
    `GET ${at}/s/{store}/code.svg`,
    `GET ${at}/orders`,
  ]),
  ...['GET /shop', 'GET /shops/{account_id}', 'GET /shop/assets/{name}', 'GET /sitemap.xml'],
  // The sign-in of customers: a code and a form's token, or the client's proof and a code or token of its own.
  ...['/oauth/authorize', '/connections', '/profile'].flatMap((page) => [`GET ${page}`, `POST ${page}`]),
  ...['token', 'revoke', 'register'].map((call) => `POST /oauth/${call}`),
  'GET /.well-known/oauth-authorization-server',
  ...['', '/mcp'].map((path) => `GET /.well-known/oauth-protected-resource${path}`),
  // Browsers and crawlers request these from any host.
  ...['GET /favicon.ico', 'GET /robots.txt', 'GET /.well-known/security.txt', 'GET /start/{name}'],
  ...['POST /payment/stripe/webhook', 'POST /couriers/{courier}/webhook', 'POST /messages/sms/reply'],
  ...['POST /console/sign-in', 'POST /console/sign-out', 'GET /console', 'GET /console/assets/{name}'],
  'GET /console/new-order',
  ...['GET /console/order/{link}', 'GET /console/order/{link}/ticket'],
];

let shop: Shop;
let roles: Role[];
before(async () => {
  shop = await givenShop();
  roles = await givenRoles();
});
after(() => shop.close());

async function givenRoles(): Promise<Role[]> {
  const { db } = shop.service.deps;
  const { store_id: storeId } = shop.ids;
  await createAccount(db, 'House', shop.now(), true);
  const [otherId = ''] = await givenStores(shop, [pizzeria({ external_id: 'other' })]);
  await givenChannel(shop, storeId, { email: 'kitchen@example.com' });
  const key = (text: string) => ({ 'id-token': text });
  const storeKey = async (id: string, accountId: string | null = null) =>
    issueStoreKey(db, { storeId: id, accountId }, shop.now());
  const session = async (id: string | null, accountId: string | null = null) => ({
    ...SAME_SITE,
    cookie: (await givenConsole(shop, id, accountId)).cookie,
  });
  const live = await issueKey(db, shop.accountId, 'live', shop.now());
  const scoped = [];
  for (const scope of KEY_SCOPES) scoped.push(await issueKey(db, shop.accountId, 'sandbox', shop.now(), [scope]));
  const publishable = await issuePublishableKey(db, shop.accountId, 'sandbox', shop.now(), []);
  const [dead, deadOfStore] = [await issueKey(db, shop.accountId, 'sandbox', shop.now()), await storeKey(storeId)];
  for (const { keyId } of [dead, deadOfStore]) await revokeKey(db, keyId, shop.now());
  const staff = await givenStaff(shop, storeId, 'Maria');
  const removed = await givenStaff(shop, storeId, 'Luis');
  await db.transaction().execute((tx) => removeStaff(tx, { storeId, staffId: removed.staffId }, shop.now()));
  const revoked = await givenConsole(shop, storeId);
  await revoked.post('/console/sign-out', {});
  const disabled = await givenOperator(shop);
  await db
    .updateTable('operators')
    .set({ disabledAt: shop.now().toString() })
    .where('operatorId', '=', disabled.operatorId)
    .execute();
  return [
    { name: 'none', headers: {} },
    { name: 'account sandbox', headers: key(shop.key) },
    { name: 'account live', headers: key(live.key) },
    ...scoped.map(({ key: text, scopes }) => ({ name: `scope ${scopes}`, headers: key(text) })),
    { name: 'publishable key', headers: key(publishable.key) },
    { name: 'revoked account key', headers: key(dead.key) },
    { name: 'store key', headers: key((await storeKey(storeId)).key) },
    { name: 'store key sandbox', headers: key(shop.storeKey) },
    { name: "another store's key", headers: key((await storeKey(otherId)).key) },
    { name: 'revoked store key', headers: key(deadOfStore.key) },
    { name: 'store session', headers: await session(storeId) },
    { name: 'store session sandbox', headers: await session(storeId, shop.accountId) },
    { name: 'store staff', headers: { ...SAME_SITE, cookie: staff.cookie } },
    { name: 'removed staff', headers: { ...SAME_SITE, cookie: removed.cookie } },
    { name: "another store's session", headers: await session(otherId) },
    { name: 'revoked session', headers: { ...SAME_SITE, cookie: revoked.cookie } },
    { name: 'viewer', headers: { ...SAME_SITE, cookie: (await givenOperator(shop, { role: 'viewer' })).cookie } },
    { name: 'support', headers: { ...SAME_SITE, cookie: (await givenOperator(shop, { role: 'support' })).cookie } },
    { name: 'admin', headers: await session(null) },
    { name: 'disabled admin', headers: { ...SAME_SITE, cookie: disabled.cookie } },
    { name: 'one-order link', headers: key(await givenLink(live.key)) },
    { name: 'link of an ended order', headers: key(await givenLink(live.key, 'ended')) },
    { name: "a customer's token", headers: key((await givenToken(shop)).token) },
    { name: "a driver's link", headers: key('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA') },
  ];
}

async function givenLink(liveKey: string, state: 'open' | 'ended' = 'open'): Promise<string> {
  const token = (await productTokens(shop, shop.ids.store_id)).Soda ?? '';
  const body = orderBody(token, null, { items: [{ product_id: token, quantity: 4 }], charge_user: false });
  const placed = await shop.post('/order/order/v2', body, { 'id-token': liveKey });
  assert.equal(placed.status, 200, placed.text);
  await shop.advance({ seconds: 1 });
  const orderId: string = placed.body.order_id;
  if (state === 'ended') await takeStep(shop.service.deps, orderId, { event: 'cancel' });
  return `ds_link_${await givenStoreLink(shop, orderId)}`;
}

async function ask(endpoint: Endpoint, { headers }: Role) {
  const { path, query, body } = wireRequest(endpoint, goodRequestOf(shop, endpoint));
  const reply = await shop.service.http.inject({
    method: endpoint.method,
    url: query === '' ? path : `${path}?${query}`,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: reply.statusCode, headers: reply.headers, text: reply.body };
}

function expectedOf(endpoint: Endpoint, role: string): Outcome {
  const { path } = endpoint;
  // The description lists the owner's endpoints under sessions, as those of operators.
  const audience = path.startsWith('/store/') ? 'store' : endpoint.audience;
  const outcome = LETS_IN[audience][role];
  if (outcome === 'in' && isOwnersSession(endpoint) && !SESSIONS.includes(role)) return 'role_not_allowed';
  if (outcome === 'in' && role === 'store staff' && isOwners(endpoint)) return 'role_not_allowed';
  if (audience === 'account' && role === 'publishable key' && !OPEN_TO_PAGES.includes(endpoint.name))
    return 'key_is_publishable';
  const isScoped = role.startsWith('scope ') && path !== '/mcp';
  if (audience === 'account' && isScoped && role !== `scope ${scopeFor(endpoint)}`) return 'scope_not_allowed';
  if (outcome === 'in' && audience === 'operator' && RANKS.indexOf(role) < RANKS.indexOf(roleFor(endpoint))) {
    return 'role_not_allowed';
  }
  if (outcome === 'in' && audience === 'account' && role === 'account live' && path.startsWith('/sandbox/')) {
    return 'sandbox_only';
  }
  if (outcome === undefined && audience === 'account' && SESSIONS.includes(role)) return ofSession(endpoint, role);
  return outcome ?? 'invalid_api_key';
}

/** A signed-in store reads for the orders that it takes. */
function ofSession({ name }: Endpoint, role: string): Outcome {
  const isOpen = OPEN_TO_PAGES.includes(name);
  if (!isOpen && name !== 'GET /account/orders') return 'missing_api_key';
  if (LETS_IN.store[role] !== 'in') return 'invalid_api_key';
  return isOpen ? 'in' : 'key_is_publishable';
}

/** `npm test` takes other roles at each endpoint: a third of the pairs, with each endpoint and each role in many. */
const PART = runs(1, 3);

test('every endpoint for every role: admitted or rejected, with the exact code', async () => {
  const endpoints = describedEndpoints(shop, ['account', 'store', 'operator']);
  for (const [nth, endpoint] of endpoints.entries()) {
    for (const role of roles.filter((_, at) => (nth + at) % PART === 0)) {
      const answer = await ask(endpoint, role);
      const what = `${endpoint.name} as ${role.name}: ${answer.status} ${answer.text.slice(0, 200)}`;
      const code = answer.status === 401 || answer.status === 403 ? assertProblem(answer, what).code : 'in';
      const outcome = OUTSIDE.find((one) => one === code) ?? 'in';
      assert.equal(outcome, expectedOf(endpoint, role.name), what);
      assert.ok(answer.status < 500 || answer.status === 503, what);
    }
  }
});

test('a sandbox store key, a sandbox console and the link of one order change nothing of a store, and the link reads nothing of it', async () => {
  for (const endpoint of describedEndpoints(shop, ['store']).filter(({ path }) => !path.startsWith('/store/orders/'))) {
    // A sandbox has orders and promotions of its own, and reads; a link has none, and reads only its order.
    const isRead = endpoint.method === 'GET';
    if (isRead && !/^\/store(\/products)?$/.test(endpoint.path)) continue;
    const ofSandbox = isRead || endpoint.path === '/store/orders' || endpoint.path.endsWith('/accept');
    const sandboxes = ofSandbox ? [] : ['store key sandbox', 'store session sandbox'];
    for (const name of [...sandboxes, 'one-order link']) {
      const role = roles.find((one) => one.name === name) ?? assert.fail(name);
      const answer = await ask(endpoint, role);
      assert.equal(assertProblem(answer, `${endpoint.name} as ${name}`).code, 'live_only');
    }
  }
});

test('a session cannot change anything from another site', async () => {
  const foreign = { host: SAME_SITE.host, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const sessions = { store: 'store session', operator: 'admin' } as const;
  for (const endpoint of describedEndpoints(shop, ['store', 'operator']).filter(({ method }) => method !== 'GET')) {
    const name = endpoint.audience === 'operator' ? sessions.operator : sessions.store;
    const role = roles.find((one) => one.name === name) ?? assert.fail(name);
    const answer = await ask(endpoint, { name, headers: { ...role.headers, ...foreign } });
    assert.equal(assertProblem(answer, endpoint.name).code, 'cross_site_request');
  }
});

test('an endpoint without a key is on the list of those, with its reason', () => {
  const { paths } = shop.service.http.swagger() as { paths: Record<string, Record<string, { security?: object[] }>> };
  const open = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.length === 0)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(open.toSorted(), PUBLIC.toSorted());
});
