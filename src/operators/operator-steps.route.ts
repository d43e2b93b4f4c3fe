import { type Static, type TObject, Type } from 'typebox';
import { confirmedDetails, PREPARATION_MINUTES } from '../deliveries/confirmed-details.ts';
import type { Http, RequestExample } from '../http/http.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { ORDER_STATUSES } from '../orders/order-schema.ts';
import { acknowledgeForStore, type OperatorStep, takeOperatorStep } from './take-operator-step.flow.ts';

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
    ...{ event: 'pick_up', operationId: 'pickUpAnyOrder', summary: 'Say that the driver has an order', body: NoBody },
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
    ...{ event: 'cancel', operationId: 'cancelAnyOrder', summary: 'Cancel an order, and give the money back' },
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
