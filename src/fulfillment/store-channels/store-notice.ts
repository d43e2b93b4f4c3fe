import { hasEnded, type Order } from '../../ordering/order/order.ts';
import type { OrderEvent } from '../../ordering/order/order-events.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { type Channel, isPrinter, type StoreChannel } from './store-channel.ts';

/** The kinds of notices to a channel. Copies are printed on demand; a point of sale is called with every event. */
export const NOTICE_KINDS = [
  'offered',
  'confirmed',
  'delayed',
  'item_changed',
  'updated',
  'ready',
  'driver_assigned',
  'picked_up',
  'driver_nearby',
  'completed',
  'canceled',
  'refunded',
  'tipped',
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
  /** The number of a requested ticket copy, or the event's `sequence` for a change notice; otherwise 0. */
  copy: number;
  state: NoticeState;
  attempts: number;
  /** Number of attempts whose outcome was recorded. */
  endedAttempts: number;
  /** Whether a failed attempt may have reached the channel. */
  mayBeSent: boolean;
  lastError: string | null;
  nextAttemptAt: Temporal.Instant | null;
  /** When the first attempt is due. For an offer, that may be days after placing. */
  createdAt: Temporal.Instant;
  sentAt: Temporal.Instant | null;
  acknowledgedAt: Temporal.Instant | null;
};

/**
 * Returns the kinds of notices that an event causes on a channel. Channels that have the order get its cancelation. A
 * point of sale is called with every change but its own.
 */
export function noticesFor(
  event: OrderEvent,
  { channel, printAt }: Pick<Channel, 'channel' | 'printAt'>,
): NoticeKind[] {
  const prints = isPrinter(channel);
  // A printer that waits for the confirmation has no ticket yet.
  const waits = prints && printAt === 'confirmed';
  if (event.type === 'order.placed') return waits ? [] : ['offered'];
  // The customer's card is no matter of the store's, and each weighing was a notice of its own.
  if (event.type === 'order.captured' || event.type === 'order.hold_declined') return [];
  if (event.type === 'order.weighed') return [];
  if (channel === 'webhook') return event.type === 'order.canceled' || isOfPos(event) ? [] : [CHANGES[event.type]];
  if (event.type === 'order.updated') return updateNotices(channel, waits && !event.data.is_confirmed);
  if (event.type === 'order.confirmed') return waits ? ['confirmed'] : [];
  // The receipt is printed when the order leaves, if the store skipped `ready`.
  if (event.type === 'order.ready' || event.type === 'order.picked_up' || event.type === 'order.completed') {
    return prints ? ['ready'] : [];
  }
  return [];
}

/** Consoles need no update, because they show the order's current state. */
function updateNotices(channel: StoreChannel, hasNoTicket: boolean): NoticeKind[] {
  return isNotifiedOfChanges(channel) && !hasNoTicket ? ['updated'] : [];
}

const CHANGES = {
  'order.confirmed': 'confirmed',
  'order.delayed': 'delayed',
  'order.item_changed': 'item_changed',
  'order.updated': 'updated',
  'order.ready': 'ready',
  'order.driver_assigned': 'driver_assigned',
  'order.picked_up': 'picked_up',
  'order.driver_nearby': 'driver_nearby',
  'order.completed': 'completed',
  'order.refunded': 'refunded',
  'order.tipped': 'tipped',
} as const satisfies Partial<Record<OrderEvent['type'], NoticeKind>>;

/** Whether the store's point of sale made the change. */
export const isOfPos = ({ data }: Pick<OrderEvent, 'data'>): boolean => 'source' in data && data.source === 'pos';

/** Channels that are sent cancelations and updates; the others show the order's current state. */
export const CANCELATION_CHANNELS: readonly StoreChannel[] = ['email', 'sms', 'webhook', 'printer'];

export function isNotifiedOfChanges(channel: StoreChannel): boolean {
  return isPrinter(channel) || CANCELATION_CHANNELS.includes(channel);
}

/** Whether a channel acknowledges a notice by taking it, because a program or machine receives it. */
export const isAcknowledgedBySending = (channel: StoreChannel): boolean => channel === 'webhook' || isPrinter(channel);

/** Whether an earlier attempt may have reached the channel, because it timed out or its worker crashed. */
export function mayBeRepeated({ attempts, endedAttempts, mayBeSent }: StoreNotice): boolean {
  return mayBeSent || attempts - 1 > endedAttempts;
}

/**
 * Whether a notice is too late to be useful. Receipts, cancelations and copies never are, and changes only for a point
 * of sale that never had the order.
 */
export function isStale({ kind, channel, offer }: StaleNotice, order: Pick<Order, 'status'>): boolean {
  if (kind === 'offered' || kind === 'updated') return hasEnded(order);
  if (channel === 'webhook') return kind !== 'canceled' && offer === 'withdrawn';
  return kind === 'confirmed' && hasEnded(order);
}

type StaleNotice = Pick<StoreNotice, 'kind' | 'channel'> & { offer: NoticeState | null };

/** Returns the name of a store's channel, for the limits of its notices. */
export function channelKey({ storeId, channel }: Pick<StoreNotice, 'storeId' | 'channel'>): string {
  return `${storeId} ${channel}`;
}

const STORE_LINK = 'store-link';

/** Returns the secret of a one-order link. Every attempt sends the same one; only its hash is stored. */
export function storeLinkOf(
  tokens: Pick<TokenSealer, 'sign'>,
  { orderId, channel }: Pick<StoreNotice, 'orderId' | 'channel'>,
): string {
  return tokens.sign(STORE_LINK, Buffer.from(`${orderId} ${channel}`));
}
