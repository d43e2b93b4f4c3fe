import { setShop } from '../../src/access/accounts/set-shop.flow.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { type Attack, repeat, type Target } from './attack.ts';
import { type KeylessRequest, sendKeyless } from './keyless.ts';
import { CITY } from './shops.ts';

const CONNECTIONS = 32;
const ADDRESSES = 4;
const JSON_BODY = { 'content-type': 'application/json' };

export const attack: Attack = {
  name: "visitors at four addresses, behind a proxy, hammer a shop's pages, searches and carts with its publishable key",
  env: { TRUST_PROXY: '127.0.0.0/8' },
  async prepare({ db }, accountId) {
    const shop = { mode: 'sandbox', isDefault: true, near: 'Chicago, IL 60602' } as const;
    await db.transaction().execute((tx) => setShop(tx, accountId, shop, systemClock.now()));
  },
  async run(target) {
    const requests = await requestsOf(target);
    let sent = 0;
    return repeat(target, CONNECTIONS, (connection) => {
      sent += 1;
      const request = requests[sent % requests.length] ?? { path: '/shop' };
      const forwarded = { 'x-forwarded-for': `203.0.113.${connection % ADDRESSES}` };
      return sendKeyless(target, connection, { ...request, headers: { ...request.headers, ...forwarded } });
    });
  },
};

/** One request of each kind that a visitor sends: the list, a store's page, two searches, a menu and a cart. */
async function requestsOf({ url, signal }: Target): Promise<KeylessRequest[]> {
  const page = await (await fetch(`${url}/shop`, { signal })).text();
  const [key = ''] = /ds_pub_test_[\w-]+/.exec(page) ?? [];
  const [, storeId = ''] = /href="\/shop\/s\/[^"]*-([0-9a-f]{24})"/.exec(page) ?? [];
  const headers = { 'id-token': key };
  const menu = await fetch(`${url}/details/inventory?store_id=${storeId}&pickup=true`, { headers, signal });
  const { categories } = (await menu.json()) as { categories: { subcategory_id: string }[] };
  const level = new URLSearchParams({
    store_id: storeId,
    pickup: 'true',
    subcategory_id: categories[0]?.subcategory_id ?? '',
  });
  const leaf = await fetch(`${url}/details/inventory?${level}`, { headers, signal });
  const [shelf] = ((await leaf.json()) as { categories: { menu_item_list: { product_id: string }[] }[] }).categories;
  const near = `latitude=${CITY.latitude}&longitude=${CITY.longitude}`;
  const cart = {
    items: [{ product_id: shelf?.menu_item_list[0]?.product_id, quantity: 5 }],
    pickup: true,
    place_order: false,
  };
  return [
    { path: '/shop' },
    { path: '/shop?q=goldn+market' },
    { path: `/shop/s/any-${storeId}` },
    { path: `/search/store/v3?${near}&query=goldn+market`, headers },
    { path: `/search/store/v3?${near}&query=milk&search_focus=item`, headers },
    { path: `/details/inventory?${level}`, headers },
    { path: '/order/order/v2', headers: { ...headers, ...JSON_BODY }, body: JSON.stringify(cart) },
  ];
}
