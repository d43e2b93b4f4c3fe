import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { mailHtml, mailText } from '../../notify/messages/mail-bodies.ts';
import { shortenLink } from '../../notify/messages/shorten-links.flow.ts';
import type { Letter } from '../../notify/outbox/hand-over.flow.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import { letterQueue, type OutboxDeps } from '../../notify/outbox/send-letters.flow.ts';
import { listRefunds } from '../../ordering/money/refunds.db.ts';
import { type Order, shownOrderNumber } from '../../ordering/order/order.ts';
import { findAnyOrders } from '../../ordering/order/orders.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Context } from '../../platform/db/context.ts';
import { isRefusedStatement } from '../../platform/db/hot-statement.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { LeasedQueue } from '../../platform/jobs/leased-queue.ts';
import { batchCalls, changesNothing } from '../../platform/lib/batch-calls.ts';
import { SerialGate } from '../../platform/lib/batch-gate.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import type { RetrySchedule } from '../../platform/lib/retry-schedule.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { activeSecrets } from '../../platform/lib/standard-webhook.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { activeTraceparent } from '../../platform/lib/tracing.ts';
import { localeOf } from '../../texts/catalogs.ts';
import type { TicketPrinting } from '../tickets/render-ticket.ts';
import { copyOf, elementOf, loadTicket, noticeId } from './load-ticket.flow.ts';
import { noticeCallBody, noticeMail, noticeSms } from './notice-messages.ts';
import { announceOrders } from './received-orders.db.ts';
import { recordTaken, type TakenByChannel, tryRecordTaken } from './record-taken.flow.ts';
import { isPrinter, printerOf } from './store-channel.ts';
import { recordFailingChannel } from './store-channels.db.ts';
import { channelKey, isStale, type StoreNotice, storeLinkOf } from './store-notice.ts';
import { isPastPolling, NOTICES, saveLinkHash, type TakenNotice } from './store-notices.db.ts';

/** Short delays, because a kitchen is waiting. After a day the notice fails permanently. */
const RETRIES: RetrySchedule = { delaysSeconds: [4, 8, 16, 32, 60], repeatsForHours: 24 };
/**
 * Limits of concurrent notices per worker. A hanging channel delays only its own notices, and all hanging channels
 * together leave half of the slots.
 */
const NOTICE_LIMITS = { max: 24, perOwner: 4, first: 2, slowMs: 5000, maxSlow: 12 };

type NoticeQueueDeps = OutboxDeps & {
  config: Config;
  jobs: Jobs;
  messaging: Messaging;
  metrics: Metrics;
  printing: TicketPrinting;
  tokens: TokenSealer;
  trackingSites: Pick<TrackingSites, 'siteOf'>;
};

/** Creates the queue of notices to store channels: offers, cancelations, changes and tickets. */
export function noticeQueue(deps: NoticeQueueDeps): LeasedQueue<TakenNotice> {
  const { db, metrics } = deps;
  const failed = 'Failed attempts to reach a store channel.';
  const shared = createNoticeStatements(deps, NOTICE_LIMITS.max);
  return letterQueue<TakenNotice>(deps, {
    name: 'telling stores',
    noun: 'a store notice',
    table: NOTICES,
    limits: NOTICE_LIMITS,
    retries: RETRIES,
    ignoresFinal: true,
    counters: {
      taken: metrics.count('doorstep_store_notices_sent_total', 'Notices received by a store channel.'),
      failed: metrics.count('doorstep_store_notices_failed_total', failed),
    },
    ownerOf: channelKey,
    keyOf: ({ orderId, channel, kind, copy }) => ({ orderId, channel, kind, copy }),
    idsOf: ({ orderId, storeId, channel }) => ({ orderId, storeId, channel }),
    workOf({ orderId, channel, kind }) {
      const attributes = { 'doorstep.channel': channel, 'doorstep.notice.kind': kind };
      return { name: 'tell a store', orderId, attributes };
    },
    async write(notice) {
      const order = await shared.findOrder(notice.orderId);
      if (!order || !notice.hasChannel || isStale(notice, order)) return 'stale';
      // An attempt on the network printer before it may have failed only now: its ticket waits to be fetched.
      if (notice.isPolled) return isPastPolling(notice, deps.clock.now()) ? 'stale' : 'fetched';
      if (notice.channel !== 'console' && notice.channel !== 'operator') return writeNotice(deps, notice, order);
      await announceOrders(db, [notice]);
      return 'fetched';
    },
    columnsOf: ({ failure }) => ({ mayBeSent: failure?.mayBeTaken ?? false }),
    recordTaken: shared.recordTaken,
    async onEnded(attempts) {
      for (const { row, at, failure } of attempts) {
        if (failure) await recordFailingChannel(db, row, { error: failure.reason, at });
      }
    },
  });
}

/** The statements for a notice. Concurrent notices of a worker share them. */
export type NoticeStatements = {
  /** Finds the order of a notice; undefined if it was deleted. */
  findOrder(orderId: string): Promise<Order | undefined>;
  /**
   * Records that a channel has taken the notice, in one transaction with concurrent notices whose orders are not
   * locked.
   */
  recordTaken(notice: StoreNotice): Promise<void>;
};

export function createNoticeStatements(deps: Context & { jobs: Jobs }, maxBatch: number): NoticeStatements {
  // A call's owner is its trace, and a batch with several traces runs in none of them.
  const limits = { maxBatch, ownerNow: activeTraceparent, gate: new SerialGate() };
  const recordOfBatch = batchCalls({
    ...limits,
    didNothing: isRefusedStatement,
    run: (taken: readonly TakenByChannel[]) => tryRecordTaken(deps, taken),
  });
  return {
    findOrder: batchCalls({
      ...limits,
      didNothing: changesNothing,
      run: async (orderIds: readonly string[]) => {
        const orders = await findAnyOrders(deps.db, orderIds);
        return orderIds.map((orderId) => orders.get(orderId));
      },
    }),
    async recordTaken(notice) {
      const taken = { notice, traceparent: activeTraceparent() ?? null };
      if (!(await recordOfBatch(taken))) await recordTaken(deps, taken);
    },
  };
}

async function writeNotice(deps: NoticeQueueDeps, notice: TakenNotice, order: Order): Promise<Letter | 'stale'> {
  const { channel, target, createdAt: date } = notice;
  if (target === null) throw new OutsideError(channel, 'has no target', { retryable: true });
  if (isPrinter(channel)) {
    const { printer, target: at } = printerOf(target);
    const ticket = await loadTicket(deps, notice, order);
    return ticket ? { channel: 'print', printer, ticket: { target: at, ...ticket } } : 'stale';
  }
  if (channel === 'webhook') return loadCall(deps, notice, order, target);
  const text = await readText(deps, notice, order);
  if (channel === 'sms') {
    const link = await shortenLink(deps, deps.config.baseUrl, text.link);
    return { channel, to: target, body: noticeSms({ ...text, link }) };
  }
  const content = noticeMail(text);
  const html = mailHtml(await deps.messaging.frame(), content);
  const messageId = `${notice.orderId}.${channel}.${notice.kind}${copyOf(notice)}`;
  const from = deps.config.mailFrom;
  const { subject } = content;
  return { channel: 'email', messageId, from, to: target, subject, text: mailText(content), html, date };
}

/** Reads inputs of an email or SMS. An offer has a link that opens the order; it works before the message arrives. */
async function readText({ config, db, tokens }: NoticeQueueDeps, notice: TakenNotice, order: Order) {
  const { kind } = notice;
  const locale = localeOf(notice.language, order.quote.store.country);
  const text = { order, number: shownOrderNumber(order), kind, locale };
  if (kind !== 'offered') return { ...text, link: `${config.baseUrl}/console` };
  const link = storeLinkOf(tokens, notice);
  // Copies of an offer have the same link.
  if (notice.copy === 0) await saveLinkHash(db, notice, sha256(link));
  return { ...text, link: `${config.baseUrl}/console/order/${link}` };
}

async function loadCall(deps: NoticeQueueDeps, notice: TakenNotice, order: Order, url: string): Promise<Letter> {
  const at = deps.clock.now();
  const refunds = await listRefunds(deps.db, order);
  const body = noticeCallBody(notice, elementOf(deps, { order, refunds }, at));
  const { signingSecret: secret, previousSecret: previous, previousSecretUntil: previousUntil } = notice;
  const secrets = activeSecrets({ secret: secret ?? '', previous, previousUntil }, at);
  return { channel: 'call', url, userAgent: 'Doorstep-Stores/1', secrets, id: noticeId(notice), body };
}
