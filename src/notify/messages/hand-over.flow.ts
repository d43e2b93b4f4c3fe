import type { Logger } from 'pino';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import type { HttpAnswer, PublicHttp } from '../../platform/lib/public-http.ts';
import { signedHeaders } from '../../platform/lib/standard-webhook.ts';
import { parseMailbox } from './mailbox.ts';
import type { Mail, Messaging, SmsSender } from './messaging.ts';

/**
 * The one way out for what Doorstep sends: an email, an SMS or a signed call, one attempt each. What is not taken is an
 * OutsideError, whose queue or job tries again if it is retryable.
 */

/** `from` is `Name <address>`; a mail is plain text and has no blind copy unless it says so. */
type Letter = Omit<Mail, 'from' | 'bcc' | 'html'> & { from: string; bcc?: string | null; html?: string | null };

export async function sendEmail({ mailer }: Pick<Messaging, 'mailer'>, letter: Letter): Promise<void> {
  if (!mailer) throw new OutsideError('mail', 'not configured', { retryable: true });
  await mailer.sendMail({ bcc: null, html: null, ...letter, from: parseMailbox(letter.from) });
}

export async function sendSms(
  { smsSender }: Pick<Messaging, 'smsSender'>,
  text: Parameters<SmsSender['sendText']>[0],
): Promise<void> {
  if (!smsSender) throw new OutsideError('SMS', 'not configured', { retryable: true });
  await smsSender.sendText(text);
}

/** A call with JSON, signed as Standard Webhooks says; all attempts share the id, and each has its own instant. */
type SignedCall = { userAgent: string; secrets: readonly string[]; id: string; at: Temporal.Instant; body: string };

export function callHeaders({ userAgent, secrets, ...attempt }: SignedCall): Record<string, string> {
  return { 'content-type': 'application/json', 'user-agent': userAgent, ...signedHeaders(secrets, attempt) };
}

/** Why a call was not taken; null for 2xx, which alone is a success: redirects are not followed, and 410 is like others. */
export function faultOf(answer: HttpAnswer): string | null {
  if ('failure' in answer) return answer.failure;
  return answer.status >= 200 && answer.status < 300 ? null : `status ${answer.status}`;
}

export async function callSigned(publicHttp: PublicHttp, url: string, call: SignedCall): Promise<void> {
  const fault = faultOf(await publicHttp.post(url, { headers: callHeaders(call), body: call.body }));
  if (fault !== null) throw new OutsideError('webhook', fault, { retryable: true });
}

/** A job's attempt: it is repeated, unless the letter will never be taken, which is logged. */
export async function tryOnce(
  log: Logger,
  ids: { letter: string } & Record<string, string>,
  sent: Promise<void>,
): Promise<void> {
  try {
    await sent;
  } catch (error) {
    const { reason, isFinal } = failureOf(error);
    if (!isFinal) throw error;
    log.warn({ ...ids, reason }, 'a letter is not sent');
  }
}

/** A failed attempt in words without anything inside, and whether a later one may not help. */
export function failureOf(error: unknown): { reason: string; isFinal: boolean; isOurs: boolean } {
  if (error instanceof OutsideError) return { reason: error.message, isFinal: !error.retryable, isOurs: false };
  return { reason: 'failed inside', isFinal: false, isOurs: true };
}
