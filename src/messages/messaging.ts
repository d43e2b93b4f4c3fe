import type { Mailer } from './mailer.ts';
import type { Texter } from './texter.ts';

/** What messages are made of and leave by; without a mailer or texter those of live orders wait. */
export type Messaging = {
  mailer: Mailer | undefined;
  texter: Texter | undefined;
  /** The number that SMS come from; without one they bear the account's name. */
  textFrom: string | undefined;
  /** The frame of every e-mail as HTML, its slots still open. */
  frame(): Promise<string>;
};
