import assert from 'node:assert/strict';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { sumCents } from '../../src/platform/lib/money.ts';
import type { StripeContract } from '../contracts/stripe-contract.ts';
import { receivedOf } from '../fakes/stripe-charge-books.ts';
import { type StripeDouble, startStripeDouble } from '../fakes/stripe-double.ts';
import { signedCall, stripeEvent } from '../fakes/stripe-events.ts';
import { pizzeria } from '../feed-lines.ts';
import { type App, type Client, givenOwnApp, type Reply } from '../harness.ts';
import { givenChannel } from './merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from './orders.ts';
import { givenStores } from './stores.ts';

export const WEBHOOK_SECRET = 'whsec_for_tests';

export type StripeShop = {
  app: App;
  client: Client;
  stripe: StripeDouble;
  order(cardNumber?: string, changes?: object): Promise<Reply>;
  finalize(orderId: string): Promise<Reply>;
  /** Sends a signed event, then runs everything due. */
  tell(type: string, object: Record<string, unknown>): Promise<void>;
  /** An order's status, charge state, and charged and refunded cents. */
  stateOf(orderId: string): Promise<[string | undefined, string | undefined, number | undefined, number | undefined]>;
  /** Operator events as kind, order and amount, oldest first. */
  events(): Promise<[string, string | null, number][]>;
  /** What Stripe charged for an order, less refunds. */
  kept(orderId: string): number;
  close(): Promise<void>;
};

export async function givenStripeShop(
  contract: StripeContract | undefined,
  more: Record<string, string> = {},
): Promise<StripeShop> {
  const stripe = await startStripeDouble(contract);
  const env = {
    STRIPE_SECRET_KEY: 'sk_live_secret',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    ORDER_CONFIRM_TIMEOUT_MINUTES: '1440',
    ...more,
  };
  const app = await givenOwnApp({ env, partyUrls: { stripe: { baseUrl: stripe.baseUrl } } });
  const { db } = app.service.deps;
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  await givenChannel(app, storeId);
  const client = await app.givenClient('live');
  const token = (await productTokens(client, storeId)).Margherita;
  return {
    app,
    client,
    stripe,
    async order(cardNumber = '4242424242424242', changes = {}) {
      const card = await givenPaymentMethod(client, cardNumber);
      return client.post('/order/order/v2', orderBody(token, card, { autofill_selected_options: true, ...changes }));
    },
    finalize: (order_id) => client.post('/order/finalize', { order_id }),
    async tell(type, object) {
      const call = await signedCall(stripeEvent(type, object, app.now()), WEBHOOK_SECRET, app.now());
      const reply = await app.service.http.inject({ method: 'POST', url: '/payment/stripe/webhook', ...call });
      assert.equal(reply.statusCode, 200, reply.body);
      await app.advance({ seconds: 1 });
    },
    async stateOf(orderId) {
      const order = await findAnyOrder(db, orderId);
      return [order?.status, order?.chargeState, order?.chargedCents, order?.refundedCents];
    },
    async events() {
      const columns = ['kind', 'orderId', 'amountCents'] as const;
      const events = await db
        .selectFrom('gatewayEvents')
        .select(columns)
        .orderBy('at')
        .orderBy('eventId', 'desc')
        .execute();
      return events.map(({ kind, orderId, amountCents }) => [kind, orderId, amountCents]);
    },
    kept: (orderId) => keptOf(stripe, orderId),
    async close() {
      await app.close();
      await stripe.close();
    },
  };
}

function keptOf(stripe: StripeDouble, orderId: string): number {
  const paid = stripe
    .intents()
    .filter(({ metadata, status }) => metadata.order_id === orderId && status === 'succeeded');
  const ids = new Set(paid.map(({ id }) => id));
  const back = stripe.refunds().filter((refund) => ids.has(refund.payment_intent) && refund.status === 'succeeded');
  return sumCents(paid.map(receivedOf)) - sumCents(back.map(({ amount }) => amount));
}
