import { type Static, type TObject, Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import { confirmedDetails, PREPARATION_MINUTES } from '../deliveries/kitchen-times.ts';
import type { Http, RequestExample } from '../http/http.ts';
import type { Clock } from '../lib/clock.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { ConsoleSession } from '../merchants/sessions.db.ts';
import { type StoreStep, takeStoreStep } from '../merchants/take-store-step.flow.ts';
import { acknowledgeOffer, announceOrders } from '../offers/offers.db.ts';
import { insertNotices } from '../offers/store-notices.db.ts';
import { ORDER_STATUSES, type Order } from '../orders/order.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { orderNotFound } from '../orders/order-faults.ts';
import { findAnyOrder, lockOrder } from '../orders/orders.db.ts';
import { insertAction } from './actions.db.ts';

const MAX_REASON = 200;

const Params = Type.Object({ order_id: Type.String({ maxLength: 64, description: 'A live order of any account.' }) });
const ConfirmBody = Type.Object({
  preparation_minutes: Type.Integer({ ...PREPARATION_MINUTES, description: 'Until the food is ready.' }),
});
const CancelBody = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: MAX_REASON, description: 'Why, for the customer and the account.' }),
});
const NoBody = Type.Object({});
const Stepped = Type.Object(
  { order_id: Type.String(), status: Type.Enum([...ORDER_STATUSES]) },
  { description: 'The order as it is now.' },
);

const config = { audience: 'operator', refuses: ['order_not_found', 'transition_not_allowed'] } as const;

type Needs = Pick<OrderDeps, 'db' | 'clock' | 'inventory'>;
type Described<Body extends TObject> = {
  event: 'confirm' | 'ready' | 'pick_up' | 'complete' | 'cancel';
  operationId: string;
  summary: string;
  example?: RequestExample;
  body: Body;
  stepOf?: (body: Static<Body>) => Pick<OperatorStep, 'detailsOf' | 'recorded'>;
};

/** POST /operator/orders/{order_id}/confirm, /ready, /pick_up, /complete, /cancel and /acknowledge: in the name of the store. */
export function operatorStepsRoutes(http: Http, deps: Needs): void {
  stepRoute(http, deps, {
    ...{
      event: 'confirm',
      operationId: 'confirmAnyOrder',
      summary: 'Confirm an order for its store',
      example: { body: { preparation_minutes: 20 } },
      body: ConfirmBody,
    },
    stepOf: ({ preparation_minutes: minutes }) => ({
      detailsOf: (order, now) => confirmedDetails(order, minutes, now),
      recorded: { preparation_minutes: minutes },
    }),
  });
  stepRoute(http, deps, {
    ...{
      event: 'ready',
      operationId: 'readyAnyOrder',
      summary: 'Say for a store that an order is ready',
      body: NoBody,
    },
  });
  stepRoute(http, deps, {
    event: 'pick_up',
    operationId: 'pickUpAnyOrder',
    summary: 'Say that the driver has an order',
    body: NoBody,
  });
  stepRoute(http, deps, {
    ...{
      event: 'complete',
      operationId: 'completeAnyOrder',
      summary: 'Say that the customer has an order',
      body: NoBody,
    },
  });
  stepRoute(http, deps, {
    event: 'cancel',
    operationId: 'cancelAnyOrder',
    summary: 'Cancel an order, and give the money back',
    example: { body: { reason: 'The kitchen is closed.' } },
    body: CancelBody,
    stepOf: ({ reason }) => ({ detailsOf: () => ({ reason }), recorded: { reason } }),
  });
  acknowledgeRoute(http, deps);
}

function stepRoute<Body extends TObject>(http: Http, deps: Needs, step: Described<Body>): void {
  const { operationId, summary, example, body, event, stepOf } = step;
  const description = `The same as \`POST /store/orders/{order_id}/${event}\` by the store itself. The change is recorded.`;
  const described = { operationId, tags: ['Operator'], summary, description, ...(example ? { example } : {}) };
  const schema = { ...described, params: Params, body, response: { 200: Stepped } };
  http.post(`/operator/orders/:order_id/${event}`, { schema, config }, async ({ session, params, body: sent }) => {
    const taken = stepOf?.(sent as Static<Body>) ?? {};
    const { orderId, status } = await takeOperatorStep(deps, session, params.order_id, { event, ...taken });
    return { order_id: orderId, status };
  });
}

function acknowledgeRoute(http: Http, deps: Needs): void {
  const schema = {
    operationId: 'acknowledgeAnyOrder',
    tags: ['Operator'],
    summary: 'Say that an operator looks after an order',
    description: 'It ends the ringing at every operator, and not in the store. It confirms nothing.',
    params: Params,
    body: NoBody,
    response: { 200: Stepped },
  };
  http.post('/operator/orders/:order_id/acknowledge', { schema, config }, async ({ session, params }) => {
    const { orderId, status } = await acknowledgeForStore(deps, session, params.order_id);
    return { order_id: orderId, status };
  });
}

type Operator = Pick<ConsoleSession, 'sessionId'>;

/** `recorded` is what the record of the change says beside the step. */
type OperatorStep = Pick<StoreStep, 'detailsOf'> & {
  event: 'confirm' | 'ready' | 'pick_up' | 'complete' | 'cancel';
  recorded?: Readonly<Record<string, unknown>>;
};

/**
 * Takes a step of a live order in the name of its store, and records the operator. A step that is done already changes
 * and records nothing. Refuses with order_not_found and transition_not_allowed.
 */
async function takeOperatorStep(
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
async function acknowledgeForStore(
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
