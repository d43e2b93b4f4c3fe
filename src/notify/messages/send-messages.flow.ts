import type { Logger } from 'pino';
import type { EventWork, FollowEvent } from '../../ordering/orders/follow-event.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { LeasedQueue } from '../../platform/jobs/leased-queue.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { nextAttemptAt, type RetrySchedule } from '../../platform/lib/retry-schedule.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { failActiveSpan } from '../../platform/lib/tracing.ts';
import { failureOf, sendEmail, sendSms } from './hand-over.flow.ts';
import type { Message, MessageChannel, WrittenMessage } from './message.ts';
import { markFailed, markSent, messageQueue } from './messages.db.ts';
import type { Messaging } from './messaging.ts';
import { writeMessages } from './write-messages.flow.ts';

type SendMessagesDeps = {
  config: Config;
  clock: Clock;
  log: Logger;
  db: Db;
  messaging: Messaging;
  metrics: Metrics;
} & {
  followEvent: FollowEvent;
  tokens: TokenSealer;
};

/**
 * Limits of concurrent messages per channel, so that a slow mail server delays no SMS. One account leaves a slot to the
 * others. A slow provider is slow for all accounts, so it lowers no account's limit.
 */
const SENDING_LIMITS = { max: 5, perOwner: 4, first: 4, slowMs: Number.POSITIVE_INFINITY, maxSlow: 5 };
/** Retries end after a day, when a message about an order is useless. */
const RETRIES: RetrySchedule = { delaysSeconds: [5, 10, 20, 40, 80, 160, 320, 640, 900], repeatsForHours: 24 };

export function messageQueues(deps: SendMessagesDeps): LeasedQueue<Message>[] {
  const { metrics } = deps;
  const counters = {
    sent: metrics.count('doorstep_messages_sent_total', 'SMS and emails taken by their provider.'),
    failed: metrics.count('doorstep_message_attempts_failed_total', 'Attempts to send an SMS or email that failed.'),
    dead: metrics.count('doorstep_messages_dead_total', 'SMS and emails that failed for good.'),
  };
  return [sendingQueue(deps, 'email', counters), sendingQueue(deps, 'sms', counters)];
}

type Counters = Record<'sent' | 'failed' | 'dead', { inc(): void }>;

function sendingQueue(deps: SendMessagesDeps, channel: MessageChannel, counters: Counters): LeasedQueue<Message> {
  return new LeasedQueue<Message>({
    name: `sending ${channel}`,
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    table: messageQueue(channel),
    limits: SENDING_LIMITS,
    ownerOf: ({ accountId }) => accountId,
    work: (message) => deps.followEvent(workOf(message), () => sendOne(deps, message, counters)),
  });
}

function workOf({ orderId, sequence, accountId, messageId, channel, kind, attempts }: Message): EventWork {
  const ids = { 'doorstep.account.id': accountId, 'doorstep.message.id': messageId };
  const attributes = { ...ids, 'doorstep.message.kind': kind, 'doorstep.attempt': attempts };
  return { name: `send ${channel}`, orderId, sequence, attributes };
}

type Failure = ReturnType<typeof failureOf>;

/**
 * Makes one attempt, outside of any transaction, and records its outcome. After a crash between the two, the message is
 * sent again when its lease ends.
 */
async function sendOne(deps: SendMessagesDeps, message: Message, counters: Counters): Promise<void> {
  const { db, clock, log } = deps;
  let failure: Failure | undefined;
  try {
    const [written] = await writeMessages(deps, [message]);
    if (written) await send(deps, { ...message, ...written });
    else failure = { reason: 'could not be written', isFinal: true, isOurs: false };
  } catch (error) {
    failure = failureOf(error);
    if (failure.isOurs) log.error({ err: error, ...idsOf(message) }, 'sending failed');
  }
  if (failure) return recordFailure(deps, message, counters, failure);
  await markSent(db, message.messageId, clock.now());
  counters.sent.inc();
}

const idsOf = ({ messageId, accountId, orderId, kind }: Message) => ({ messageId, accountId, orderId, kind });

async function recordFailure(
  { db, clock, log }: { clock: Clock; log: Logger; db: Db },
  message: Message,
  counters: Counters,
  { reason, isFinal }: Failure,
): Promise<void> {
  const failed = { attempt: message.attempts, since: message.createdAt, now: clock.now() };
  const retryAt = isFinal ? undefined : nextAttemptAt(RETRIES, failed, Math.random());
  failActiveSpan('not_sent');
  await markFailed(db, message, { error: reason, nextAttemptAt: retryAt });
  counters.failed.inc();
  // Only the first failure is logged, because later attempts fail alike.
  if (retryAt && message.attempts === 1) log.warn({ ...idsOf(message), reason }, 'a message is not sent yet');
  if (retryAt) return;
  counters.dead.inc();
  log.warn({ ...idsOf(message), reason }, 'a message failed for good');
}

async function send({ messaging }: { messaging: Messaging }, message: Message & WrittenMessage): Promise<void> {
  const { messageId, recipient, bcc, replyTo, sender, subject, text, html, createdAt, channel } = message;
  if (channel === 'sms') return sendSms(messaging, { to: recipient, body: text });
  return sendEmail(messaging, {
    messageId,
    from: sender,
    to: recipient,
    bcc,
    replyTo,
    subject: subject ?? '',
    text,
    html,
    date: createdAt,
  });
}
