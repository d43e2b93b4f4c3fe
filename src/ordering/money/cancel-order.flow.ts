import type { Caller } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Order } from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { listEvents } from '../order/order-events.db.ts';
import type { CanceledBy } from '../order/order-events.ts';
import { findAnyOrder, findOrder } from '../order/orders.db.ts';
import { trySettling } from './settle-order.flow.ts';
import { type Alongside, takeStep } from './take-step.flow.ts';

/** Default reason of an account's cancelation. */
const CANCELED_BY_ACCOUNT = 'canceled_by_account';

type CancelOrderDeps = Pick<OrderDeps, 'clock' | 'db' | 'gateways'> & {
  inventory: Pick<OrderDeps['inventory'], 'evict'>;
};

/**
 * Cancels an order for its account or, without a caller, for an operator, and refunds the rest of its charge. Canceling
 * again returns the order. Refuses with order_not_found and transition_not_allowed.
 */
export async function cancelOrder(
  deps: CancelOrderDeps,
  { orderId, reason, alongside }: { orderId: string; reason: string; alongside?: Alongside },
  caller?: Caller,
): Promise<Order> {
  const by = caller ? 'account' : 'operator';
  const details = { reason: reason || CANCELED_BY_ACCOUNT, by } as const;
  const command = { event: 'cancel', detailsOf: () => details, alongside } as const;
  const canceled = await takeStep(deps, orderId, command, caller).catch(async (error) => {
    const before = await canceledBefore(deps, { orderId, by }, caller);
    if (before && error instanceof Refusal) return before;
    throw error;
  });
  return trySettling(deps, canceled);
}

/** The order, if the same side has already canceled it. */
async function canceledBefore(
  { db }: Pick<CancelOrderDeps, 'db'>,
  { orderId, by }: { orderId: string; by: CanceledBy },
  caller: Caller | undefined,
): Promise<Order | undefined> {
  const order = await (caller ? findOrder(db, caller, orderId) : findAnyOrder(db, orderId));
  return order?.status === 'canceled' && (await isCanceledBy(db, orderId, by)) ? order : undefined;
}

/** Whether this side canceled an order, so that it may cancel it again. */
export async function isCanceledBy(sql: Sql, orderId: string, by: CanceledBy): Promise<boolean> {
  const events = await listEvents(sql, orderId);
  return events.some(({ type, data }) => type === 'order.canceled' && data.by === by);
}
