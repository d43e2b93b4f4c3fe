import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  fetchText,
  invalidRequest,
  memberOf,
  OutsideError,
  optedOut,
  parseJsonObject,
  readE164,
  readForm,
  type SmsReplies,
  type SmsSender,
} from 'doorstep/plugin';

import { readWish } from './read-wish.ts';

/** SMS through Twilio: the sender, and the signed webhook of replies, which stop and start texts to a number. */

export type TwilioOptions = {
  accountSid: string;
  authToken: string;
  /** An E.164 number, a sender name, or the `MG…` of a messaging service. */
  from: string;
  baseUrl?: string;
  /** Time limit of the whole answer, in milliseconds. */
  timeoutMs?: number;
};

const BASE_URL = 'https://api.twilio.com';
const TIMEOUT_MS = 10_000;
const CALLED_PARTY = { party: 'SMS', host: 'Twilio', maxBytes: 256 * 1024 };
const ACCOUNT_SID = /^AC[0-9a-f]{32}$/i;

/** The recipient replied STOP to Twilio. */
const OPTED_OUT_CODE = 21610;

/**
 * HTTP 400 errors to retry, because they are caused by the account or the moment and not by the text or number: wrong
 * sender, trial account, country not enabled, full queue. https://www.twilio.com/docs/api/errors
 */
const RETRYABLE_CODES: ReadonlySet<number> = new Set([
  20003, 21212, 21408, 21603, 21606, 21607, 21608, 21611, 21618, 21659, 21660, 21661, 21701, 21703, 21704,
]);

/**
 * Sends SMS through Twilio's Messages resource: one request per text, without redirects. Errors have a status and
 * Twilio's code, never its message, which repeats the number.
 * https://www.twilio.com/docs/messaging/api/message-resource
 */
export function createTwilioSmsSender(options: TwilioOptions): SmsSender {
  const { accountSid, authToken, from, baseUrl = BASE_URL, timeoutMs = TIMEOUT_MS } = options;
  const sender: Record<string, string> = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
  const url = `${baseUrl}/2010-04-01/Accounts/${accountSid}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return {
    async sendText({ to, body }) {
      if (!ACCOUNT_SID.test(accountSid)) throw smsError('TWILIO_ACCOUNT_SID is not the id of an account', true);
      const init: RequestInit = {
        method: 'POST',
        headers: { authorization, accept: 'application/json' },
        body: new URLSearchParams({ To: to, ...sender, Body: body }),
      };
      const { status, text } = await fetchText(url, init, { ...CALLED_PARTY, timeoutMs });
      checkTaken(status, text);
    },
  };
}

/** Throws unless Twilio answered 201 with the accepted message. An unreadable answer leaves the outcome unknown. */
function checkTaken(status: number, text: string): void {
  const answer = parseJsonObject(text);
  if (status >= 200 && status < 300 && answer) return;
  const code = memberOf(answer ?? {}, 'code');
  if (code === OPTED_OUT_CODE) throw optedOut();
  // A 400 without a code is from a proxy in front of Twilio.
  const isFinal = status === 400 && typeof code === 'number' && !RETRYABLE_CODES.has(code);
  throw smsError(`Twilio answered ${typeof code === 'number' ? `${status}, code ${code}` : status}`, !isFinal);
}

const smsError = (message: string, retryable: boolean) => new OutsideError('SMS', message, { retryable });

/** Length of an HMAC with SHA-1. */
const SIGNATURE_BYTES = 20;

/**
 * Reads replies from Twilio's webhook for incoming messages. Twilio signs its URL and the fields, sorted by name, with
 * the account's token: https://www.twilio.com/docs/usage/webhooks/webhooks-security
 */
export function createTwilioReplies({ authToken }: Pick<TwilioOptions, 'authToken'>): SmsReplies {
  return {
    read({ url, body: form, headers }) {
      const given = Buffer.from(String(headers['x-twilio-signature'] ?? ''), 'base64');
      // A call without a signature costs no reading of its fields.
      if (given.length !== SIGNATURE_BYTES) throw unsigned();
      const fields = readForm(form);
      const signed = Object.keys(fields)
        .toSorted()
        .map((name) => `${name}${fields[name]}`)
        .join('');
      const expected = createHmac('sha1', authToken).update(`${url}${signed}`).digest();
      if (!timingSafeEqual(given, expected)) throw unsigned();
      const { From: from = '', OptOutType: type = '', Body: body = '' } = fields;
      const phone = readE164(from);
      if (phone === undefined) return undefined;
      const wants = type === 'STOP' || type === 'START' ? type : readWish(body);
      return wants && { phone, wants: wants === 'STOP' ? 'stop' : 'start' };
    },
  };
}

const unsigned = () =>
  invalidRequest([{ in: 'header', name: 'X-Twilio-Signature', message: 'does not fit this call' }]);
