import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pizzeria } from '../feed-lines.ts';
import { CARD, orderBody } from '../given-orders.ts';
import { until } from '../until.ts';
import { ask, cleanUp, freshDataDir, isLinux, open } from './embedded-postgres-harness.ts';
import {
  age,
  assertLogsAreWhole,
  assertMoneyIsRight,
  assertStockIsRight,
  assertWindowsAreRight,
  forgottenOrders,
  leftOrders,
} from './orders-books.ts';
import {
  type Caller,
  callerOf,
  givenKeyAndStore,
  type ServiceProcess,
  startServiceProcess,
} from './service-process.ts';

after(cleanUp);

const SEED = Number(process.env.SEED ?? randomInt(1_000_000));
const CLIENTS = 8;
const CAPACITY = 4;
const STOCK = { Scarce: 40, Plenty: 5000 };
/** What is killed in each round, and whether the simulated store is at work: `all` is PostgreSQL too. */
const ROUNDS = [
  { kill: 'all', pace: '0.3' },
  { kill: 'all', pace: 'manual' },
  { kill: 'service', pace: '0.3' },
  { kill: 'all', pace: 'manual' },
  { kill: 'all', pace: '0.3' },
  { kill: 'all', pace: 'manual' },
  { kill: 'service', pace: 'manual' },
  { kill: 'all', pace: '0.3' },
] as const;

/** A repeatable stream of chance (mulberry32). */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Plan = { body: object; key: string | undefined; charged: boolean; cancel: boolean };
type Acknowledged = { orderId: string; key: string | undefined; charged: boolean; canceled: boolean };
type Shop = { cards: Record<'pays' | 'losesAnswer' | 'declines', string>; products: Record<string, string> };
type Slots = { delivery: string[]; pickup: string[] };

type World = {
  service: ServiceProcess | undefined;
  isEnding: boolean;
  shop: Shop;
  slots: Slots;
  call: Caller;
  plans: Map<string | undefined, Plan>;
  acknowledged: Acknowledged[];
  unanswered: Plan[];
  refusals: Map<string, number>;
};

function planOrder({ shop, slots }: World, chance: () => number, name: string): Plan {
  const pick = <T>(values: readonly T[]) => values[Math.floor(chance() * values.length)];
  const pickup = chance() < 0.4;
  const product = shop.products[pick(['Margherita', 'Scarce', 'Plenty', 'Plenty']) ?? ''];
  const slot = chance() < 0.35 ? pick(pickup ? slots.pickup : slots.delivery) : undefined;
  const charged = chance() > 0.1;
  const { pays, losesAnswer, declines } = shop.cards;
  const card = pick([pays, pays, pays, pays, pays, losesAnswer, losesAnswer, declines]) ?? pays;
  const items = [{ product_id: product, quantity: 1 + Math.floor(chance() * 2) }];
  const changes = { items, pickup, charge_user: charged, autofill_selected_options: true };
  const body = orderBody(product, charged ? card : null, slot ? { ...changes, scheduled_id: slot } : changes);
  return { body, key: chance() < 0.6 ? name : undefined, charged, cancel: chance() < 0.25 };
}

/** Orders until the end; what was not answered is remembered, and the client goes on when the service is back. */
async function runClient(world: World, index: number): Promise<void> {
  const chance = chanceOf(SEED * 100 + index);
  for (let number = 0; !world.isEnding; number += 1) {
    if (!world.service) {
      await pause(10);
      continue;
    }
    await placePlanned(world, planOrder(world, chance, `client-${index}-${number}`));
    await pause(5 + chance() * 20);
  }
}

async function placePlanned(world: World, plan: Plan): Promise<void> {
  const service = world.service ?? assert.fail();
  const reply = await world.call.post('/order/order/v2', plan.body, plan.key).catch(() => undefined);
  if (!reply || reply.status === 503 || reply.body.code === 'idempotency_in_progress') {
    world.unanswered.push(plan);
    return;
  }
  if (reply.status !== 200) {
    world.refusals.set(reply.body.code, (world.refusals.get(reply.body.code) ?? 0) + 1);
    assert.ok(reply.status < 500, `${JSON.stringify(reply.body)} ${service.complaints.join('')}`);
    return;
  }
  assert.equal(reply.body.order_placed, true);
  world.plans.set(plan.key, plan);
  const order: Acknowledged = { orderId: reply.body.order_id, key: plan.key, charged: plan.charged, canceled: false };
  world.acknowledged.push(order);
  if (!plan.cancel) return;
  const path = `/sandbox/orders/${order.orderId}/advance`;
  const canceled = await world.call.post(path, { event: 'cancel' }).catch(() => undefined);
  order.canceled = canceled?.status === 200;
}

async function givenWorld(dataDir: string): Promise<World> {
  const service = await startServiceProcess(dataDir, { SANDBOX_PACE: '0.3' });
  const products = [
    { id: 'scarce', name: 'Scarce', price: 900, qty_available: STOCK.Scarce },
    { id: 'plenty', name: 'Plenty', price: 700, qty_available: STOCK.Plenty },
    ...((pizzeria().categories as { products: object[] }[])[0]?.products ?? []),
  ];
  const scheduling = { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 1, capacity: CAPACITY };
  const line = pizzeria({ categories: [{ id: 'all', name: 'All', products }], scheduling });
  const { key, storeId } = await givenKeyAndStore(dataDir, line);
  const start = { service, isEnding: false, plans: new Map(), acknowledged: [], unanswered: [], refusals: new Map() };
  const world = start as unknown as World;
  world.call = callerOf(() => world.service?.url ?? 'http://127.0.0.1:9', key);
  world.shop = { cards: await givenCards(world.call), products: {} };
  for (const pickup of [true, false]) {
    const { body } = await world.call.get('/details/inventory', {
      store_id: storeId,
      pickup: String(pickup),
      include_quote: 'true',
      user_latitude: '40.744',
      user_longitude: '-73.988',
    });
    type Category = { menu_item_list: { name: string; product_id: string }[] };
    const items = (body.categories as Category[]).flatMap((category) => category.menu_item_list);
    world.shop.products = Object.fromEntries(items.map((item) => [item.name, item.product_id]));
    const ids = body.quote.time_estimate.scheduled.map((slot: { id: string }) => slot.id);
    world.slots = { ...world.slots, [pickup ? 'pickup' : 'delivery']: ids };
  }
  return world;
}

async function givenCards({ post }: Caller): Promise<Shop['cards']> {
  const save = async (number: number) => {
    const card = { ...CARD, card_number: number };
    const reply = await post('/payment/create', { payment_method: card, user_email: 'u1@example.com', user_id: 'u1' });
    return reply.body.payment_method_id as string;
  };
  return {
    pays: await save(4242424242424242),
    losesAnswer: await save(4000000000000259),
    declines: await save(4000000000000002),
  };
}

/** Kills and starts again, round by round, while the clients order; returns how long each start took. */
async function killAgainAndAgain(world: World, dataDir: string): Promise<number[]> {
  const chance = chanceOf(SEED);
  const readyMs: number[] = [];
  for (const { kill, pace } of ROUNDS) {
    await pause(1200 + chance() * 2600);
    const service = world.service ?? assert.fail();
    await (kill === 'all' ? service.killAll() : service.killService());
    world.service = undefined;
    world.service = await startServiceProcess(dataDir, { SANDBOX_PACE: pace });
    readyMs.push(world.service.readyMs);
  }
  await pause(1200 + chance() * 1000);
  world.isEnding = true;
  await world.service?.killAll();
  return readyMs;
}

/** The same call again gives one outcome, and the same one ever after. */
async function retryUnanswered(world: World): Promise<number> {
  const plans = world.unanswered.filter(({ key }) => key !== undefined);
  world.unanswered = [];
  const queue = [...plans];
  const retry = async () => {
    for (let plan = queue.shift(); plan; plan = queue.shift()) await placePlanned(world, { ...plan, cancel: false });
  };
  await Promise.all(Array.from({ length: CLIENTS }, retry));
  assert.deepEqual(world.unanswered, []);
  return plans.length;
}

test('whatever is killed while eight clients order, every acknowledged order is there, charged once', {
  skip: !isLinux,
}, async (t) => {
  t.diagnostic(`SEED=${SEED}`);
  const dataDir = freshDataDir();
  const world = await givenWorld(dataDir);
  t.after(() => {
    world.isEnding = true;
  });
  const clients = Array.from({ length: CLIENTS }, (_, index) => runClient(world, index));
  const [readyMs] = await Promise.all([killAgainAndAgain(world, dataDir), ...clients]);

  const database = await open(dataDir);
  t.after(() => database.close());
  const { connectionString } = database;
  const left = await leftOrders(connectionString);
  await age(connectionString, 1);
  world.service = await startServiceProcess(dataDir, { SANDBOX_PACE: 'manual' });
  const settled = async (isSettled: (left: Awaited<ReturnType<typeof leftOrders>>) => boolean) =>
    until('what was left is settled', async () => isSettled(await leftOrders(connectionString)));

  await t.test('what was left between charge and order is settled when a service starts', () =>
    settled(({ charged, refunds }) => charged === 0 && refunds === 0),
  );
  const retried = await retryUnanswered(world);
  await t.test('an order that was never charged is given up after ten minutes', async () => {
    await world.service?.stop();
    await age(connectionString, 11);
    world.service = await startServiceProcess(dataDir, { SANDBOX_PACE: 'manual' });
    await settled(({ pending }) => pending === 0);
  });

  await t.test('every acknowledged order is there', async () => {
    const rows = await ask(connectionString, 'select order_id, status, charge_user from doorstep.orders');
    const stored = new Map(rows.map((row) => [row.order_id, row]));
    for (const { orderId, charged, canceled } of world.acknowledged) {
      const row = stored.get(orderId);
      assert.ok(row && row.status !== 'unplaced', orderId);
      assert.equal(row.charge_user, charged);
      if (canceled) assert.equal(row.status, 'canceled', orderId);
    }
  });
  await t.test('money, logs, stock and windows are right', async () => {
    await assertMoneyIsRight(connectionString);
    await assertLogsAreWhole(connectionString);
    await assertStockIsRight(connectionString, STOCK);
    await assertWindowsAreRight(connectionString, CAPACITY);
  });
  await t.test('every order that waits for its store is still watched', () =>
    until('all have a timer', async () => (await forgottenOrders(connectionString)) === 0),
  );
  await t.test('a key names one order, and its answer is the same again', () => assertKeysAreHonoured(world));
  await t.test('clients see the same over HTTP', () => assertSeenOverHttp(world));
  t.diagnostic(
    `acknowledged ${world.acknowledged.length} (${world.acknowledged.filter((order) => order.canceled).length} canceled), ` +
      `unanswered and retried ${retried}, left by the last kill ${JSON.stringify(left)}, ` +
      `refused ${JSON.stringify(Object.fromEntries(world.refusals))}, ready after ${readyMs.join(', ')} ms`,
  );
  await world.service?.stop();
});

async function assertKeysAreHonoured(world: World): Promise<void> {
  const keyed = world.acknowledged.filter(({ key }) => key !== undefined);
  const byKey = new Map<string | undefined, Set<string>>();
  for (const { key, orderId } of keyed) byKey.set(key, (byKey.get(key) ?? new Set()).add(orderId));
  assert.deepEqual(
    [...byKey].filter(([, orders]) => orders.size > 1),
    [],
  );
  assert.ok(!world.refusals.has('idempotency_conflict'));
  const sample = keyed.slice(-40);
  for (const { key, orderId } of sample) {
    const reply = await world.call.post('/order/order/v2', world.plans.get(key)?.body ?? {}, key);
    assert.deepEqual([reply.status, reply.replayed, reply.body.order_id], [200, true, orderId]);
  }
}

async function assertSeenOverHttp({ acknowledged, call }: World): Promise<void> {
  const every = Math.max(1, Math.floor(acknowledged.length / 150));
  for (const { orderId, charged } of acknowledged.filter((_, index) => index % every === 0)) {
    const order = (await call.get('/account/orders', { order_id: orderId })).body.orders[0];
    const { charges } = (await call.get('/sandbox/charges', { order_id: orderId })).body;
    const amounts = charges.map((c: { amount: number; refunded_amount: number }) => [c.amount, c.refunded_amount]);
    const refunded = order.status === 'canceled' ? order.total_with_tip : 0;
    assert.deepEqual(amounts, charged ? [[order.total_with_tip, refunded]] : [], orderId);
  }
}
