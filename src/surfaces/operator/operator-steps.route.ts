import { type TObject, Type } from 'typebox';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { trackingSiteOf } from '../../access/accounts/tracking-site.ts';
import { operation } from '../../access/operations/operation.ts';
import { insertAction } from '../../access/sessions/actions.db.ts';
import { acknowledgeOrder, announceOrders } from '../../fulfillment/store-channels/received-orders.db.ts';
import { insertNotices } from '../../fulfillment/store-channels/store-notices.db.ts';
import { takeStep } from '../../ordering/money/take-step.flow.ts';
import { ADVANCE_EVENTS, ORDER_STATUSES } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { orderNotFound } from '../../ordering/order/order-faults.ts';
import { lockOrder } from '../../ordering/order/orders.db.ts';
import { OrderSchema, presentOrder } from '../../ordering/order/present-order.ts';
import { requireOrder } from '../../ordering/order/require-order.flow.ts';
import type { Context } from '../../platform/db/context.ts';
import { describedObject } from '../../platform/http/api-components.ts';
import { simulatedDetails } from '../sandbox/simulated-courier.ts';
import type { Street } from '../sandbox/street-route.ts';
import {
  COMPLETE_STEP,
  CONFIRM_STEP,
  PICK_UP_STEP,
  READY_STEP,
  type StepRequest,
  takeStoreStep,
} from '../store-console/take-store-step.flow.ts';

/* Steps of an order that an operator takes in place of its store. */

const Params = Type.Object({ order_id: Type.String({ maxLength: 64, description: 'A live order of any account.' }) });
const Stepped = describedObject('The order in its current state.', {
  order_id: Type.String(),
  status: Type.Enum([...ORDER_STATUSES]),
});

const refuses = ['order_not_found', 'transition_not_allowed'] as const;

type OperatorStepDeps = Pick<OrderDeps, 'db' | 'clock' | 'inventory'>;

export const confirmAnyOrderOperation = stepOperation(CONFIRM_STEP, {
  endpoint: 'POST /orders/:order_id/confirm',
  summary: 'Confirm an order for its store',
});
export const readyAnyOrderOperation = stepOperation(READY_STEP, {
  endpoint: 'POST /orders/:order_id/ready',
  summary: 'Mark an order as ready for its store',
});
export const pickUpAnyOrderOperation = stepOperation(PICK_UP_STEP, {
  endpoint: 'POST /orders/:order_id/pick_up',
  summary: 'Mark an order as picked up by the driver',
});
export const completeAnyOrderOperation = stepOperation(COMPLETE_STEP, {
  endpoint: 'POST /orders/:order_id/complete',
  summary: 'Mark an order as completed',
});

/** A step of a live order on behalf of its store, recorded unless it is a repeated one, which changes nothing. */
function stepOperation<Body extends TObject, const Endpoint extends `POST /orders/:order_id/${string}`>(
  { event, body, example, detailsOf, checksOf, refuses: more = [] }: StepRequest<Body>,
  words: { endpoint: Endpoint; summary: string },
) {
  return operation({
    ...words,
    refuses: [...refuses, ...more],
    description: `Does the same as \`POST /store/orders/{order_id}/${event}\` by the store.`,
    ...(example && { example }),
    params: Params,
    body,
    answer: Stepped,
    on: { operator: { role: 'support' } },
  }).run(async (deps: OperatorStepDeps, { by: { session }, params: { order_id: orderId }, body: given }) => {
    const { sessionId } = session;
    const { storeId } = await requireOrder(deps.db, orderId);
    const by = { mode: 'live', accountId: null, source: 'operator', id: sessionId, orderId: null } as const;
    const details = Object.fromEntries(Object.keys(body.properties).map((name) => [name, given[name]]));
    const { status } = await takeStoreStep(deps, { ...by, storeId }, orderId, {
      event,
      detailsOf: detailsOf?.(given),
      checks: checksOf?.(given),
      alongside: (tx, at) => insertAction(tx, { at, sessionId, action: `order.${event}`, target: orderId, details }),
    });
    return { order_id: orderId, status };
  });
}

export const acknowledgeAnyOrderOperation = operation({
  endpoint: 'POST /orders/:order_id/acknowledge',
  refuses,
  summary: 'Take over an unconfirmed order',
  description: 'Stops the ringing for every operator, but not at the store. The order stays unconfirmed.',
  params: Params,
  body: Type.Object({}),
  answer: Stepped,
  on: { operator: { role: 'support' } },
}).run(async (deps: OperatorStepDeps, { by: { session }, params: { order_id: orderId } }) => {
  const { status } = await acknowledgeForStore(deps, session.sessionId, orderId);
  return { order_id: orderId, status };
});

/**
 * Stops a live order's alert for every operator. From then on the operator counts as one of its channels; the store's
 * own channels continue.
 */
async function acknowledgeForStore({ db, clock }: Context, sessionId: string, orderId: string) {
  const at = clock.now();
  return db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.mode !== 'live' || order.placedAt === null) throw orderNotFound();
    if (order.status !== 'awaiting_confirmation') return order;
    const { storeId } = order;
    const offer = { orderId, storeId, channel: 'operator', kind: 'offered', copy: 0 } as const;
    await insertNotices(tx, [{ ...offer, at }]);
    if (await acknowledgeOrder(tx, orderId, 'operator', at)) {
      await insertAction(tx, { at, sessionId, action: 'order.acknowledge', target: orderId, details: {} });
      await announceOrders(tx, [order]);
    }
    return order;
  });
}

type AdvanceNeeds = Pick<OrderDeps, 'db' | 'clock' | 'config'> & {
  inventory: Pick<OrderDeps['inventory'], 'evict'>;
  streets: readonly Street[];
};

export const advanceAnyOrderOperation = operation({
  endpoint: 'POST /orders/:order_id/advance',
  refuses: ['order_not_found', 'transition_not_allowed'],
  summary: 'Advance an order on behalf of its store or courier',
  description: 'A sandbox order gets the details of a simulated store and courier. A live order gets none.',
  example: { body: { event: 'confirm' } },
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of any account.' }) }),
  body: Type.Object({ event: Type.Enum([...ADVANCE_EVENTS], { description: 'The step.' }) }),
  answer: OrderSchema,
  on: { operator: { command: 'orders advance <order_id> <event>', role: 'support' } },
}).run(async (needs: AdvanceNeeds, { by: { session }, params: { order_id: orderId }, body: { event } }) => {
  const { sessionId } = session;
  const { db, config, streets } = needs;
  await requireOrder(db, orderId);
  const order = await takeStep(needs, orderId, {
    event,
    detailsOf: (locked, now) =>
      locked.mode === 'sandbox' ? simulatedDetails(locked, event, { baseUrl: config.baseUrl, streets, now }) : {},
    alongside: (tx, _change, at) =>
      insertAction(tx, { at, sessionId, action: 'order.advance', target: orderId, details: { event } }),
  });
  return presentOrder(order, trackingSiteOf(await findBranding(db, order.accountId), config.trackingUrl));
});
