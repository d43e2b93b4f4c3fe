import { type Static, Type } from 'typebox';
import { type Channel, type StoreChannel, StoreChannelSchema } from '../../fulfillment/store-channels/store-channel.ts';
import type { NoticeState, StoreNotice } from '../../fulfillment/store-channels/store-notice.ts';
import { type Order, shownOrderNumber } from '../../ordering/order/order.ts';
import { offeredAtOf, orderTotalCents, unitCountOf } from '../../ordering/order/order-view.ts';
import { component, describedObject, orNull } from '../../platform/http/api-components.ts';
import { epochSeconds, epochSecondsOrNull } from '../../platform/lib/time.ts';
import { maybeText, moment, showRow } from './field-schemas.ts';

/* An order that waits for its store: what operators see of it, and when it alerts them. */

const WaitingOfferSchema = component('WaitingOffer', "An order's delivery on one of its store's channels.", {
  channel: StoreChannelSchema,
  state: Type.Enum(['waiting', 'sent', 'acknowledged', 'withdrawn']),
  attempts: Type.Integer(),
  sent_at: moment('When the channel received the order.'),
  last_error: maybeText('Why the last attempt failed.'),
  failing_since: moment('Since when every attempt on this channel has failed.'),
});

const WaitingOrderSchema = component('WaitingOrder', "A live order that its store hasn't confirmed.", {
  order_id: Type.String(),
  order_number: Type.String(),
  account_id: Type.String(),
  account_name: Type.String(),
  store_id: Type.String(),
  store_name: Type.String(),
  store_phone: orNull(Type.Integer(), 'Digits only, with the country code first.'),
  store_time_zone: Type.String(),
  pickup: Type.Boolean(),
  item_count: Type.Integer(),
  total_with_tip: Type.Integer({ description: 'Cents.' }),
  offered_at: Type.Integer({ description: 'Epoch seconds.' }),
  received_at: moment('When the first channel received the order.'),
  confirm_by: moment("When it's canceled unless it's confirmed."),
  scheduled_for: moment("When a scheduled order's slot begins."),
  rings_at: moment('When it rings. Null once a channel has acknowledged it.'),
  alerts_at: moment('When on-duty operators are alerted: it rings, and five minutes are left.'),
  offers: Type.Array(WaitingOfferSchema),
});
type WaitingOrder = Static<typeof WaitingOrderSchema>;

export const WaitingSchema = describedObject('Up to 200, longest waiting first.', {
  now: Type.Integer({ description: "The service's clock, in epoch seconds." }),
  orders: Type.Array(WaitingOrderSchema),
  more: Type.Boolean({ description: 'Whether more orders are waiting than listed.' }),
});
export type Waiting = Static<typeof WaitingSchema>;

/** A waiting order for operators, without its customer. */
export function presentWaiting(
  order: Order,
  seen: { offers: readonly StoreNotice[]; channels: readonly Channel[]; accountName: string },
): WaitingOrder {
  const { offers, channels, accountName } = seen;
  const { quote, receivedAt, confirmBy } = order;
  const offeredOn = offers.map((offer) => {
    const channel = channels.find((one) => one.channel === offer.channel);
    return { ...offer, failingSince: channel?.failingSince ?? null };
  });
  const offeredAt = offeredAtOf(order);
  const ringsAt = alertTime(offeredOn, { offeredAt, receivedAt });
  return {
    order_id: order.orderId,
    order_number: shownOrderNumber(order),
    account_id: order.accountId,
    account_name: accountName,
    store_id: order.storeId,
    store_name: quote.store.name,
    store_phone: quote.store.phoneNumber,
    store_time_zone: quote.store.timeZone,
    pickup: order.request.mode === 'pickup',
    item_count: unitCountOf(order),
    total_with_tip: orderTotalCents(order),
    offered_at: epochSeconds(offeredAt),
    received_at: epochSecondsOrNull(receivedAt),
    confirm_by: epochSecondsOrNull(confirmBy),
    scheduled_for: quote.scheduled?.startEpochS ?? null,
    rings_at: epochSecondsOrNull(ringsAt),
    alerts_at: epochSecondsOrNull(escalationTime(ringsAt, confirmBy)),
    offers: offeredOn.map(({ channel, state, attempts, sentAt, lastError, failingSince }) =>
      showRow({ channel, state, attempts, sentAt, lastError, failingSince }),
    ),
  };
}

/** Seconds within which channels normally receive an order. */
const REACH_SECONDS = 10;
/** Seconds within which a kitchen that sees an order normally answers. */
const ANSWER_SECONDS = 60;

export type OfferedOn = {
  channel: StoreChannel;
  state: NoticeState;
  lastError: string | null;
  failingSince: Temporal.Instant | null;
};

/**
 * When a waiting order alerts the operator: at once if the operator is its channel or a channel fails, after 10 s
 * without a channel, 60 s after the first channel got it. Undefined once acknowledged.
 */
export function alertTime(
  offers: readonly OfferedOn[],
  { offeredAt, receivedAt }: { offeredAt: Temporal.Instant; receivedAt: Temporal.Instant | null },
): Temporal.Instant | undefined {
  if (offers.some(({ state }) => state === 'acknowledged')) return undefined;
  const isAtOnce = ({ channel, failingSince, lastError }: OfferedOn) =>
    channel === 'operator' || failingSince !== null || lastError !== null;
  if (offers.some(isAtOnce)) return offeredAt;
  return receivedAt?.add({ seconds: ANSWER_SECONDS }) ?? offeredAt.add({ seconds: REACH_SECONDS });
}

/** Seconds before its cancelation at which operators on duty are alerted of an order that rings. */
const ESCALATION_SECONDS = 300;

/** When operators on duty are alerted of a waiting order; undefined for one that does not ring or is not canceled. */
export function escalationTime(
  ringsAt: Temporal.Instant | undefined,
  confirmBy: Temporal.Instant | null,
): Temporal.Instant | undefined {
  if (!ringsAt || !confirmBy) return undefined;
  const at = confirmBy.subtract({ seconds: ESCALATION_SECONDS });
  return Temporal.Instant.compare(at, ringsAt) > 0 ? at : ringsAt;
}
