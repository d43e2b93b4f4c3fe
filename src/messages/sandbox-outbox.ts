import { createHash } from 'node:crypto';
import type { Order } from '../orders/order.ts';
import type { OrderEventType } from '../orders/order-events.ts';
import type { Message } from './message.ts';
import { messagesForEvent } from './messages-for-event.ts';

/** The little of a logged event that tells which messages it brought. */
type Told = { sequence: number; type: string; at: Temporal.Instant };

/**
 * The messages of a sandbox order, oldest first, from its log alone: they never leave, so nothing about them is kept
 * anywhere else, and they are there exactly if the events are.
 */
export function sandboxOutbox(order: Order, log: readonly Told[]): Message[] {
  const { orderId, accountId, mode } = order;
  return log.flatMap(({ sequence, type, at }) =>
    messagesForEvent(type as OrderEventType, order.request).map(
      ({ channel, kind }): Message => ({
        ...{ messageId: idOf(orderId, sequence, kind), accountId, orderId, sequence, mode, channel, kind },
        ...{ state: 'kept', attempts: 0, lastError: null, nextAttemptAt: null, createdAt: at, sentAt: null },
      }),
    ),
  );
}

/** The same each time that it is asked for. */
function idOf(orderId: string, sequence: number, kind: string): string {
  const hash = createHash('sha256').update(`${orderId} ${sequence} ${kind}`).digest('base64url');
  return `msg_${hash.slice(0, 22)}`;
}
