import type { Static } from 'typebox';
import type { Caller } from '../../access/accounts/account.ts';
import type { Context } from '../../platform/db/context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { recordStep } from '../money/take-step.flow.ts';
import { fulfilledItems } from '../order/fulfilled-items.ts';
import { handoverCodeFor } from '../order/handover-code.flow.ts';
import type { Order } from '../order/order.ts';
import { listEvents } from '../order/order-events.db.ts';
import { leftAtDoorFaults, refusalOfFaults } from '../order/order-faults.ts';
import { isUpdatable } from '../order/order-view.ts';
import { saveRequest } from '../order/orders.db.ts';
import { toCollectCents } from '../order/reprice-order.ts';
import { requireLockedOrder } from '../order/require-order.flow.ts';
import { missingToPlace, type UpdatedMembers, updatedRequest } from './order-body.ts';

export type UpdateCommand = { orderId: string; body: Static<typeof UpdatedMembers> };

/**
 * Changes how a placed order is handed off: for its account, or without a caller for its customer. The same again
 * changes nothing. Refuses with order_not_found, transition_not_allowed, and invalid_request for what placing needs.
 */
export async function updateOrder(
  { db, clock }: Context,
  { orderId, body }: UpdateCommand,
  caller?: Caller,
): Promise<Order> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const order = await requireLockedOrder(tx, orderId, caller);
    const { request, changed } = updatedRequest(order.request, body);
    if (changed.length === 0 && order.status !== 'unplaced') return order;
    if (!isUpdatable(order)) throw new Refusal('transition_not_allowed', TOO_LATE);
    const updates = (await listEvents(tx, orderId)).filter(({ type }) => type === 'order.updated').length;
    if (updates >= MAX_UPDATES) throw new Refusal('transition_not_allowed', TOO_OFTEN);
    const emptied = missingToPlace(request, { totalCents: 0 }).map((fault) => ({
      ...fault,
      message: 'must not be empty',
    }));
    if (emptied.length > 0) throw invalidRequest(emptied);
    const left = leftAtDoorFaults(request, fulfilledItems(order), toCollectCents(order) !== null);
    if (changed.includes('drop_off') && left.length > 0) throw refusalOfFaults(left);
    const updated = { ...order, request, handoverCode: handoverCodeFor(request, order.handoverCode) };
    await saveRequest(tx, updated);
    const data = {
      changed,
      by: caller ? ('account' as const) : ('customer' as const),
      is_confirmed: order.status === 'in_progress',
    };
    return recordStep(tx, { order: updated, event: { type: 'order.updated', data } }, now);
  });
}

/** Changes of an order. Each is a text, a mail and a ticket of the store. */
const MAX_UPDATES = 10;

const TOO_OFTEN = `An order can be changed up to ${MAX_UPDATES} times.`;
const TOO_LATE =
  'Only a placed order can be changed: a delivery until a driver has picked it up, a pickup until it is ready.';
