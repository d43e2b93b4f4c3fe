// covers: src/surfaces/checkout/*.ts
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { orderBody } from '../given/orders.ts';
import { SEED } from '../runs.ts';
import { until } from '../until.ts';
import { cleanUp, freshDataDir, isLinux } from './embedded-postgres-harness.ts';
import { chanceOf, givenWorld, type World } from './orders-clients.ts';
import { startServiceProcess } from './service-process.ts';

after(cleanUp);

const ROUNDS = 5;
const CHECKOUTS = 6;

type Opened = { orderId: string; path: string };

async function givenCheckout({ call, shop }: World, card: string): Promise<Opened> {
  const items = [{ product_id: shop.products.Plenty, quantity: 3 }];
  const body = orderBody(undefined, card, { place_order: false, items, user_name: undefined });
  const reply = await call.post('/order/order/v2', body);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return { orderId: reply.body.order_id, path: new URL(reply.body.checkout_url).pathname };
}

/** The page's total, and the redirect target of `Place order`; undefined without a response. */
async function place(world: World, { path }: Opened): Promise<string | undefined> {
  const url = world.service?.url;
  if (url === undefined) return undefined;
  try {
    const page = await (await fetch(url + path, { redirect: 'manual' })).text();
    const form = { action: 'place', total: /name="total" value="(\d+)"/.exec(page)?.[1] ?? '', name: 'Ana Pérez' };
    const headers = { origin: url, 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await fetch(url + path, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams(form),
    });
    assert.ok([303, 402, 409, 503].includes(reply.status), `${reply.status} ${await reply.text()}`);
    return reply.headers.get('location') ?? undefined;
  } catch (error) {
    // A killed service does not answer.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

test(`a checkout whose service is killed while it places ends as one order with one charge (PROPERTY_SEED=${SEED})`, {
  skip: !isLinux,
}, async () => {
  const chance = chanceOf(SEED);
  const dataDir = freshDataDir();
  const world = await givenWorld(dataDir, SEED, { settings: { SANDBOX_PACE: 'manual' } });
  const opened: Opened[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { pays, losesAnswer } = world.shop.cards;
    const cards = Array.from({ length: CHECKOUTS }, (_, nth) => (nth % 3 === 0 ? losesAnswer : pays));
    const now = await Promise.all(cards.map((card) => givenCheckout(world, card)));
    opened.push(...now);
    const placing = Promise.all(now.flatMap((one) => [place(world, one), place(world, one)]));
    await pause(chance() * 250);
    await world.service?.killService();
    world.service = undefined;
    await placing;
    world.service = await startServiceProcess(dataDir, { SANDBOX_PACE: 'manual' });
  }
  for (const one of opened) {
    let first: string | undefined;
    // A page whose order is being resolved asks to try again.
    await until('the order is placed', async () => {
      first = await place(world, one);
      return first !== undefined;
    });
    const second = await place(world, one);
    assert.match(first ?? '', /\/tracking\?tracking_id=/, one.orderId);
    assert.equal(second, first);
    const [order] = (await world.call.get('/account/orders', { order_id: one.orderId })).body.orders;
    const { charges } = (await world.call.get('/sandbox/charges', { order_id: one.orderId })).body;
    assert.deepEqual([order.status, order.user_name], ['awaiting_confirmation', 'Ana Pérez']);
    assert.deepEqual(
      charges.map(({ amount }: { amount: number }) => amount),
      [order.total_with_tip],
      one.orderId,
    );
  }
  await world.service?.stop();
});
