import { type Static, Type } from 'typebox';
import { readIdempotencyKey } from '../../access/idempotency/idempotency.hook.ts';
import { type Merchant, refuseLink } from '../../access/sessions/merchant.ts';
import { findCourierStores } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { MAX_REFUND_REASON, type Refund } from '../../ordering/money/refund.ts';
import { type RefundRequest, refundOrder } from '../../ordering/money/refund-order.flow.ts';
import { REFUND_FIELDS, whatToRefund } from '../../ordering/money/refund-order.route.ts';
import { sumStoreRefunds } from '../../ordering/money/refunds.db.ts';
import { previewIdOf, refuseOutdated, rehearse } from '../../ordering/money/rehearse.flow.ts';
import type { OrderChange } from '../../ordering/money/take-step.flow.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { orderNotFound } from '../../ordering/order/order-faults.ts';
import { findLedgerState } from '../../ordering/statements/ledger.db.ts';
import { followEvent, type LedgerState, openLedger } from '../../ordering/statements/ledger-entry.ts';
import { findStoreTerms } from '../../ordering/statements/store-terms.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { cents, flag, named, optionalText } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { lockRefundLimit } from '../../supply/stores/set-store.db.ts';
import { seesOrder } from './present-for-store.ts';

/*
 * The endpoint by which a store gives back its own part of an order (docs/store-api.md#refunds). What it may give back a
 * day is held in the transaction that books a refund: refunds of one store lock its row one after another.
 */

const Body = Type.Object({
  amount: REFUND_FIELDS.amount,
  items: REFUND_FIELDS.items,
  reason: optionalText(MAX_REFUND_REASON, 'Why, for the customer and the account. Required, unless `preview` is true.'),
  preview: flag('Says who would get what, and does nothing.'),
  preview_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Makes exactly the refund of this preview, once.' }),
  ),
});
type Body = Static<typeof Body>;

const StoreRefundSchema = Type.Object(
  {
    order_id: Type.String(),
    is_done: Type.Boolean({ description: 'False for a preview, and while the gateway has not answered.' }),
    refund_id: Type.Optional(Type.String({ description: 'Absent in a preview.' })),
    refund_amount: cents('What the customer gets back.'),
    taxes: cents('Of that, taxes.'),
    preview: Type.Optional(
      Type.Object({
        preview_id: Type.String({ description: 'Confirms this preview.' }),
        payout: cents("What it changes in the store's statement, less the commission that goes back; negative."),
      }),
    ),
  },
  named('StoreRefund', 'A refund by the store, or as a preview says it would be.'),
);

const schema = {
  operationId: 'refundStoreOrder',
  tags: ['Store'],
  summary: "Give back an amount or units of items, of the store's own part",
  description:
    "For an order in progress, and until seven days after completion: at most what is left of the store's items, the taxes on them, and the delivery fee that the terms give to the store; units at the store's own price. The operator may bound what a store gives back a day. For the owner and store keys; staff and one-order links are refused. Send an `Idempotency-Key` or a `preview_id` and retry when no answer came: without, a repeated request is another refund.",
  example: { body: { amount: 100, reason: 'The soup was cold.', preview: true } },
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of the store.' }) }),
  body: Body,
  response: { 200: StoreRefundSchema },
};
const refuses = [
  ...(['order_not_found', 'refund_not_allowed', 'preview_outdated', 'live_only'] as const),
  'payment_gateway_not_configured',
] as const;

/** POST /store/orders/{order_id}/refund. */
export function refundStoreOrderRoute(http: Http, deps: Pick<OrderDeps, 'clock' | 'db' | 'gateways'>): void {
  const config = { audience: 'store', ownerOnly: true, refuses } as const;
  http.post('/store/orders/:order_id/refund', { schema, config }, async (request) => {
    const { merchant, params, body } = request;
    refuseLink(merchant);
    const requested = requestedRefund(merchant, params.order_id, body, readIdempotencyKey(request));
    if (body.preview) {
      const outcome = await rehearse<OrderChange, Outcome>(
        (alongside) => refundOrder(deps, { ...requested, alongside }),
        (tx, change, now) => readOutcome(tx, change, requested, now),
      );
      if (!outcome) throw new Error('A refund was previewed under a key of an earlier one.');
      const { refund, previewId, payoutCents } = outcome;
      return { ...presentRefund(refund), preview: { preview_id: previewId, payout: payoutCents } };
    }
    if (requested.reason === '') {
      throw invalidRequest([{ in: 'body', name: 'reason', message: 'is required, unless `preview` is true' }]);
    }
    const alongside = async (tx: Sql, change: OrderChange, now: Temporal.Instant) =>
      refuseOutdated(await readOutcome(tx, change, requested, now), body.preview_id);
    const { refund } = await refundOrder(deps, { ...requested, alongside });
    return { ...presentRefund(refund), refund_id: refund.refundId };
  });
}

function requestedRefund(
  merchant: Merchant,
  orderId: string,
  { reason = '', preview, preview_id: previewId, ...what }: Body,
  key: string | undefined,
): RefundRequest {
  const store = {
    guard(order: Order, now: Temporal.Instant) {
      if (!seesOrder(merchant, order, now)) throw orderNotFound();
    },
    hasDeliveryFee: async (tx: Sql, order: Order) => (await ledgerOf(tx, order)).terms.deliveryFee === 'store',
  };
  const ownKey = previewId ?? key;
  // Keys of the store are apart from those of the order's account.
  const idempotencyKey = preview || ownKey === undefined ? null : `store:${ownKey}`;
  const refund = { what: whatToRefund({ ...what, refundsTip: false }), refundsTip: false, reason: reason.trim() };
  return { ...refund, orderId, idempotencyKey, store };
}

/** The order's ledger; of an order whose first entry is not written yet, as that will open it. */
async function ledgerOf(tx: Sql, order: Order): Promise<LedgerState> {
  const state = await findLedgerState(tx, order.orderId);
  if (state) return state;
  const { storeId, mode } = order;
  const hasCourier = mode === 'live' && (await findCourierStores(tx, [storeId])).has(storeId);
  return openLedger(order, { terms: await findStoreTerms(tx, storeId), hasCourier });
}

type Outcome = { previewId: string; refund: Refund; payoutCents: number };

/** What a booked refund comes to. Refuses one beyond what the store may give back today. */
async function readOutcome(
  tx: Sql,
  change: OrderChange,
  { what }: Pick<RefundRequest, 'what'>,
  now: Temporal.Instant,
): Promise<Outcome> {
  const { after: order, refund } = change;
  if (!refund) throw new Error('A change of an order has no refund.');
  await holdDay(tx, order, refund, now);
  const { cents: refund_cents, kind, reason, items, shares } = refund;
  const data = { refund_id: refund.refundId, refund_cents, kind, reason, items: [...items], shares };
  const { entry } = followEvent(await ledgerOf(tx, order), { type: 'order.refunded', data, order });
  const payoutCents = entry?.payoutCents ?? 0;
  const described = ['store', what, items, refund_cents, shares.taxesCents, payoutCents];
  return { previewId: await previewIdOf(tx, change, described), refund, payoutCents };
}

async function holdDay(tx: Sql, order: Order, { cents: ofRefund }: Refund, now: Temporal.Instant): Promise<void> {
  const { limitCents, timeZone } = await lockRefundLimit(tx, order.storeId);
  if (limitCents === null) return;
  const dayStart = now.toZonedDateTimeISO(timeZone).startOfDay().toInstant();
  const givenCents = await sumStoreRefunds(tx, order, dayStart);
  if (givenCents <= limitCents) return;
  const left = formatPrice(Math.max(0, limitCents - givenCents + ofRefund));
  const sentence =
    limitCents === 0 ? 'The operator gives back for this store.' : `The store has ${left} left to give back today.`;
  throw new Refusal('refund_not_allowed', sentence);
}

function presentRefund({ orderId, state, cents: amount, refundedCents, shares }: Refund) {
  const isDone = state === 'done';
  const refund_amount = isDone ? refundedCents : amount;
  return { order_id: orderId, is_done: isDone, refund_amount, taxes: shares.taxesCents };
}
