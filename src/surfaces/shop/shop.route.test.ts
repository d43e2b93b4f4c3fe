import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, givenOwnApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { revokeKey } from '../../access/accounts/accounts.db.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';
import { createAccount } from '../../access/accounts/issue-key.flow.ts';
import { type ShopChanges, setShop } from '../../access/accounts/set-shop.flow.ts';
import { findShop } from '../../access/accounts/shops.db.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';

const HOST = 'order.pizza.example';
/** Markup in names, as a hostile feed sends it. */
const HOSTILE = '</script><img src=x onerror=alert(1)>';
/** One more than a sitemap's part holds. */
const COPIES = 10_001;
const COPIES_PER_STATEMENT = 500;

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const CLOSED = Object.fromEntries(DAYS.map((day) => [day, 'Closed']));

let app: App;
let storeId: string;
let hostileId: string;
let closedId: string;
let brooklynId: string;
let bareId: string;
before(async () => {
  app = await givenOwnApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  const hostile = { ...pizzeria(), external_id: 'hostile', name: `Hostile ${HOSTILE}`, description: HOSTILE };
  const closed = { ...pizzeria(), external_id: 'closed', name: 'A closed door', hours: { operational: CLOSED } };
  const street = { street_addr: '1 Water St', city: 'Brooklyn', state: 'NY', zipcode: '11201', country: 'US' };
  const brooklyn = { ...pizzeria(), external_id: 'brooklyn', address: street };
  const bare = { ...pizzeria(), external_id: 'bare', categories: [] };
  const given = await givenStores(app, [pizzeria(), hostile, closed, brooklyn, bare]);
  [storeId = '', hostileId = '', closedId = '', brooklynId = '', bareId = ''] = given;
  const { db, trackingSites } = app.service.deps;
  await saveBranding(db, app.accountId, { displayName: 'Pizza & Palace', trackingHost: HOST }, app.now());
  await sql`update brandings set tracking_host_verified_at = now() where account_id = ${app.accountId}`.execute(db);
  await trackingSites.refresh();
});
after(() => app.close());

const set = (changes: ShopChanges) =>
  app.service.deps.db.transaction().execute((tx) => setShop(tx, app.accountId, changes, app.now()));
const open = (url: string, headers: Record<string, string> = {}, host = HOST) =>
  app.service.http.inject({ url, headers: { host, accept: 'text/html', ...headers } });

test('without a shop the custom domain has only its front page', async () => {
  assert.match((await open('/')).body, /Pizza &amp; Palace/);
  for (const url of ['/orders', `/s/any-${storeId}`, '/sitemap.xml'])
    assert.equal((await open(url)).statusCode, 404, url);
});

test('the list, a store and the orders are rendered whole, in the language of the visitor', async () => {
  await set({ mode: 'live', storeIds: [storeId, hostileId], near: null });
  const list = await open('/');
  assert.equal(list.statusCode, 200, list.body);
  assert.match(list.body, new RegExp(`href="/s/[a-z0-9-]+-${storeId}"`));
  assert.match(list.body, /<h1>Order delivery and pickup<\/h1>/);
  const store = await open(`/s/whatever-${storeId}`, { 'accept-language': 'fr-CA' });
  assert.equal(store.statusCode, 200);
  assert.match(store.body, /lang="fr"/);
  assert.match(store.body, /Soda/);
  assert.match(store.body, /rel="canonical" href="http:\/\/order\.pizza\.example[^"]*\/s\//);
  const orders = await open('/orders?lang=es');
  assert.match(orders.body, /Tus pedidos/);
  const missing = await open('/s/none-000000000000000000000000');
  assert.equal(missing.statusCode, 404);
  assert.match(missing.body, /can’t find this store/);
});

test('the list of a device that keeps its place is laid out for it, without the stores of elsewhere', async () => {
  const { body } = await open('/', { cookie: 'doorstep_place=1' });
  assert.match(body, /<h1 class="unseen">/);
  assert.match(body, /aria-busy="true"/);
  assert.doesNotMatch(body, new RegExp(`-${storeId}"`));
  assert.doesNotMatch(body, /name="address"/);
  assert.match((await open('/', { cookie: 'doorstep_place=0' })).body, new RegExp(storeId));
});

test('stores that take no order now are below the others, under a heading of their own', async () => {
  await set({ mode: 'sandbox', storeIds: [closedId, storeId], near: null });
  const { body } = await open('/');
  const places = [`-${storeId}"`, 'Closed now', `-${closedId}"`].map((text) => body.indexOf(text));
  assert.ok(!places.includes(-1), body);
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
});

test('before an address a chain is a list by city, with streets, after the choice of delivery or pickup', async () => {
  await set({ mode: 'sandbox', storeIds: [storeId, brooklynId], near: null });
  const { body } = await open('/');
  const inOrder = ['name="mode"', 'Your address', '>Brooklyn<', '>1 Water St<', '>New York<', '>120 5th Ave<'];
  const places = inOrder.map((text) => body.indexOf(text));
  assert.ok(!places.includes(-1), `${places}`);
  assert.doesNotMatch(body, /class="branches"/, 'no map without tiles');
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
});

test('a store without a menu is not in the list', async () => {
  for (const storeIds of [null, [bareId, storeId, closedId]]) {
    await set({ mode: 'sandbox', storeIds, near: '120 5th Ave, New York, NY 10011' });
    const { body } = await open('/');
    assert.match(body, new RegExp(`-${storeId}"`));
    assert.doesNotMatch(body, new RegExp(`-${bareId}"`));
  }
});

test('without a host of its own, a shop is at `/shops/ACCOUNT_ID`', async () => {
  const { db } = app.service.deps;
  const { accountId } = await createAccount(db, 'Corner Eats', app.now());
  const change = (changes: ShopChanges) => db.transaction().execute((tx) => setShop(tx, accountId, changes, app.now()));
  const at = (path: string, host = 'localhost') => open(`/shops/${accountId}${path}`, {}, host);
  assert.equal((await at('')).statusCode, 404, 'a shop that is off');
  await change({ mode: 'sandbox', storeIds: [storeId, hostileId], near: null });
  const list = await at('');
  assert.equal(list.statusCode, 200, list.body);
  const links = [...list.body.matchAll(/href="(\/[^"]*)"/g)].map(([, href = '']) => href);
  const isOfPage = (href: string) => href.startsWith(`/shops/${accountId}`) || href.startsWith('/shop/assets/');
  assert.deepEqual(
    links.filter((href) => !isOfPage(href)),
    [],
  );
  assert.match((await at(`/s/any-${storeId}`)).body, /Soda/);
  assert.match((await at('/orders')).body, /Your orders/);
  assert.equal((await at(`/s/any-${storeId}/code.svg`)).statusCode, 200);
  assert.equal((await at('', HOST)).statusCode, 404, 'at the host of another account');
  await change({ storeIds: null });
  const { body } = await at('');
  assert.match(body, /Enter your address to see the stores near you/);
  assert.doesNotMatch(body, /0 places|Show more/, 'nothing is listed before an address');
  await saveBranding(db, accountId, { trackingHost: 'order.corner.example' }, app.now());
  assert.equal((await at('')).statusCode, 200, 'until its own host is verified');
  await sql`update brandings set tracking_host_verified_at = now() where account_id = ${accountId}`.execute(db);
  assert.equal((await at('')).statusCode, 404, 'afterwards it is there alone');
  for (const [other, status] of [
    ['acc_none', 404],
    ['acc_%00', 400],
    [`acc_${'x'.repeat(80)}`, 400],
  ] as const)
    assert.equal((await open(`/shops/${other}`, {}, 'localhost')).statusCode, status, other);
});

test('with one store, `/` is that store, and no other has a page', async () => {
  await set({ mode: 'live', storeIds: [storeId] });
  const front = await open('/');
  assert.match(front.body, /Soda/);
  assert.match(front.body, /rel="canonical" href="http:\/\/order\.pizza\.example[^"/]*\/"/);
  assert.equal((await open(`/s/x-${hostileId}`)).statusCode, 404);
});

test('a browser at an address that does not exist reads a page with the way back, a program a problem', async () => {
  const open = (path: string, accept: string, host = 'localhost') =>
    app.get(path, {}, { 'id-token': '', host, accept });
  for (const [path, back] of [
    ['/shop/menu', '/shop'],
    ['/shops/acc_1/menu', '/shops/acc_1'],
    ['/console/nothing', '/console'],
    ['/nothing', '/'],
  ] as const) {
    const page = await open(path, 'text/html,*/*;q=0.8');
    assert.deepEqual([page.status, page.headers['content-type']], [404, 'text/html; charset=utf-8'], path);
    assert.ok(page.text.includes(`<a class="action main" href="${back}">Go to the start</a>`), page.text);
    assert.equal((await open(path, '*/*')).body.code, 'route_not_found');
  }
  assert.match((await open('/nothing', 'text/html', HOST)).text, /<a class="brand" href="\/"/);
});

test('nothing that a feed says ends the script or becomes markup', async () => {
  await set({ mode: 'live', storeIds: [storeId, hostileId] });
  for (const url of ['/', `/s/x-${hostileId}`]) {
    const { body } = await open(url);
    assert.doesNotMatch(body, /<img src=x/);
    assert.match(body, /Hostile &lt;\/script/);
    const boot = /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(body)?.[1] ?? '';
    assert.ok(JSON.stringify(JSON.parse(boot)).includes('onerror'));
  }
});

test('an address that the API refuses is the visitor’s fault, not a failure of the service', async (t) => {
  await set({ mode: 'live', storeIds: null, near: '1 Main St' });
  const place = { latitude: 40.74, longitude: -73.99, address: '1 Main St', precision: 'rooftop' as const };
  t.mock.method(app.service.deps.geocoding, 'find', async () => [place]);
  for (const url of ['/?q=%00', '/s/x-', '/s/x-%20']) {
    const { statusCode, body } = await open(url);
    assert.equal(statusCode, url === '/s/x-%20' ? 404 : 400, url);
    assert.match(body, /^<!doctype html>/);
  }
});

test('a sandbox shop is not indexed; a live one has a sitemap', async () => {
  await set({ mode: 'sandbox', storeIds: null });
  assert.match((await open('/')).body, /name="robots" content="noindex"/);
  assert.equal((await open('/robots.txt')).body, 'User-agent: *\nDisallow: /\n');
  assert.equal((await open('/sitemap.xml')).statusCode, 404);
  await sql`update stores set has_channel = true`.execute(app.service.deps.db);
  await set({ mode: 'live', storeIds: null });
  assert.match((await open('/robots.txt')).body, /Sitemap: http:\/\/order\.pizza\.example[^/]*\/sitemap\.xml/);
  const sitemap = await open('/sitemap.xml');
  assert.match(String(sitemap.headers['content-type']), /application\/xml/);
  assert.match(sitemap.body, new RegExp(`<loc>http://order\\.pizza\\.example[^/]*/s/[a-z-]+-${storeId}</loc>`));
});

test('the sitemap of a large shop is an index of parts that are whole', async () => {
  const { db } = app.service.deps;
  const { rows } = await sql<{ names: string }>`
    select string_agg(column_name, ', ') as names from information_schema.columns
    where table_schema = current_schema() and table_name = 'stores' and is_generated = 'NEVER'`.execute(db);
  const names = rows[0]?.names ?? '';
  const [columns, copied] = [sql.raw(names), sql.raw(names.replace(/\w+/g, 'copy.$&'))];
  // A busy machine takes longer for all of them than a request's statement may.
  const steps = Array.from(
    { length: Math.ceil(COPIES / COPIES_PER_STATEMENT) },
    (_, nth) => nth * COPIES_PER_STATEMENT,
  );
  for (const from of steps)
    await sql`
    insert into stores (${columns}) select ${copied}
    from generate_series(${from}::int, ${Math.min(COPIES, from + COPIES_PER_STATEMENT) - 1}::int) n, stores s,
    jsonb_populate_record(s, jsonb_build_object('source', 'many', 'external_id', n,
      'store_id', substr(encode(sha256(n::text::bytea), 'hex'), 1, 24))) copy
    where s.store_id = ${storeId}`.execute(db);
  await set({ mode: 'live', storeIds: null });
  const urlsOf = (body: string) => [...body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
  const index = await open('/sitemap.xml');
  assert.match(index.body, /<sitemapindex /);
  const parts = await Promise.all(urlsOf(index.body).map((url) => open(new URL(url).pathname + new URL(url).search)));
  assert.equal(new Set(parts.flatMap(({ body }) => urlsOf(body))).size, 10_005);
  for (const _ of steps)
    await sql`
    delete from stores
    where store_id in (select store_id from stores where source = 'many' limit ${COPIES_PER_STATEMENT})`.execute(db);
});

test('help, terms and privacy of the branding are linked on every page', async () => {
  const links = { helpUrl: 'https://pizza.example/help', helpEmail: 'help@pizza.example', helpPhone: '+12125550123' };
  const legal = { termsUrl: 'https://pizza.example/terms', privacyUrl: 'https://pizza.example/privacy' };
  await set({ mode: 'live', storeIds: [storeId, hostileId] });
  assert.doesNotMatch((await open('/')).body, /class="legal"/);
  await saveBranding(app.service.deps.db, app.accountId, { ...links, ...legal }, app.now());
  for (const path of ['/', `/s/x-${storeId}`, '/orders']) {
    const { body } = await open(`${path}?lang=es`);
    for (const url of [...Object.values(legal), links.helpUrl, 'mailto:help@pizza.example', 'tel:+12125550123'])
      assert.ok(body.includes(`href="${url}"`), url);
  }
});

test('the page of a visitor counts as the requests that it stands for: a flood of pages is refused, others are served', async () => {
  await set({ mode: 'live', storeIds: [storeId, hostileId] });
  const visit = (address: string) => open(`/s/x-${storeId}`, { 'x-forwarded-for': address });
  let status = 200;
  for (let nth = 0; nth < 200 && status === 200; nth += 1) status = (await visit('203.0.113.9')).statusCode;
  assert.equal(status, 429);
  const refused = await visit('203.0.113.9');
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await visit('203.0.113.10')).statusCode, 200);
});

test('a geocoder that does not answer leaves the list without a place, and no other page asks it', async (t) => {
  await set({ mode: 'live', storeIds: null, near: '1 Main St' });
  const find = t.mock.method(app.service.deps.geocoding, 'find', async () => {
    throw new OutsideError('The geocoder', 'no answer', { retryable: true });
  });
  for (const url of [`/s/x-${storeId}`, '/orders']) assert.equal((await open(url)).statusCode, 200, url);
  assert.equal(find.mock.callCount(), 0);
  const list = await open('/');
  assert.equal(list.statusCode, 200, list.body);
  assert.match(list.body, /"near":null/);
  assert.equal(find.mock.callCount(), 1);
});

test('links, filters and the canonical address keep a language that the address chooses', async () => {
  await set({ mode: 'live', storeIds: [storeId, hostileId], near: null });
  const list = (await open('/?lang=fr')).body;
  assert.match(list, /class="brand" href="\/\?lang=fr"/);
  assert.match(list, /href="\/orders\?lang=fr"/);
  assert.match(list, new RegExp(`href="/s/[a-z0-9-]+-${storeId}\\?lang=fr"`));
  assert.match(list, /<input type="hidden" name="lang" value="fr"/);
  for (const path of ['/', `/s/x-${storeId}`]) {
    const { body } = await open(`${path}?lang=fr`);
    const canonical = /rel="canonical" href="([^"]+)"/.exec(body)?.[1] ?? '';
    assert.match(canonical, /^[^?]+\?lang=fr$/);
    assert.ok(body.includes(`hreflang="fr" href="${canonical}"`), 'the same address as among the languages');
    assert.ok(body.includes(`hreflang="es" href="${canonical.replace('fr', 'es')}"`));
    assert.ok(body.includes(`hreflang="x-default" href="${canonical.split('?')[0]}"`));
  }
  assert.match((await open('/?q=pie&dollars=2&lang=fr')).body, /href="\?q=pie&amp;dollars=2&amp;lang=es"/);
  const accepted = (await open('/', { 'accept-language': 'fr' })).body;
  assert.match(accepted, /lang="fr"/);
  assert.match(accepted, /rel="canonical" href="[^"?]+"/);
  assert.match(accepted, /href="\/orders"/);
});

test('a shop whose key is revoked is no shop until it is switched on again', async () => {
  const { db } = app.service.deps;
  await set({ mode: 'live', storeIds: null, near: null });
  const revoked = await findShop(db, app.accountId);
  await revokeKey(db, revoked?.keyId ?? '', app.now());
  await app.advance({ seconds: 2 });
  assert.equal((await open(`/s/x-${storeId}`)).statusCode, 404);
  assert.equal(await set({ isDefault: false }), false, 'another change issues no key');
  assert.equal(await set({ mode: 'live' }), true);
  assert.notEqual((await findShop(db, app.accountId))?.keyId, revoked?.keyId);
  assert.equal((await open(`/s/x-${storeId}`)).statusCode, 200);
});

test('a shop that is switched on twice at once has one key', async () => {
  const { db } = app.service.deps;
  await set({ mode: 'off' });
  const countKeys = async () =>
    (await sql<{ keys: number }>`select count(*)::int as keys from api_keys`.execute(db)).rows[0]?.keys ?? 0;
  const before = await countKeys();
  const isWaitedFor = sql<object>`select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))`;
  let second: Promise<boolean> | undefined;
  await db.transaction().execute(async (tx) => {
    await setShop(tx, app.accountId, { mode: 'live' }, app.now());
    second = set({ mode: 'live' });
    await until('the second waits', async () => (await isWaitedFor.execute(tx)).rows.length > 0);
  });
  assert.equal(await second, false, 'the second finds the shop of the first');
  assert.equal(await countKeys(), before + 1);
});

test('switching it off revokes its key', async () => {
  await set({ mode: 'live' });
  const { body } = await open('/orders');
  const key = /ds_pub_[\w-]+/.exec(body)?.[0] ?? '';
  const search = (id: string) =>
    app.service.http.inject({ url: `/details/store?store_id=${storeId}`, headers: { 'id-token': id } });
  assert.equal((await search(key)).statusCode, 200);
  await set({ mode: 'off' });
  await app.advance({ seconds: 2 });
  assert.equal((await search(key)).statusCode, 401);
  assert.equal((await open('/orders')).statusCode, 404);
});

test('a shop that is switched off keeps its stores and address, and sells no others when it is on again', async () => {
  const { db } = app.service.deps;
  await set({ mode: 'sandbox', storeIds: [storeId], near: '1 Main St' });
  assert.equal(await set({ mode: 'off' }), true);
  assert.equal(await set({ mode: 'off' }), false);
  assert.equal(await findShop(db, app.accountId), undefined);
  assert.equal(await set({ mode: 'live' }), true);
  const { storeIds, near, mode, isOn } = (await findShop(db, app.accountId)) ?? assert.fail('no shop');
  assert.deepEqual(
    { storeIds, near, mode, isOn },
    { storeIds: [storeId], near: '1 Main St', mode: 'live', isOn: true },
  );
  assert.equal((await open(`/s/x-${hostileId}`)).statusCode, 404);
  await set({ mode: 'off', storeIds: [hostileId] });
  await set({ mode: 'live' });
  assert.deepEqual((await findShop(db, app.accountId))?.storeIds, [hostileId]);
});

test('a store that offers neither delivery nor pickup has no page', async () => {
  const pickup = { enabled: false, prep_minutes: [10, 20] };
  const delivery = { enabled: false, party: 'first', radius_miles: 3, prep_minutes: [10, 20] };
  const [idleId = ''] = await givenStores(app, [{ ...pizzeria(), external_id: 'idle', pickup, delivery }]);
  await set({ mode: 'live', storeIds: [idleId], near: null });
  assert.equal((await open(`/s/any-${idleId}`)).statusCode, 404);
});
