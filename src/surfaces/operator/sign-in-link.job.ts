import type { Logger } from 'pino';
import { findOperatorByEmail } from '../../access/sessions/operators.db.ts';
import { countAttempt } from '../../access/sessions/sessions.db.ts';
import { insertSignInLink } from '../../access/sessions/sign-in-links.db.ts';
import type { Channels } from '../../notify/outbox/hand-over.flow.ts';
import { letterJob } from '../../notify/outbox/send-letters.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind, Jobs } from '../../platform/jobs/jobs.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';

/** A link was requested. Whether an operator has the email is looked up later, so that the answer cannot reveal it. */
type LinkRequest = { email: string; browserHash: string };
export const SEND_SIGN_IN_LINK: JobKind<LinkRequest> = { name: 'send-sign-in-link' };

const LINK_MINUTES = 15;
const TOKEN_BYTES = 24;
const BROWSER_BYTES = 32;
/** Links of their own that the browsers of one client get within the life of a link. */
const MAX_LINKS_OF_CLIENT = 5;
const MINUTE_MS = 60_000;

type AskDeps = { db: Db; clock: Clock; jobs: Jobs; tokens: Pick<TokenSealer, 'sealLink'> };

/**
 * Asks for a link, and returns the text for the browser's cookie that the link is bound to. No ask is refused, so that
 * no one behind the same address keeps an operator out. Mails are bounded all the same: beyond a client's own links,
 * its browsers that ask for the same email within a minute share one, sent when the minute ends.
 */
export async function askForSignInLink(
  { db, clock, jobs, tokens }: AskDeps,
  { client, email }: { client: string; email: string },
): Promise<string> {
  const at = clock.now();
  const asks = await countAttempt(db, { name: `links ${client}`, minutes: LINK_MINUTES }, at);
  if (asks.count <= MAX_LINKS_OF_CLIENT) {
    const browser = randomId('', BROWSER_BYTES);
    await jobs.enqueue(db, SEND_SIGN_IN_LINK, { email, browserHash: hashOfBrowser(browser) });
    return browser;
  }
  const minute = Math.floor(at.epochMilliseconds / MINUTE_MS);
  const shared = tokens.sealLink(SEND_SIGN_IN_LINK.name, sha256(`${client} ${minute} ${email}`));
  // All unknown addresses are one, so that neither they nor the time of the response add up to anything.
  const to = (await findOperatorByEmail(db, email)) ? email : '';
  const { count } = await countAttempt(db, { name: `links ${client} ${minute} ${to}`, minutes: 1 }, at);
  if (count === 1) {
    const startAfter = Temporal.Instant.fromEpochMilliseconds((minute + 1) * MINUTE_MS);
    await jobs.enqueue(db, SEND_SIGN_IN_LINK, { email, browserHash: hashOfBrowser(shared) }, { startAfter });
  }
  return shared;
}

const hashOfBrowser = (browser: string) => sha256(browser).toString('base64url');

type LinkDeps = Channels & { db: Db; config: Config; log: Logger };

/** Sends an operator a link that signs in the browser that requested it. Only the link's hash is stored. */
export function sendSignInLink(deps: LinkDeps): Worker<LinkRequest> {
  const { db, clock, config, messaging } = deps;
  return letterJob<LinkRequest>(deps, {
    kind: SEND_SIGN_IN_LINK,
    noun: 'a sign-in link',
    idsOf: () => ({}),
    async write({ email, browserHash }) {
      const at = clock.now();
      const operator = await findOperatorByEmail(db, email);
      if (!messaging.mailer || !operator) return undefined;
      const token = randomId('', TOKEN_BYTES);
      const expiresAt = at.add({ minutes: LINK_MINUTES });
      const link = { tokenHash: sha256(token), browserHash: Buffer.from(browserHash, 'base64url') };
      await insertSignInLink(db, { ...link, operatorId: operator.operatorId }, expiresAt);
      const text = `Hello ${operator.name},

Open this link in the browser in which you asked for it, within ${LINK_MINUTES} minutes. It works once:

${config.baseUrl}/console/operator/link/${token}

If you didn't ask for it, ignore this email: nobody can sign in without the link.
`;
      const messageId = randomId('link-', 12);
      const subject = 'Sign in to Doorstep';
      return { channel: 'email', messageId, from: config.mailFrom, to: email, subject, text, date: at };
    },
  });
}
