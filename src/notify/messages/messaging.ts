import type { Mailbox } from './mailbox.ts';

export type Mail = {
  /** Becomes the Message-ID, so that a mail client recognizes a mail that was sent twice. */
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
 * Sends email. `sendMail` ends within 20 seconds: when the server has taken the mail for the recipient, or with an
 * OutsideError, retryable unless the server will never take this mail for this recipient.
 */
export type Mailer = { sendMail(mail: Mail): Promise<void>; close(): void };

/**
 * Sends SMS. `sendText` ends within 20 seconds: when the provider has taken it, or with an OutsideError, retryable
 * unless the provider will never take this text for this number (E.164).
 */
export type SmsSender = { sendText(text: { to: string; body: string }): Promise<void> };

/** What a customer asked for by replying to an SMS; `phone` is in E.164. */
export type SmsReply = { phone: string; wants: 'stop' | 'start' };

/**
 * Reads replies as the provider's webhook brings them: undefined for one that asks for nothing. Throws a Refusal where
 * the provider has not signed the call.
 */
export type SmsReplies = {
  read(call: {
    /** The address that the provider was given. */
    url: string;
    fields: Readonly<Record<string, string>>;
    headers: Readonly<Record<string, string | string[] | undefined>>;
  }): SmsReply | undefined;
};

/** The senders of mail and SMS, and the mail frame. Without a sender the messages of live orders wait. */
export type Messaging = {
  mailer: Mailer | undefined;
  smsSender: SmsSender | undefined;
  /** Undefined if replies to SMS are not received by this service. */
  smsReplies?: SmsReplies | undefined;
  /** The sender number of SMS; without it the account's name is the sender. */
  textFrom: string | undefined;
  /** The frame of every email as HTML, its slots still open. */
  frame(): Promise<string>;
};
