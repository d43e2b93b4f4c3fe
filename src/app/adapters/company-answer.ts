import type {
  CourierRefusal,
  CourierReport,
  FindAnswer,
  QuoteAnswer,
  UpdateAnswer,
} from '../../fulfillment/deliveries/couriers/courier-gateway.ts';
import type { Position } from '../../fulfillment/deliveries/position.ts';
import { codeWord, type JsonObject, memberOf, parseJsonObject } from '../../platform/lib/json-object.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { parseMoment } from '../../platform/lib/time.ts';
import type { TextAnswer } from './outside-call.ts';

/**
 * A courier company's answer that callers distinguish; `code` is the company's word for an error, or ''. Any other
 * response is a retryable OutsideError with status and code, and nothing of the request, because requests contain
 * personal data.
 */
export type CompanyAnswer = { status: number; code: string; body: JsonObject };

/** Statuses of account or credential errors: once the operator has fixed them, the same call succeeds. */
const OPERATOR_FIXABLE_STATUSES: ReadonlySet<number> = new Set([401, 402, 403]);
/** Maximum retry delay that a `Retry-After` header can request. */
const MAX_RETRY_AFTER_SECONDS = 900;

/**
 * Reads a response. Throws an error to retry for 408, 429, 3xx, 5xx and an account error, and an error for a success
 * whose body is neither empty nor a JSON object.
 */
export function readAnswer(company: string, { status, text, headers }: TextAnswer): CompanyAnswer {
  const body = parseJsonObject(text);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && !body && text.trim() !== '') throw unreadableAnswer(company, 'JSON object');
  const code = isSuccess ? '' : (codeWord(memberOf(body ?? {}, 'code') ?? memberOf(body ?? {}, 'kind')) ?? '');
  const retryable = status === 408 || status === 429 || status >= 500 || (status >= 300 && status < 400);
  if (retryable || OPERATOR_FIXABLE_STATUSES.has(status)) {
    throw retryableError(`${company} answered ${status} (${code}).`, headers);
  }
  return { status, code, body: body ?? {} };
}

export const isDone = ({ status }: CompanyAnswer): boolean => status >= 200 && status < 300;

/** Creates the error for a response that leaves the call's outcome open. */
export function undecided(company: string, { status, code }: CompanyAnswer): OutsideError {
  return new OutsideError('courier', `${company} answered ${status} (${code}).`, { retryable: true, isOutage: false });
}

/** Creates the error for an unreadable answer, which leaves the call's outcome open. */
export function unreadableAnswer(company: string, what: string): OutsideError {
  return retryableError(`${company}'s response lacks ${what}.`);
}

/** Uses `Retry-After` in seconds; a date leaves the delay to the caller's schedule. */
export function retryableError(message: string, headers?: Headers): OutsideError {
  const wait = headers?.get('retry-after') ?? '';
  const retryAfterSeconds = /^\d{1,9}$/.test(wait) ? Math.min(Number(wait), MAX_RETRY_AFTER_SECONDS) : undefined;
  return new OutsideError('courier', message, { retryable: true, retryAfterSeconds });
}

/** A company's form of a delivery, its quote's ID, and errors that may still accept the same delivery. */
type CompanyWords = {
  company: string;
  readDelivery(body: JsonObject): CourierReport | undefined;
  quoteId: string;
  temporaryRefusals?: ReadonlySet<string>;
};

/** Creates a gateway's responses from its company's. */
export function courierAnswers({ company, readDelivery, quoteId, temporaryRefusals }: CompanyWords) {
  const reportOf = ({ body }: CompanyAnswer): CourierReport => {
    const report = readDelivery(body);
    if (!report) throw unreadableAnswer(company, 'delivery');
    return report;
  };
  /** A 409 is a conflict with another call, and a retry may succeed. */
  const refusalOf = (answer: CompanyAnswer): CourierRefusal => {
    if (answer.status === 409 || temporaryRefusals?.has(answer.code)) throw undecided(company, answer);
    return { kind: 'refused', reason: answer.code || `status_${answer.status}` };
  };
  return {
    reportOf,
    refusalOf,
    quoteOf(answer: CompanyAnswer): QuoteAnswer {
      if (!isDone(answer)) return refusalOf(answer);
      const [id, feeCents] = [readText(answer.body, quoteId), readCents(answer.body, 'fee')];
      if (id === undefined || feeCents === undefined) throw unreadableAnswer(company, 'quote');
      const currency = readCurrency(answer.body, 'currency') ?? 'usd';
      return { kind: 'quoted', quote: { quoteId: id, feeCents, currency } };
    },
    findingOf(answer: CompanyAnswer): FindAnswer {
      if (isDone(answer)) return { kind: 'found', report: reportOf(answer) };
      if (answer.status === 404) return { kind: 'none' };
      throw undecided(company, answer);
    },
  };
}

/** Whether a change of a delivery was taken over; without a response, the company takes none. */
export const updateOf = (answer: CompanyAnswer | undefined): UpdateAnswer =>
  answer && isDone(answer) ? 'updated' : 'not_updated';

const MAX_TEXT = 2000;

/** Reads a text; undefined if empty, too long, or not a text. The readers below work alike. */
export function readText(object: JsonObject, name: string): string | undefined {
  const value = memberOf(object, name);
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT ? value : undefined;
}

export function readInstant(object: JsonObject, name: string): Temporal.Instant | undefined {
  return parseMoment(readText(object, name) ?? '');
}

export function readCents(object: JsonObject, name: string): number | undefined {
  const value = memberOf(object, name);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function readCurrency(object: JsonObject, name: string): string | undefined {
  const text = readText(object, name)?.toLowerCase();
  return text !== undefined && /^[a-z]{3}$/.test(text) ? text : undefined;
}

/** Reads an https URL. Other schemes are rejected, because pages show these links. */
export function readHttpsUrl(object: JsonObject, name: string): string | undefined {
  const url = URL.parse(readText(object, name) ?? '');
  return url?.protocol === 'https:' ? url.href : undefined;
}

/** Reads the position of an object `{ lat, lng }`. */
export function readLatLng(location: JsonObject): Position | undefined {
  return readPosition(memberOf(location, 'lat'), memberOf(location, 'lng'));
}

export function readPosition(latitude: unknown, longitude: unknown): Position | undefined {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}
