import assert from 'node:assert/strict';
import { listDeliveries, setStoreCourier } from '../../src/fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import type { CourierDelivery } from '../../src/fulfillment/deliveries/couriers/courier-delivery.ts';
import { takeStep } from '../../src/ordering/money/take-step.flow.ts';
import type { AdvanceEvent, Order } from '../../src/ordering/order/order.ts';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { readUberDocument } from '../contracts/courier-document.ts';
import type { UberEvent } from '../fakes/uber-books.ts';
import { startUberDouble, type UberDouble } from '../fakes/uber-direct-double.ts';
import { pizzeria } from '../feed-lines.ts';
import { type App, type Client, givenOwnApp } from '../harness.ts';
import { givenChannel } from './merchant.ts';
import { orderBody, productTokens } from './orders.ts';
import { givenStores } from './stores.ts';

export type CourierShop = {
  app: App;
  uber: UberDouble;
  storeId: string;
  client: Client;
  /** Places a live order without a charge; `changes` override its body. */
  place(changes?: object): Promise<string>;
  /** Takes store steps and runs everything that is due. */
  step(orderId: string, ...events: AdvanceEvent[]): Promise<void>;
  /** A delivery confirmed by its store, so that a courier is requested. */
  givenRequested(changes?: object): Promise<string>;
  orderOf(orderId: string): Promise<Order>;
  deliveriesOf(orderId: string): Promise<CourierDelivery[]>;
  /** Delivers a call of Uber's webhook and runs its consequences. */
  receive(event: UberEvent): Promise<{ status: number; body: { received?: boolean; code?: string } }>;
  /** The courier's time, in minutes from the test's start. */
  at(minutes: number): string;
  /** Closes the shop; fails if a request or answer differed from Uber's document. */
  close(): Promise<void>;
};

export const COURIER = { name: 'Cori R.', phone_number: '+15555550111', vehicle_type: 'bicycle' };
/** Uber's key of the first delivery attempt. */
export const keyOf = (orderId: string, attempt = 1) => `${orderId}-${attempt}`;

/** A live account and a store with Uber Direct couriers, faked on loopback. */
export async function givenCourierShop(startedAt?: string, settings: object = {}): Promise<CourierShop> {
  const uber = await startUberDouble(readUberDocument());
  const env = {
    ORDER_CONFIRM_TIMEOUT_MINUTES: '1440',
    UBER_DIRECT_CLIENT_ID: 'client',
    UBER_DIRECT_CLIENT_SECRET: uber.clientSecret,
    UBER_DIRECT_WEBHOOK_SECRET: uber.webhookSecret,
    ...settings,
  };
  const partyUrls = { uber_direct: { baseUrl: uber.baseUrl, tokenUrl: uber.tokenUrl } };
  const app = await givenOwnApp({ env, partyUrls, ...(startedAt === undefined ? {} : { start: startedAt }) });
  const { db } = app.service.deps;
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  await givenChannel(app, storeId);
  await setStoreCourier(db, storeId, 'uber_direct', app.now());
  const client = await app.givenClient('live');
  const token = (await productTokens(client, storeId)).Soda;
  const place: CourierShop['place'] = async (changes = {}) => {
    const cart = { items: [{ product_id: token, quantity: 4 }], charge_user: false, ...changes };
    const reply = await client.post('/order/order/v2', orderBody(token, null, cart));
    assert.equal(reply.status, 200, reply.text);
    return reply.body.order_id as string;
  };
  const step: CourierShop['step'] = async (orderId, ...events) => {
    for (const event of events) await takeStep(app.service.deps, orderId, { event });
    await app.advance({ seconds: 1 });
  };
  const start = app.now();
  return {
    app,
    uber,
    storeId,
    client,
    place,
    step,
    async givenRequested(changes) {
      const orderId = await place(changes);
      await step(orderId, 'confirm');
      return orderId;
    },
    orderOf: async (orderId) => (await findAnyOrder(db, orderId)) ?? assert.fail(`no order ${orderId}`),
    deliveriesOf: (orderId) => listDeliveries(db, orderId),
    async receive({ body, headers }) {
      const request = { method: 'POST', url: '/couriers/uber_direct/webhook', payload: body, headers } as const;
      const reply = await app.service.http.inject(request);
      await app.advance({ seconds: 1 });
      return { status: reply.statusCode, body: reply.json() };
    },
    async close() {
      await app.close();
      await uber.close();
      assert.deepEqual(uber.faults, []);
    },
    at: (minutes) => start.add({ seconds: Math.round(minutes * 60) }).toString(),
  };
}
