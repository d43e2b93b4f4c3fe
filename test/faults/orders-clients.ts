import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { pizzeria } from '../feed-lines.ts';
import { CARD, orderBody } from '../given/orders.ts';
import { until } from '../until.ts';
import {
  type Caller,
  callerOf,
  type Environment,
  givenKeyAndStore,
  type Sample,
  type ServiceProcess,
  startServiceProcess,
} from './service-process.ts';

export const CLIENTS = 8;
export const CAPACITY = 4;
export const STOCK = { Scarce: 40, Plenty: 5000 };

/** Seeded pseudo-random numbers (mulberry32). */
export function chanceOf(seed: number): () => number {
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

export type World = {
  service: ServiceProcess | undefined;
  isEnding: boolean;
  /** Seed of the clients' choices. */
  seed: number;
  account: string;
  storeId: string;
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

/** Places orders until the end; keeps unanswered requests and continues once the service is back. */
export async function runClient(world: World, index: number): Promise<void> {
  const chance = chanceOf(world.seed * 100 + index);
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

/** A running service without orders, whose store has few slots and products. */
export async function givenWorld(
  dataDir: string,
  seed: number,
  { settings = {}, seen }: { settings?: Environment; seen?: (sample: Sample) => void } = {},
): Promise<World> {
  const service = await startServiceProcess(dataDir, { SANDBOX_PACE: '0.3', ...settings });
  const products = [
    { id: 'scarce', name: 'Scarce', price: 900, qty_available: STOCK.Scarce },
    { id: 'plenty', name: 'Plenty', price: 700, qty_available: STOCK.Plenty },
    ...((pizzeria().categories as { products: object[] }[])[0]?.products ?? []),
  ];
  const scheduling = { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 1, capacity: CAPACITY };
  const line = pizzeria({ categories: [{ id: 'all', name: 'All', products }], scheduling });
  const { account, key, storeId } = await givenKeyAndStore(dataDir, line, settings);
  const start = {
    service,
    isEnding: false,
    seed,
    account,
    storeId,
    plans: new Map(),
    acknowledged: [],
    unanswered: [],
    refusals: new Map(),
  };
  const world = start as unknown as World;
  world.call = callerOf(() => world.service?.url ?? 'http://127.0.0.1:9', key, seen);
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

/** Repeats unanswered calls until all have a response: each must have exactly one outcome. */
export async function retryUnanswered(world: World): Promise<number> {
  const retried = world.unanswered.filter(({ key }) => key !== undefined);
  world.unanswered = retried;
  await until('all are answered', async () => {
    const queue = world.unanswered;
    world.unanswered = [];
    const retry = async () => {
      for (let plan = queue.shift(); plan; plan = queue.shift()) await placePlanned(world, { ...plan, cancel: false });
    };
    await Promise.all(Array.from({ length: CLIENTS }, retry));
    return world.unanswered.length === 0;
  });
  return retried.length;
}
