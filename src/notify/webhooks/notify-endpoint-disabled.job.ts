import type { Logger } from 'pino';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import type { Channels } from '../outbox/hand-over.flow.ts';
import { parseMailbox } from '../outbox/mailbox.ts';
import { letterJob } from '../outbox/send-letters.flow.ts';
import type { Owner } from './webhook.ts';

/** Days of failures without a success until an endpoint is switched off (docs/webhooks.md#answering). */
export const DISABLE_AFTER_DAYS = 5;

/** An endpoint that was switched off, and when (ISO 8601). */
type SwitchedOff = Owner & { at: string };

export const WEBHOOK_SWITCHED_OFF: JobKind<SwitchedOff> = { name: 'webhook-switched-off' };

type NoticeDeps = Channels & { db: Db; config: Config; log: Logger };

/**
 * Emails the notice that an endpoint was switched off to the account's own address (for blind copies, otherwise its
 * sender), or to the operator. It omits the URL, which may contain a secret. Without SMTP, sends nothing.
 */
export function notifyEndpointDisabled(deps: NoticeDeps): Worker<SwitchedOff> {
  const { db, config, messaging, log } = deps;
  const { mailFrom: from } = config;
  return letterJob<SwitchedOff>(deps, {
    kind: WEBHOOK_SWITCHED_OFF,
    noun: 'the notice of a webhook switched off',
    idsOf: ({ accountId, mode }) => ({ accountId, mode }),
    async write({ accountId, mode, at }) {
      if (!messaging.mailer) {
        log.warn({ accountId, mode }, 'no mail server is set: no notice of the webhook switched off is sent');
        return undefined;
      }
      const { bccAddress, fromAddress } = await findBranding(db, accountId);
      const date = Temporal.Instant.from(at);
      const text = [
        `The webhook of account ${accountId} for its ${mode} orders has failed at every call for ${DISABLE_AFTER_DAYS} days`,
        `and was switched off at ${at}.`,
        'Its events are kept. To have them sent, attach the webhook again (POST /account/tracking/add_webhook), then',
        `replay them (POST /account/tracking/webhook/replay), both with a ${mode} key.`,
        '',
      ].join('\n');
      const messageId = `webhook-off.${accountId}.${mode}.${date.epochMilliseconds}`;
      const to = bccAddress ?? fromAddress ?? parseMailbox(from).address;
      return { channel: 'email', messageId, from, to, subject: 'Your webhook was switched off', text, date };
    },
  });
}
