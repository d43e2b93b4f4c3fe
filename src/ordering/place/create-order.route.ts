import { type Static, Type } from 'typebox';
import { type Caller, type KeyCaller, ownerOf } from '../../access/accounts/account.ts';
import { refuseMembers, takesOrigin } from '../../access/accounts/publishable-key.ts';
import { trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { bool, component } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { warnOrRefuse } from '../../platform/http/unknown-members.ts';
import { isJsonObject, listIn, memberOf } from '../../platform/lib/json-object.ts';
import { createWorkInSlices } from '../../platform/load/share-event-loop.hook.ts';
import { REFUSES_ADDRESS } from '../../supply/addresses/geocoding.cache.ts';
import { EXAMPLE_PAYER, EXAMPLE_USER } from '../../supply/stores/example-store.ts';
import { type CheckoutLinkDeps, checkoutLinkDeps, checkoutMember, requireOrderKey } from '../order/checkout-link.ts';
import { FinalQuoteSchema, presentFinalQuote } from '../order/final-quote.ts';
import { ORDER_STATUSES, type Order } from '../order/order.ts';
import type { CreateOrderDeps, OrderDeps } from '../order/order-deps.ts';
import { CHECKOUT_URL, orderNumber, TRACKING_LINK } from '../order/present-order.ts';
import { requireGateway } from '../payments/payment-gateway.ts';
import { CART_MEMBERS, cartOf, OrderBody, readOrderBody, withoutEffect } from './order-body.ts';
import { placeCart, quoteCart } from './place-order.flow.ts';

/** The response of order creation and of finalizing (docs/orders.md#order-body). */
export const PlacedOrderSchema = component(
  'PlacedOrder',
  'The created order. `final_quote` is present only with `include_final_quote`.',
  {
    order_placed: bool('`false` for an order that is only quoted.'),
    status: Type.Enum([...ORDER_STATUSES], { description: "The order's status when the response was sent." }),
    tracking_link: TRACKING_LINK,
    final_quote: Type.Optional(FinalQuoteSchema),
    order_id: Type.String(),
    order_number: orderNumber,
    checkout_url: CHECKOUT_URL,
    is_sandbox: bool('Whether the order was created with a sandbox key.'),
  },
);

/** Error codes of quoting and placing an order. */
export const REFUSES_TO_PLACE = [
  'payment_declined',
  'promotion_not_applied',
  'quote_changed',
  'too_many_declines',
  'product_not_found',
  'order_not_found',
  'payment_method_not_found',
  'transition_not_allowed',
  'pickup_not_supported',
  'quote_unavailable',
  'product_unavailable',
  'invalid_options',
  'order_minimum_not_met',
  'slot_unavailable',
  'payment_method_mismatch',
  'markup_not_allowed',
  'upstream_unavailable',
  'tax_unavailable',
  'payment_gateway_not_configured',
] as const;

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
    summary: 'Quote or place an order',
    description:
      'Without `place_order`, prices, checks and stores the order unplaced. To place it, finalize it. To replace it, send its `order_id` with another request. With `place_order: true`, places the order and charges the card, or does neither. An error lists all validation errors at once. Send an `Idempotency-Key` and retry if you receive no response.',
    example: { body: EXAMPLE_ORDER },
    body: OrderBody,
    response: { 200: PlacedOrderSchema },
  };
  http.post(
    '/order/order/v2',
    {
      schema,
      config: { scope: 'order', publishable: true, refuses: [...REFUSES_TO_PLACE, 'mixed_stores', ...REFUSES_ADDRESS] },
      preValidation: async ({ body, caller }) => {
        if (caller.visitor) refuseToVisitor(caller, body, deps.trackingSites.siteOf(caller.accountId).siteUrl);
        refuseWithoutGateway(deps, caller, body);
      },
      validatorCompiler: () => readOrderBody,
    },
    async (request, reply) => {
      const { body, caller, claim } = request;
      if (caller.visitor) {
        if (body.order_id) requireOrderKey(deps.tokens, body.order_id, body.order_key ?? '');
        caller.visitor.count('carts');
      }
      const cart = cartOf(body);
      warnOrRefuse(request, reply, withoutEffect(body));
      const warn = (doubts: readonly Fault[]) => warnOrRefuse(request, reply, doubts);
      const how = { replaces: body.order_id || null, idempotencyKey: claim?.key ?? null, warn };
      // Quotes are free for the account; placing is limited by the card, a budget and declines.
      const { order } = await (body.place_order
        ? placeCart(deps, caller, cart, how)
        : inSlices(ownerOf(caller), () => quoteCart(deps, caller, cart, how)));
      return presentPlaced(order, checkoutLinkDeps(deps, caller));
    },
  );
}

/** Refuses a live order that charges if there is no gateway; checked first (docs/requests.md#keys-and-accounts). */
function refuseWithoutGateway({ gateways }: Pick<OrderDeps, 'gateways'>, { mode }: Caller, body: unknown): void {
  const isFree = isJsonObject(body) && memberOf(body, 'charge_user') === false;
  if (!isFree) requireGateway(gateways, mode);
}

/** The response of order creation and of finalizing. */
export function presentPlaced(order: Order, needs: CheckoutLinkDeps): Static<typeof PlacedOrderSchema> {
  const { site } = needs;
  return {
    // An order that was canceled because its charge was found too late was never placed.
    order_placed: order.placedAt !== null,
    status: order.status,
    tracking_link: trackingLinkOf(site, order.orderId),
    ...(order.request.includeFinalQuote ? { final_quote: presentFinalQuote(order) } : {}),
    order_id: order.orderId,
    ...(order.orderNumber === null ? {} : { order_number: order.orderNumber }),
    ...checkoutMember(order, needs),
    is_sandbox: order.mode === 'sandbox',
  };
}

/**
 * Visitors of a page with a publishable key may store an unplaced order for the hosted checkout, and may read or
 * replace it with the order's own key (docs/requests.md#publishable-keys).
 */

/** Fields of an order that a visitor may send. */
const VISITOR_MEMBERS: ReadonlySet<string> = new Set<keyof OrderBody>([
  ...CART_MEMBERS,
  'order_id',
  'order_key',
  'user_time_zone',
  'include_final_quote',
  'enable_substitution',
]);

/**
 * Refuses forbidden fields of a visitor with key_is_publishable. It runs before the body is validated: an error would
 * ask for members that the visitor may not send either. `siteUrl` is the account's own site.
 */
function refuseToVisitor(caller: KeyCaller, body: unknown, siteUrl: string): void {
  if (!isJsonObject(body)) return;
  const members = Object.keys(OrderBody.properties).filter((name) => {
    const value = memberOf(body, name) ?? undefined;
    if (value === undefined || VISITOR_MEMBERS.has(name)) return false;
    if (name === 'place_order') return value === true;
    return name !== 'checkout_return_url' || !isPageOf(caller, value, siteUrl);
  });
  const marked = listIn(body, 'items').flatMap((item, nth) => [
    ...markedIn(item, 'product_marked_price', `items[${nth}]`),
    ...(isJsonObject(item) ? listIn(item, 'selected_options') : []).flatMap((option, index) =>
      markedIn(option, 'marked_price', `items[${nth}].selected_options[${index}]`),
    ),
  ]);
  refuseMembers([...members, ...marked]);
}

const markedIn = (value: unknown, name: string, path: string) =>
  isJsonObject(value) && (memberOf(value, name) ?? null) !== null ? [`${path}.${name}`] : [];

function isPageOf(caller: KeyCaller, returnUrl: unknown, siteUrl: string): boolean {
  const url = typeof returnUrl === 'string' ? URL.parse(returnUrl) : null;
  return url !== null && takesOrigin(caller, url.origin, siteUrl);
}
