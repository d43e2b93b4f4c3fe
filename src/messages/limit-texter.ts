import { OutsideError } from '../lib/outside-error.ts';
import { isInSmsReach, OUT_OF_REACH } from './sms-reach.ts';
import type { Texter } from './texter.ts';

/** The texter for the numbers that SMS go to. Any other number is an OutsideError that is not retryable: no call is made. */
export function limitTexter(texter: Texter, countries: readonly string[]): Texter {
  return {
    async sendText(text) {
      if (!isInSmsReach(text.to, countries)) throw new OutsideError('SMS', OUT_OF_REACH, { retryable: false });
      return texter.sendText(text);
    },
  };
}
