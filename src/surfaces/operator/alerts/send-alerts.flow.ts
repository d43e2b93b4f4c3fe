import type { Logger } from 'pino';
import { gsmText } from '../../../notify/messages/gsm-text.ts';
import { callSigned, failureOf, sendEmail, sendSms } from '../../../notify/messages/hand-over.flow.ts';
import type { Messaging } from '../../../notify/messages/messaging.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Db } from '../../../platform/db/connect.ts';
import { LeasedQueue } from '../../../platform/jobs/leased-queue.ts';
import type { Clock } from '../../../platform/lib/clock.ts';
import { OutsideError } from '../../../platform/lib/outside-error.ts';
import type { PublicHttp } from '../../../platform/lib/public-http.ts';
import { nextAttemptAt, type RetrySchedule } from '../../../platform/lib/retry-schedule.ts';
import { epochSecondsOrNull, isoMillis } from '../../../platform/lib/time.ts';
import {
  ALERT_QUEUE,
  type AlertNotice,
  findNoticeContent,
  markNoticeFailed,
  markNoticeSent,
  type NoticeContent,
} from './alerts.db.ts';
import { type Alert, alertSms, alertSubject, alertText } from './alerts.ts';

/** Retries end after some hours, when an alert is old news. */
const RETRIES: RetrySchedule = { delaysSeconds: [5, 15, 60, 300], repeatsForHours: 6 };
const SENDING_LIMITS = { max: 8, perOwner: 1, first: 1, slowMs: Number.POSITIVE_INFINITY, maxSlow: 8 };

type SendAlertsDeps = {
  db: Db;
  clock: Clock;
  config: Config;
  log: Logger;
  messaging: Messaging;
  publicHttp: PublicHttp;
};

/** The queue of notices to operators. A way that fails is retried, and delays no other. */
export function alertQueue(deps: SendAlertsDeps): LeasedQueue<AlertNotice> {
  return new LeasedQueue<AlertNotice>({
    name: 'alerting operators',
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    table: ALERT_QUEUE,
    limits: SENDING_LIMITS,
    ownerOf: ({ operatorId, way }) => `${operatorId} ${way}`,
    work: (notice) => sendOne(deps, notice),
  });
}

async function sendOne(deps: SendAlertsDeps, notice: AlertNotice): Promise<void> {
  const { db, clock, log } = deps;
  try {
    const content = await findNoticeContent(db, notice);
    if (content && content.alerts.length > 0) await send(deps, notice, content);
    await markNoticeSent(db, notice.noticeId, clock.now());
  } catch (error) {
    const { reason, isFinal, isOurs } = failureOf(error);
    const { noticeId, operatorId, way } = notice;
    if (isOurs) log.error({ err: error, noticeId, operatorId, way }, 'alerting failed');
    const failed = { attempt: notice.attempts, since: notice.createdAt, now: clock.now() };
    const retryAt = isFinal ? undefined : nextAttemptAt(RETRIES, failed, Math.random());
    await markNoticeFailed(db, notice, { error: reason, nextAttemptAt: retryAt });
    if (notice.attempts === 1 || !retryAt) log.warn({ noticeId, operatorId, way, reason }, 'an alert is not sent');
  }
}

async function send(deps: SendAlertsDeps, notice: AlertNotice, { alerts, to }: NoticeContent): Promise<void> {
  const { config, messaging } = deps;
  const { phase } = notice;
  const link = `${config.baseUrl}/console/operator#/alerts`;
  if (notice.way === 'webhook') return call(deps, notice, { alerts, to });
  if (notice.way === 'sms') {
    if (to.phone === null) throw new OutsideError('SMS', 'no phone', { retryable: false });
    return sendSms(messaging, { to: to.phone, body: gsmText(alertSms(phase, alerts, link)) });
  }
  if (to.email === null) throw new OutsideError('mail', 'no address', { retryable: false });
  return sendEmail(messaging, {
    messageId: notice.noticeId,
    from: config.mailFrom,
    to: to.email,
    subject: alertSubject(phase, alerts),
    text: alertText(phase, alerts, link),
    date: notice.createdAt,
  });
}

async function call(
  { clock, config, publicHttp }: SendAlertsDeps,
  { noticeId, phase, createdAt }: AlertNotice,
  { alerts, to }: NoticeContent,
): Promise<void> {
  const { alertWebhookUrl: url, alertWebhookSecret: secret } = to;
  if (url === null || secret === null) throw new OutsideError('webhook', 'no URL', { retryable: false });
  const body = JSON.stringify({
    type: `alert.${phase}`,
    timestamp: isoMillis(createdAt),
    data: { alerts: alerts.map((alert) => presentForCall(alert, config.baseUrl)) },
  });
  const attempt = { id: noticeId, at: clock.now(), body };
  await callSigned(publicHttp, url, { userAgent: 'Doorstep-Alerts/1', secrets: [secret], ...attempt });
}

function presentForCall({ alertId, kind, title, page, openedAt, endedAt }: Alert, baseUrl: string) {
  return {
    alert_id: alertId,
    kind,
    title,
    url: `${baseUrl}/console/operator#/${page}`,
    opened_at: epochSecondsOrNull(openedAt),
    ended_at: epochSecondsOrNull(endedAt),
  };
}
