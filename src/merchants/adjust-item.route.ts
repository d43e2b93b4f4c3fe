import { Type } from 'typebox';
import type { Http } from '../http/http.ts';
import { acknowledgeOffer } from '../offers/offers.db.ts';
import { StoreOrderSchema } from '../offers/present-store-order.ts';
import { adjustOrderItem } from '../orders/adjustments/adjust-item.flow.ts';
import { MAX_ITEMS, MAX_QUANTITY } from '../orders/order-body.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { orderNotFound } from '../orders/order-faults.ts';
import { trySandboxRefunds } from '../orders/refunds/resolve-refunds.flow.ts';
import { seesOrder } from './merchant.ts';
import { presentForStore } from './present-for-store.ts';
import { channelOf } from './take-store-step.flow.ts';

const schema = {
  operationId: 'adjustStoreOrderItem',
  tags: ['Store'],
  summary: 'Say that an item is missing, or that a substitute comes in its place',
  description:
    'Until the order leaves the store. The order is priced anew; what it costs less is given back at once, and is not charged again. A substitute costs at most what it replaces, and follows the preference of the customer. The same adjustment again changes nothing. An order of which nothing is left is canceled, and all of it is given back.',
  example: { path: { index: 0 }, body: { quantity: 1 } },
  params: Type.Object({
    order_id: Type.String({ maxLength: 64, description: 'An order of the store.' }),
    index: Type.Integer({ minimum: 0, maximum: MAX_ITEMS - 1, description: "Of the order's `items`, from 0." }),
  }),
  body: Type.Object({
    quantity: Type.Integer({
      minimum: 0,
      maximum: MAX_QUANTITY,
      description: 'The units that will be handed over, at most those that were ordered; 0 is none.',
    }),
    substitute_product_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description:
          'The product that is handed over instead: its `product_id`, or the id that the feed gives it. Omitted, `quantity` counts the ordered product.',
      }),
    ),
  }),
  response: { 200: StoreOrderSchema },
};
const config = {
  audience: 'store',
  refuses: [
    'order_not_found',
    'not_found',
    'product_not_found',
    'transition_not_allowed',
    'product_unavailable',
    'invalid_options',
  ],
} as const;

type Needs = Pick<OrderDeps, 'db' | 'clock' | 'config' | 'tokens' | 'inventory' | 'trackingSites' | 'gateways'>;

/** POST /store/orders/{order_id}/items/{index}. */
export function adjustItemRoute(http: Http, deps: Needs): void {
  http.post('/store/orders/:order_id/items/:index', { schema, config }, async ({ merchant, params, body }) => {
    const { quantity, substitute_product_id: substitute = null } = body;
    const order = await adjustOrderItem(deps, params.order_id, {
      change: { index: params.index, quantity, substitute },
      by: merchant.source,
      guard: async (tx, locked, now) => {
        if (!seesOrder(merchant, locked, now)) throw orderNotFound();
        if (merchant.mode === 'live') await acknowledgeOffer(tx, locked.orderId, channelOf(merchant), now);
      },
    });
    return presentForStore(deps, await trySandboxRefunds(deps, order));
  });
}
