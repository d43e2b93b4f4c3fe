import { type Static, Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { flag, integer, named, optionalText, optionalWhole } from '../../platform/http/api-components.ts';
import { invalidRequest, notNull } from '../../platform/http/request-schema.ts';
import { MAX_ORDER_CENTS } from '../../supply/pricing/price-order.ts';
import { readMilli, weightField } from '../../supply/pricing/weight.ts';
import type { Order } from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { givenBackCents } from '../order/order-view.ts';
import { MAX_REFUND_REASON, type Refund } from './refund.ts';
import { type RefundRequest, refundOrder } from './refund-order.flow.ts';

/* The endpoint where an account refunds an amount, units or the tip of an order. */

const MAX_ITEMS = 100;
const MAX_UNITS = 99;

const Item = Type.Object({
  index: Type.Integer({ minimum: 0, maximum: MAX_ITEMS - 1, description: "The item's position in the order, from 0." }),
  quantity: notNull(optionalWhole(1, MAX_UNITS, 'The number of units. Required, except for items sold by weight.')),
  weight: notNull(
    Type.Optional(weightField('The weight to refund, for items sold by weight. Defaults to the rest of the item.')),
  ),
});

/** What to return; shared with operators. */
export const REFUND_FIELDS = {
  amount: notNull(
    optionalWhole(
      1,
      MAX_ORDER_CENTS,
      'The amount to refund in cents, excluding the tip. Send either `amount` or `items`.',
    ),
  ),
  items: notNull(
    Type.Optional(
      Type.Array(Item, {
        minItems: 1,
        maxItems: MAX_ITEMS,
        description:
          'The units or weights to refund, at their price with markup and their share of the tax. Send either `items` or `amount`.',
      }),
    ),
  ),
  refund_tip: flag(
    'Refunds the tip too, with or without `amount` or `items`, once a driver has had the order. The driver keeps the tip and the operator pays for it. Requires `reason`.',
  ),
};

const Body = Type.Object({
  order_id: Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'An order in progress or a completed order. A request with only `refund_tip` also accepts an order canceled during delivery.',
  }),
  ...REFUND_FIELDS,
  reason: optionalText(MAX_REFUND_REASON, 'The reason shown to the customer on the receipt.'),
});

const RefundSchema = Type.Object(
  {
    refund_id: Type.String(),
    order_id: Type.String(),
    amount: integer('The amount of this refund, in cents.'),
    refunded_amount: integer("The order's total refunded amount in cents, including this refund once it succeeds."),
    state: Type.Enum(['done', 'pending'], {
      description:
        "`pending`: the payment gateway hasn't confirmed it yet. The refund completes without another request.",
    }),
  },
  named('Refund', 'A refund of an order.'),
);

/** Refunds part of a charge (docs/payments.md#refunds). */
export const refundOrderOperation = operation({
  name: 'refundOrder',
  endpoint: 'POST /order/refund',
  summary: 'Refund an amount or specific items',
  description:
    "Refunds an order in progress or a completed order. Several refunds are possible, up to the amount charged without the driver's tip. Send an `Idempotency-Key` and retry if you receive no response: without a key, a repeated request creates another refund.",
  example: { body: { order_id: '{order_id}', amount: 100, reason: 'The soup was cold.' } },
  body: Body,
  answer: RefundSchema,
  refuses: ['order_not_found', 'refund_not_allowed', 'payment_gateway_not_configured'],
  on: { account: { scope: 'order' } },
}).run(async (deps: Pick<OrderDeps, 'clock' | 'db' | 'gateways'>, { by, claim, body }) => {
  const { order, refund } = await refundOrder(deps, requestedRefund(body, claim?.key ?? null), by.caller);
  return presentRefund(order, refund);
});

function requestedRefund(
  { order_id: orderId, reason = '', refund_tip: refundsTip = false, ...what }: Static<typeof Body>,
  key: string | null,
): RefundRequest {
  if (refundsTip && reason.trim() === '') {
    throw invalidRequest([{ in: 'body', name: 'reason', message: 'is required with refund_tip' }]);
  }
  return {
    orderId,
    what: whatToRefund({ ...what, refundsTip }),
    refundsTip,
    reason: reason.trim(),
    idempotencyKey: key,
  };
}

/** The response to a refund; `refunded_amount` is the sum of the order's refunds. */
function presentRefund(order: Order, refund: Refund) {
  return {
    refund_id: refund.refundId,
    order_id: order.orderId,
    amount: refund.state === 'done' ? refund.refundedCents : refund.cents,
    refunded_amount: givenBackCents(order),
    state: refund.state === 'done' ? ('done' as const) : ('pending' as const),
  };
}

/** An amount or units; refuses both, and neither without a tip. */
export function whatToRefund({
  amount,
  items,
  refundsTip,
}: {
  amount?: number | undefined;
  items?: readonly Static<typeof Item>[] | undefined;
  refundsTip: boolean;
}): RefundRequest['what'] {
  if (amount !== undefined && items === undefined) return { cents: amount };
  if (items !== undefined && amount === undefined) {
    return { items: items.map(({ weight, ...item }) => ({ ...item, milli: readMilli(weight) })) };
  }
  if (amount === undefined && items === undefined && refundsTip) return { cents: 0 };
  throw invalidRequest([{ in: 'body', name: 'amount', message: 'or items is required, and not both' }]);
}
