import type { Twilio } from 'twilio';
import { OutsideError } from '../../lib/outside-error.ts';
import type { Texter } from '../../messages/texter.ts';

export type TwilioOptions = {
  accountSid: string;
  authToken: string;
  /** A number in E.164, a sender name, or a messaging service's `MG…`. */
  from: string;
  baseUrl?: string;
  /** Milliseconds without a sign of life; a whole call may take twice as long. */
  timeoutMs?: number;
};

const BASE_URL = 'https://api.twilio.com';
const TIMEOUT_MS = 10_000;

/**
 * Refusals (HTTP 400) that are no fault of the text or its number but of the account or of the moment: the operator mends
 * them, or they pass. Wrong, missing or unsuitable sender, trial account, country not enabled, full queue.
 * https://www.twilio.com/docs/api/errors
 */
const PASSING_CODES: ReadonlySet<number> = new Set([
  20003, 21212, 21408, 21603, 21606, 21607, 21608, 21611, 21618, 21659, 21660, 21661, 21701, 21703, 21704,
]);

/** SMS through Twilio's library, which is loaded with the first SMS. */
export function createTwilioTexter(options: TwilioOptions): Texter {
  const { from, timeoutMs = TIMEOUT_MS } = options;
  const sender = from.startsWith('MG') ? { messagingServiceSid: from } : { from };
  let client: Promise<Twilio> | undefined;
  return {
    async sendText({ to, body }) {
      client ??= connect(options);
      try {
        const { messages } = await client;
        await inTime(messages.create({ ...sender, to, body }), 2 * timeoutMs);
      } catch (error) {
        throw outsideErrorOf(error);
      }
    },
  };
}

async function connect({ accountSid, authToken, baseUrl = BASE_URL, timeoutMs = TIMEOUT_MS }: TwilioOptions) {
  const { default: twilio } = await import('twilio');
  const httpClient = new twilio.RequestClient({ timeout: timeoutMs });
  const request = httpClient.request.bind(httpClient);
  httpClient.request = (call) => request({ ...call, uri: call.uri.replace(BASE_URL, baseUrl) });
  return twilio(accountSid, authToken, { httpClient });
}

/** The library's time-out is for silence; an answer may also drip. */
function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  AbortSignal.timeout(ms).addEventListener('abort', () =>
    reject(new OutsideError('SMS', 'Twilio did not answer in time', { retryable: true })),
  );
  return Promise.race([work, late]);
}

/** A thrown error names a status and Twilio's code, never its message, which repeats the number. */
function outsideErrorOf(error: unknown): OutsideError {
  if (error instanceof OutsideError) return error;
  const { status, code } = error as { status?: unknown; code?: unknown };
  if (typeof status !== 'number') {
    const reason = typeof code === 'string' ? code : 'no answer';
    return new OutsideError('SMS', `Twilio: ${reason}`, { retryable: true });
  }
  const isFinal = status === 400 && !(typeof code === 'number' && PASSING_CODES.has(code));
  const detail = typeof code === 'number' ? `${status}, code ${code}` : String(status);
  return new OutsideError('SMS', `Twilio answered ${detail}`, { retryable: !isFinal });
}
