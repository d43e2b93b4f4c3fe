import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Db } from '../../db/connect.ts';
import { epochSeconds } from '../../lib/time.ts';
import type { KnownStores } from '../../stores/known-stores.cache.ts';
import type { Mode } from '../product.ts';
import { type CartOffer, type CartSeller, type CartsInView, offerOf, pricedOffer, viewOf } from './cart-offers.ts';
import { cartTermsOf } from './cart-terms.flow.ts';
import { type SearchNeeds, type SellersWanted, sellersOf, shelvesOf } from './find-products.flow.ts';
import { findProductsByNumber } from './found-products.db.ts';
import type { Lexicon } from './lexicon.ts';
import { allowedDistances, prepareLine, withinDistance } from './match-cart.ts';
import { matchShelf } from './match-shelf.ts';
import type { CartLine } from './parse-cart-query.ts';
import { type PreparedQuery, prepareReadings } from './prepare-query.ts';
import {
  noteRead,
  noteScarce,
  type ReadProduct,
  type ReadProducts,
  unknownStockIn,
  unreadIn,
  withoutUnread,
} from './read-products.ts';
import { findScarceProducts } from './scarce-products.db.ts';
import type { Shelf } from './shelf.ts';
import { type WordsOnShelves, wordsOnShelves } from './words-on-shelves.ts';

/** Nobody fetches a cart from farther away, unless a radius or a store was named. */
const MOST_PICKUP_MILES = 100;
/** How often products are read because what was read before them changed what is shown. */
const MOST_READS = 4;
/** How often stock is asked for because a line chose another product for want of it: a line has few that are as good. */
const MOST_STOCK_READS = 20;
/** How long stores are looked at before other work has its turn. */
const SLICE_MS = 8;

/** What a client asks of cart search; `pickup` null is delivery where a store delivers, else pickup. */
export type CartSearch = Omit<SellersWanted, 'sort'> & {
  lines: readonly CartLine[];
  fullOnly: boolean;
  split: boolean;
};

export type CartNeeds = SearchNeeds & { knownStores: KnownStores };

/** What is to be shown, and every product of it as it was committed when it was read. */
export type FoundCarts = { offers: readonly CartOffer[]; view: CartsInView; read: ReadProducts };

type Stocked = { seller: CartSeller; shelf: Shelf };
type Question = {
  stocked: readonly Stocked[];
  queries: readonly PreparedQuery[];
  quantities: readonly number[];
};

/**
 * Whole carts of the nearest stores, each priced as an order there would be. Shelves tell what stores have, the
 * database what of it runs short; so the best carts are known, and their products are read. What has left or has
 * another price by then is replaced and priced anew, until all that is shown has been read.
 */
export async function searchCarts(needs: CartNeeds, ask: CartSearch, now: Temporal.Instant): Promise<FoundCarts> {
  const stocked = await stockedSellers(needs, ask, now);
  const { lexicon } = needs.shelves;
  const onShelves = wordsOnShelves(
    lexicon,
    stocked.map(({ shelf }) => shelf),
  );
  const queries: PreparedQuery[] = [];
  for (const line of ask.lines) queries.push(await answeredQuery(line, { lexicon, onShelves }, stocked));
  const question = { stocked, queries, quantities: ask.lines.map(({ quantity }) => quantity) };
  const read: ReadProducts = new Map();
  const offers = await offersInStock(needs.db, question, read);
  const allowed = allowedDistances(offers);
  for (const [number, { seller, choices }] of offers.entries()) {
    offers[number] = pricedOffer(seller, withinDistance(choices, allowed), question.quantities);
  }
  let view = viewOf(offers, ask);
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const unread = unreadIn(offers, view, read);
    if (unread.length === 0) break;
    noteRead(read, unread, await findProductsByNumber(needs.db, unread), modeIn(stocked));
    if (reoffer(offers, question, { read, allowed, storeIds: idsIn(unread) })) view = viewOf(offers, ask);
  }
  return { offers, view: withoutUnread(offers, view, read), read };
}

/** The line as it stands, or, where no store has anything for that, in the first other reading that one has. */
async function answeredQuery(
  line: CartLine,
  { lexicon, onShelves }: { lexicon: Lexicon; onShelves: WordsOnShelves },
  stocked: readonly Stocked[],
): Promise<PreparedQuery> {
  const isAnswered = (query: PreparedQuery): boolean =>
    stocked.some(({ seller, shelf }) => matchShelf(shelf, query, seller.terms.mode).length > 0);
  const asItIs = prepareLine(line, lexicon);
  if (line.gtin !== null || isAnswered(asItIs)) return asItIs;
  await yieldToOthers();
  return prepareReadings(line.query, onShelves).find(isAnswered) ?? asItIs;
}

function idsIn(refs: readonly { storeId: string }[]): Set<string> {
  return new Set(refs.map(({ storeId }) => storeId));
}

function modeIn(stocked: readonly Stocked[]): (storeId: string) => Mode {
  const modes = new Map(stocked.map(({ seller }) => [seller.storeId, seller.terms.mode]));
  return (storeId) => modes.get(storeId) ?? 'delivery';
}

/** The nearest stores that take orders, and their shelves; a store's hours and range are judged before it is read. */
async function stockedSellers(needs: CartNeeds, ask: CartSearch, now: Temporal.Instant): Promise<Stocked[]> {
  const { pickup, latitude, longitude } = ask;
  const near = await sellersOf(needs, { ...ask, sort: 'distance' }, epochSeconds(now));
  const stores = await needs.knownStores.of(near.map(({ storeId }) => storeId));
  const wish = { door: { latitude, longitude }, pickup, now };
  const termsOf = await cartTermsOf(needs.db, stores.values(), wish);
  const isAnywhere = ask.maximumMiles === null && ask.storeId === null;
  const sellers = near.flatMap((one) => {
    const terms = termsOf.get(one.storeId);
    const isFar = isAnywhere && terms?.mode === 'pickup' && one.miles > MOST_PICKUP_MILES;
    return terms && !isFar ? [{ ...one, terms }] : [];
  });
  const shelves = await shelvesOf(needs.shelves, sellers);
  return shelves.map((shelf, at) => ({ seller: sellers[at] as CartSeller, shelf }));
}

const NOTHING_READ: ReadonlyMap<number, ReadProduct> = new Map();

/**
 * What each store has for the lines, however far from what they say, and enough of it. A product whose stock is counted
 * is asked for as soon as it is chosen, in every store: with less of it another store might have the best cart.
 */
async function offersInStock(db: Db, question: Question, read: ReadProducts): Promise<CartOffer[]> {
  const offers = await offersOf(question);
  const asked = new Set<string>();
  for (let reads = 0; reads < MOST_STOCK_READS; reads += 1) {
    const unknown = unknownStockIn(offers, question.quantities, asked);
    if (unknown.length === 0) break;
    const scarce = await findScarceProducts(db, unknown);
    if (scarce.length === 0) break;
    noteScarce(read, scarce);
    reoffer(offers, question, { read, allowed: null, storeIds: idsIn(scarce) });
  }
  return offers;
}

async function offersOf({ stocked, queries, quantities }: Question): Promise<CartOffer[]> {
  const offers: CartOffer[] = [];
  let sliceEndMs = performance.now() + SLICE_MS;
  for (const { seller, shelf } of stocked) {
    const matches = queries.map((query) => matchShelf(shelf, query, seller.terms.mode));
    offers.push(offerOf(seller, { matches, live: NOTHING_READ }, quantities, null));
    if (performance.now() < sliceEndMs) continue;
    await yieldToOthers();
    sliceEndMs = performance.now() + SLICE_MS;
  }
  return offers;
}

type Correction = { read: ReadProducts; allowed: readonly number[] | null; storeIds: ReadonlySet<string> };

/** Makes the offers of the named stores anew from all that was read; whether that changed what any line costs. */
function reoffer(
  offers: CartOffer[],
  { stocked, queries, quantities }: Question,
  { read, allowed, storeIds }: Correction,
): boolean {
  let isChanged = false;
  for (const [number, { seller, shelf }] of stocked.entries()) {
    if (!storeIds.has(seller.storeId)) continue;
    const matches = queries.map((query) => matchShelf(shelf, query, seller.terms.mode));
    const live = read.get(seller.storeId) ?? NOTHING_READ;
    const before = offers[number] as CartOffer;
    const after = offerOf(seller, { matches, live }, quantities, allowed);
    offers[number] = after;
    isChanged ||= after.lineCents.some((cents, line) => cents !== before.lineCents[line]);
  }
  return isChanged;
}
