import { findBranding } from '../../access/accounts/brandings.db.ts';
import { findPreviewed, insertAction } from '../../access/sessions/actions.db.ts';
import type { ConsoleSession } from '../../access/sessions/sessions.db.ts';
import { listChannels } from '../../fulfillment/store-channels/store-channels.db.ts';
import { CANCELATION_CHANNELS, noticesFor } from '../../fulfillment/store-channels/store-notice.ts';
import { findNotifiedChannels } from '../../fulfillment/store-channels/store-notices.db.ts';
import { maskedRecipient } from '../../notify/messages/message.ts';
import { messagesForEvent, recipientOf } from '../../notify/messages/messages-for-event.ts';
import { isPhoneInReach } from '../../notify/messages/sms-reach.ts';
import { findEndpoint } from '../../notify/webhooks/endpoints.db.ts';
import type { Refund } from '../../ordering/money/refund.ts';
import { findParts, findRefund, findRefundByKey } from '../../ordering/money/refunds.db.ts';
import { readPreviewId, refuseOutdated, rehearse } from '../../ordering/money/rehearse.flow.ts';
import type { OrderChange } from '../../ordering/money/take-step.flow.ts';
import { type Order, paidCents } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import type { OrderEvent } from '../../ordering/order/order-events.ts';
import { orderTotalCents, tipOf } from '../../ordering/order/order-view.ts';
import { requireOrder } from '../../ordering/order/require-order.flow.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';

/**
 * Changes that an operator makes of an order's money, previewed (rehearse.flow.ts) and confirmed. A change that was made
 * under a preview's id is never made again.
 */

/** A recipient of a change: a message's channel and kind, a notice's, or an event of the account's webhook. */
export type Recipient = { who: 'customer' | 'store' | 'account'; by: string; what: string; to: string };

export type Outcome = {
  previewId: string;
  status: Order['status'];
  refundCents: number;
  chargeCents: number;
  /** What the customer has paid in the end. */
  paidCents: number;
  totalCents: number;
  tipCents: number;
  refund: Refund | undefined;
  card: readonly { chargeId: string; cents: number }[];
  recipients: readonly Recipient[];
};

type DeskDeps = Pick<OrderDeps, 'db' | 'config'>;

/** A change that also sends `recipients` again; `attempt` counts the earlier resends. */
type DeskStep = OrderChange & { recipients?: readonly Recipient[]; attempt?: number };
export type DeskAlongside = (tx: Sql, change: DeskStep, now: Temporal.Instant) => Promise<void>;

/** A change: `requested` decides its outcome; `reason` is only sent and recorded. */
export type DeskChange = {
  orderId: string;
  action: 'refund' | 'adjust' | 'tip' | 'cancel' | 'resend';
  requested: Readonly<Record<string, unknown>>;
  reason: string;
  /** Makes the change unless the order is so already; then `alongside` is not called. */
  run(alongside: DeskAlongside, isPreview: boolean): Promise<Order>;
};

/** The outcome that the change would have now; undefined if it would change nothing. */
export function previewChange(deps: DeskDeps, change: DeskChange): Promise<Outcome | undefined> {
  return rehearse<DeskStep, Outcome>(
    (alongside) => change.run(alongside, true),
    (tx, orders) => readOutcome(deps, tx, change, orders),
  );
}

/** The order and its refund, and the outcome unless nothing changed or the change was made before. */
export type MadeChange = { order: Order; refundId?: string | undefined; outcome: Outcome | undefined };

/**
 * Makes the change that was previewed, records it, and answers a repeated request as the first. Refuses with
 * `preview_outdated` if the outcome would be another.
 */
export async function makeChange(
  deps: DeskDeps,
  { sessionId }: Pick<ConsoleSession, 'sessionId'>,
  change: DeskChange,
  previewId: string,
): Promise<MadeChange> {
  const { orderId, action, requested, reason } = change;
  const made = await findMade(deps, change, previewId);
  if (made) return made;
  let outcome: Outcome | undefined;
  let refundId: string | undefined;
  try {
    const order = await change.run(async (tx, orders, at) => {
      const now = await readOutcome(deps, tx, change, orders);
      refuseOutdated(now, previewId);
      outcome = now;
      const { refundCents, chargeCents, refund } = now;
      const amounts = { refund_amount: refundCents, charge_amount: chargeCents };
      refundId = refund?.refundId;
      const money = action === 'resend' ? {} : amounts;
      const details = {
        ...requested,
        reason,
        ...money,
        ...(refundId && { refund_id: refundId }),
        preview_id: previewId,
      };
      await insertAction(tx, { at, sessionId, action: `order.${action}`, target: orderId, details });
    }, false);
    return { order, refundId, outcome };
  } catch (error) {
    // Another tab or click has made this change in the meantime.
    const rival = !outcome && error instanceof Refusal ? await findMade(deps, change, previewId) : undefined;
    if (rival) return rival;
    throw error;
  }
}

/** A change that was made under this preview. A tip's own attempts tell whether it was charged. */
async function findMade({ db }: Pick<DeskDeps, 'db'>, { orderId, action }: DeskChange, previewId: string) {
  if (action === 'tip') return undefined;
  const made = await findPreviewed(db, { target: orderId, action: `order.${action}`, previewId });
  if (!made) return undefined;
  const { refund_id: refundId } = made.details;
  const refund = typeof refundId === 'string' ? await findRefund(db, refundId) : undefined;
  if (refund?.state === 'failed' && action === 'refund') {
    throw new Refusal('refund_not_allowed', "The payment gateway can't refund this charge.");
  }
  const order = await requireOrder(db, orderId);
  return { order, refundId: refund?.refundId, outcome: undefined };
}

async function readOutcome(deps: DeskDeps, tx: Sql, { action, requested }: DeskChange, change: DeskStep) {
  const { before, after, recipients = [], attempt = 0 } = change;
  const refund = await newRefund(tx, change);
  const parts = refund ? await findParts(tx, refund.refundId) : [];
  const outcome = {
    status: after.status,
    refundCents: after.refundingCents + after.refundedCents - before.refundingCents - before.refundedCents,
    chargeCents: after.chargedCents - before.chargedCents,
    paidCents: paidCents(after),
    totalCents: orderTotalCents(after),
    tipCents: tipOf(after),
    card: parts.map(({ chargeId, cents }) => ({ chargeId, cents })),
    recipients: [...(await findRecipients(deps, tx, change, refund)), ...recipients],
  };
  const described = [action, requested, attempt, refund?.items ?? [], outcome];
  return { ...outcome, refund, previewId: await readPreviewId(tx, change, described) };
}

/** The refund that a change has booked. */
async function newRefund(tx: Sql, { before, after, refund }: OrderChange): Promise<Refund | undefined> {
  if (refund) return refund;
  const { orderId, lastSequence } = before;
  if (after.status === 'canceled') return findRefundByKey(tx, orderId, 'canceled');
  return findRefundByKey(tx, orderId, `item_changed:${lastSequence + 1}`);
}

/** Recipients of the events that the change has written, and of those that follow when the gateway has answered. */
async function findRecipients(
  { config }: Pick<DeskDeps, 'config'>,
  tx: Sql,
  { before, after }: OrderChange,
  refund: Refund | undefined,
): Promise<Recipient[]> {
  const { orderId, accountId, storeId, mode, request } = after;
  const written = (await listEvents(tx, orderId)).filter(({ sequence }) => sequence > before.lastSequence);
  const events: OrderEvent[] = [...written, ...awaitedEvents({ before, after }, refund, written)];
  const branding = await findBranding(tx, accountId);
  const isInReach = isPhoneInReach(request, config.smsCountries);
  const customer = events
    .flatMap((event) => messagesForEvent(event, recipientOf(after), branding))
    .filter(({ channel }) => channel === 'email' || isInReach)
    .map(({ channel, kind }): Recipient => {
      const to = maskedRecipient(channel, after);
      return { who: 'customer', by: channel, what: kind, to };
    });
  const channels = mode === 'live' ? await listChannels(tx, storeId) : [];
  const store = events.flatMap((event) =>
    channels.flatMap((channel) =>
      noticesFor(event, channel).map((kind): Recipient => ({ who: 'store', by: channel.channel, what: kind, to: '' })),
    ),
  );
  const isCanceled = events.some(({ type }) => type === 'order.canceled');
  const notified = isCanceled ? await findNotifiedChannels(tx, [orderId], CANCELATION_CHANNELS) : [];
  const endpoint = await findEndpoint(tx, { accountId, mode });
  return [
    ...customer,
    ...store,
    ...notified.map(({ channel }): Recipient => ({ who: 'store', by: channel, what: 'canceled', to: '' })),
    ...(endpoint?.enabled ? events : []).map(
      ({ type }): Recipient => ({ who: 'account', by: 'webhook', what: type, to: '' }),
    ),
  ];
}

/** Events that follow once the gateway has answered. */
function awaitedEvents({ before, after }: OrderChange, refund: Refund | undefined, written: readonly OrderEvent[]) {
  const awaited: OrderEvent[] = [];
  const addedCents = after.addedTipCents - before.addedTipCents;
  if (addedCents > 0 && written.length === 0) {
    awaited.push({ type: 'order.tipped', data: { tip_cents: tipOf(after), added_cents: addedCents } });
  }
  if (refund) {
    const { refundId, cents, kind, reason, items, shares } = refund;
    const data = { refund_id: refundId, refund_cents: cents, kind, reason, items: [...items], shares };
    awaited.push({ type: 'order.refunded', data });
  }
  return awaited;
}
