import type { Logger } from 'pino';
import { issueAccessCode } from '../../access/sessions/sign-in.flow.ts';
import { gsmText } from '../../notify/messages/gsm-text.ts';
import { mailHtml, mailText } from '../../notify/messages/mail-bodies.ts';
import type { MailContent } from '../../notify/messages/mail-content.ts';
import { type Channels, requireSender } from '../../notify/outbox/hand-over.flow.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import { letterJob } from '../../notify/outbox/send-letters.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { oneLine, shorten } from '../../platform/lib/plain-text.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { findStorePreferences } from '../../supply/stores/set-store.db.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { localeOf } from '../../texts/catalogs.ts';

/** An invitation to a store's console; `to` is an email address or a number in E.164. */
type Invitation = { storeId: string; by: 'email' | 'sms'; to: string };
export const SEND_STORE_INVITATION: JobKind<Invitation> = { name: 'send-store-invitation' };

const MAX_SMS_NAME = 24;

type InvitationDeps = Channels & { db: Db; config: Config; log: Logger; messaging: Messaging };

/** Sends an access code, in the store's language. Each attempt makes its own code, whose hash alone is stored. */
export function sendStoreInvitation(deps: InvitationDeps): Worker<Invitation> {
  return letterJob<Invitation>(deps, {
    kind: SEND_STORE_INVITATION,
    noun: 'an invitation to a store',
    idsOf: ({ storeId, by }) => ({ storeId, by }),
    write: (invitation) => writeInvitation(deps, invitation),
  });
}

async function writeInvitation({ db, clock, config, messaging }: InvitationDeps, { storeId, by, to }: Invitation) {
  const store = await findStore(db, storeId);
  if (!store) return undefined;
  requireSender(by === 'email' ? messaging.mailer : messaging.smsSender, by);
  const at = clock.now();
  const { code } = await issueAccessCode(db, { storeId }, at);
  const locale = localeOf((await findStorePreferences(db, storeId)).language, store.address.country);
  const { invitation, notice, signIn } = locale.words.store;
  const link = `${config.baseUrl}/console`;
  const name = oneLine(store.name);
  if (by === 'sms') {
    const body = gsmText(notice.smsInvitation({ store: shorten(name, MAX_SMS_NAME), code, link }));
    return { channel: by, to, body };
  }
  const content: MailContent = {
    locale,
    brand: { name, logoUrl: undefined },
    subject: invitation.subject({ store: name }),
    headline: invitation.headline,
    lead: [invitation.lead],
    link: { label: invitation.open, url: link },
    facts: [{ label: signIn.code, lines: [code] }],
    receipt: undefined,
    foot: [invitation.foot],
  };
  const [messageId, html] = [randomId('invitation-', 12), mailHtml(await messaging.frame(), content)];
  const { subject } = content;
  return { channel: by, messageId, from: config.mailFrom, to, subject, text: mailText(content), html, date: at };
}
