import type { EventHandler } from '../../ordering/order/dispatch-events.flow.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { WaitingEvent } from '../../ordering/order/order-events.db.ts';
import { lockOrder } from '../../ordering/order/orders.db.ts';
import type { Db } from '../../platform/db/connect.ts';
import { announceOrders } from './received-orders.db.ts';
import { receiptPrinter } from './stations.ts';
import { isPrinter, type StoreChannel } from './store-channel.ts';
import { findChannels, listChannels } from './store-channels.db.ts';
import { CANCELATION_CHANNELS, isOfPos, type NoticeKind, noticesFor } from './store-notice.ts';
import {
  findNotifiedChannels,
  insertNotices,
  type NewNotice,
  nextCopyNo,
  type OrderNotices,
  withdrawWaiting,
} from './store-notices.db.ts';

/**
 * Queues a notice for each channel of a live order's store, and announces the order to open consoles. Sandbox orders
 * cause no notices, because only holders of a store key see them.
 */
export const queueStoreNotices: EventHandler = async (tx, events) => {
  const live = events.filter(({ mode }) => mode === 'live');
  await insertNotices(tx, await writeNotices(tx, live));
  await withdrawWaiting(tx, live.flatMap(withdrawnNotices));
  await insertNotices(tx, await writeCancelations(tx, live));
  await announceOrders(tx, events);
};

async function writeNotices(tx: Parameters<EventHandler>[0], events: readonly WaitingEvent[]): Promise<NewNotice[]> {
  const stores = [...new Set(events.map(({ storeId }) => storeId))];
  const channels = await findChannels(tx, stores);
  return events.flatMap((event) => {
    const ofStore = channels.filter(({ storeId }) => storeId === event.storeId && isOffered(event));
    const receipts = receiptPrinter(ofStore.filter(({ channel }) => isPrinter(channel)));
    const prints = (channel: StoreChannel, kind: NoticeKind) =>
      kind !== 'ready' || !isPrinter(channel) || channel === receipts;
    return ofStore.flatMap((channel) =>
      noticesFor(event, channel)
        .filter((kind) => prints(channel.channel, kind))
        .map((kind) => {
          // A channel's retries, and the order of a printer's tickets, start with the offer, not with placing.
          const at = kind === 'offered' ? event.offerAt : event.at;
          return {
            orderId: event.orderId,
            storeId: event.storeId,
            channel: channel.channel,
            kind,
            copy: kind === 'updated' || (channel.channel === 'webhook' && kind !== 'offered') ? event.sequence : 0,
            at,
          };
        }),
    );
  });
}

/** Whether an event causes notices. Changes before the offer do not, because the offer includes them. */
function isOffered({ type, at, offerAt }: WaitingEvent): boolean {
  return type === 'order.placed' || Temporal.Instant.compare(at, offerAt) >= 0;
}

/** Writes notices of cancelations. If the order's offer is being sent to a channel, the cancelation follows it. */
async function writeCancelations(tx: Parameters<EventHandler>[0], events: readonly WaitingEvent[]) {
  const canceled = new Map(
    events.filter(({ type }) => type === 'order.canceled').map((event) => [event.orderId, event]),
  );
  const notified = await findNotifiedChannels(tx, [...canceled.keys()], CANCELATION_CHANNELS);
  return notified.flatMap((channel) => {
    const event = canceled.get(channel.orderId);
    if (!event || (channel.channel === 'webhook' && isOfPos(event))) return [];
    return [{ ...channel, kind: 'canceled' as const, copy: 0, at: event.at }];
  });
}

/** Notices that make no sense once the order has ended, by how it ended: unsent ones are withdrawn. */
const WITHDRAWN_KINDS: Partial<Record<WaitingEvent['type'], readonly NoticeKind[]>> = {
  'order.canceled': ['offered', 'confirmed', 'ready'],
  'order.completed': ['offered', 'confirmed'],
};

function withdrawnNotices({ orderId, type }: WaitingEvent): OrderNotices[] {
  return (WITHDRAWN_KINDS[type] ?? []).map((kind) => ({ orderId, kind }));
}

/** Queues another print of a ticket and returns the copy's number; undefined if the store has no printer. */
export async function queueCopy(
  db: Db,
  { orderId, storeId }: Pick<Order, 'orderId' | 'storeId'>,
  document: 'kitchen' | 'receipt',
  at: Temporal.Instant,
): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    // Serializes concurrent requests, so that each gets its own number.
    await lockOrder(tx, orderId);
    const channels = await listChannels(tx, storeId);
    const printers = channels.filter(({ channel }) => isPrinter(channel));
    const receipts = receiptPrinter(printers);
    if (receipts === undefined) return undefined;
    const printing = document === 'receipt' ? [receipts] : printers.map(({ channel }) => channel);
    const kind = document === 'kitchen' ? 'kitchen_copy' : 'receipt_copy';
    const copy = await nextCopyNo(tx, orderId, kind);
    await insertNotices(
      tx,
      printing.map((channel) => ({ orderId, storeId, channel, kind, copy, at })),
    );
    return copy;
  });
}
