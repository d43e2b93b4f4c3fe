import type { Logger } from 'pino';
import { type Branding, displayNameOf } from '../../access/accounts/branding.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { isPhoneContact } from '../../access/customers/customer.ts';
import { findCode } from '../../access/customers/customers.db.ts';
import { findGrantLetter } from '../../access/customers/grants.db.ts';
import { gsmText } from '../../notify/messages/gsm-text.ts';
import type { Channels } from '../../notify/outbox/hand-over.flow.ts';
import { formatMailbox, senderOf } from '../../notify/outbox/mailbox.ts';
import { letterJob } from '../../notify/outbox/send-letters.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { type CodeToSend, digitsOf, SEND_SIGN_IN_CODE } from './sign-in-code.flow.ts';

/* Emails and SMS about a customer's sign-in. The jobs name rows, so that no queue contains a code or a contact. */

type Deps = Channels & {
  db: Db;
  config: Pick<Config, 'mailFrom' | 'trackingUrl'>;
  log: Logger;
  tokens: TokenSealer;
  trackingSites: Pick<TrackingSites, 'siteOf'>;
};

/** Sends the code that a browser waits for, while it is good. */
export function sendSignInCode(deps: Deps): Worker<CodeToSend> {
  const { db, clock, config, tokens, trackingSites } = deps;
  return letterJob<CodeToSend>(deps, {
    kind: SEND_SIGN_IN_CODE,
    noun: 'the code of a sign-in',
    idsOf: ({ accountId }) => ({ accountId }),
    async write({ browserHash, accountId }) {
      const at = clock.now();
      const pending = await findCode(db, { browserHash: Buffer.from(browserHash, 'base64url'), accountId }, at);
      if (!pending) return undefined;
      const branding = await findBranding(db, accountId);
      const code = digitsOf(tokens, pending);
      const { signIn } = localeOf(pending.language, 'US').words;
      const brand = displayNameOf(branding);
      if (isPhoneContact(pending.contact)) {
        // The last line lets phones fill the code in only at this host (WICG SMS one-time codes).
        const { hostname } = new URL(trackingSites.siteOf(accountId).siteUrl);
        return {
          channel: 'sms',
          to: pending.contact,
          body: `${gsmText(signIn.sms({ brand, code }))}\n\n@${hostname} #${code}`,
        };
      }
      const words = { subject: signIn.mailSubject({ brand, code }), text: signIn.mailText({ brand, code }) };
      return { ...mailOf(branding, config, at), to: pending.contact, ...words };
    },
  });
}

function mailOf(branding: Branding, { mailFrom }: Pick<Config, 'mailFrom'>, date: Temporal.Instant) {
  const from = formatMailbox(senderOf(branding, mailFrom));
  return { channel: 'email', messageId: randomId('sign-in-', 12), from, date } as const;
}

/** A customer is mailed that an app was connected, or that its access was ended because someone may have copied it. */
type GrantLetter = { grantId: string; kind: 'connected' | 'ended' };
export const SEND_GRANT_MAIL: JobKind<GrantLetter> = { name: 'send-grant-mail' };

export function sendGrantMail(deps: Deps): Worker<GrantLetter> {
  const { db, clock, config, trackingSites } = deps;
  return letterJob<GrantLetter>(deps, {
    kind: SEND_GRANT_MAIL,
    noun: 'the mail about a connected app',
    idsOf: ({ grantId }) => ({ grantId }),
    async write({ grantId, kind }) {
      const grant = await findGrantLetter(db, grantId);
      if (!grant?.email) return undefined;
      const branding = await findBranding(db, grant.accountId);
      const { signIn } = localeOf(grant.language ?? branding.language, 'US').words;
      const url = `${trackingSites.siteOf(grant.accountId).siteUrl}/connections`;
      const named = { app: grant.clientHost || grant.clientName, brand: displayNameOf(branding), url };
      const [subject, text] =
        kind === 'connected'
          ? [signIn.connectedSubject(named), signIn.connectedText(named)]
          : [signIn.endedSubject(named), signIn.endedText(named)];
      return { ...mailOf(branding, config, clock.now()), to: grant.email, subject, text };
    },
  });
}
