import type { Config } from '../../platform/config/config.ts';
import type { LeasedQueue } from '../../platform/jobs/leased-queue.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { Letter } from '../outbox/hand-over.flow.ts';
import { type Messaging, OPTED_OUT } from '../outbox/messaging.ts';
import { type LeasedLetter, letterQueue, type OutboxDeps } from '../outbox/send-letters.flow.ts';
import { MESSAGE_CHANNELS, type Message, type WrittenMessage } from './message.ts';
import { messagesBy } from './messages.db.ts';
import { isFirstSms, recordSmsRecipients } from './sms-opt-outs.db.ts';
import { writeMessages } from './write-messages.flow.ts';

/** A leased message; an SMS with its number, once it is written. */
type QueuedMessage = Message & LeasedLetter & { phone?: string };

type SendMessagesDeps = OutboxDeps & { config: Config; messaging: Messaging; metrics: Metrics; tokens: TokenSealer };

/**
 * Limits of concurrent messages per channel, so that a slow mail server delays no SMS. One account leaves a slot to the
 * others. A slow provider is slow for all accounts, so it lowers no account's limit.
 */
const SENDING_LIMITS = { max: 5, perOwner: 4, first: 4, slowMs: Number.POSITIVE_INFINITY, maxSlow: 5 };
/** Retries end after a day, when a message about an order is useless. */
const RETRIES = { delaysSeconds: [5, 10, 20, 40, 80, 160, 320, 640, 900], repeatsForHours: 24 };

/** Creates the queues of messages about orders, one per channel: to customers, and from customers to their account. */
export function messageQueues(deps: SendMessagesDeps): LeasedQueue<QueuedMessage>[] {
  const { db, metrics } = deps;
  const counters = {
    taken: metrics.count('doorstep_messages_sent_total', 'Text messages and emails accepted by their provider.'),
    failed: metrics.count('doorstep_message_attempts_failed_total', 'Failed attempts to send a text message or email.'),
    dead: metrics.count('doorstep_messages_dead_total', 'Text messages and emails that failed permanently.'),
  };
  return MESSAGE_CHANNELS.map((channel) =>
    letterQueue<QueuedMessage>(deps, {
      name: `sending ${channel}`,
      noun: 'a message',
      table: messagesBy(channel),
      limits: SENDING_LIMITS,
      retries: RETRIES,
      counters,
      ownerOf: ({ accountId }) => accountId,
      keyOf: ({ messageId }) => ({ messageId }),
      idsOf: ({ messageId, accountId, orderId, kind }) => ({ messageId, accountId, orderId, kind }),
      workOf({ orderId, sequence, accountId, messageId, kind, attempts }) {
        const ids = { 'doorstep.account.id': accountId, 'doorstep.message.id': messageId };
        const attributes = { ...ids, 'doorstep.message.kind': kind, 'doorstep.attempt': attempts };
        return { name: `send ${channel}`, orderId, sequence, attributes };
      },
      async write(message) {
        const written = await write(deps, message);
        if (channel !== 'sms') return letterOf(message, written);
        const { accountId } = message;
        Object.assign(message, { phone: written.recipient });
        const isFirst = !message.saysOptOut && (await isFirstSms(db, { accountId, phone: written.recipient }));
        if (!isFirst) return letterOf(message, written);
        message.saysOptOut = true;
        return letterOf(message, await write(deps, message));
      },
      columnsOf: ({ row: { saysOptOut }, failure }) => ({
        saysOptOut,
        ...(failure?.reason === OPTED_OUT ? { state: 'not_sent' } : {}),
      }),
      onEnded: (attempts) =>
        recordSmsRecipients(
          db,
          attempts.flatMap(({ end, row: { accountId, phone } }) =>
            phone && end === 'taken' ? [{ accountId, phone }] : [],
          ),
        ),
    }),
  );
}

async function write(deps: SendMessagesDeps, message: Message): Promise<WrittenMessage> {
  const [written] = await writeMessages(deps, [message]);
  if (!written) throw new OutsideError('message', 'could not be written', { retryable: false });
  return written;
}

function letterOf({ messageId, accountId, channel, createdAt }: Message, written: WrittenMessage): Letter {
  const { recipient: to, sender: from, subject, text, html, bcc, replyTo } = written;
  if (channel === 'sms') return { channel, accountId, to, body: text };
  return { channel, messageId, from, to, bcc, replyTo, subject: subject ?? '', text, html, date: createdAt };
}
