import type { PublicHttp } from 'doorstep/public-http';
import type { Clock } from '../../platform/lib/clock.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { signedHeaders } from '../../platform/lib/standard-webhook.ts';
import { parseMailbox } from './mailbox.ts';
import type { Mail, Messaging, SmsSender } from './messaging.ts';
import { PrinterError, type Printers, type Ticket } from './printer.ts';

/** A written letter, by channel. `from` is `Name <address>`; an email without `html` is plain text. */
export type Letter =
  | ({ channel: 'email'; from: string; bcc?: string | null; html?: string | null } & Omit<
      Mail,
      'from' | 'bcc' | 'html'
    >)
  | ({ channel: 'sms'; accountId?: string } & Parameters<SmsSender['sendText']>[0])
  | ({ channel: 'call'; url: string } & (Omit<SignedCall, 'at'> | SealedCall))
  | { channel: 'print'; printer: string; ticket: Ticket };

/** A JSON call signed by Standard Webhooks. All attempts share the id, and each is signed at its own time. */
type SignedCall = { userAgent: string; secrets: readonly string[]; id: string; at: Temporal.Instant; body: string };

/** A JSON call that is signed otherwise, by its headers. 410 ends it. */
type SealedCall = { headers: Readonly<Record<string, string>>; body: string };
const GONE = 410;

export type Channels = {
  clock: Clock;
  messaging: Pick<Messaging, 'mailer' | 'smsSender'>;
  publicHttp: Pick<PublicHttp, 'post'>;
  printing: { printers: Printers };
};

/** A call whose endpoint answered with a status other than 2xx, or did not answer; then `status` is null. */
class CallError extends OutsideError {
  readonly status: number | null;

  constructor(message: string, status: number | null, retryable = true) {
    super('webhook', message, { retryable });
    this.status = status;
  }
}

export const PRINT_TIMEOUT_MS = 80_000;

/**
 * Makes one attempt. Resolves once the recipient's server, provider or printer has taken the letter; `status` is the
 * status of a call's response. Otherwise rejects with OutsideError.
 */
export async function handOver(channels: Channels, letter: Letter): Promise<{ status: number | null }> {
  const { messaging, publicHttp, printing, clock } = channels;
  if (letter.channel === 'call') {
    const isSealed = 'headers' in letter;
    const headers = isSealed ? letter.headers : callHeaders({ ...letter, at: clock.now() });
    const answer = await publicHttp.post(letter.url, { headers, body: letter.body });
    if ('failure' in answer) throw new CallError(answer.failure, null);
    const { status } = answer;
    // Redirects are not followed, and to accounts 410 is a failure like others.
    if (status < 200 || status > 299) throw new CallError(`status ${status}`, status, !isSealed || status !== GONE);
    return { status };
  }
  if (letter.channel === 'print') {
    const printer = requireSender(printing.printers.get(letter.printer), 'printer');
    await printer.print(letter.ticket, AbortSignal.timeout(PRINT_TIMEOUT_MS));
  } else if (letter.channel === 'sms') {
    await requireSender(messaging.smsSender, 'SMS').sendText({ to: letter.to, body: letter.body });
  } else {
    const { channel: _, from, ...mail } = letter;
    await requireSender(messaging.mailer, 'mail').sendMail({
      bcc: null,
      html: null,
      ...mail,
      from: parseMailbox(from),
    });
  }
  return { status: null };
}

/** Requires a sender. Without one an attempt fails, and is retried until there is one. */
export function requireSender<Sender extends object>(sender: Sender | undefined, party: string): Sender {
  if (!sender) throw new OutsideError(party, 'not configured', { retryable: true });
  return sender;
}

export function callHeaders({ userAgent, secrets, id, at, body }: SignedCall): Record<string, string> {
  return { 'content-type': 'application/json', 'user-agent': userAgent, ...signedHeaders(secrets, { id, at, body }) };
}

export type Failure = {
  /** A sentence without details of the service or the letter. */
  reason: string;
  /** Whether further attempts are useless. */
  isFinal: boolean;
  /** Whether the recipient may have received the letter anyway. */
  mayBeTaken: boolean;
  status: number | null;
  /** The error, if it is a bug. */
  bug?: unknown;
};

export function failureOf(error: unknown): Failure {
  const failure = { reason: 'failed inside', isFinal: false, mayBeTaken: true, status: null };
  if (!(error instanceof OutsideError)) return { ...failure, bug: error };
  return {
    reason: error.message,
    isFinal: !error.retryable,
    mayBeTaken: !(error instanceof PrinterError) || error.mayBePrinted,
    status: error instanceof CallError ? error.status : null,
  };
}
