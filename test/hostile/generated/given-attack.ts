import { issueKey } from '../../../src/access/accounts/issue-key.flow.ts';
import { issueStoreKey } from '../../../src/access/sessions/store-keys.db.ts';
import { assignDriver } from '../../../src/fulfillment/deliveries/driver-delivery.flow.ts';
import { type StripeDouble, startStripeDouble } from '../../fakes/stripe-double.ts';
import { pizzeria } from '../../feed-lines.ts';
import { ANA } from '../../given/driver.ts';
import { grocery } from '../../given/groceries.ts';
import { givenChannel, givenConsole, givenStoreKey, SAME_SITE } from '../../given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../given/orders.ts';
import { givenPlacesFile, osmFeature } from '../../given/place.ts';
import { givenStores } from '../../given/stores.ts';
import { type Client, clientOf } from '../../harness.ts';
import { givenIds, givenShop, type Ids, type Shop } from '../given-shop.ts';
import type { Actor } from './request-plans.ts';

/** Ids by pool, and each actor's headers. Passed between processes as JSON. */
export type Arms = {
  pools: Record<string, string[]>;
  others: Record<string, string[]>;
  actors: Record<Actor, Record<string, string>>;
};

export type Attack = {
  shop: Shop;
  stripe: StripeDouble;
  arms: Arms;
  bystander: Client;
  secrets: readonly string[];
  /** Puts the stores back on sale after changes by operators and stores. */
  reopen(): Promise<void>;
  close(): Promise<void>;
};

const STRIPE_SECRET = 'sk_live_hostile_secret_7f31';
const WEBHOOK_SECRET = 'whsec_hostile_secret_55d0';
const PLENTY = 1_000_000;
const STEPS = ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete'];
/** Without 4000 0000 0000 0259, whose charge fails at the gateway (503, as documented). */
const CARDS = ['4242424242424242', '4000000000000002', '4000000000009995', '4000002500003155', '5555555555554444'];

/** Feed lines of the attacked stores, with enough stock for orders throughout the run. */
function storeLines() {
  const scheduling = { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 1, capacity: 50 };
  return [
    pizzeria({ scheduling }),
    pizzeria({ external_id: 'second', name: 'Second Pizzeria', scheduling, latitude: 40.741, food: undefined }),
    grocery('corner', { soda: 250, bread: 420, beans: { price: 199, qty_available: PLENTY }, wine: 1500 }),
  ];
}

/** The service with stores, products, orders in every state, cards, drivers, links, and a key of every kind. */
export async function givenAttack(onLogLine: (line: string) => void = () => {}): Promise<Attack> {
  const stripe = await startStripeDouble(undefined);
  const places = givenPlacesFile([
    osmFeature(1, { name: 'Cafe One', amenity: 'cafe' }),
    osmFeature(2, { name: 'Bar Two', amenity: 'bar' }),
  ]);
  const shop = await givenShop({
    env: {
      LOG_LEVEL: 'info',
      STRIPE_SECRET_KEY: STRIPE_SECRET,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      PLACES_FILE: places.file,
      ORDER_CONFIRM_TIMEOUT_MINUTES: '1440',
    },
    partyUrls: { stripe: { baseUrl: stripe.baseUrl } },
    // No host name resolves, so URLs in requests are never called.
    publicHttp: { resolveName: async () => [] },
    onLogLine,
  });
  const storeIds = await givenStores(shop, storeLines());
  const [storeId = ''] = storeIds;
  for (const id of storeIds) await givenChannel(shop, id);
  const bystander = await shop.givenClient();
  const theirs = await givenIds(bystander, storeId);
  const pools = { ...poolsOf(shop.ids), ...(await givenPools(shop, storeIds)) };
  const live = await givenLive(shop, storeId, pools);
  const actors = await givenActors(shop, storeId, live);
  // Signs in before the attack, whose wrong codes use up the address's attempts.
  const operator = await givenConsole(shop, null);
  await shop.advance({ seconds: 1 });
  const others = { ...poolsOf(theirs), account_id: [bystander.accountId] };
  return {
    shop,
    stripe,
    arms: { pools, others, actors },
    bystander,
    secrets: [STRIPE_SECRET, WEBHOOK_SECRET, bystander.key, ...CARDS, ...credentialsOf(actors)],
    reopen: () => reopen(shop, operator, storeIds),
    async close() {
      await shop.close();
      await stripe.close();
      places.remove();
    },
  };
}

/** Keys and session cookies of the actors. */
function credentialsOf({ bent: _bent, ...actors }: Arms['actors']): string[] {
  return Object.values(actors)
    .map((headers) => headers['id-token'] ?? headers.cookie?.split('=')[1] ?? '')
    .filter((secret) => secret !== '');
}

function poolsOf({ unplaced_order_id, spare_payment_method_id, ...ids }: Ids): Record<string, string[]> {
  const pools: Record<string, string[]> = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, [id]]));
  pools.order_id?.push(unplaced_order_id);
  pools.payment_method_id?.push(spare_payment_method_id);
  return pools;
}

/** The account's ids: orders after each step, a card of each kind, driver and page links. */
async function givenPools(shop: Shop, storeIds: readonly string[]): Promise<Record<string, string[]>> {
  const tokens = await Promise.all(storeIds.map((id) => productTokens(shop, id)));
  const products = tokens.flatMap((byName) => [
    ...Array.from({ length: 6 }, () => byName.Margherita ?? ''),
    ...Object.values(byName),
  ]);
  const cards: string[] = [];
  for (const number of CARDS) cards.push(await givenPaymentMethod(shop, number));
  const orders: string[] = [shop.ids.order_id, shop.ids.unplaced_order_id];
  for (let steps = 0; steps <= STEPS.length; steps += 1) orders.push(await givenOrder(shop, steps, cards[0] ?? ''));
  const drivers: string[] = [];
  for (const orderId of orders.slice(3, 6)) {
    const { driverLink } = await assignDriver(shop.service.deps, orderId, ANA);
    drivers.push(driverLink.split('/driver/')[1] ?? '');
  }
  const setup = await shop.post('/payment/setup', {
    user_id: 'u1',
    user_email: 'u1@example.com',
    return_url: 'https://shop.example/',
  });
  const waiting = await shop.post(
    '/order/order/v2',
    orderBody(shop.ids.product_id, cards[3] ?? '', { autofill_selected_options: true }),
  );
  const links = [...JSON.stringify(waiting.body).matchAll(/authenticate\/([\w-]+)/g)].map(([, link = '']) => link);
  return {
    store_id: [...storeIds],
    product_id: products,
    payment_method_id: cards,
    order_id: orders,
    driver_token: drivers,
    account_id: [shop.accountId],
    setup_id: [new URL(setup.body.url).pathname.split('/').at(-1) ?? ''],
    link: links,
    // The attack's own keys and sessions stay out of the pools.
    session_id: ['none'],
    key_id: [(await issueKey(shop.service.deps.db, shop.accountId, 'sandbox', shop.now())).keyId],
    webhook_id: ['msg_none'],
    merge_id: ['mrg_none'],
    run_no: ['1', '2'],
  };
}

async function givenOrder(shop: Shop, steps: number, card: string): Promise<string> {
  const body = orderBody(shop.ids.product_id, card, { autofill_selected_options: true });
  const { order_id } = (await shop.post('/order/order/v2', body)).body;
  for (const event of STEPS.slice(0, steps)) await shop.post(`/sandbox/orders/${order_id}/advance`, { event });
  return order_id;
}

async function givenLive(shop: Shop, storeId: string, pools: Record<string, string[]>): Promise<Client> {
  const { key } = await issueKey(shop.service.deps.db, shop.accountId, 'live', shop.now());
  const live = clientOf(shop.service, shop.accountId, key);
  const token = (await productTokens(live, storeId)).Margherita;
  const card = await givenPaymentMethod(live);
  pools.live_payment_method_id = [card];
  pools.live_order_id = [];
  for (let n = 0; n < 4; n += 1) {
    const reply = await live.post('/order/order/v2', orderBody(token, card, { autofill_selected_options: true }));
    pools.live_order_id.push(reply.body.order_id);
  }
  return live;
}

async function givenActors(shop: Shop, storeId: string, live: Client): Promise<Arms['actors']> {
  const storeKey = await issueStoreKey(shop.service.deps.db, { storeId, accountId: shop.accountId }, shop.now());
  return {
    sandbox: { 'id-token': shop.key },
    live: { 'id-token': live.key },
    store_sandbox: { 'id-token': storeKey.key },
    store_live: { 'id-token': (await givenStoreKey(shop, storeId)).key },
    console: { ...SAME_SITE, cookie: (await givenConsole(shop, storeId)).cookie },
    operator: { ...SAME_SITE, cookie: (await givenConsole(shop, null)).cookie },
    bent: { 'id-token': `${shop.key.slice(0, -2)}xx` },
    nobody: {},
  };
}

async function reopen(shop: Shop, operator: Client, storeIds: readonly string[]): Promise<void> {
  for (const id of storeIds) {
    const store = await givenStoreKey(shop, id);
    await store.post('/store/resume', {});
    await store.put('/store/hours', { hours: null, hours_exceptions: null });
    await operator.post(`/operator/stores/${id}/switches`, {
      online_ordering: true,
      accept_delivery: true,
      accept_pickup: true,
    });
    await givenChannel(shop, id);
  }
  await givenStores(
    shop,
    storeLines().map((line, at) => ({ ...line, description: `Round ${shop.now().epochMilliseconds + at}` })),
  );
}
