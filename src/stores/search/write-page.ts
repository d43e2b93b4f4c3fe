import { ALWAYS_PROJECTED } from '../store-element.ts';
import type { StoreDocuments } from './store-documents.index.ts';
import type { StorePage } from './store-query.ts';

const HEAD = Buffer.from('{"stores":[');
/** Bound on the bytes of an opening: `"is_open":false`, a time of 16 digits, null, the longest reason, `,"miles":`. */
export const MAX_OPENING_BYTES = 128;
/** Bound on the bytes of a store after its document: its opening, and the value `12437.65},` of its miles. */
const STORE_TAIL_BYTES = MAX_OPENING_BYTES + 16;
/** Bound on the bytes around the stores: `{"stores":[],"next_page":9007199254740991}`. */
const FRAME_BYTES = 64;

const COMMA = 0x2c;
const CLOSING_BRACE = 0x7d;
const DOT = 0x2e;
const ZERO = 0x30;

/**
 * Joins the stored documents of a page and what the request decides; parses nothing. `openingOf` answers the members of a
 * store's opening, up to the value of `miles`.
 */
export function writePage(
  documents: StoreDocuments,
  page: StorePage,
  openingOf: (ordinal: number) => Buffer,
  allocate: (bytes: number) => Buffer,
): Buffer {
  let maxBytes = FRAME_BYTES;
  for (const ordinal of page.ordinals) maxBytes += documents.byteLength(ordinal) + STORE_TAIL_BYTES;
  const body = allocate(maxBytes);
  // The head is written over what the look came to. Without a use of that sum the compiler would leave the look out.
  body[0] = documents.lookAhead(page.ordinals);
  const openings = page.ordinals.map(openingOf);
  HEAD.copy(body);
  let at = HEAD.length;
  for (let i = 0; i < page.ordinals.length; i += 1) {
    const ordinal = page.ordinals[i] as number;
    if (i > 0) body[at++] = COMMA;
    at = documents.copyTo(ordinal, body, at);
    body.set(openings[i] as Buffer, at);
    at += (openings[i] as Buffer).length;
    at = writeHundredths(body, at, Math.round((page.miles[i] as number) * 100));
    body[at++] = CLOSING_BRACE;
  }
  at += body.write(`],"next_page":${page.nextPage}}`, at, 'latin1');
  return body.subarray(0, at);
}

/**
 * The same with some of the fields only. It is slower, because it takes each document apart; an unknown field is
 * ignored.
 */
export function writeProjectedPage(
  documents: StoreDocuments,
  page: StorePage,
  openingOf: (ordinal: number) => Buffer,
  projections: readonly string[],
): Buffer {
  const wanted = new Set([...ALWAYS_PROJECTED, ...projections]);
  const stores = page.ordinals.map((ordinal, i) => {
    const tail = `${openingOf(ordinal)}${page.miles[i]}}`;
    const element: object = JSON.parse(documents.toText(ordinal) + tail);
    return Object.fromEntries(Object.entries(element).filter(([name]) => wanted.has(name)));
  });
  return Buffer.from(JSON.stringify({ stores, next_page: page.nextPage }));
}

/** A number of hundredths as the shortest decimal: 150 is `1.5`. */
function writeHundredths(body: Buffer, from: number, hundredths: number): number {
  const fraction = hundredths % 100;
  let at = writeInteger(body, from, (hundredths - fraction) / 100);
  if (fraction === 0) return at;
  body[at++] = DOT;
  body[at++] = ZERO + Math.floor(fraction / 10);
  if (fraction % 10 !== 0) body[at++] = ZERO + (fraction % 10);
  return at;
}

function writeInteger(body: Buffer, from: number, value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits += 1;
  let left = value;
  for (let i = digits - 1; i >= 0; i -= 1) {
    body[from + i] = ZERO + (left % 10);
    left = Math.floor(left / 10);
  }
  return from + digits;
}
