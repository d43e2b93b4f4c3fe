import { type SearchNeeds, type SellersWanted, sellersOf, shelvesOf } from '../catalog/search/find-products.flow.ts';
import { findProductsByNumber } from '../catalog/search/found-products.db.ts';
import type { Db } from '../db/connect.ts';
import { createSlice } from '../lib/slice.ts';
import { epochSeconds } from '../lib/time.ts';
import type { KnownStores } from '../stores/known-stores.cache.ts';
import type { Mode } from '../stores/mode.ts';
import {
  type CartOffer,
  type CartSeller,
  type CartsInView,
  MOST_ALTERNATIVES,
  pricedOffer,
  viewOf,
} from './cart-offers.ts';
import { cartTermsOf } from './cart-terms.flow.ts';
import { type Choosing, choicesInStock, chooseGoods } from './choose-in-stock.flow.ts';
import type { LineChoice } from './choose-products.ts';
import { type ListedSeller, listGoods, type Stocked } from './list-candidates.flow.ts';
import { allowedDistances, withinDistance } from './match-cart.ts';
import type { CartLine } from './parse-cart-query.ts';
import { noteRead, type ReadProducts, shownIn, unreadIn, withoutUnread } from './read-products.ts';

/** Nobody fetches a cart from farther away, unless a radius or a store was named. */
const MOST_PICKUP_MILES = 100;
/** How often products are read because what was read before them changed what is shown. */
const MOST_READS = 4;

/** What a client asks of cart search; `pickup` null is delivery where a store delivers, else pickup. */
export type CartSearch = Omit<SellersWanted, 'sort'> & {
  lines: readonly CartLine[];
  fullOnly: boolean;
  split: boolean;
};

export type CartNeeds = SearchNeeds & { knownStores: KnownStores };

/** What is to be shown, and every product of it as it was committed when it was read. */
export type FoundCarts = { offers: readonly CartOffer[]; view: CartsInView; read: ReadProducts };

/**
 * Whole carts of the nearest stores, each priced as an order there would be. Shelves tell what stores have, the
 * database what of it runs short; so the best carts are known, and their products are read. What has left or has
 * another price by then is replaced and priced anew, until all that is shown has been read.
 */
export async function searchCarts(needs: CartNeeds, ask: CartSearch, now: Temporal.Instant): Promise<FoundCarts> {
  const stocked = await stockedSellers(needs, ask, now);
  return needs.inTurn(async () => {
    const slice = createSlice();
    const listed = await listGoods(ask.lines, { lexicon: needs.shelves.lexicon, stocked, slice });
    const quantities = ask.lines.map(({ quantity }) => quantity);
    return readView(needs.db, ask, { listed, quantities, read: new Map(), slice });
  });
}

async function readView(db: Db, ask: CartSearch, choosing: Choosing): Promise<FoundCarts> {
  const { listed, read, slice } = choosing;
  const counter = await createCounter(db, choosing);
  const { offers } = counter;
  let view = await viewOf(offers, ask, slice);
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    await counter.widen(shownIn(view));
    const unread = unreadIn(offers, view, read);
    if (unread.length === 0) break;
    noteRead(read, unread, await findProductsByNumber(db, unread), modeIn(listed.sellers));
    if (await counter.correct(idsIn(unread))) view = await viewOf(offers, ask, slice);
  }
  return { offers, view: withoutUnread(offers, view, read), read };
}

/** The offers of all stores, and how they change by what is read. */
type Counter = {
  offers: readonly CartOffer[];
  /** Adds the alternatives to the offers of those numbers: nobody else's are shown. */
  widen(numbers: Iterable<number>): Promise<void>;
  /** Makes the offers of the named stores anew from all that was read; whether that changed what any line costs. */
  correct(storeIds: ReadonlySet<string>): Promise<boolean>;
};

async function createCounter(db: Db, choosing: Choosing): Promise<Counter> {
  const { listed, quantities, slice } = choosing;
  const nothing: LineChoice[] = quantities.map(() => []);
  const found = (await choicesInStock(db, choosing)).map((choices) => choices ?? nothing);
  const allowed = allowedDistances(found.map((choices) => ({ choices })));
  const offerOf = ({ seller }: ListedSeller, choices: readonly LineChoice[]): CartOffer =>
    pricedOffer(seller, withinDistance(choices, allowed), quantities);
  const offers: CartOffer[] = [];
  for (const [number, one] of listed.sellers.entries()) {
    offers.push(offerOf(one, found[number] as LineChoice[]));
    if (slice.isOver()) await slice.next();
  }
  const remake = async (number: number, one: ListedSeller): Promise<void> => {
    offers[number] = offerOf(one, (await chooseGoods(one, choosing, MOST_ALTERNATIVES)) ?? nothing);
    if (slice.isOver()) await slice.next();
  };
  const widened = new Set<number>();
  return {
    offers,
    async widen(numbers) {
      for (const number of numbers) {
        if (!widened.has(number)) await remake(number, listed.sellers[number] as ListedSeller);
        widened.add(number);
      }
    },
    async correct(storeIds) {
      let isChanged = false;
      for (const [number, one] of listed.sellers.entries()) {
        if (!storeIds.has(one.seller.storeId)) continue;
        const before = offers[number] as CartOffer;
        await remake(number, one);
        isChanged ||= (offers[number] as CartOffer).lineCents.some((cents, line) => cents !== before.lineCents[line]);
      }
      return isChanged;
    },
  };
}

function idsIn(refs: readonly { storeId: string }[]): Set<string> {
  return new Set(refs.map(({ storeId }) => storeId));
}

function modeIn(stocked: readonly { seller: CartSeller }[]): (storeId: string) => Mode {
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
