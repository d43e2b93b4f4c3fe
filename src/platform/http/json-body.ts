import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { Http } from './http.ts';
import { parseLater } from './parse-request.ts';
import { Refusal } from './refusal.ts';

const PLAIN_NUMBER = /^-?(0|[1-9]\d*)$/;
/** Maximum size of a body with exact integers, because checking the digits of numbers is much slower than parsing. */
const MAX_EXACT_BYTES = 64 * 1024;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;
const UTF8_NAMES = /^(utf-?8|us-ascii)$/i;

/** Refuses a body whose encoding is not plain UTF-8, because decoding would corrupt it. */
export function refusalOfEncoding(headers: IncomingHttpHeaders): Refusal | undefined {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1];
  const coding = headers['content-encoding'] ?? 'identity';
  if ((charset === undefined || UTF8_NAMES.test(charset)) && /^identity$/i.test(coding)) return undefined;
  return new Refusal('unsupported_media_type', 'Send the body as application/json in UTF-8, not compressed.');
}

/**
 * Parses a request body; a body that is not JSON in UTF-8 is `invalid_request`. An empty body counts as an empty
 * object; a byte order mark is ignored.
 */
export function parseJsonBody(bytes: Buffer, { exactIntegers }: { exactIntegers: boolean }): unknown {
  // Decoding would silently replace invalid bytes by U+FFFD.
  if (!isUtf8(bytes)) throw unreadable('must be UTF-8', 'The body is not text in UTF-8.');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return {};
  if (exactIntegers && bytes.length > MAX_EXACT_BYTES) {
    throw unreadable('must not be larger than 64 KiB', 'A body with a card is limited to 64 KiB.');
  }
  const value = parsed(text, exactIntegers);
  // Without this check the framework would treat a null body as a missing one.
  if (value === null) throw unreadable('must be an object', 'The body is null.');
  return value;
}

function parsed(text: string, exactIntegers: boolean): unknown {
  try {
    return exactIntegers ? JSON.parse(text, keepExactInteger) : JSON.parse(text);
  } catch {
    throw unreadable('must be valid JSON', 'The body is not valid JSON.');
  }
}

function unreadable(message: string, sentence: string): Refusal {
  return new Refusal('invalid_request', sentence, { errors: [{ in: 'body', name: 'body', message }] });
}

/** Keeps a whole number beyond 2^53 as text, because a double would round it. */
function keepExactInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  const exact = typeof value !== 'number' || Number.isSafeInteger(value) || !source || !PLAIN_NUMBER.test(source);
  return exact ? value : source;
}

/** Accepts only JSON bodies; a route with `rawBody` gets the bytes. `parseRequest` parses them. */
export function acceptJson(http: Pick<Http, 'addContentTypeParser' | 'removeAllContentTypeParsers'>): void {
  http.removeAllContentTypeParsers();
  parseLater(http, 'application/json', (bytes, { routeOptions }) =>
    parseJsonBody(bytes, { exactIntegers: routeOptions.config.carriesCard === true }),
  );
}
