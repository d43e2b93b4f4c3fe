import { createHash } from 'node:crypto';
import type { Message } from '../../notify/messages/message.ts';
import {
  type ExtraMessages,
  isExtra,
  messagesForEvent,
  recipientOf,
} from '../../notify/messages/messages-for-event.ts';
import { isPhoneInReach } from '../../notify/messages/sms-reach.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { EventRow } from '../../ordering/order/order-events.db.ts';

/**
 * A sandbox order's messages, oldest first, derived from its log and its account's settings, and `kept`, the reported
 * problems, which no event causes. They are never sent. SMS to unreachable numbers are omitted.
 */
export function sandboxOutbox(
  order: Order,
  log: readonly EventRow[],
  { extras, smsCountries, kept }: { extras: ExtraMessages; smsCountries: readonly string[]; kept: readonly Message[] },
): Message[] {
  const { orderId, accountId, mode } = order;
  const isInReach = isPhoneInReach(order.request, smsCountries);
  const derived = log.flatMap((event) =>
    messagesForEvent(event, recipientOf(order), extras)
      .filter(({ channel }) => channel === 'email' || isInReach)
      .map(
        ({ channel, kind }): Message => ({
          ...{
            messageId: outboxId(orderId, event.sequence, isExtra(event.type) ? `${channel} ${kind}` : kind),
            accountId,
            orderId,
            sequence: event.sequence,
            mode,
            channel,
            kind,
          },
          state: 'kept',
          attempts: 0,
          lastError: null,
          nextAttemptAt: null,
          createdAt: event.at,
          sentAt: null,
          saysOptOut: false,
          copy: 0,
          report: null,
        }),
      ),
  );
  const since = ({ createdAt }: Message) => createdAt.epochMilliseconds;
  return [...derived, ...kept].toSorted((a, b) => since(a) - since(b));
}

/** A stable id, derived from the event; kinds that use both channels include the channel. */
export function outboxId(orderId: string, sequence: number, kind: string): string {
  const hash = createHash('sha256').update(`${orderId} ${sequence} ${kind}`).digest('base64url');
  return `msg_${hash.slice(0, 22)}`;
}
