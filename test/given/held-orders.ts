import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { dispatchAllEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { pizzeria } from '../feed-lines.ts';
import type { App, Client } from '../harness.ts';
import { givenPaymentMethod, orderBody, productTokens } from './orders.ts';
import { givenStores } from './stores.ts';

/** A store without fees and taxes that sells chicken at $8.99/lb: 1.5 lb are $13.49, at most $14.83. */
const LINE = {
  fees: { delivery_fee: {}, service_fee: {}, small_order_fee: {}, sales_tax_percent: 0 },
  scheduling: { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 14, capacity: 20 },
  categories: [
    {
      id: 'goods',
      name: 'Goods',
      products: [
        { id: 'chicken', name: 'Chicken', price: 899, sold_by: 'weight', weight: { unit: 'lb', price_per: 1 } },
        { id: 'soda', name: 'Soda', price: 250 },
      ],
    },
  ],
};

export type HeldShop = Awaited<ReturnType<typeof givenHeldShop>>;

/** Orders with goods by weight, their money, and that in the books of the sandbox gateway. */
export async function givenHeldShop(app: App, { client = app, line = {} }: { client?: Client; line?: object } = {}) {
  const { db } = app.service.deps;
  const [storeId = ''] = await givenStores(app, [pizzeria({ ...LINE, ...line })]);
  const tokens = await productTokens(client, storeId);
  const card = await givenPaymentMethod(client);
  const order = (changes: object = {}) => {
    const items = [{ product_id: tokens.Chicken, quantity: '1.5' }, { product_id: tokens.Soda }];
    return client.post(
      '/order/order/v2',
      orderBody('', card, { items, pickup: true, driver_tip_cents: 0, ...changes }),
    );
  };
  return {
    storeId,
    tokens,
    order,
    async placed(changes: object = {}): Promise<string> {
      const reply = await order(changes);
      assert.equal(reply.status, 200, reply.text);
      return reply.body.order_id;
    },
    async advance(orderId: string, ...events: string[]) {
      for (const event of events) {
        const reply = await client.post(`/sandbox/orders/${orderId}/advance`, { event });
        assert.equal(reply.status, 200, reply.text);
      }
    },
    /** What the scale says of the chicken, in thousandths of a pound. */
    async weigh(orderId: string, milli: number) {
      const adjustments = [{ index: 0, quantity: 1, substitute: null, scaled: { milli, from: 'scale' } }];
      await sql`update orders set adjustments = ${JSON.stringify(adjustments)} where order_id = ${orderId}`.execute(db);
    },
    async state(orderId: string) {
      await dispatchAllEvents(app.service.deps);
      const found = (await findAnyOrder(db, orderId)) ?? assert.fail();
      const { chargeState, authorizedCents, capturedCents, chargedCents, refundedCents } = found;
      return { chargeState, authorizedCents, capturedCents, chargedCents, refundedCents };
    },
    /** Status, amount, and what was held, of every charge. */
    async charges(orderId: string) {
      const { charges } = (await client.get('/sandbox/charges', { order_id: orderId })).body;
      type Shown = { status: string; amount: number; authorized_amount?: number };
      const shown = (charges as Shown[]).map(({ status, amount, authorized_amount: held }) => [
        status,
        amount,
        held ?? null,
      ]);
      return shown.toSorted();
    },
  };
}
