import { randomId } from '../lib/random-id.ts';
import type { EventHandler } from '../orders/dispatch-events.flow.ts';
import { insertMessages } from './messages.db.ts';
import { messagesForEvent } from './messages-for-event.ts';

/**
 * The SMS and e-mails that events of live orders bring, into their queue. Nothing is written yet: placing an order waits
 * for the processor and the disk that this takes. A sandbox order's outbox is its log (sandbox-outbox.ts).
 */
export const messageEvents: EventHandler = async (tx, events) => {
  const messages = events.flatMap(({ type, data, request, orderId, accountId, mode, sequence, at }) =>
    (request ? messagesForEvent({ type, data }, request) : []).map((wanted) => ({
      ...{ messageId: randomId('msg_'), accountId, orderId, sequence, mode, ...wanted },
      createdAt: at,
      nextAttemptAt: at,
    })),
  );
  await insertMessages(tx, messages);
};
