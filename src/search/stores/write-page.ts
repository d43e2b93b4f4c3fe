import { type OpeningHours, type Segment, typeAndCountryOf } from 'doorstep/search-engine';
import type { OfferingStore } from '../../supply/promotions/shared-offers.ts';
import type { ShownOffer } from '../../supply/stores/store.ts';
import { ALWAYS_PROJECTED, presentOffers } from '../../supply/stores/store-element.ts';

/* Writes a page of store search from the stored documents. */

export type PageStore = { segment: Segment; slot: number; miles: number };
/**
 * Decides which stores of a page are open and, if requested, which take orders. `offersAt`: offers that the caller sees
 * at a store in addition to its own; absent without any.
 */
export type OpenNow = {
  hours: OpeningHours;
  nowS: number;
  acceptsOrders?: ((segment: Segment, slot: number) => boolean) | undefined;
  offersAt?: ((store: OfferingStore) => readonly ShownOffer[]) | undefined;
};

const ACCEPTS = Buffer.from(',"accepts_orders":true');
const ACCEPTS_NOT = Buffer.from(',"accepts_orders":false');
const HEAD = Buffer.from('{"stores":[');
/** Maximum bytes after a store's document: its opening state, miles, whether it takes orders, and the name of offers. */
const STORE_TAIL_BYTES = 180;
/** Maximum bytes around the stores: `{"stores":[],"next_page":9007199254740991}`. */
const FRAME_BYTES = 64;

const COMMA = 0x2c;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;
const DOT = 0x2e;
const ZERO = 0x30;

/** Joins the documents of a page with the request-dependent members. Parses nothing. */
export function writePage(
  stores: readonly PageStore[],
  nextPage: number,
  { hours, nowS, acceptsOrders, offersAt }: OpenNow,
  allocate: (bytes: number) => Buffer,
): Buffer {
  let maxBytes = FRAME_BYTES;
  const shared = offersAt && stores.map((store) => Buffer.from(JSON.stringify(sharedOffers(store, offersAt))));
  for (const [nth, { segment, slot }] of stores.entries()) {
    maxBytes += segment.documents.byteLength(slot) + STORE_TAIL_BYTES + (shared?.[nth]?.length ?? 0);
  }
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
    const added = shared?.[nth];
    at = segment.documents.copyTo(slot, body, at, added && ((end) => addOffers(added, body, end)));
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

const sharedOffers = ({ segment, slot }: PageStore, offersAt: NonNullable<OpenNow['offersAt']>) => {
  const offers = offersAt({
    storeId: segment.ids.at(slot),
    ...typeAndCountryOf(segment.columns.traits[slot] as number),
  });
  return presentOffers({ offers }) ?? [];
};

const NO_LIST = '[]'.length;
const OFFERS = Buffer.from('"offers":');

/** Adds a list to the offers at the end of a document's head, or as its offers; returns the end. */
function addOffers(list: Buffer, body: Buffer, end: number): number {
  if (list.length === NO_LIST) return end;
  const hasOwn = body[end - 2] === CLOSING_BRACKET;
  let at = hasOwn ? end - 2 : end + OFFERS.copy(body, end);
  at += list.copy(body, at);
  if (hasOwn) body[end - 2] = COMMA;
  body[at++] = COMMA;
  return at;
}

/** Writes a page with selected fields. Slower, because each document is parsed. Unknown fields are ignored. */
export function writeProjectedPage(
  stores: readonly PageStore[],
  nextPage: number,
  { hours, nowS, acceptsOrders, offersAt }: OpenNow,
  projections: readonly string[],
): Buffer {
  const wanted = new Set([...ALWAYS_PROJECTED, ...projections]);
  const elements = stores.map((store) => {
    const { segment, slot, miles } = store;
    const accepts = acceptsOrders === undefined ? '' : acceptsOrders(segment, slot) ? ACCEPTS : ACCEPTS_NOT;
    const tail = `${hours.membersOf(segment, slot, nowS)}${miles}${accepts}}`;
    const element: { offers?: object[] } = JSON.parse(segment.documents.toText(slot) + tail);
    const shared = offersAt ? sharedOffers(store, offersAt) : [];
    if (shared.length > 0) element.offers = [...(element.offers ?? []), ...shared];
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
