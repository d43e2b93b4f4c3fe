import { epochSeconds } from '../lib/time.ts';
import type { Channel } from '../offers/store-channel.ts';
import type { StoreNotice } from '../offers/store-notice.ts';
import { fulfilledItems } from '../orders/adjustments/item-adjustment.ts';
import { numberOf, type Order } from '../orders/order.ts';
import { ringsAt } from './ring.ts';
import type { WaitingOrder } from './waiting-schema.ts';

const secondsOf = (moment: Temporal.Instant | null | undefined) => (moment ? epochSeconds(moment) : null);

/** When a store is offered a placed order. */
const offeredAtOf = ({ offerAt, placedAt, createdAt }: Order) => offerAt ?? placedAt ?? createdAt;

/** What an operator needs of an order that waits for its store; nothing of its customer. */
export function presentWaiting(
  order: Order,
  {
    offers,
    channels,
    accountName,
  }: { offers: readonly StoreNotice[]; channels: readonly Channel[]; accountName: string },
): WaitingOrder {
  const { quote, receivedAt, confirmBy } = order;
  const offeredOn = offers.map((offer) => {
    const channel = channels.find((one) => one.channel === offer.channel);
    return { ...offer, failingSince: channel?.failingSince ?? null };
  });
  const offeredAt = offeredAtOf(order);
  return {
    order_id: order.orderId,
    order_number: numberOf(order),
    ...{ account_id: order.accountId, account_name: accountName },
    ...{ store_id: order.storeId, store_name: quote.store.name, store_phone: quote.store.phoneNumber },
    store_time_zone: quote.store.timeZone,
    pickup: order.request.mode === 'pickup',
    item_count: fulfilledItems(order).reduce((sum, { quantity }) => sum + quantity, 0),
    total_with_tip: quote.totalWithTipCents + order.addedTipCents,
    offered_at: epochSeconds(offeredAt),
    received_at: secondsOf(receivedAt),
    confirm_by: secondsOf(confirmBy),
    scheduled_for: quote.scheduled?.startEpochS ?? null,
    rings_at: secondsOf(ringsAt(offeredOn, { offeredAt, receivedAt })),
    offers: offeredOn.map(({ channel, state, attempts, sentAt, lastError, failingSince }) => ({
      ...{ channel, state, attempts, sent_at: secondsOf(sentAt), last_error: lastError },
      failing_since: secondsOf(failingSince),
    })),
  };
}
