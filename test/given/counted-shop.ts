import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { resolveCharge } from '../../src/ordering/money/charge-order.flow.ts';
import { resolveUnsettledCharges } from '../../src/ordering/money/resolve-charges.job.ts';
import { listEvents } from '../../src/ordering/order/order-events.db.ts';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { type Breakage, withBrokenGateway } from '../fakes/broken-gateway.ts';
import { pizzeria } from '../feed-lines.ts';
import { type App, givenApp, type Reply } from '../harness.ts';
import { givenPaymentMethod, orderBody, productTokens } from './orders.ts';
import { deliverySlots } from './pizzeria.ts';
import { givenStores } from './stores.ts';

export type CountedShop = App & {
  newKey(): string;
  place(key: string, changes?: object): Promise<Reply>;
  /** An order item of the shop's product. */
  item(): { product_id: string | undefined };
  /** Runs the job that resolves charges left by crashes. */
  runLeftOrders(): Promise<unknown>;
  resolveCharge(orderId: string): Promise<unknown>;
  /**
   * An order, identified by its key, whose process died while placing; its slot (the first by default) and stock are
   * held.
   */
  givenKilled(breakage: Breakage, key: string, slot?: string): Promise<string>;
  slotsOf(): Promise<string[]>;
  /** Stock and slots currently held by orders. */
  held(): Promise<{ stock: number; slots: number } | undefined>;
  /** An order's state; asserts that its log contains no gap. */
  stateOf(orderId: string): Promise<{ status: unknown; charge: unknown; events: string[] }>;
  /** Charges of an order in the gateway's books, oldest first: [amount, refunded]. */
  books(orderId: string): Promise<[number, number][]>;
  /** Replaces the card that paid an order. */
  payLaterWith(orderId: string, paymentMethodId: string): Promise<void>;
  /** Ends an order, so that nothing stays held. */
  cancel(orderId: string): Promise<void>;
  assertChargedOnce(orderId: string, total?: number): Promise<void>;
};

export const PLACED = { status: 'awaiting_confirmation', charge: 'charged', events: ['order.placed'] };
export const LEFT = { status: 'unplaced', charge: 'pending', events: [] };
export const FREED = { status: 'unplaced', charge: 'declined', events: [] };
export const GIVEN_BACK = { status: 'canceled', charge: 'refunded', events: ['order.canceled', 'order.refunded'] };

/** A gateway call that never answers. */
export const silent = async () => {
  throw new OutsideError('payment gateway', 'did not answer', { retryable: true });
};
/** Charges, and does not say so. */
export const lostCharges: Breakage = (real) => ({
  charge: async (request) => {
    await real.charge(request);
    return silent();
  },
  findCharge: silent,
});
export const silentBooks: Breakage = () => ({ findCharge: silent, refund: silent });

const STOCK = 1000;

/** A store with one counted product and slots; each test cancels its orders. */
export async function givenCountedShop(): Promise<CountedShop> {
  const app = await givenApp();
  const counted = { id: 'counted', name: 'Counted', price: 1500, qty_available: STOCK };
  const scheduling = { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 1, capacity: 50 };
  const [storeId = ''] = await givenStores(app, [
    pizzeria({ categories: [{ id: 'c', name: 'C', products: [counted] }], scheduling }),
  ]);
  const product = (await productTokens(app, storeId)).Counted;
  const card = await givenPaymentMethod(app);
  let lastKey = 0;
  const place = (key: string, changes: object = {}) =>
    app.post('/order/order/v2', orderBody(product, card, changes), { 'idempotency-key': key });
  const held = () => heldOf(app, storeId);
  return {
    ...app,
    newKey: () => {
      lastKey += 1;
      return `key-${lastKey}`;
    },
    place,
    item: () => ({ product_id: product }),
    runLeftOrders: () => resolveUnsettledCharges(app.service.deps).run({}, new AbortController().signal),
    resolveCharge: (orderId) => resolveCharge(app.service.deps, orderId),
    async givenKilled(breakage, key, chosen) {
      const slot = chosen ?? (await deliverySlots(app, storeId))[0];
      const reply = await withBrokenGateway(app, breakage, () => place(key, { scheduled_id: slot }));
      assert.equal(reply.status, 500, reply.text);
      assert.deepEqual(await held(), { stock: 1, slots: 1 });
      return orderOfKey(app, key);
    },
    slotsOf: () => deliverySlots(app, storeId),
    held,
    stateOf: (orderId) => stateOf(app, orderId),
    books: (orderId) => booksOf(app, orderId),
    async payLaterWith(orderId, paymentMethodId) {
      const change = JSON.stringify({ paymentMethodId });
      await sql`update orders set request = request || ${change}::jsonb where order_id = ${orderId}`.execute(
        app.service.deps.db,
      );
    },
    async cancel(orderId) {
      const reply = await app.post(`/sandbox/orders/${orderId}/advance`, { event: 'cancel' });
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(await held(), { stock: 0, slots: 0 });
    },
    async assertChargedOnce(orderId, total) {
      const charges = await booksOf(app, orderId);
      assert.deepEqual(
        charges.filter(([amount, refunded]) => refunded < amount).map(([, refunded]) => refunded),
        [0],
      );
      if (total !== undefined) assert.equal(charges.at(-1)?.[0], total);
    },
  };
}

/** The order for an Idempotency-Key. */
export async function orderOfKey(app: App, key: string): Promise<string> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id from orders where idempotency_key = ${key}`.execute(app.service.deps.db);
  assert.equal(rows.length, 1);
  return rows[0]?.orderId ?? '';
}

async function heldOf(app: App, storeId: string) {
  const { rows } = await sql<{ stock: number; slots: number }>`
    select coalesce((select sum(held) from sandbox_stock where store_id = ${storeId}), 0)::int as stock,
      coalesce((select sum(held) from slot_holds where store_id = ${storeId} and account_id <> ''), 0)::int as slots`.execute(
    app.service.deps.db,
  );
  return rows[0];
}

async function stateOf({ service }: App, orderId: string) {
  const order = await findAnyOrder(service.deps.db, orderId);
  const events = await listEvents(service.deps.db, orderId);
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    Array.from({ length: order?.lastSequence ?? -1 }, (_, index) => index + 1),
  );
  return { status: order?.status, charge: order?.chargeState, events: events.map(({ type }) => type) };
}

async function booksOf({ service }: App, orderId: string): Promise<[number, number][]> {
  const charges = await service.deps.gateways.sandbox.listCharges({ orderId });
  return charges
    .filter(({ status }) => status === 'succeeded')
    .map(({ amountCents, refundedCents }) => [amountCents, refundedCents]);
}
