import { type Static, Type } from 'typebox';
import type { Caller } from '../../access/accounts/account.ts';
import { operation } from '../../access/operations/operation.ts';
import { type Merchant, refuseLink } from '../../access/sessions/merchant.ts';
import { requireStoreCaller } from '../../access/sessions/store-caller.flow.ts';
import type { SmsDeps } from '../../notify/messages/allow-sms.flow.ts';
import { checkoutTokenOf, checkoutUrlOf } from '../../ordering/order/checkout-link.ts';
import { FinalQuoteSchema, presentFinalQuote } from '../../ordering/order/final-quote.ts';
import type { CreateOrderDeps, OrderDeps } from '../../ordering/order/order-deps.ts';
import { orderNotFound, refusalOfFaults, unknownProduct } from '../../ordering/order/order-faults.ts';
import { CHECKOUT_URL, orderNumber } from '../../ordering/order/present-order.ts';
import { requireOrder } from '../../ordering/order/require-order.flow.ts';
import { requireGateway } from '../../ordering/payments/payment-gateway.ts';
import { REFUSES_TO_PLACE } from '../../ordering/place/create-order.route.ts';
import { CART_MEMBERS, type Cart, cartOf, OrderBody } from '../../ordering/place/order-body.ts';
import { placeCart, quoteCart } from '../../ordering/place/place-order.flow.ts';
import { describedObject } from '../../platform/http/api-components.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { REFUSES_ADDRESS } from '../../supply/addresses/geocoding.cache.ts';
import { openProduct } from '../../supply/catalog/catalog-tokens.ts';
import { textCheckoutLink } from './checkout-sms.job.ts';

/* The endpoint for orders that a store takes for a customer, such as by phone. */

const Body = Type.Object({
  ...Type.Pick(OrderBody, [...CART_MEMBERS, 'order_id', 'disable_sms', 'customer_order_id']).properties,
  pay: Type.Optional(
    Type.Enum(['link', 'at_store'], {
      description:
        '`link`: the customer pays at the checkout, whose link is sent by text message, and payment places the order. `at_store`: placed now, and the store collects payment. Absent: only priced. Send its `order_id` with the missing fields.',
    }),
  ),
});
type Body = Static<typeof Body>;

type PlaceDeps = CreateOrderDeps & Pick<OrderDeps, 'trackingSites' | 'jobs'> & SmsDeps;

/** An order that the store takes for a customer, such as by phone (docs/store-api.md#phone-orders). */
export const placeStoreOrderOperation = operation({
  name: 'placeStoreOrder',
  endpoint: 'POST /orders',
  summary: 'Enter an order for a customer, such as by phone',
  description:
    "The body is the same as for order creation, without payment. The order belongs to the service's house account, or in the sandbox to the key's or console's account. The phone's digits are its `user_id`, and the email is optional. With an `Idempotency-Key`, repeating the request returns the same order.",
  example: {
    body: {
      items: [{ product_id: '{product_id}', quantity: 2 }],
      pickup: true,
      autofill_selected_options: true,
      user_name: 'Sam Rivera',
      user_phone: 13125550123,
      pay: 'at_store',
    },
  },
  body: Body,
  answer: describedObject('The created order.', {
    order_id: Type.String(),
    order_placed: Type.Boolean({ description: '`false` if only priced, and until the checkout is paid.' }),
    order_number: orderNumber,
    final_quote: FinalQuoteSchema,
    checkout_url: CHECKOUT_URL,
    link_texted: Type.Boolean({
      description: 'Whether the link is sent by text message. Otherwise, the store shares it.',
    }),
  }),
  refuses: [...REFUSES_TO_PLACE, ...REFUSES_ADDRESS, 'mixed_stores', 'no_house_account', 'idempotency_in_progress'],
  on: { store: { admit: refuseLink, refuses: ['live_only'] } },
}).run(async (deps: PlaceDeps, { by: { merchant }, readKey, body }) => {
  const { tokens, trackingSites, gateways } = deps;
  const caller = await requireStoreCaller(deps.db, merchant);
  const { pay } = body;
  const replaces = body.order_id || null;
  if (pay === 'link') requireGateway(gateways, caller.mode);
  if (replaces !== null) await requireOwnOrder(deps, caller, { orderId: replaces, storeId: merchant.storeId });
  const foreign = body.items.flatMap(({ product_id: id }, index) =>
    openProduct(tokens, id)?.storeId === merchant.storeId ? [] : [unknownProduct(id, index)],
  );
  if (foreign.length > 0) throw refusalOfFaults(foreign);
  const how = { replaces, idempotencyKey: pay ? scopedKey(readKey?.(), merchant, body) : null };
  const take = pay === 'at_store' ? placeCart : quoteCart;
  const { order: taken } = await take(deps, caller, phoneCart(body), how);
  const token = pay === 'link' ? checkoutTokenOf(tokens, taken) : undefined;
  return {
    order_id: taken.orderId,
    order_placed: taken.placedAt !== null,
    ...(taken.orderNumber === null ? {} : { order_number: taken.orderNumber }),
    final_quote: presentFinalQuote(taken),
    ...(token === undefined ? {} : { checkout_url: checkoutUrlOf(trackingSites.siteOf(caller.accountId), token) }),
    link_texted: token !== undefined && (await textCheckoutLink(deps, taken)),
  };
});

/** The idempotency key of an order request: scoped to this store and this body, as stores share the house account. */
function scopedKey(key: string | undefined, { storeId }: Merchant, body: Body): string | null {
  return key === undefined ? null : sha256(JSON.stringify([storeId, key, body])).toString('base64url');
}

/** Stores share the house account: an order of another store, or that no store took, is not found. */
async function requireOwnOrder(
  { db }: Pick<OrderDeps, 'db'>,
  caller: Caller,
  { orderId, storeId }: { orderId: string; storeId: string },
): Promise<void> {
  const order = await requireOrder(db, orderId, caller);
  if (order.storeId !== storeId || order.request.placedBy !== 'store') throw orderNotFound();
}

/** With `pay`, name and phone are needed: the link goes to the phone, and the store asks for the name. */
function phoneCart({ pay, ...body }: Body): Cart {
  const { request, address } = cartOf({ ...body, charge_user: pay === 'link', include_final_quote: true });
  const customer = { ...request.customer, userId: String(request.customer.phone ?? '') };
  const cart: Cart = { request: { ...request, placedBy: 'store', customer }, address };
  if (pay === undefined) return cart;
  const missing = [
    ...(customer.name === '' ? ['user_name'] : []),
    ...(customer.phone === null ? ['user_phone'] : []),
  ].map((name) => ({ in: 'body' as const, name, message: 'is required' }));
  if (missing.length > 0) throw invalidRequest(missing);
  return cart;
}
