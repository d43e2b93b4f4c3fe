import type { Logger } from 'pino';
import { findBranding } from '../accounts/brandings.db.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { Worker } from '../jobs/job-queue.ts';
import type { Messaging } from '../messages/messaging.ts';
import { type SwitchedOff, switchedOffMail, WEBHOOK_SWITCHED_OFF } from './switched-off.ts';

/** Mails the notice that an endpoint was switched off. A second run sends the same Message-ID. Without SMTP no mail is sent. */
export function tellSwitchedOff({
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
      await messaging.mailer.sendMail(switchedOffMail(notice, branding, config.mailFrom));
    },
  };
}
