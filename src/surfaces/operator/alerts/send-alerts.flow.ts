import { gsmText } from '../../../notify/messages/gsm-text.ts';
import type { Letter } from '../../../notify/outbox/hand-over.flow.ts';
import { type LeasedLetter, letterQueue, type OutboxDeps } from '../../../notify/outbox/send-letters.flow.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { LeasedQueue } from '../../../platform/jobs/leased-queue.ts';
import { OutsideError } from '../../../platform/lib/outside-error.ts';
import { epochSecondsOrNull, isoMillis } from '../../../platform/lib/time.ts';
import { ALERT_NOTICES, type AlertNotice, findNoticeContent, type NoticeContent } from './alerts.db.ts';
import { type Alert, alertSms, alertSubject, alertText } from './alerts.ts';

/** Retries end after some hours, when an alert is old news. */
const RETRIES = { delaysSeconds: [5, 15, 60, 300], repeatsForHours: 6 };
const SENDING_LIMITS = { max: 8, perOwner: 1, first: 1, slowMs: Number.POSITIVE_INFINITY, maxSlow: 8 };

/** The letters to operators on duty. A way that fails is retried, and delays no other. */
export function alertQueue(
  deps: OutboxDeps & { config: Pick<Config, 'baseUrl' | 'mailFrom'> },
): LeasedQueue<AlertNotice & LeasedLetter> {
  return letterQueue<AlertNotice & LeasedLetter>(deps, {
    name: 'alerting operators',
    noun: 'an alert',
    table: ALERT_NOTICES,
    limits: SENDING_LIMITS,
    retries: RETRIES,
    ownerOf: ({ operatorId, way }) => `${operatorId} ${way}`,
    keyOf: ({ noticeId }) => ({ noticeId }),
    idsOf: ({ noticeId, operatorId, way }) => ({ noticeId, operatorId, way }),
    workOf: ({ way }) => ({ name: `alert by ${way}`, orderId: null, attributes: {} }),
    async write(notice) {
      const content = await findNoticeContent(deps.db, notice);
      return content && content.alerts.length > 0 ? letterOf(deps.config, notice, content) : 'nothing';
    },
  });
}

function letterOf(
  { baseUrl, mailFrom }: Pick<Config, 'baseUrl' | 'mailFrom'>,
  { noticeId, way, phase, createdAt }: AlertNotice,
  { alerts, to: { email, phone, alertWebhookUrl: url, alertWebhookSecret: secret } }: NoticeContent,
): Letter {
  const link = `${baseUrl}/console/operator#/alerts`;
  if (way === 'sms') {
    if (phone === null) throw new OutsideError('SMS', 'no phone', { retryable: false });
    return { channel: way, to: phone, body: gsmText(alertSms(phase, alerts, link)) };
  }
  if (way === 'email') {
    if (email === null) throw new OutsideError('mail', 'no address', { retryable: false });
    const [subject, text] = [alertSubject(phase, alerts), alertText(phase, alerts, link)];
    return { channel: way, messageId: noticeId, from: mailFrom, to: email, subject, text, date: createdAt };
  }
  if (url === null || secret === null) throw new OutsideError('webhook', 'no URL', { retryable: false });
  const body = JSON.stringify({
    type: `alert.${phase}`,
    timestamp: isoMillis(createdAt),
    data: { alerts: alerts.map((alert) => presentForCall(alert, baseUrl)) },
  });
  return { channel: 'call', url, userAgent: 'Doorstep-Alerts/1', secrets: [secret], id: noticeId, body };
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
