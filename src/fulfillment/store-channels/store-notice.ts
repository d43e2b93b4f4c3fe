import { hasEnded, type Order } from '../../ordering/orders/order.ts';
import type { OrderEvent } from '../../ordering/orders/order-events.ts';
import { isoSeconds } from '../../platform/lib/time.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { Channel, StoreChannel } from './store-channel.ts';

/** The kinds of notices to a channel; copies are printed on demand. */
export const NOTICE_KINDS = [
  'offered',
  'confirmed',
  'item_changed',
  'ready',
  'canceled',
  'kitchen_copy',
  'receipt_copy',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
export type NoticeState = 'waiting' | 'sent' | 'acknowledged' | 'withdrawn';

export type StoreNotice = {
  orderId: string;
  storeId: string;
  channel: StoreChannel;
  kind: NoticeKind;
  /** Counts the copies of a ticket that were asked for; of a changed item the sequence of its event; else 0. */
  copy: number;
  state: NoticeState;
  attempts: number;
  /** The attempts whose end was recorded. */
  endedAttempts: number;
  /** Whether a failed attempt may have reached the channel all the same. */
  mayBeSent: boolean;
  lastError: string | null;
  nextAttemptAt: Temporal.Instant | null;
  /** When the first attempt is due. An offer has a time of its own, which may be days after placing. */
  createdAt: Temporal.Instant;
  sentAt: Temporal.Instant | null;
  acknowledgedAt: Temporal.Instant | null;
};

/**
 * The kinds of notices that an event brings to a channel. Channels that have the order get its cancelation. A point of
 * sale gets a changed item unless a store key, which is its own, has changed it.
 */
export function noticesFor(
  event: OrderEvent,
  { channel, printAt }: Pick<Channel, 'channel' | 'printAt'>,
): NoticeKind[] {
  const isPrinter = channel === 'printer';
  if (event.type === 'order.item_changed') {
    return channel === 'webhook' && event.data.by !== 'key' ? ['item_changed'] : [];
  }
  if (event.type === 'order.placed') return isPrinter && printAt === 'confirmed' ? [] : ['offered'];
  if (event.type === 'order.confirmed') return isPrinter && printAt === 'confirmed' ? ['confirmed'] : [];
  // The receipt is sent when the order leaves if the store skipped `ready`.
  if (event.type === 'order.ready' || event.type === 'order.picked_up' || event.type === 'order.completed') {
    return isPrinter ? ['ready'] : [];
  }
  return [];
}

/** Channels that are sent cancelations. The others show the order's current state. */
export const TOLD_OF_CANCELATION: readonly StoreChannel[] = ['email', 'sms', 'webhook', 'printer'];

/** Channels on which delivery of a notice acknowledges it, because a program or machine answers. */
export function isAcknowledgedBySending(channel: StoreChannel): boolean {
  return channel === 'webhook' || channel === 'printer';
}

/** Whether an earlier attempt may have reached the channel, because it timed out or its worker crashed. */
export function mayBeRepeated({ attempts, endedAttempts, mayBeSent }: StoreNotice): boolean {
  return mayBeSent || attempts - 1 > endedAttempts;
}

/** An element of `offers` in `orders show`. */
export function presentOrderNotice({ channel, state, sentAt, acknowledgedAt, attempts, lastError }: StoreNotice) {
  return {
    channel,
    sent_at: sentAt && isoSeconds(sentAt),
    state,
    acknowledged_at: acknowledgedAt && isoSeconds(acknowledgedAt),
    attempts,
    ...(lastError === null ? {} : { last_error: lastError }),
  };
}

/** An element of `store_notices` in `orders show`: any notice but the offer. */
export function presentNotice(notice: StoreNotice) {
  return { kind: notice.kind, copy: notice.copy, ...presentOrderNotice(notice) };
}

/** Whether a notice is too late to be useful. Receipts, changes, cancelations and copies never are. */
export function isStale(kind: NoticeKind, order: Pick<Order, 'status'>): boolean {
  return hasEnded(order) && (kind === 'offered' || kind === 'confirmed');
}

/** Names the channel of a store, for the limits of its notices. */
export function channelKey({ storeId, channel }: Pick<StoreNotice, 'storeId' | 'channel'>): string {
  return `${storeId} ${channel}`;
}

const STORE_LINK = 'store-link';

/** Secret of a one-order link. Every attempt sends the same secret, which is stored as its hash. */
export function storeLinkOf(
  tokens: Pick<TokenSealer, 'sign'>,
  { orderId, channel }: Pick<StoreNotice, 'orderId' | 'channel'>,
): string {
  return tokens.sign(STORE_LINK, Buffer.from(`${orderId} ${channel}`));
}
