import { type Caller, ownerOf } from '../../access/accounts/account.ts';
import type { Http } from '../../platform/http/http.ts';
import { isJsonObject, memberOf } from '../../platform/lib/json-object.ts';
import { createWorkInSlices } from '../../platform/load/share-event-loop.hook.ts';
import { REFUSES_ADDRESS } from '../../supply/addresses/geocoding.cache.ts';
import { EXAMPLE_PAYER, EXAMPLE_USER } from '../../supply/stores/example-store.ts';
import { checkoutLinkDeps } from '../order/checkout-link.ts';
import type { CreateOrderDeps, OrderDeps } from '../order/order-deps.ts';
import { requireOrderKey } from '../order/order-key.ts';
import { requireGateway } from '../payments/payment-gateway.ts';
import { OrderBody, orderRequestOf, readOrderBody } from './order-body.ts';
import { createOrder } from './place-order.flow.ts';
import { PlacedOrderSchema, presentPlaced, REFUSES_TO_PLACE } from './placed-order.ts';
import { refuseToVisitor } from './visitor-orders.ts';

const EXAMPLE_ORDER = {
  place_order: true,
  items: [{ product_id: '{product_id}', quantity: 2 }],
  pickup: false,
  autofill_selected_options: true,
  driver_tip_cents: 500,
  ...EXAMPLE_USER,
  user_street_num: '932',
  user_street_name: 'W Randolph St',
  user_city: 'Chicago',
  user_state: 'IL',
  user_zipcode: '60607',
  user_country: 'US',
  user_name: 'Sam Rivera',
  user_phone: 13125550123,
  ...EXAMPLE_PAYER,
  payment_method_id: '{payment_method_id}',
  include_final_quote: true,
};

/** POST /order/order/v2: quotes, stores and places an order (docs/orders.md). */
export function createOrderRoute(http: Http, deps: CreateOrderDeps & Pick<OrderDeps, 'trackingSites'>): void {
  const inSlices = createWorkInSlices();
  const schema = {
    operationId: 'createOrder',
    tags: ['Orders'],
    summary: 'Quote or place an order',
    description:
      'Without `place_order` the order is priced, checked and stored unplaced: finalize it, or send its `order_id` with another request that replaces it. With `place_order: true` it is placed and the card is charged, all or nothing. All faults of an order are told in one refusal; send an `Idempotency-Key` and retry when no answer came.',
    example: { body: EXAMPLE_ORDER },
    body: OrderBody,
    response: { 200: PlacedOrderSchema },
  };
  http.post(
    '/order/order/v2',
    {
      schema,
      config: { scope: 'order', publishable: true, refuses: [...REFUSES_TO_PLACE, 'mixed_stores', ...REFUSES_ADDRESS] },
      preValidation: async ({ body, caller }) => refuseWithoutGateway(deps, caller, body),
      validatorCompiler: () => readOrderBody,
    },
    ({ body, caller, claim }) => {
      if (caller.visitor) {
        refuseToVisitor(caller, body, deps.trackingSites.siteOf(caller.accountId).siteUrl);
        if (body.order_id) requireOrderKey(deps.tokens, body.order_id, body.order_key ?? '');
        caller.visitor.count('carts');
      }
      const command = {
        request: orderRequestOf(body),
        address: body.address ?? null,
        place: body.place_order ?? false,
        replaces: body.order_id || null,
        idempotencyKey: claim?.key ?? null,
      };
      // Quotes are free for the account; placing is limited by the card, a budget and declines.
      const create = () => createOrder(deps, caller, command);
      const created = command.place ? create() : inSlices(ownerOf(caller), create);
      return created.then((order) => presentPlaced(order, checkoutLinkDeps(deps, caller)));
    },
  );
}

/** Refuses a live order that charges if there is no gateway; checked first (docs/requests.md#keys-and-accounts). */
function refuseWithoutGateway({ gateways }: Pick<OrderDeps, 'gateways'>, { mode }: Caller, body: unknown): void {
  const isFree = isJsonObject(body) && memberOf(body, 'charge_user') === false;
  if (!isFree) requireGateway(gateways, mode);
}
