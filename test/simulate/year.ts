import { holdWithCustomer } from '../../src/ordering/money/hold-again.flow.ts';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { takeGatewayNotice } from '../../src/ordering/payments/gateway-webhook.route.ts';
import { chooseWallet } from '../../src/ordering/payments/save-card.flow.ts';
import { customerCaller } from '../../src/ordering/place/checkout.flow.ts';
import { createTokenSealer } from '../../src/platform/lib/tokens.ts';
import { sealSlot } from '../../src/supply/catalog/catalog-tokens.ts';
import { orderBody } from '../given/orders.ts';
import { START_MS } from './base-world.ts';
import { type Customers, type CustomersOptions, createKeep, type Promised, place, storeStep } from './customers.ts';
import { answerCharge } from './simulated-gateway.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An order each so many days. */
const APART_DAYS = 3;
const MAX_DAYS_AHEAD = 14;
/** Cards that hold no more money: declined, or only with their customer's approval. */
const ENDED = ['4000000000009995', '4000000000000069', '4000002500003155'];

export type YearCounts = Record<string, number>;

/** How many orders of goods by weight ended in each way, of the run that is in the database. */
export const YEAR_COUNTS = `
  select count(*)::int as orders, count(captured_cents)::int as captured,
    count(*) filter (where captured_cents is not null and hold_attempt > 2)::int as "renewed and captured",
    count(*) filter (where captured_cents is not null and exists (select from order_events e
      where e.order_id = o.order_id and type = 'order.hold_declined'))::int as "declined and captured",
    count(*) filter (where cancel_reason = 'payment_failed')::int as unpaid,
    count(*) filter (where status = 'completed' and captured_cents is null)::int as lost,
    count(*) filter (where status = 'canceled')::int as canceled
  from orders o where authorized_cents is not null`;

/**
 * Many days of one store, sparse in events: scheduled orders of goods by weight, up to two weeks ahead. Cards expire or
 * want their customer, banks end holds, customers pay by the link of the message or do not, stores are late or forget.
 */
export function createYear({ clients, chance, gateway, shop }: CustomersOptions, days: number): Customers {
  const { world } = clients;
  const [key, storeKey] = [world.keys.live, shop.storeKeys.live];
  const promised: Promised[] = [];
  const orderRequests: Customers['orderRequests'] = [];
  const keep = createKeep(promised);
  const tokens = createTokenSealer(world.secrets);
  const weighed = shop.products.find(({ isWeighed }) => isWeighed);
  if (!weighed) throw new Error('The store sells nothing by weight.');
  const now = () => Temporal.Now.instant().epochMilliseconds;
  const until = (ms: number) => clients.pause(Math.max(1, Math.round(ms - now())));
  /** Some moment from now until then. */
  const someTime = (ms: number) => until(now() + chance.next() * (ms - now()));
  const chargesOf = (orderId: string) => [...gateway.charges.values()].filter((charge) => charge.orderId === orderId);
  return {
    count: Math.ceil(days / APART_DAYS),
    isRush: true,
    promised,
    orderRequests,
    async live(number) {
      await until(START_MS + (number - chance.next()) * APART_DAYS * DAY_MS);
      const user = { user_id: 'u1', user_email: 'u1@example.com' };
      const saved = await clients.insist({
        path: '/payment/create',
        body: { payment_token: 'tok_visa', ...user },
        key,
      });
      const slotMs = START_MS + Math.ceil((now() - START_MS) / DAY_MS + chance.below(MAX_DAYS_AHEAD)) * DAY_MS;
      const mode = chance.happens(0.5) ? 'delivery' : 'pickup';
      const slot = { startEpochS: slotMs / 1000, endEpochS: slotMs / 1000 + 1800 };
      const quantity = 0.25 * (1 + chance.below(12));
      const body = orderBody(undefined, saved.body.payment_method_id, {
        items: [{ product_id: weighed.token, quantity }],
        pickup: mode === 'pickup',
        scheduled_id: sealSlot(tokens, { mode, storeId: shop.storeId, ...slot }),
        user_phone: 12_123_000_000 + number,
      });
      const request = { mode: 'live', body, idempotencyKey: `year-${number}` } as const;
      orderRequests.push(request);
      const orderId = await place(clients, chance, gateway, request, keep);
      if (orderId === undefined) return;
      const acting = [sell(orderId, slotMs, { quantity, mode })];
      if (chance.happens(0.4)) acting.push(endCard(orderId, slotMs));
      if (chance.happens(0.2)) acting.push(endHold(orderId, slotMs));
      if (chance.happens(0.1)) acting.push(cancel(orderId, slotMs));
      await Promise.all(acting);
    },
  };

  /** Confirms, weighs and hands off; sometimes days late, sometimes never. */
  async function sell(orderId: string, slotMs: number, { quantity, mode }: { quantity: number; mode: string }) {
    const step = async (event: string) => {
      await clients.pause(60_000);
      const answer = await clients.insist(storeStep({ orderId, event, key: storeKey, delayMinutes: 10 }));
      keep(answer, () => ({ what: 'stepped', orderId, event }));
    };
    await step('confirm');
    await until(slotMs - HOUR_MS + (chance.happens(0.15) ? chance.below(10 * DAY_MS) : 0));
    const weight = Math.round(quantity * (900 + chance.below(250))) / 1000;
    const path = `/store/orders/${orderId}/items/0`;
    const answer = await clients.insist({ path, body: { weight, at_limit: true }, key: storeKey });
    keep(answer, () => ({ what: 'answered', orderId }));
    if (chance.happens(0.05)) return;
    for (const event of mode === 'delivery' ? ['assign_driver', 'pick_up', 'complete'] : ['complete'])
      await step(event);
  }

  /** The bank lets the card hold nothing more. Its customer may pay by the link, with the bank's approval or another card. */
  async function endCard(orderId: string, slotMs: number): Promise<void> {
    await someTime(slotMs);
    const number = chance.pick(ENDED);
    for (const { cardToken } of chargesOf(orderId)) gateway.cards.set(cardToken, number);
    const isOther = chance.happens(0.5);
    for (let visits = chance.below(4); visits > 0; visits -= 1) {
      await someTime(slotMs);
      await payByLink(orderId, isOther);
      for (const { chargeId } of chargesOf(orderId)) answerCharge(gateway, chargeId, chance.happens(0.8));
      await clients.pause(chance.below(HOUR_MS));
      await payByLink(orderId, false);
    }
  }

  /** What the page of the link does (card.route.ts). */
  async function payByLink(orderId: string, isOther: boolean): Promise<void> {
    await clients.visit(async (deps) => {
      const order = await findAnyOrder(deps.db, orderId);
      if (!order) return;
      const { accountId, mode, request } = order;
      const { userId, email: userEmail } = request.customer;
      const owner = { accountId, mode, orderId, userId, userEmail, returnUrl: '' };
      if (isOther) await chooseWallet(deps, customerCaller(order), owner, 'tok_visa');
      await holdWithCustomer(deps, order, customerCaller(order));
    });
  }

  /** The bank ends the hold before its time; the gateway reports it, or does not. */
  async function endHold(orderId: string, slotMs: number): Promise<void> {
    await someTime(slotMs + DAY_MS);
    const held = chargesOf(orderId).find(({ status }) => status === 'authorized');
    if (!held) return;
    held.status = 'lost';
    if (chance.happens(0.5)) return;
    await clients.visit((deps) => takeGatewayNotice(deps, { kind: 'charge', chargeId: held.chargeId }));
  }

  async function cancel(orderId: string, slotMs: number): Promise<void> {
    await someTime(slotMs);
    const answer = await clients.insist({ path: '/order/cancel', body: { order_id: orderId }, key });
    keep(answer, () => ({ what: 'canceled', orderId }));
  }
}
