import type { KeyMode, Sandbox } from '../../access/accounts/account.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { isSliceOver, nextSlice, runInSlices } from '../../platform/load/event-loop-scheduler.ts';
import { foodClaims, hasClaims } from '../../supply/catalog/food.ts';
import { type Quote, type QuoteFailure, quoteFor, slotQuestionOf } from '../../supply/pricing/quote.ts';
import { findFullSlotsByStore } from '../../supply/pricing/slots.db.ts';
import { firstOfferedSlot, type Slot } from '../../supply/pricing/slots.ts';
import type { KnownStores } from '../../supply/stores/known-stores.cache.ts';
import type { Mode, Store } from '../../supply/stores/store.ts';
import type { TaxClass } from '../../supply/stores/tax-class.ts';
import type { Door } from '../../supply/stores/zone-at-door.ts';
import {
  type FindProductsDeps,
  findSellers,
  type SellerFilter,
  withProductIndexes,
} from '../products/find-products.flow.ts';
import { findProductsByNumber } from '../products/found-products.db.ts';
import {
  type CartCandidate,
  type CartSeller,
  type CartsInView,
  MAX_ALTERNATIVES,
  NO_CHOICES,
  priceAll,
  priceChoices,
  viewSteps,
} from './cart-candidates.ts';
import { type ChoiceInputs, choicesInStock, chooseCandidates } from './choose-in-stock.flow.ts';
import { pricesOfLines } from './choose-products.ts';
import { type ListedSeller, listCandidates, type StockedSeller } from './list-candidates.flow.ts';
import { allowedDistances, filterByDistance, isWithinDistance } from './match-cart.ts';
import type { CartLine } from './parse-cart-query.ts';
import {
  collectCandidates,
  listUnreadProducts,
  type ReadProducts,
  recordReads,
  withoutUnread,
} from './read-products.ts';
import type { CartTerms } from './sort-carts.ts';

/** Maximum pickup distance if the request has neither radius nor store. */
const MAX_PICKUP_MILES = 100;
/** Maximum rounds of product reads per answer; each may change which carts are shown. */
const MAX_READS = 4;

/** A cart search; `pickup` null means delivery if the store delivers, else pickup. */
export type CartQuery = Omit<SellerFilter, 'sort'> & {
  lines: readonly CartLine[];
  keyMode: KeyMode;
  /** Required food claims, as bits of `foodClaims`. */
  claims: number;
  fullOnly: boolean;
  split: boolean;
};

export type CartSearchDeps = FindProductsDeps & { knownStores: KnownStores };

/** The carts of the answer, and their products as committed when read. */
export type FoundCarts = { view: CartsInView; read: ReadProducts };

/**
 * Finds whole carts at the nearest stores, priced as orders. Product indexes give candidates, the database their stock,
 * and the products of the best carts are read last. A product that has changed by then is replaced, and its cart is
 * priced again.
 */
export async function searchCarts(deps: CartSearchDeps, query: CartQuery, now: Temporal.Instant): Promise<FoundCarts> {
  const { db } = deps;
  await nextSlice();
  const sellers = await stockedSellers(deps, query, now);
  await nextSlice();
  const listed = await listCandidates(query.lines, {
    sellers,
    claims: query.claims,
  });
  const quantities = query.lines.map(({ quantity }) => quantity);
  return readView(db, query, { listed, quantities, read: new Map() });
}

async function readView(db: Db, query: CartQuery, inputs: ChoiceInputs): Promise<FoundCarts> {
  const { listed, read } = inputs;
  const candidates = await createCandidates(db, query.sandbox, inputs);
  let view = await runInSlices(viewSteps(candidates.all, query));
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    await candidates.addAlternatives(collectCandidates(view));
    const unread = listUnreadProducts(view, read);
    if (unread.length === 0) break;
    const found = await findProductsByNumber(db, unread, query.sandbox);
    await nextSlice();
    const stating = found.filter(({ food }) => hasClaims(foodClaims(food), query.claims));
    recordReads(read, unread, stating, cartModeOf(listed.sellers));
    if (await candidates.update(collectStoreIds(unread))) view = await runInSlices(viewSteps(candidates.all, query));
  }
  await candidates.addAlternatives(collectCandidates(view));
  return { view: withoutUnread(view, read), read };
}

/** The candidates of all stores, which change as products are read. */
type Candidates = {
  all: readonly CartCandidate[];
  /** Adds the chosen products and their alternatives, as read, to the candidates. */
  addAlternatives(candidates: Iterable<CartCandidate>): Promise<void>;
  /** Chooses and prices again at these stores; returns whether any line's price changed. */
  update(storeIds: ReadonlySet<string>): Promise<boolean>;
};

async function createCandidates(db: Db, sandbox: Sandbox, inputs: ChoiceInputs): Promise<Candidates> {
  const { listed, quantities } = inputs;
  const inStock = await choicesInStock(db, sandbox, inputs);
  const allowed = allowedDistances(inStock.values(), quantities.length);
  const lacksAll = quantities.map(() => undefined);
  const sellerByCart = new Map<CartCandidate, ListedSeller>();
  for (const seller of listed.sellers) {
    const chosen = inStock.get(seller)?.map((one, line) => {
      return one !== undefined && isWithinDistance(one.quality, line, allowed) ? one : undefined;
    });
    const prices = pricesOfLines(chosen ?? lacksAll, quantities);
    sellerByCart.set({ seller, choices: NO_CHOICES, ...priceAll(seller, prices) }, seller);
    if (isSliceOver()) await nextSlice();
  }
  const chooseAgain = async (candidate: CartCandidate, seller: ListedSeller): Promise<void> => {
    const choices = (await chooseCandidates(seller, inputs, MAX_ALTERNATIVES)) ?? quantities.map(() => []);
    Object.assign(candidate, priceChoices(seller, filterByDistance(choices, allowed), quantities));
    if (isSliceOver()) await nextSlice();
  };
  return { all: [...sellerByCart.keys()], ...stockChanges(sellerByCart, chooseAgain) };
}

function stockChanges(
  sellerOf: ReadonlyMap<CartCandidate, ListedSeller>,
  chooseAgain: (candidate: CartCandidate, seller: ListedSeller) => Promise<void>,
): Omit<Candidates, 'all'> {
  const withoutAlternatives = new Map(sellerOf);
  return {
    async addAlternatives(candidates) {
      for (const candidate of candidates) {
        const seller = withoutAlternatives.get(candidate);
        if (seller) await chooseAgain(candidate, seller);
        withoutAlternatives.delete(candidate);
      }
    },
    async update(storeIds) {
      let isChanged = false;
      for (const [candidate, seller] of sellerOf) {
        if (!storeIds.has(seller.storeId)) continue;
        const { lineCents: before, taxCodes } = candidate;
        await chooseAgain(candidate, seller);
        isChanged ||= candidate.lineCents.some((cents, line) => cents !== before[line]);
        isChanged ||= candidate.taxCodes.join() !== taxCodes.join();
      }
      return isChanged;
    },
  };
}

function collectStoreIds(refs: readonly { storeId: string }[]): Set<string> {
  return new Set(refs.map(({ storeId }) => storeId));
}

function cartModeOf(sellers: readonly CartSeller[]): (storeId: string) => Mode {
  const modes = new Map(sellers.map(({ storeId, terms }) => [storeId, terms.mode]));
  return (storeId) => modes.get(storeId) ?? 'delivery';
}

/** Finds the nearest stores that take orders, with their product indexes, loaded after hours and range are checked. */
async function stockedSellers(deps: CartSearchDeps, query: CartQuery, now: Temporal.Instant): Promise<StockedSeller[]> {
  const { keyMode, sandbox, pickup, latitude, longitude } = query;
  const near = await findSellers(deps, { ...query, sort: 'distance' }, epochSeconds(now));
  const stores = await deps.knownStores.of(near.map(({ storeId }) => storeId));
  await nextSlice();
  const termsByQuote = await readCartTerms(deps.db, stores.values(), {
    keyMode,
    sandbox,
    door: { latitude, longitude },
    pickup,
    now,
  });
  await nextSlice();
  const isAnywhere = query.maximumMiles === null && query.storeId === null;
  const sellers = near.flatMap((store): CartSeller[] => {
    const terms = termsByQuote.get(store.storeId);
    const isFar = isAnywhere && terms?.mode === 'pickup' && store.miles > MAX_PICKUP_MILES;
    return terms && !isFar ? [{ ...store, terms }] : [];
  });
  return withProductIndexes(deps, sellers);
}

/** The address and mode of a cart; `pickup` null means delivery if the store delivers, else pickup. */
export type CartRequest = {
  keyMode: KeyMode;
  sandbox: Sandbox;
  door: Door;
  pickup: boolean | null;
  now: Temporal.Instant;
};

const ANY_SLOT: Slot = { startEpochS: 0, endEpochS: 0 };

/**
 * Reads terms of each store in its mode, by id. By the rules of quotes (docs/quotes.md#quote-errors), stores that take
 * no order now or for a later slot are left out.
 */
export async function readCartTerms(
  db: Sql,
  stores: Iterable<Store>,
  request: CartRequest,
): Promise<Map<string, CartTerms>> {
  const terms = new Map<string, CartTerms>();
  const modes: readonly Mode[] =
    request.pickup === null ? ['delivery', 'pickup'] : request.pickup ? ['pickup'] : ['delivery'];
  let left = [...stores];
  for (const mode of modes) {
    const quotes = await quoteStores(db, left, mode, request);
    for (const store of left) {
      const quote = quotes.get(store.storeId);
      if (quote) terms.set(store.storeId, cartTerms(quote, store.taxClass));
    }
    left = left.filter(({ storeId }) => !terms.has(storeId));
  }
  return terms;
}

function cartTerms({ mode, fees, salesTaxPercent, orderMinimumCents }: Quote, taxClass: TaxClass): CartTerms {
  return { mode, fees, salesTaxPercent, slotDeliveryFee: null, orderMinimumCents, taxClass };
}

async function quoteStores(
  db: Sql,
  stores: readonly Store[],
  mode: Mode,
  { keyMode, sandbox, door, now }: CartRequest,
): Promise<Map<string, Quote>> {
  const quotes = new Map<string, Quote>();
  const addQuote = (store: Store, slots: readonly Slot[]): boolean => {
    const inputs = { store, mode, keyMode, door, preference: 'first_available', now, slots } as const;
    const quote: Quote | QuoteFailure = quoteFor(inputs);
    if (!('error' in quote)) quotes.set(store.storeId, quote);
    return !('error' in quote);
  };
  // Slots are computed only for a closed store whose quote has no other error.
  const onlyLater: Store[] = [];
  for (const store of stores) {
    if (isSliceOver()) await nextSlice();
    if (!addQuote(store, []) && store.scheduling.enabled && addQuote(store, [ANY_SLOT])) onlyLater.push(store);
  }
  const fullStarts = await findFullStarts(db, onlyLater, { mode, sandbox, now });
  for (const store of onlyLater) {
    if (isSliceOver()) await nextSlice();
    const full = fullStarts.get(store.storeId) ?? NONE;
    const slot = firstOfferedSlot(slotQuestionOf(store, mode, now, full));
    quotes.delete(store.storeId);
    addQuote(store, slot ? [slot] : []);
  }
  return quotes;
}

const NONE: ReadonlySet<number> = new Set();

function findFullStarts(
  db: Sql,
  stores: readonly Store[],
  { mode, sandbox, now }: Pick<CartRequest, 'sandbox' | 'now'> & { mode: Mode },
) {
  const counted = stores.flatMap(({ storeId, scheduling: { capacity } }) =>
    capacity === null ? [] : [{ storeId, capacity }],
  );
  return findFullSlotsByStore(db, counted, { sandbox, pickup: mode === 'pickup', from: now });
}
