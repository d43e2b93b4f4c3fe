import type { Logger } from 'pino';
import { findOperatorByEmail } from '../../access/sessions/operators.db.ts';
import { countSignInLinks, insertSignInLink } from '../../access/sessions/sign-in-links.db.ts';
import { parseMailbox } from '../../notify/messages/mailbox.ts';
import type { Messaging } from '../../notify/messages/messaging.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sha256 } from '../../platform/lib/sha256.ts';

/** A link was asked for. Whether an operator has the email is looked up later, so that the answer cannot reveal it. */
type LinkRequest = { email: string; browserHash: string };
export const SEND_SIGN_IN_LINK: JobKind<LinkRequest> = { name: 'send-sign-in-link' };

const LINK_MINUTES = 15;
const TOKEN_BYTES = 24;
/** Unused links of one operator at a time, so that nobody can flood a mailbox. */
const MAX_LINKS = 5;

type LinkDeps = { db: Db; clock: Clock; config: Config; log: Logger; messaging: Messaging };

/** Sends an operator a link that signs in the browser that asked. Only the link's hash is stored. */
export function sendSignInLink({ db, clock, config, messaging: { mailer } }: LinkDeps): Worker<LinkRequest> {
  return {
    kind: SEND_SIGN_IN_LINK,
    concurrency: 2,
    run: async ({ email, browserHash }) => {
      const at = clock.now();
      const operator = await findOperatorByEmail(db, email);
      if (!mailer || !operator || (await countSignInLinks(db, operator.operatorId, at)) >= MAX_LINKS) return;
      const token = randomId('', TOKEN_BYTES);
      const expiresAt = at.add({ minutes: LINK_MINUTES });
      const link = { tokenHash: sha256(token), browserHash: Buffer.from(browserHash, 'base64url') };
      await insertSignInLink(db, { ...link, operatorId: operator.operatorId }, { at, expiresAt });
      await mailer.sendMail({
        messageId: randomId('link-', 12),
        from: parseMailbox(config.mailFrom),
        to: email,
        bcc: null,
        subject: 'Sign in to Doorstep',
        text: `Hello ${operator.name},

Open this link in the browser in which you asked for it, within ${LINK_MINUTES} minutes. It works once:

${config.baseUrl}/console/operator/link/${token}

If you didn't ask for it, ignore this email: nobody can sign in without the link.
`,
        html: null,
        date: at,
      });
    },
  };
}
