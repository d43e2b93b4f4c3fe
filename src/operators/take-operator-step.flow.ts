import type { Db } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { ConsoleSession } from '../merchants/sessions.db.ts';
import { type StoreStep, takeStoreStep } from '../merchants/take-store-step.flow.ts';
import { acknowledgeOffer } from '../offers/offers.db.ts';
import { announceOrders } from '../offers/order-news.db.ts';
import { insertNotices } from '../offers/store-notices.db.ts';
import type { Order } from '../orders/order.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { orderNotFound } from '../orders/order-not-found.ts';
import { findAnyOrder, lockOrder } from '../orders/orders.db.ts';
import { insertAction } from './actions.db.ts';

type Operator = Pick<ConsoleSession, 'sessionId'>;

/** `recorded` is what the record of the change says beside the step. */
export type OperatorStep = Pick<StoreStep, 'detailsOf'> & {
  event: 'confirm' | 'ready' | 'pick_up' | 'complete' | 'cancel';
  recorded?: Readonly<Record<string, unknown>>;
};

/**
 * Takes a step of a live order in the name of its store, and records the operator. A step that is done already changes
 * and records nothing. Refuses with order_not_found and transition_not_allowed.
 */
export async function takeOperatorStep(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'inventory'>,
  { sessionId }: Operator,
  orderId: string,
  { event, recorded = {}, ...step }: OperatorStep,
): Promise<Order> {
  const order = await findAnyOrder(deps.db, orderId);
  if (!order) throw orderNotFound();
  const { storeId } = order;
  const merchant: Merchant = {
    storeId,
    mode: 'live',
    accountId: null,
    source: 'operator',
    id: sessionId,
    orderId: null,
  };
  return takeStoreStep(deps, merchant, orderId, {
    ...step,
    event,
    alongside: (tx, at) =>
      insertAction(tx, { at, sessionId, action: `order.${event}`, target: orderId, details: recorded }),
  });
}

/**
 * Ends the ringing of a live order at every operator: an operator looks after it. The operator counts as a channel of this
 * order from now on, also where the store has no such channel; the store's own channels go on as they are.
 */
export async function acknowledgeForStore(
  { db, clock }: { db: Db; clock: Clock },
  { sessionId }: Operator,
  orderId: string,
): Promise<Order> {
  const at = clock.now();
  return db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.mode !== 'live' || order.placedAt === null) throw orderNotFound();
    if (order.status !== 'awaiting_confirmation') return order;
    const { storeId } = order;
    const offer = { orderId, storeId, channel: 'operator', kind: 'offered', copy: 0 } as const;
    await insertNotices(tx, [{ ...offer, at, nextAttemptAt: at }]);
    if (await acknowledgeOffer(tx, orderId, 'operator', at)) {
      await insertAction(tx, { at, sessionId, action: 'order.acknowledge', target: orderId, details: {} });
      await announceOrders(tx, [order]);
    }
    return order;
  });
}
