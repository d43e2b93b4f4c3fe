import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Breakage, withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { type CountedShop, givenCountedShop, lostCharges, silent } from '../../../test/given/counted-shop.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import type { Client, Reply } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { afterRefunds } from '../../notify/messages/mail-content.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { receiptOfOrder } from '../money/receipt.ts';
import { findRefunds } from '../money/refunds.db.ts';
import { findAnyOrder } from '../order/orders.db.ts';

const LIVES_AT_ONCE = runs(25);

test('random requests about an order at the same moment, with a gateway that fails: every cent is accounted for', async (t) => {
  const shop = await givenCountedShop();
  t.after(() => shop.close());
  const { storeId } = (await findAnyOrder(shop.service.deps.db, await placed(shop))) ?? assert.fail('no order');
  const store = await givenStoreKey(shop, storeId, shop.accountId);
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(moments, async (life) => {
      const orderId = await placed(shop);
      const agreed = (await shop.get('/account/orders', { order_id: orderId })).body.orders[0].total_with_tip;
      await shop.post(`/sandbox/orders/${orderId}/advance`, { event: 'confirm' });
      for (const { status, text } of await liveAtOnce(shop, { store, orderId }, life)) {
        assert.ok([200, 402, 409, 422, 503].includes(status), text);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      await assertAgrees(shop, orderId, agreed);
    }),
    { numRuns: LIVES_AT_ONCE },
  );
  t.diagnostic(JSON.stringify(Object.fromEntries(statuses)));
});

/** Places an order of three units, and returns its id. */
async function placed(shop: CountedShop): Promise<string> {
  const { status, body, text } = await shop.place(shop.newKey(), { items: [{ ...shop.item(), quantity: 3 }] });
  assert.equal(status, 200, text);
  return body.order_id;
}

/** A request about an order; several are sent at the same moment. */
type Request = { path: string; body: object; by?: 'store' };
type Moment = { requests: readonly Request[]; gateway: keyof typeof GATEWAYS };

const GATEWAYS = {
  works: () => ({}),
  silent: () => ({ charge: silent, refund: silent, findCharge: silent }),
  losesAnswers: (real) => ({
    ...lostCharges(real),
    refund: async (request) => {
      await real.refund(request);
      return silent();
    },
  }),
} as const satisfies Record<string, Breakage>;

const steps = fc
  .constantFrom('confirm', 'ready', 'assign_driver', 'pick_up', 'complete', 'cancel')
  .map((event): Request => ({ path: 'advance', body: { event } }));
const requests: fc.Arbitrary<Request> = fc.oneof(
  { weight: 2, arbitrary: steps },
  fc.constant({ path: '/order/cancel', body: {} }),
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 4000 }).map((amount) => ({ path: '/order/refund', body: { amount } })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ index: fc.constant(0), quantity: fc.integer({ min: 1, max: 3 }) })
      .map((item) => ({ path: '/order/refund', body: { items: [item] } })),
  },
  {
    weight: 2,
    arbitrary: fc
      .integer({ min: 2, max: 9 })
      .map((dollars) => ({ path: '/order/tip', body: { driver_tip_cents: dollars * 100 } })),
  },
  fc.integer({ min: 0, max: 2 }).map((quantity): Request => ({ path: 'items/0', body: { quantity }, by: 'store' })),
);
const moments: fc.Arbitrary<Moment[]> = fc.array(
  fc.record({
    requests: fc.array(requests, { minLength: 2, maxLength: 4 }),
    gateway: fc.constantFrom<Moment['gateway']>('works', 'works', 'silent', 'losesAnswers'),
  }),
  { minLength: 2, maxLength: 4 },
);

/** Sends the requests of each moment concurrently, then runs everything due. */
async function liveAtOnce(
  shop: CountedShop,
  { store, orderId }: { store: Client; orderId: string },
  life: readonly Moment[],
): Promise<Reply[]> {
  const send = ({ path, body, by }: Request) => {
    if (by === 'store') return store.post(`/store/orders/${orderId}/${path}`, body);
    if (path === 'advance') return shop.post(`/sandbox/orders/${orderId}/advance`, body);
    return shop.post(path, { order_id: orderId, ...body });
  };
  const replies: Reply[] = [];
  for (const { requests: sent, gateway } of life) {
    const work = () => Promise.all(sent.map(send));
    replies.push(...(await withBrokenGateway(shop, GATEWAYS[gateway], work)));
  }
  await shop.advance({ minutes: 2 });
  await shop.runLeftOrders();
  await shop.advance({ seconds: 5 });
  return replies;
}

/** Order, ledger, receipt and gateway agree; the customer paid up to the agreed amount. */
async function assertAgrees(shop: CountedShop, orderId: string, agreedCents: number): Promise<void> {
  const { db } = shop.service.deps;
  const order = (await findAnyOrder(db, orderId)) ?? assert.fail('no order');
  const refunds = await findRefunds(db, [orderId]);
  const books = await shop.books(orderId);
  const kept = books.reduce((sum, [amount, back]) => sum + amount - back, 0);
  assert.ok(kept >= 0 && kept <= agreedCents + order.addedTipCents, `${kept} of ${agreedCents}`);
  assert.deepEqual([order.refundingCents, order.chargedCents - order.refundedCents], [0, kept]);
  assert.equal(order.chargedCents, agreedCents + order.addedTipCents);
  assert.equal(
    refunds.reduce((sum, { refundedCents }) => sum + refundedCents, 0),
    order.refundedCents,
  );
  const receipt = receiptOfOrder(order, refunds, localeOf('en', 'US'));
  assert.deepEqual([receipt.totalCents, afterRefunds(receipt)], [order.chargedCents, kept]);
  if (order.status === 'canceled') assert.equal(kept, 0);
  const { events } = await shop.stateOf(orderId);
  const ends = events.filter((type) => type === 'order.completed' || type === 'order.canceled');
  assert.ok(ends.length <= 1, events.join(', '));
}
