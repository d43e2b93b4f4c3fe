import { findBrandings } from '../accounts/brandings.db.ts';
import type { Sql } from '../db/connect.ts';
import { randomId } from '../lib/random-id.ts';
import type { EventHandler } from '../orders/dispatch-events.flow.ts';
import type { OrderEventType } from '../orders/order-events.ts';
import { insertMessages } from './messages.db.ts';
import { type ExtraMessages, isExtra, messagesForEvent } from './messages-for-event.ts';

/**
 * The SMS and e-mails that events of live orders bring, into their queue. Nothing is written yet: placing an order waits
 * for the processor and the disk that this takes. A sandbox order's outbox is its log (sandbox-outbox.ts).
 */
export const messageEvents: EventHandler = async (tx, events) => {
  const extras = await extrasOf(tx, events);
  const messages = events.flatMap(({ type, data, request, orderId, accountId, mode, sequence, at }) =>
    (request ? messagesForEvent({ type, data }, request, extras.get(accountId) ?? NO_EXTRAS) : []).map((wanted) => ({
      ...{ messageId: randomId('msg_'), accountId, orderId, sequence, mode, ...wanted },
      createdAt: at,
      nextAttemptAt: at,
    })),
  );
  await insertMessages(tx, messages);
};

const NO_EXTRAS: ExtraMessages = { onItsWay: 'off', delivered: 'off' };

/** The messages that the accounts of these events have added; read only where an event may bring one. */
function extrasOf(
  tx: Sql,
  events: readonly { type: OrderEventType; accountId: string }[],
): Promise<ReadonlyMap<string, ExtraMessages>> {
  const accountIds = events.filter(({ type }) => isExtra(type)).map(({ accountId }) => accountId);
  return findBrandings(tx, [...new Set(accountIds)]);
}
