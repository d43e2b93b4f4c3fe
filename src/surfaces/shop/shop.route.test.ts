import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, givenApp } from '../../../test/harness.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';
import { type ShopChanges, setShop } from '../../access/accounts/set-shop.flow.ts';

const HOST = 'order.pizza.example';
/** Markup in names, as a hostile feed sends it. */
const HOSTILE = '</script><img src=x onerror=alert(1)>';

let app: App;
let storeId: string;
let hostileId: string;
before(async () => {
  app = await givenApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  const hostile = { ...pizzeria(), external_id: 'hostile', name: `Hostile ${HOSTILE}`, description: HOSTILE };
  [storeId = '', hostileId = ''] = await givenStores(app, [pizzeria(), hostile]);
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

test('without a shop the own host has its front page alone', async () => {
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

test('with one store, `/` is that store, and no other has a page', async () => {
  await set({ mode: 'live', storeIds: [storeId] });
  const front = await open('/');
  assert.match(front.body, /Soda/);
  assert.match(front.body, /rel="canonical" href="http:\/\/order\.pizza\.example[^"/]*\/"/);
  assert.equal((await open(`/s/x-${hostileId}`)).statusCode, 404);
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
