import { isPlainAddress, type Mail, type Mailer, OutsideError } from 'doorstep/plugin';
import { createTransport } from 'nodemailer';

/* Email over SMTP, with persistent connections and a limit of time for each message. */

export type SmtpOptions = {
  /** smtp:// (STARTTLS if offered) or smtps://, with user, password and nodemailer options in the query. */
  url: string;
  /** Time limit of each step: connecting, greeting, answer. A whole email may take twice as long. */
  timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const CONNECTIONS = 5;

/** Sends email through any SMTP server over a few persistent connections. */
export function createSmtpMailer({ url, timeoutMs = TIMEOUT_MS }: SmtpOptions): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    // Replaces a kept connection that broke before any byte was sent. The queue repeats everything else.
    maxRequeues: 1,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: 2 * timeoutMs,
    socketCloseTimeout: 1000,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...tlsOf(url),
  });
  return {
    async sendMail(mail) {
      const message = nodemailerMessage(mail);
      const info = await transport
        .sendMail({ ...message, signal: AbortSignal.timeout(2 * timeoutMs) })
        .catch((error: SmtpError) => {
          throw outsideErrorOf(error);
        });
      // The server accepted only the blind copy.
      const refusal = info.rejected.includes(mail.to)
        ? info.rejectedErrors?.find((error: SmtpError) => [undefined, mail.to].includes(error.recipient))
        : undefined;
      if (refusal) throw outsideErrorOf(refusal);
    },
    close: () => transport.close({ force: true }),
  };
}

type SmtpError = {
  code?: string | undefined;
  responseCode?: number | undefined;
  command?: string | undefined;
  recipient?: string | undefined;
};

/** Sends passwords encrypted only. A server on this machine may have any certificate. TLS settings in the URL apply. */
function tlsOf(url: string) {
  const { hostname, username, searchParams } = new URL(url);
  if (/^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname)) return { tls: { rejectUnauthorized: false } };
  return username !== '' && !searchParams.has('ignoreTLS') ? { requireTLS: true } : {};
}

function nodemailerMessage({ messageId, from, to, bcc, replyTo, subject, text, html, date }: Mail) {
  const recipients = bcc === null ? [to] : [to, bcc];
  for (const address of [from.address, ...recipients, ...(replyTo === undefined ? [] : [replyTo])]) {
    if (!isPlainAddress(address)) throw new OutsideError('mail', 'an address is none', { retryable: false });
  }
  const plainMailbox = ({ name, address }: Mail['from']) => ({ name, address });
  return {
    messageId: `<${messageId}@${from.address.split('@')[1]}>`,
    date: new Date(date.epochMilliseconds),
    // A recipient that is only in the envelope gets a blind copy.
    envelope: { from: from.address, to: recipients },
    from: plainMailbox(from),
    to: plainMailbox({ name: '', address: to }),
    subject,
    text,
    ...(html === null ? {} : { html }),
    // Suppresses out-of-office answers (RFC 3834). A help desk may answer a person's message by itself.
    ...(replyTo === undefined
      ? { headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } }
      : { replyTo: plainMailbox({ name: '', address: replyTo }) }),
  };
}

/**
 * Converts an SMTP error; the message names no recipient. Only a 5xx to RCPT or DATA is final: a wrong password, a
 * refused sender, or a server that refuses all email is retried until the operator fixes it.
 */
function outsideErrorOf({ code, responseCode, command }: SmtpError): OutsideError {
  const isFinal = (responseCode ?? 0) >= 500 && (command === 'RCPT TO' || command === 'DATA');
  const answer = responseCode ? `${responseCode} to ${command ?? 'the connection'}` : (code ?? 'no answer');
  return new OutsideError('mail', `the SMTP server: ${answer}`, { retryable: !isFinal });
}

/** Connects, for `doorstep check`. Rejects unless the server greets and takes the user and password. */
export async function greetMailServer(url: string): Promise<undefined> {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
