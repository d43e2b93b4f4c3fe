import { type Static, type TObject, Type } from 'typebox';
import { confirmedDetails, PREPARATION_MINUTES } from '../deliveries/kitchen-times.ts';
import type { Http, RequestExample } from '../http/http.ts';
import { StoreOrderSchema } from '../offers/present-store-order.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import type { AdvanceEvent } from '../orders/order-events.ts';
import { trySandboxRefunds } from '../orders/refunds/resolve-refunds.flow.ts';
import { presentForStore } from './present-for-store.ts';
import { type StoreStep, takeStoreStep } from './take-store-step.flow.ts';

const MAX_REASON = 200;

const Params = Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of the store.' }) });
const ConfirmBody = Type.Object({
  preparation_minutes: Type.Integer({ ...PREPARATION_MINUTES, description: 'Until the food is ready.' }),
});
const CancelBody = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: MAX_REASON, description: 'Why, for the customer and the account.' }),
});
const NoBody = Type.Object({});
const REPEATED = 'A step that is done answers 200 and changes nothing.';

const config = { audience: 'store', refuses: ['order_not_found', 'transition_not_allowed'] } as const;

type Needs = Pick<OrderDeps, 'db' | 'clock' | 'inventory' | 'config' | 'tokens' | 'trackingSites' | 'gateways'>;

type Described<Body extends TObject> = {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  example?: RequestExample;
  body: Body;
  event: AdvanceEvent;
  detailsOf?: (body: Static<Body>) => StoreStep['detailsOf'];
};

/** POST /store/orders/{order_id}/confirm, /ready, /pick_up, /complete and /cancel. A repeated step answers 200 and changes nothing. */
export function storeStepsRoutes(http: Http, deps: Needs): void {
  stepRoute(http, deps, {
    ...{ path: 'confirm', operationId: 'confirmStoreOrder', summary: 'Take an order, and say how long it takes' },
    description: `The time of arrival follows from \`preparation_minutes\`, and the customer is told. ${REPEATED}`,
    ...{ body: ConfirmBody, event: 'confirm', example: { body: { preparation_minutes: 20 } } },
    detailsOf: (body) => (order, now) => confirmedDetails(order, body.preparation_minutes, now),
  });
  stepRoute(http, deps, {
    ...{ path: 'ready', operationId: 'readyStoreOrder', summary: 'Say that an order is ready' },
    description: `A customer who comes for the order is told. ${REPEATED}`,
    ...{ body: NoBody, event: 'ready' },
  });
  stepRoute(http, deps, {
    ...{ path: 'pick_up', operationId: 'pickUpStoreOrder', summary: 'Say that the driver has an order' },
    description: `For a delivery: the order has left the store. ${REPEATED}`,
    ...{ body: NoBody, event: 'pick_up' },
  });
  stepRoute(http, deps, {
    ...{ path: 'complete', operationId: 'completeStoreOrder', summary: 'Hand an order over' },
    description: `The customer has the order. ${REPEATED}`,
    ...{ body: NoBody, event: 'complete' },
  });
  stepRoute(http, deps, {
    ...{ path: 'cancel', operationId: 'cancelStoreOrder', summary: 'Cancel an order, and give the money back' },
    description: `Possible until a driver has picked the order up, or its customer has it. ${REPEATED}`,
    ...{ body: CancelBody, event: 'cancel', example: { body: { reason: 'The kitchen is closed.' } } },
    detailsOf:
      ({ reason }) =>
      () => ({ reason }),
  });
}

function stepRoute<Body extends TObject>(http: Http, deps: Needs, step: Described<Body>): void {
  const { operationId, summary, description, example, body, event, detailsOf } = step;
  const described = { operationId, tags: ['Store'], summary, description, ...(example ? { example } : {}) };
  const schema = { ...described, params: Params, body, response: { 200: StoreOrderSchema } };
  http.post(`/store/orders/:order_id/${step.path}`, { schema, config }, async (request) => {
    const details = detailsOf?.(request.body as Static<Body>);
    const command: StoreStep = { event, ...(details ? { detailsOf: details } : {}) };
    const order = await takeStoreStep(deps, request.merchant, request.params.order_id, command);
    return presentForStore(deps, await trySandboxRefunds(deps, order));
  });
}
