import type { Logger } from 'pino';
import type { Branding } from '../../access/accounts/branding.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { sendEmail } from '../messages/hand-over.flow.ts';
import { parseMailbox } from '../messages/mailbox.ts';
import type { Messaging } from '../messages/messaging.ts';
import type { Owner } from './webhook.ts';

/** Days of failures without a success after which an endpoint is switched off (docs/webhooks.md#answering). */
export const DISABLE_AFTER_DAYS = 5;

/** An endpoint that was switched off, and when (ISO 8601). */
type SwitchedOff = Owner & { at: string };

export const WEBHOOK_SWITCHED_OFF: JobKind<SwitchedOff> = { name: 'webhook-switched-off' };

/**
 * The email goes to the account's own address (for blind copies, else its sender), else to the operator. It omits the
 * URL, which may contain a secret.
 */
function switchedOffMail({ accountId, mode, at }: SwitchedOff, branding: Branding, mailFrom: string) {
  const text = [
    `The webhook of account ${accountId} for its ${mode} orders has failed at every call for ${DISABLE_AFTER_DAYS} days`,
    `and was switched off at ${at}.`,
    'Its events are kept. To have them sent, attach the webhook again (POST /account/tracking/add_webhook), then',
    `replay them (POST /account/tracking/webhook/replay), both with a ${mode} key.`,
    '',
  ].join('\n');
  return {
    messageId: `webhook-off.${accountId}.${mode}.${Temporal.Instant.from(at).epochMilliseconds}`,
    from: mailFrom,
    to: branding.bccAddress ?? branding.fromAddress ?? parseMailbox(mailFrom).address,
    subject: 'Your webhook was switched off',
    text,
    date: Temporal.Instant.from(at),
  };
}

/**
 * Emails the notice that an endpoint was switched off. A second run sends the same Message-ID. Without SMTP, sends
 * nothing.
 */
export function notifyEndpointDisabled({
  db,
  config,
  messaging,
  log,
}: {
  config: Config;
  log: Logger;
  db: Db;
  messaging: Messaging;
}): Worker<SwitchedOff> {
  return {
    kind: WEBHOOK_SWITCHED_OFF,
    concurrency: 1,
    async run(notice) {
      if (!messaging.mailer) {
        log.warn(
          { accountId: notice.accountId, mode: notice.mode },
          'no mail server is set: nobody was told of the webhook switched off',
        );
        return;
      }
      const branding = await findBranding(db, notice.accountId);
      await sendEmail(messaging, switchedOffMail(notice, branding, config.mailFrom));
    },
  };
}
