import { findBranding } from '../accounts/brandings.db.ts';
import type { Deps } from '../deps.ts';
import type { Worker } from '../jobs/boss.ts';
import { type SwitchedOff, switchedOffMail, WEBHOOK_SWITCHED_OFF } from './switched-off.ts';

/** Mails an account that its endpoint was switched off; run twice it sends the same Message-ID. Without SMTP nobody is told. */
export function tellSwitchedOff({ db, config, messaging, log }: Deps): Worker<SwitchedOff> {
  return {
    kind: WEBHOOK_SWITCHED_OFF,
    retryLimit: 50,
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
