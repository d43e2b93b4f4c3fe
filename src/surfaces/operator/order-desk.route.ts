import { present } from 'doorstep/collections';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { type OperatorSession, operation } from '../../access/operations/operation.ts';
import { channelSchema } from '../../fulfillment/store-channels/store-channel.ts';
import { CANCELATION_CHANNELS } from '../../fulfillment/store-channels/store-notice.ts';
import { adjustOrderItem } from '../../ordering/money/adjust-item.flow.ts';
import { cancelOrder } from '../../ordering/money/cancel-order.flow.ts';
import { raiseTip } from '../../ordering/money/raise-tip.flow.ts';
import { MAX_REFUND_REASON } from '../../ordering/money/refund.ts';
import { refundOrder } from '../../ordering/money/refund-order.flow.ts';
import { REFUND_FIELDS, whatToRefund } from '../../ordering/money/refund-order.route.ts';
import { trySettling } from '../../ordering/money/settle-order.flow.ts';
import { MAX_TIP_CENTS, maxTypedTipCents } from '../../ordering/money/tip.ts';
import { ORDER_STATUSES, paidCents } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { orderNotFound } from '../../ordering/order/order-faults.ts';
import { orderTotalCents, tipOf } from '../../ordering/order/order-view.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { requireOrder } from '../../ordering/order/require-order.flow.ts';
import { customerCaller } from '../../ordering/place/checkout.flow.ts';
import { cents, component, flag, optionalText } from '../../platform/http/api-components.ts';
import { Refusal, type RefusalCode } from '../../platform/http/refusal.ts';
import { invalidField, invalidRequest } from '../../platform/http/request-schema.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { WEIGHT_UNITS } from '../../supply/pricing/weight.ts';
import { ADJUST_FIELDS, itemChangeOf } from '../store-console/order-steps.route.ts';
import { type DeskChange, type MadeChange, makeChange, type Outcome, previewChange } from './order-desk.flow.ts';
import { type Resend, resend } from './resend.flow.ts';

/* Changes of money by an operator: refund, adjustment, tip and cancelation, each previewed before it is confirmed. */

const Params = Type.Object({ order_id: Type.String({ maxLength: 64, description: 'A placed order of any account.' }) });

/** The end of every body: a preview, or the reason and the preview that is confirmed. */
const CONFIRMATION = {
  reason: optionalText(
    MAX_REFUND_REASON,
    'The reason, kept in the history. The customer and the account may see it. Required unless `preview` is set.',
  ),
  preview: flag('Returns the effects without making the change.'),
  preview_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: "The preview's ID, to confirm it. Required unless `preview` is set. The same ID acts only once.",
    }),
  ),
};
type Confirmation = Static<ReturnType<typeof Type.Object<typeof CONFIRMATION>>>;

const PreviewSchema = component('OperatorPreview', "A preview of a change's effects.", {
  preview_id: Type.String({ description: 'Confirms this preview.' }),
  items: Type.Array(
    Type.Object({
      index: Type.Integer(),
      quantity: Type.Integer(),
      unit: Type.Optional(
        Type.Enum([...WEIGHT_UNITS], { description: 'For items sold by weight, in thousandths of the unit.' }),
      ),
      amount: cents('Their price with markup.'),
      tax: cents('Their share of the tax.'),
    }),
    { description: 'The refunded units or weights.' },
  ),
  card: Type.Array(Type.Object({ charge_id: Type.String(), amount: cents('The amount refunded to the card.') }), {
    description: 'The refunded charges, oldest first.',
  }),
  told: Type.Array(
    Type.Object({
      who: Type.Enum(['customer', 'store', 'account']),
      by: Type.String({ description: '`email`, `sms`, `webhook` or another store channel.' }),
      what: Type.String({ description: "The kind of message or notice, or the webhook's event type." }),
      to: Type.String({ description: 'The recipient, masked.' }),
    }),
    { description: "The messages, notices and webhook deliveries that follow. Sandbox messages aren't sent." },
  ),
});

export const ChangeSchema = component('OperatorOrderChange', "The order's amounts after a change, or in a preview.", {
  order_id: Type.String(),
  is_done: Type.Boolean({ description: 'Whether the change was made. `false` for a preview.' }),
  status: Type.Enum([...ORDER_STATUSES]),
  refund_id: Type.Optional(Type.String({ description: "The refund's ID." })),
  refund_amount: cents('The amount that the customer is refunded.'),
  charge_amount: cents('The amount charged to the card.'),
  paid_amount: cents("The customer's total payments minus refunds."),
  total_with_tip: cents(''),
  tip: cents(''),
  preview: Type.Optional(PreviewSchema),
});

const shared = ['order_not_found', 'preview_outdated'] as const;
const refund = {
  action: 'refund',
  summary: 'Refund an amount or specific items',
  description: 'Does the same as `POST /order/refund` by the account.',
  example: { body: { amount: 100, reason: 'The soup was cold.', preview: true } },
  refuses: [...shared, 'refund_not_allowed', 'payment_gateway_not_configured'],
} as const;
const adjust = {
  action: 'adjust',
  summary: "Change an item's quantity or substitute it",
  description: 'Does the same as `POST /store/orders/{order_id}/items/{index}` by the store.',
  example: { body: { index: 0, quantity: 0, reason: 'Sold out.', preview: true } },
  refuses: [
    ...shared,
    ...(['not_found', 'product_not_found', 'transition_not_allowed', 'product_unavailable'] as const),
    ...(['invalid_options', 'refund_not_allowed', 'label_mismatch', 'weight_above_limit'] as const),
    ...(['label_price_unknown', 'weight_below_half'] as const),
  ],
} as const;
const tip = {
  action: 'tip',
  summary: "Raise a delivery's tip and charge the difference",
  description: "Does the same as `POST /order/tip` by the account, with the order's card.",
  example: { body: { driver_tip_cents: 800, preview: true } },
  refuses: [
    ...shared,
    ...(['payment_declined', 'payment_method_not_found', 'transition_not_allowed', 'tip_not_allowed'] as const),
    ...(['idempotency_in_progress', 'too_many_declines', 'upstream_unavailable'] as const),
    'payment_gateway_not_configured',
  ],
} as const;
const cancel = {
  action: 'cancel',
  summary: 'Cancel an order and refund the customer',
  description: 'Does the same as `POST /order/cancel` by the account.',
  example: { body: { reason: 'The kitchen is closed.', preview: true } },
  refuses: [...shared, 'transition_not_allowed'],
} as const;

const resending = {
  action: 'resend',
  summary: 'Resend a message, a store notice or a webhook delivery',
  description:
    'Send one of `message_id`, `channel` and `webhook_id`. The recipient stays the same. A message or notice is created again and marked as resent, and a webhook delivery keeps its ID. Limited to 10 per order.',
  example: { body: { channel: 'email', reason: 'It never arrived.', preview: true } },
  refuses: [
    ...shared,
    ...(['not_found', 'order_forgotten', 'transition_not_allowed', 'webhook_endpoint_not_allowed'] as const),
  ],
} as const;
const RESEND_FIELDS = {
  message_id: optionalText(64, "A sent or failed message to the order's customer."),
  channel: Type.Optional(
    channelSchema(
      CANCELATION_CHANNELS,
      'A store channel. The order is sent there again while it waits for confirmation.',
    ),
  ),
  webhook_id: optionalText(64, 'A webhook delivery for the order.'),
};

type DeskNeeds = Pick<OrderDeps, 'clock' | 'config' | 'db' | 'gateways' | 'jobs' | 'log'> & {
  inventory: Pick<OrderDeps['inventory'], 'evict'>;
};

export const refundAnyOrderOperation = deskOperation(
  refund,
  REFUND_FIELDS,
  (deps, orderId, { amount, items, refund_tip: refundsTip = false }, reason) => {
    const what = whatToRefund({ amount, items, refundsTip });
    const requested = { orderId, what, refundsTip, reason, idempotencyKey: null };
    return async (alongside) => (await refundOrder(deps, { ...requested, alongside })).order;
  },
);

const index = Type.Integer({ minimum: 0, maximum: 99, description: "The item's position in the order, from 0." });
export const adjustAnyOrderOperation = deskOperation(
  adjust,
  { index, ...ADJUST_FIELDS },
  (deps: DeskNeeds & Pick<OrderDeps, 'tokens'>, orderId, body, reason) => {
    const change = itemChangeOf(body.index, body);
    const command = { change, by: 'operator', reason, guard: async () => {} } as const;
    return async (alongside, isPreview) => {
      const order = await adjustOrderItem(deps, orderId, { ...command, alongside });
      return isPreview ? order : trySettling(deps, order);
    };
  },
);

const wholeTip = Type.Integer({ minimum: 0, maximum: MAX_TIP_CENTS, description: 'The full tip, in cents.' });
export const tipAnyOrderOperation = deskOperation(
  tip,
  { driver_tip_cents: wholeTip },
  (deps, orderId, body, reason) => {
    const requested = { orderId, tipCents: body.driver_tip_cents, requestedBy: 'operator', reason } as const;
    return async (alongside, isPreview) => {
      const order = await requireOrder(deps.db, orderId);
      const maxCents = maxTypedTipCents(order.quote);
      if (requested.tipCents > maxCents) {
        throw new Refusal('tip_not_allowed', `This order's tip can be up to ${formatPrice(maxCents)}.`);
      }
      return raiseTip(deps, customerCaller(order), { ...requested, alongside, isPreview });
    };
  },
);

export const cancelAnyOrderOperation = deskOperation(cancel, {}, (deps, orderId, _body, reason) => (alongside) => {
  return cancelOrder(deps, { orderId, reason, alongside });
});

export const resendAnyOrderOperation = deskOperation(resending, RESEND_FIELDS, (deps, orderId, body) => {
  const what = whatToResend(body);
  return (alongside) => resend(deps, orderId, what, alongside);
});

function whatToResend({
  message_id: messageId,
  channel,
  webhook_id: webhookId,
}: Static<ReturnType<typeof Type.Object<typeof RESEND_FIELDS>>>): Resend {
  const given: Resend[] = [
    ...(messageId === undefined ? [] : [{ messageId }]),
    ...(channel === undefined ? [] : [{ channel }]),
    ...(webhookId === undefined ? [] : [{ webhookId }]),
  ];
  const [what] = given;
  if (what && given.length === 1) return what;
  throw invalidField('body', 'message_id', 'or channel or webhook_id is required, and only one of them');
}

type DeskWords<Action extends DeskChange['action']> = {
  action: Action;
  summary: string;
  description: string;
  example: { body: object };
  refuses: readonly RefusalCode[];
};

/** A change of an order's money or messages, with a preview. */
function deskOperation<
  Fields extends TProperties,
  const Action extends DeskChange['action'],
  Needs extends DeskNeeds = DeskNeeds,
>(
  { action, description, ...words }: DeskWords<Action>,
  fields: Fields,
  runOf: (deps: Needs, orderId: string, body: Static<TObject<Fields>>, reason: string) => DeskChange['run'],
) {
  return operation({
    ...words,
    endpoint: `POST /orders/:order_id/${action}` as const,
    description: `${description} With \`preview\`, nothing is changed.`,
    params: Params,
    body: Type.Object({ ...fields, ...CONFIRMATION }),
    answer: ChangeSchema,
    on: { operator: { command: `orders ${action} <order_id>`, role: 'support' } },
  }).run(async (deps: Needs, { by: { session }, params, body }) => {
    const sent = body as Static<TObject<Fields>> & Confirmation;
    const { orderId, reason } = { orderId: params.order_id, reason: (sent.reason ?? '').trim() };
    const requested = Object.fromEntries(Object.keys(fields).map((name) => [name, sent[name as keyof typeof sent]]));
    const change: DeskChange = { orderId, action, requested, reason, run: runOf(deps, orderId, sent, reason) };
    return answerChange(deps, session, change, sent);
  });
}

async function answerChange(
  deps: DeskNeeds,
  session: OperatorSession,
  change: DeskChange,
  { preview, preview_id: previewId }: Confirmation,
): Promise<Static<typeof ChangeSchema>> {
  const order = await findAnyOrder(deps.db, change.orderId);
  if (!order || order.placedAt === null) throw orderNotFound();
  if (preview) {
    const outcome = await previewChange(deps, change);
    return outcome ? presentPreview(change.orderId, outcome) : presentChange({ order, outcome });
  }
  const required = { in: 'body', message: 'is required, unless `preview` is true' } as const;
  if (previewId === undefined) throw invalidRequest([{ ...required, name: 'preview_id' }]);
  if (change.reason === '') throw invalidRequest([{ ...required, name: 'reason' }]);
  return presentChange(await makeChange(deps, session, change, previewId));
}

function presentChange({ order, refundId, outcome }: MadeChange): Static<typeof ChangeSchema> {
  return {
    order_id: order.orderId,
    is_done: true,
    status: order.status,
    ...(refundId && { refund_id: refundId }),
    refund_amount: outcome?.refundCents ?? 0,
    charge_amount: outcome?.chargeCents ?? 0,
    paid_amount: paidCents(order),
    total_with_tip: orderTotalCents(order),
    tip: tipOf(order),
  };
}

function presentPreview(orderId: string, outcome: Outcome): Static<typeof ChangeSchema> {
  const { previewId, status, refundCents, chargeCents, paidCents, totalCents, tipCents, refund: booked } = outcome;
  const items = (booked?.items ?? []).map(({ index, quantity, unit, cents: amount, taxCents: tax }) => {
    return { index, quantity, ...present({ unit }), amount, tax };
  });
  return {
    order_id: orderId,
    is_done: false,
    status,
    refund_amount: refundCents,
    charge_amount: chargeCents,
    paid_amount: paidCents,
    total_with_tip: totalCents,
    tip: tipCents,
    preview: {
      preview_id: previewId,
      items,
      card: outcome.card.map(({ chargeId, cents: amount }) => ({ charge_id: chargeId, amount })),
      told: [...outcome.recipients],
    },
  };
}
