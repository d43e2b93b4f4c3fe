import { OutsideError } from '../../platform/lib/outside-error.ts';
import type { Mailbox } from './mailbox.ts';

export type Mail = {
  /** Used as the Message-ID, so that a mail client recognizes an email that was sent twice. */
  messageId: string;
  from: Mailbox;
  to: string;
  bcc: string | null;
  /** The person who wrote it, if a person did. */
  replyTo?: string | undefined;
  subject: string;
  text: string;
  html: string | null;
  date: Temporal.Instant;
};

/**
 * Sends email. Within 20 seconds, `sendMail` resolves because the server accepted the email for the recipient, or
 * throws an OutsideError, which is retryable unless the server will never accept it.
 */
export type Mailer = { sendMail(mail: Mail): Promise<void>; close(): void };

/** Why an SMS was not sent; shown to operators. */
export const OPTED_OUT = 'the number has opted out of SMS';

/** The error of an SMS sender if the provider reports that the number has opted out. */
export const optedOut = () => new OutsideError('SMS', OPTED_OUT, { retryable: false });

/**
 * Sends SMS. Within 20 seconds, `sendText` resolves because the provider accepted the SMS, or throws an OutsideError,
 * which is retryable unless the provider will never accept this text for this number (E.164).
 */
export type SmsSender = { sendText(text: { to: string; body: string }): Promise<void> };

/** A customer's opt-out or opt-in by SMS; `phone` is in E.164. */
export type SmsReply = { phone: string; wants: 'stop' | 'start' };

/** Reads replies from the provider's webhook; undefined for a reply that is neither. Refuses an invalid signature. */
export type SmsReplies = {
  read(call: {
    /** The webhook URL that is configured at the provider. */
    url: string;
    body: Buffer;
    headers: Readonly<Record<string, string | string[] | undefined>>;
  }): SmsReply | undefined;
};

/** The senders of email and SMS, and the email frame. Without a sender, messages of live orders stay queued. */
export type Messaging = {
  mailer: Mailer | undefined;
  smsSender: SmsSender | undefined;
  /** Undefined if this service does not receive replies to SMS. */
  smsReplies?: SmsReplies | undefined;
  /** Sender number of SMS; without it, the account's name is the sender. */
  textFrom: string | undefined;
  /** Returns the HTML frame of every email, with its placeholders. */
  frame(): Promise<string>;
};
