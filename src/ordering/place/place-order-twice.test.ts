import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import {
  type Breakage,
  killedAfterCharging,
  killedBeforeCharging,
  withBrokenGateway,
} from '../../../test/fakes/broken-gateway.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp, type Reply } from '../../../test/harness.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';

const counted = { id: 'counted', name: 'Counted', price: 1500, qty_available: 100 };
const shop = (id: string, product: object) =>
  pizzeria({ external_id: id, categories: [{ id: 'c', name: 'C', products: [product] }] });

const app = await givenApp();
const [storeId = ''] = await givenStores(app, [shop('counted', counted)]);
const product = (await productTokens(app, storeId)).Counted;
const card = await givenPaymentMethod(app);
after(() => app.close());

const order = (changes: object) => app.post('/order/order/v2', orderBody(product, card, changes));
const finalize = (orderId: string) => app.post('/order/finalize', { order_id: orderId });
const readStatus = async (orderId: string) =>
  (await app.get('/account/orders', { order_id: orderId })).body.orders[0].status;

async function givenUnplaced(changes: object = {}): Promise<string> {
  const reply = await order({ place_order: false, ...changes });
  assert.deepEqual([reply.status, reply.body.order_placed], [200, false], reply.text);
  return reply.body.order_id;
}

/** Amounts of an order's unrefunded charges, and the total number of charges. */
async function countCharges(orderId: string): Promise<{ kept: number[]; all: number }> {
  const charges = (await app.service.deps.gateways.sandbox.listCharges({ orderId })).filter(
    ({ status }) => status === 'succeeded',
  );
  const kept = charges.filter(({ amountCents, refundedCents }) => refundedCents < amountCents);
  return { kept: kept.map(({ amountCents }) => amountCents), all: charges.length };
}

async function stockHeld(): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select coalesce(sum((line->>'quantity')::int), 0)::int as held from orders, jsonb_array_elements(stock_held) line
    where account_id = ${app.accountId} and status in ('awaiting_confirmation', 'in_progress', 'completed')`.execute(
    app.service.deps.db,
  );
  const { rows: products } = await sql<{ left: number }>`
    select 100 - coalesce((select sum(held) from sandbox_stock where store_id = ${storeId}), 0)::int as left`.execute(
    app.service.deps.db,
  );
  assert.equal(100 - (products[0]?.left ?? 0), rows[0]?.held);
  return rows[0]?.held ?? 0;
}

/**
 * Runs the work while an order's charge is in flight, then lets the charge complete; returns the response to the
 * placement.
 */
async function whileCharging(placing: () => Promise<Reply>, work: () => Promise<void>): Promise<Reply> {
  const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: Breakage = (real) => ({
    charge: async (request) => {
      reached.resolve();
      await go.promise;
      return real.charge(request);
    },
  });
  return withBrokenGateway(app, slow, async () => {
    const placed = placing();
    await reached.promise;
    await work().finally(() => go.resolve());
    return placed;
  });
}

test('an order being charged cannot be replaced or requoted, and does not count as unplaced', async (t) => {
  await t.test('409 for replacing it, and it is placed as it was charged', async () => {
    const orderId = await givenUnplaced();
    const placed = await whileCharging(
      () => finalize(orderId),
      async () => {
        for (const place of [true, false]) {
          const reply = await order({ order_id: orderId, place_order: place, driver_tip_cents: 900 });
          assert.deepEqual([reply.status, reply.body.code], [409, 'idempotency_in_progress']);
          assert.ok(reply.headers['retry-after']);
        }
      },
    );
    assert.deepEqual([placed.status, await readStatus(orderId)], [200, 'awaiting_confirmation']);
    assert.deepEqual(await countCharges(orderId), { kept: [placed.body.final_quote.total_with_tip], all: 1 });
  });
  await t.test('finalized again after the price rose, it keeps the price that is being charged', async () => {
    const priced = (price: number) => shop('priced', { id: 'p', name: 'Priced', price });
    const [pricedId = ''] = await givenStores(app, [priced(1500)]);
    const { Priced: pricedProduct } = await productTokens(app, pricedId);
    const orderId = await givenUnplaced({ items: [{ product_id: pricedProduct }] });
    const seconds: Promise<Reply>[] = [];
    const first = await whileCharging(
      () => finalize(orderId),
      async () => {
        await givenStores(app, [priced(1900)]);
        seconds.push(finalize(orderId));
      },
    );
    const [second] = await Promise.all(seconds);
    assert.deepEqual([first.status, second?.status, second?.body], [200, 200, first.body]);
    assert.deepEqual(await countCharges(orderId), { kept: [first.body.final_quote.total_with_tip], all: 1 });
  });
});

test('ten requests at once to place one order place it once, for one charge', async () => {
  const orderId = await givenUnplaced();
  const before = await stockHeld();
  const replies = await Promise.all(Array.from({ length: 10 }, () => finalize(orderId)));
  for (const reply of replies) {
    assert.ok(reply.status === 200 || reply.body.code === 'idempotency_in_progress', reply.text);
  }
  const again = await finalize(orderId);
  assert.deepEqual([again.status, again.body.order_placed], [200, true]);
  assert.equal((await countCharges(orderId)).all, 1);
  assert.equal(await stockHeld(), before + 1);
});

test('an order quoted and placed at once is one or the other, and never both', async () => {
  for (let round = 0; round < 5; round += 1) {
    const orderId = await givenUnplaced();
    const [placed, requoted] = await Promise.all([
      finalize(orderId),
      order({ order_id: orderId, place_order: false, driver_tip_cents: 500 + round }),
    ]);
    const { kept } = await countCharges(orderId);
    if ((await readStatus(orderId)) === 'unplaced') assert.deepEqual(kept, [], requoted.text);
    else assert.deepEqual(kept, [placed.body.final_quote?.total_with_tip ?? kept[0]], placed.text);
    assert.equal((await finalize(orderId)).body.order_placed, true);
    assert.equal((await countCharges(orderId)).kept.length, 1);
  }
  await stockHeld();
});

test('a finalizing that died is ended by finalizing again, at the point where it stopped', async (t) => {
  for (const [point, breakage] of [
    ['before the charge', killedBeforeCharging],
    ['after the charge', killedAfterCharging],
  ] as const) {
    await t.test(point, async () => {
      const orderId = await givenUnplaced();
      const before = await stockHeld();
      assert.equal((await withBrokenGateway(app, breakage, () => finalize(orderId))).status, 500);
      const again = await finalize(orderId);
      assert.deepEqual([again.status, again.body.order_placed], [200, true], again.text);
      assert.deepEqual(await countCharges(orderId), { kept: [again.body.final_quote.total_with_tip], all: 1 });
      assert.equal(await stockHeld(), before + 1);
    });
  }
});

test('each attempt has a number of its own, no matter who made the last one', async () => {
  const declined = await givenPaymentMethod(app, '4000000000000002');
  const reply = await order({ place_order: false, payment_method_id: declined });
  const orderId = reply.body.order_id;
  const codes = (await Promise.all([finalize(orderId), finalize(orderId), finalize(orderId)])).map((r) => r.body.code);
  assert.ok(codes.includes('payment_declined'), codes.join());
  const placed = await order({ order_id: orderId });
  assert.deepEqual([placed.status, placed.body.order_placed], [200, true], placed.text);
  const charges = await app.service.deps.gateways.sandbox.listCharges({ orderId });
  assert.deepEqual(
    charges.filter(({ status }) => status === 'succeeded').map(({ amountCents }) => amountCents),
    [placed.body.final_quote.total_with_tip],
  );
});

test('a gateway that refuses a new charge leaves the order unplaced, and nothing held', async () => {
  const before = await stockHeld();
  const refuses: Breakage = () => ({
    charge: async () => {
      throw new OutsideError('payment gateway', 'does not know us', { retryable: false });
    },
  });
  const reply = await withBrokenGateway(app, refuses, () => order({}));
  assert.deepEqual([reply.status, reply.body.code], [503, 'upstream_unavailable']);
  assert.equal(await stockHeld(), before);
});

test('two processes with one Idempotency-Key, one after losing its claim, store one order', async () => {
  const { placeCart } = await import('./place-order.flow.ts');
  const { cartOf } = await import('./order-body.ts');
  const cart = cartOf(orderBody(product, card) as never);
  const caller = { accountId: app.accountId, mode: 'sandbox' as const, keyId: 'key' };
  const results = await Promise.allSettled(
    Array.from({ length: 4 }, () => placeCart(app.service.deps, caller, cart, { idempotencyKey: 'claimed-twice' })),
  );
  const orders = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.order.orderId] : []));
  assert.equal(new Set(orders).size, 1);
  for (const result of results) {
    if (result.status === 'rejected') assert.equal(result.reason.code, 'idempotency_in_progress');
  }
  assert.equal((await countCharges(orders[0] ?? '')).all, 1);
});
