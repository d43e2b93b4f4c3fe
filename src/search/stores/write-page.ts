import type { OpeningHours, Segment } from 'doorstep/search-engine';
import { ALWAYS_PROJECTED } from '../../supply/stores/store-element.ts';

export type PageStore = { segment: Segment; slot: number; miles: number };
/** Decides which stores of a page are open and, if requested, which take orders. */
export type OpenNow = {
  hours: OpeningHours;
  nowS: number;
  acceptsOrders?: ((segment: Segment, slot: number) => boolean) | undefined;
};

const ACCEPTS = Buffer.from(',"accepts_orders":true');
const ACCEPTS_NOT = Buffer.from(',"accepts_orders":false');
const HEAD = Buffer.from('{"stores":[');
/** Maximum bytes after a store's document: its opening state, miles, and whether it takes orders. */
const STORE_TAIL_BYTES = 168;
/** Maximum bytes around the stores: `{"stores":[],"next_page":9007199254740991}`. */
const FRAME_BYTES = 64;

const COMMA = 0x2c;
const CLOSING_BRACE = 0x7d;
const DOT = 0x2e;
const ZERO = 0x30;

/** Joins the documents of a page with the request-dependent members. Parses nothing. */
export function writePage(
  stores: readonly PageStore[],
  nextPage: number,
  { hours, nowS, acceptsOrders }: OpenNow,
  allocate: (bytes: number) => Buffer,
): Buffer {
  let maxBytes = FRAME_BYTES;
  for (const { segment, slot } of stores) maxBytes += segment.documents.byteLength(slot) + STORE_TAIL_BYTES;
  const body = allocate(maxBytes);
  // Prefetch: touches each document so that their cache misses overlap. The sum, which the head overwrites, keeps the
  // compiler from removing the reads.
  let touched = 0;
  for (const { segment, slot } of stores) touched += segment.documents.touch(slot);
  body[0] = touched;
  HEAD.copy(body);
  let at = HEAD.length;
  for (const [nth, { segment, slot, miles }] of stores.entries()) {
    if (nth > 0) body[at++] = COMMA;
    at = segment.documents.copyTo(slot, body, at);
    const opening = hours.membersOf(segment, slot, nowS);
    body.set(opening, at);
    at += opening.length;
    at = writeHundredths(body, at, Math.round(miles * 100));
    if (acceptsOrders !== undefined) at += (acceptsOrders(segment, slot) ? ACCEPTS : ACCEPTS_NOT).copy(body, at);
    body[at++] = CLOSING_BRACE;
  }
  at += body.write(`],"next_page":${nextPage}}`, at, 'latin1');
  return body.subarray(0, at);
}

/** Writes a page with selected fields. Slower, because each document is parsed. Unknown fields are ignored. */
export function writeProjectedPage(
  stores: readonly PageStore[],
  nextPage: number,
  { hours, nowS, acceptsOrders }: OpenNow,
  projections: readonly string[],
): Buffer {
  const wanted = new Set([...ALWAYS_PROJECTED, ...projections]);
  const elements = stores.map(({ segment, slot, miles }) => {
    const accepts = acceptsOrders === undefined ? '' : acceptsOrders(segment, slot) ? ACCEPTS : ACCEPTS_NOT;
    const tail = `${hours.membersOf(segment, slot, nowS)}${miles}${accepts}}`;
    const element: object = JSON.parse(segment.documents.toText(slot) + tail);
    return Object.fromEntries(Object.entries(element).filter(([name]) => wanted.has(name)));
  });
  return Buffer.from(JSON.stringify({ stores: elements, next_page: nextPage }));
}

/** Writes hundredths as the shortest decimal: 150 is `1.5`. */
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
