import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { isRefusedStatement } from '../db/hot-statement.ts';
import { createStatementGate } from '../db/statement-gate.ts';
import { createFairLoop } from '../jobs/fair-loop.ts';
import type { Loop } from '../jobs/loop.ts';
import { batchCalls, changesNothing } from '../lib/batch-calls.ts';
import type { Clock } from '../lib/clock.ts';
import type { Metrics } from '../lib/metrics.ts';
import { OutsideError } from '../lib/outside-error.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { failSpanNow } from '../lib/tracing/span.ts';
import type { EventWork, FollowEvent } from '../orders/traces/follow-event.flow.ts';
import { parseMailbox } from './mailbox.ts';
import type { Message, MessageChannel, WrittenMessage } from './message.ts';
import { markFailed, markSent, type SentMessage, takeDueMessages } from './messages.db.ts';
import type { Messaging } from './messaging.ts';
import { nextAttemptOf } from './retry-message.ts';
import { writeMessages } from './write-messages.flow.ts';

type Needs = { config: Config; clock: Clock; log: Logger; db: Db; messaging: Messaging; metrics: Metrics } & {
  followEvent: FollowEvent;
  tokens: TokenSealer;
};

const LOOK_EVERY_MS = 500;
/**
 * Messages of one channel that a worker sends at the same time: a slow mail server delays no SMS. One account leaves a
 * place to the other accounts. Slowness is the provider's, which all accounts share, and lowers no account's limit.
 */
const SENDING_LIMITS = { max: 5, perOwner: 4, first: 4, slowMs: Number.POSITIVE_INFINITY, maxSlow: 5 };
/** Longer than a port may take (20 s), and short enough that a dead worker's messages leave within 30 s of its death. */
const LEASE_SECONDS = 25;

/** The loops that send waiting messages, one loop a channel. */
export function messageLoops(deps: Needs): Loop[] {
  const { metrics } = deps;
  const counters = {
    sent: metrics.count('doorstep_messages_sent_total', 'SMS and e-mails taken by their provider.'),
    failed: metrics.count('doorstep_message_attempts_failed_total', 'Attempts to send an SMS or e-mail that failed.'),
    dead: metrics.count('doorstep_messages_dead_total', 'SMS and e-mails that were given up.'),
  };
  return [sendingLoop(deps, 'email', counters), sendingLoop(deps, 'sms', counters)];
}

type Counters = Record<'sent' | 'failed' | 'dead', { inc(): void }>;

/** What each message asks of the database: messages that are sent at one moment share the statements. */
type SharedMessages = {
  write(message: Message): Promise<WrittenMessage | undefined>;
  markSent(sent: SentMessage): Promise<void>;
};

function shareMessages(deps: Needs): SharedMessages {
  const limits = { maxBatch: SENDING_LIMITS.max, gate: createStatementGate() };
  return {
    write: batchCalls({
      ...limits,
      didNothing: changesNothing,
      run: (messages: readonly Message[]) => writeMessages(deps, messages),
    }),
    markSent: batchCalls({
      ...limits,
      didNothing: isRefusedStatement,
      run: async (sent: readonly SentMessage[]) => {
        await markSent(deps.db, sent);
        return sent.map(() => undefined);
      },
    }),
  };
}

function sendingLoop(deps: Needs, channel: MessageChannel, counters: Counters): Loop {
  const { db, clock, log } = deps;
  const shared = shareMessages(deps);
  return createFairLoop<Message>({
    name: `sending ${channel}`,
    everyMs: LOOK_EVERY_MS,
    limits: SENDING_LIMITS,
    log,
    ownerOf: ({ accountId }) => accountId,
    takeDue(limits) {
      const now = clock.now();
      return takeDueMessages(db, { channel, now, leaseUntil: now.add({ seconds: LEASE_SECONDS }), limits });
    },
    run: (message) => deps.followEvent(workOf(message), () => sendOne(deps, shared, message, counters)),
  });
}

function workOf({ orderId, sequence, accountId, messageId, channel, kind, attempts }: Message): EventWork {
  const ids = { 'doorstep.account.id': accountId, 'doorstep.message.id': messageId };
  const attributes = { ...ids, 'doorstep.message.kind': kind, 'doorstep.attempt': attempts };
  return { name: `send ${channel}`, orderId, sequence, attributes };
}

type Failure = { reason: string; isFinal: boolean };

/** Makes one attempt, outside any transaction, and records its outcome. After a crash between the two, the message is sent again when its lease ends. */
async function sendOne(deps: Needs, shared: SharedMessages, message: Message, counters: Counters): Promise<void> {
  const { clock, log } = deps;
  let failure: Failure | undefined;
  try {
    const written = await shared.write(message);
    if (written) await send(deps, { ...message, ...written });
    else failure = { reason: 'could not be written', isFinal: true };
  } catch (error) {
    const isFinal = error instanceof OutsideError && !error.retryable;
    const reason = error instanceof OutsideError ? error.message : 'failed inside';
    if (!(error instanceof OutsideError)) log.error({ err: error, ...idsOf(message) }, 'sending failed');
    failure = { reason, isFinal };
  }
  if (failure) return recordFailure(deps, message, counters, failure);
  await shared.markSent({ messageId: message.messageId, at: clock.now() });
  counters.sent.inc();
}

const idsOf = ({ messageId, accountId, orderId, kind }: Message) => ({ messageId, accountId, orderId, kind });

async function recordFailure(
  { db, clock, log }: { clock: Clock; log: Logger; db: Db },
  message: Message,
  counters: Counters,
  { reason, isFinal }: Failure,
): Promise<void> {
  const nextAttemptAt = isFinal ? undefined : nextAttemptOf(message, clock.now(), Math.random());
  failSpanNow('not_sent');
  await markFailed(db, message, { error: reason, nextAttemptAt });
  counters.failed.inc();
  // The later attempts of a message fail as its first one did.
  if (nextAttemptAt && message.attempts === 1) log.warn({ ...idsOf(message), reason }, 'a message is not sent yet');
  if (nextAttemptAt) return;
  counters.dead.inc();
  log.warn({ ...idsOf(message), reason }, 'a message is given up');
}

async function send({ messaging }: { messaging: Messaging }, message: Message & WrittenMessage): Promise<void> {
  const { messageId, recipient, bcc, sender, subject, text, html, createdAt, channel } = message;
  if (channel === 'sms') {
    if (!messaging.texter) throw new OutsideError('SMS', 'not configured', { retryable: true });
    return messaging.texter.sendText({ to: recipient, body: text });
  }
  if (!messaging.mailer) throw new OutsideError('mail', 'not configured', { retryable: true });
  const from = parseMailbox(sender);
  return messaging.mailer.sendMail({
    messageId,
    from,
    to: recipient,
    bcc,
    subject: subject ?? '',
    text,
    html,
    date: createdAt,
  });
}
