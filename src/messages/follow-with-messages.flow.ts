import { randomId } from '../lib/random-id.ts';
import type { Follower } from '../orders/dispatch-events.flow.ts';
import { insertMessages } from './messages.db.ts';
import { messagesForEvent } from './messages-for-event.ts';

/**
 * The SMS and e-mails that events bring. Nothing is written yet: placing an order waits for the processor and the disk
 * that this takes. A sandbox order's are kept, a live one's wait to be sent.
 */
export const followWithMessages: Follower = async (tx, _deps, events) => {
  const messages = events.flatMap(({ type, request, orderId, accountId, mode, sequence, at }) =>
    messagesForEvent(type, request).map((wanted) => ({
      ...{ messageId: randomId('msg_'), accountId, orderId, sequence, mode, ...wanted },
      createdAt: at,
      nextAttemptAt: mode === 'live' ? at : null,
    })),
  );
  await insertMessages(tx, messages);
};
