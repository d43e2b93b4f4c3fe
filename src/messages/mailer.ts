import type { Mailbox } from './mailbox.ts';

export type Mail = {
  /** Becomes the Message-ID, so that a mail client recognises a mail that was sent twice. */
  messageId: string;
  from: Mailbox;
  to: string;
  bcc: string | null;
  subject: string;
  text: string;
  html: string | null;
  date: Temporal.Instant;
};

/**
 * Sends e-mail. `sendMail` ends within 20 seconds: when the server has taken the mail for the recipient, or with an
 * OutsideError, retryable unless the server will never take this mail for this recipient.
 */
export type Mailer = { sendMail(mail: Mail): Promise<void>; close(): void };
