import { type Static, Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { refuseLink } from '../../access/sessions/merchant.ts';
import { findCourierStores } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { MAX_REFUND_REASON, type Refund } from '../../ordering/money/refund.ts';
import { type RefundRequest, refundOrder } from '../../ordering/money/refund-order.flow.ts';
import { REFUND_FIELDS, whatToRefund } from '../../ordering/money/refund-order.route.ts';
import { lockDayLeft } from '../../ordering/money/refunds.db.ts';
import { readPreviewId, refuseOutdated, rehearse } from '../../ordering/money/rehearse.flow.ts';
import { priceStoreRefund } from '../../ordering/money/store-refund.ts';
import type { OrderChange } from '../../ordering/money/take-step.flow.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { findLedgerState } from '../../ordering/statements/ledger.db.ts';
import { followEvent, type LedgerState, openLedger } from '../../ordering/statements/ledger-entry.ts';
import { findStoreTerms } from '../../ordering/statements/store-terms.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { cents, component, flag, optionalText } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { requireSeen } from './present-for-store.ts';

/*
 * The endpoint where a store refunds its own part of an order (docs/store-api.md#refunds). The limit of a day is
 * held in the transaction that books the refund.
 */

const Body = Type.Object({
  amount: REFUND_FIELDS.amount,
  items: REFUND_FIELDS.items,
  reason: optionalText(
    MAX_REFUND_REASON,
    'The reason for the customer and the account. Required unless `preview` is true.',
  ),
  preview: flag('Returns the effects without refunding.'),
  preview_id: optionalText(64, "Makes exactly this preview's refund, once."),
});
const StoreRefundSchema = component('StoreRefund', "A store's refund of an order, or its preview.", {
  order_id: Type.String(),
  refund_id: Type.Optional(Type.String({ description: 'Absent in a preview.' })),
  preview_id: Type.Optional(Type.String({ description: 'Confirms this preview. Present only in a preview.' })),
  state: Type.Enum(['done', 'pending', 'preview'], { description: '`pending`: the gateway has not responded yet.' }),
  amount: cents('The refunded amount.'),
  taxes: cents('The taxes in that amount.'),
  payout: Type.Optional(
    cents(
      "The deduction from the store's payout statement, after commission, as a negative amount. Present only in a preview.",
    ),
  ),
});
export const refundStoreOrderOperation = operation({
  name: 'refundStoreOrder',
  endpoint: 'POST /orders/:order_id/refund',
  summary: "Refund an amount or items from the store's part of an order",
  description:
    "Refunds an order in progress, or until seven days after completion. The limit is the store's items, its delivery fee and their taxes, minus earlier refunds. Units are refunded at the store's own price. The operator can set a daily limit. Requires a store key or the owner. Send an `Idempotency-Key` or a `preview_id` and retry if you receive no response: without one, a repeated request creates another refund.",
  example: { body: { amount: 100, reason: 'The soup was cold.', preview: true } },
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of the store.' }) }),
  body: Body,
  answer: StoreRefundSchema,
  refuses: ['order_not_found', 'refund_not_allowed', 'preview_outdated', 'payment_gateway_not_configured'],
  on: { store: { ownerOnly: true, admit: refuseLink, refuses: ['live_only'] } },
}).run(async (deps: Pick<OrderDeps, 'clock' | 'db' | 'gateways'>, { by: { merchant }, readKey, params, body }) => {
  const { order_id: orderId } = params;
  requireSeen(merchant, await findAnyOrder(deps.db, orderId), deps.clock.now());
  const requested = requestedRefund(orderId, body, readKey?.());
  const read = (tx: Sql, change: OrderChange, now: Temporal.Instant) => readOutcome(tx, change, requested, now);
  if (body.preview) {
    const outcome = await rehearse((alongside) => refundOrder(deps, { ...requested, alongside }), read);
    if (!outcome) throw new Error('A refund was previewed and not booked.');
    const { refund, previewId, payout } = outcome;
    return { ...presentRefund(refund), state: 'preview' as const, preview_id: previewId, payout };
  }
  const { refund } = await refundOrder(deps, {
    ...requested,
    alongside: async (tx, change, now) => refuseOutdated(await read(tx, change, now), body.preview_id),
  });
  return { ...presentRefund(refund), refund_id: refund.refundId };
});

function requestedRefund(
  orderId: string,
  { reason: given = '', preview, preview_id: previewId, ...body }: Static<typeof Body>,
  key: string | undefined,
): RefundRequest {
  const [reason, ownKey] = [given.trim(), previewId ?? key];
  if (!preview && reason === '') {
    throw invalidField('body', 'reason', 'is required, unless `preview` is true');
  }
  const what = whatToRefund({ ...body, refundsTip: false });
  // The store's keys are apart from the account's.
  const idempotencyKey = preview || ownKey === undefined ? null : `store:${ownKey}`;
  const priceForStore: RefundRequest['priceForStore'] = async (tx, order, refunds, now) => {
    const hasDeliveryFee = (await readLedger(tx, order)).terms.deliveryFee === 'store';
    return priceStoreRefund(order, refunds, { what, reason, hasDeliveryFee }, now);
  };
  return { orderId, what, refundsTip: false, reason, idempotencyKey, priceForStore };
}

/** The order's ledger, or a new one for its first entry. */
async function readLedger(tx: Sql, order: Order): Promise<LedgerState> {
  const { storeId, mode } = order;
  const hasCourier = mode === 'live' && (await findCourierStores(tx, [storeId])).has(storeId);
  return (
    (await findLedgerState(tx, order)) ?? openLedger(order, { terms: await findStoreTerms(tx, storeId), hasCourier })
  );
}

/** Describes a booked refund. Refuses one beyond the store's limit of a day. */
async function readOutcome(tx: Sql, change: OrderChange, { what }: RefundRequest, now: Temporal.Instant) {
  const { after: order, refund } = change;
  if (!refund) throw new Error('A change of an order lacks its refund.');
  const left = await lockDayLeft(tx, order, now);
  if (left !== null && left < 0) {
    const sentence = `The store can refund up to ${formatPrice(Math.max(0, left + refund.cents))} more today. The operator sets the daily limit.`;
    throw new Refusal('refund_not_allowed', sentence);
  }
  const { refundId: refund_id, cents: refund_cents, kind, reason, items, shares } = refund;
  const data = { refund_id, refund_cents, kind, reason, items: [...items], shares };
  const { entry } = followEvent(await readLedger(tx, order), { type: 'order.refunded', data, order });
  const payout = entry?.payoutCents ?? 0;
  return {
    previewId: await readPreviewId(tx, change, ['store', what, items, refund_cents, shares, payout]),
    refund,
    payout,
  };
}

function presentRefund({ orderId, state, cents: booked, refundedCents, shares }: Refund) {
  const [isDone, taxes] = [state === 'done', shares.taxesCents];
  return {
    order_id: orderId,
    state: isDone ? ('done' as const) : ('pending' as const),
    amount: isDone ? refundedCents : booked,
    taxes,
  };
}
