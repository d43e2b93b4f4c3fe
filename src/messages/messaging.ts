import type { Mailer } from './mailer.ts';
import type { Texter } from './texter.ts';

/** The mailer, the texter and the mail frame. Without a mailer or texter the messages of live orders wait. */
export type Messaging = {
  mailer: Mailer | undefined;
  texter: Texter | undefined;
  /** The sender number of SMS; without it the account's name is the sender. */
  textFrom: string | undefined;
  /** The frame of every e-mail as HTML, its slots still open. */
  frame(): Promise<string>;
};
