import { present } from 'doorstep/collections';
import type { KeyMode, Sandbox } from '../../access/accounts/account.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { isSliceOver, nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import { foodClaims, hasClaims } from '../../supply/catalog/food.ts';
import { findLoads } from '../../supply/pricing/kitchen.db.ts';
import { type Candidate, validCandidates } from '../../supply/pricing/promotions.ts';
import { type Quote, quoteFor, slotQuestionOf } from '../../supply/pricing/quote.ts';
import { findFullSlotsByStore } from '../../supply/pricing/slots.db.ts';
import { firstOfferedSlot, type Slot } from '../../supply/pricing/slots.ts';
import { findAutomaticPromotions } from '../../supply/promotions/automatic-promotions.db.ts';
import { slotsWithoutRoom } from '../../supply/stores/kitchen.ts';
import type { KnownStores } from '../../supply/stores/known-stores.cache.ts';
import type { Mode, Store } from '../../supply/stores/store.ts';
import type { TaxClass } from '../../supply/stores/tax-class.ts';
import {
  type FindProductsDeps,
  findSellers,
  type SellerFilter,
  withProductIndexes,
} from '../products/find-products.flow.ts';
import { findProductsByNumber } from '../products/found-products.db.ts';
import { requestedModeOf } from '../products/product-layout.ts';
import { bestCarts, type CartCandidate, MAX_ALTERNATIVES, priceChoices } from './cart-candidates.ts';
import { type ChoiceInputs, choicesInStock, chooseCandidates } from './choose-in-stock.flow.ts';
import { type CartSeller, listCandidates, type StockedSeller } from './list-candidates.flow.ts';
import { allowedDistances, filterByDistance, isWithinDistance } from './match-cart.ts';
import type { CartLine } from './parse-cart-query.ts';
import { listUnreadProducts, type ReadProducts, recordReads } from './read-products.ts';
import type { CartTerms } from './sort-carts.ts';

/** Maximum pickup distance if the request has neither radius nor store. */
const MAX_PICKUP_MILES = 100;
/** Maximum rounds of product reads per answer; each may change which carts are shown. */
const MAX_READS = 4;

/** A cart search; `pickup` null means delivery if the store delivers, otherwise pickup. */
export type CartQuery = Omit<SellerFilter, 'sort'> & {
  lines: readonly CartLine[];
  keyMode: KeyMode;
  accountId: string;
  /** Required food claims, as bits of `foodClaims`. */
  claims: number;
  fullOnly: boolean;
};

export type CartSearchDeps = FindProductsDeps & { knownStores: KnownStores };

/** The carts of the response, and their products as committed when read. */
export type FoundCarts = { carts: readonly CartCandidate[]; read: ReadProducts };

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
  const listed = await listCandidates(query.lines, { sellers, claims: query.claims });
  const amounts = query.lines.map(({ amount }) => amount);
  return readView(db, query, { listed, amounts, read: new Map() });
}

async function readView(db: Db, query: CartQuery, inputs: ChoiceInputs): Promise<FoundCarts> {
  const { listed, read } = inputs;
  const modes = new Map(listed.sellers.map(({ storeId, terms }) => [storeId, terms.mode]));
  const candidates = await createCandidates(db, query.sandbox, inputs);
  let carts = bestCarts(candidates.all, query.fullOnly);
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    await candidates.addAlternatives(carts);
    const unread = listUnreadProducts(carts, read);
    if (unread.length === 0) break;
    const found = await findProductsByNumber(db, unread, query.sandbox);
    await nextSlice();
    const stating = found.filter(({ food }) => hasClaims(foodClaims(food), query.claims));
    recordReads(read, unread, stating, modes);
    const storeIds = new Set(unread.map(({ storeId }) => storeId));
    if (await candidates.update(storeIds)) carts = bestCarts(candidates.all, query.fullOnly);
  }
  await candidates.addAlternatives(carts);
  return { carts: carts.filter((one) => listUnreadProducts([one], read).length === 0), read };
}

/** Creates the candidates of all stores, which change as products are read. */
async function createCandidates(db: Db, sandbox: Sandbox, inputs: ChoiceInputs) {
  const { listed, amounts } = inputs;
  const inStock = await choicesInStock(db, sandbox, inputs);
  const allowed = allowedDistances(inStock.values(), amounts.length);
  const lacksAll = amounts.map(() => undefined);
  const all: CartCandidate[] = [];
  for (const seller of listed.sellers) {
    const chosen = inStock.get(seller)?.map((one, line) => {
      return one !== undefined && isWithinDistance(one.quality, line, allowed) ? one : undefined;
    });
    all.push({ ...seller, ...priceChoices(seller, [], chosen ?? lacksAll) });
    if (isSliceOver()) await nextSlice();
  }
  const withoutAlternatives = new Set(all);
  const chooseAgain = async (candidate: CartCandidate): Promise<void> => {
    const choices = (await chooseCandidates(candidate, inputs, MAX_ALTERNATIVES)) ?? amounts.map(() => []);
    Object.assign(candidate, priceChoices(candidate, filterByDistance(choices, allowed)));
    if (isSliceOver()) await nextSlice();
  };
  return {
    all,
    /** Adds the chosen products and their alternatives, as read, to the candidates. */
    async addAlternatives(candidates: Iterable<CartCandidate>): Promise<void> {
      for (const candidate of candidates) if (withoutAlternatives.delete(candidate)) await chooseAgain(candidate);
    },
    /** Chooses and prices again at these stores; returns whether any line's price changed. */
    async update(storeIds: ReadonlySet<string>): Promise<boolean> {
      let isChanged = false;
      for (const candidate of all) {
        if (!storeIds.has(candidate.storeId)) continue;
        const { lineCents: before, taxCodes } = candidate;
        await chooseAgain(candidate);
        isChanged ||= candidate.lineCents.some((cents, line) => cents !== before[line]);
        isChanged ||= candidate.taxCodes.join() !== taxCodes.join();
      }
      return isChanged;
    },
  };
}

/** Finds the nearest stores that take orders, with their product indexes, loaded after hours and range are checked. */
async function stockedSellers(deps: CartSearchDeps, query: CartQuery, now: Temporal.Instant): Promise<StockedSeller[]> {
  const near = await findSellers(deps, { ...query, sort: 'distance' }, epochSeconds(now));
  const stores = await deps.knownStores.of(near.map(({ storeId }) => storeId));
  await nextSlice();
  const termsByQuote = await readCartTerms(deps.db, stores.values(), query, now);
  await nextSlice();
  const isAnywhere = query.maximumMiles === null && query.storeId === null;
  const sellers = near.flatMap((store): CartSeller[] => {
    const terms = termsByQuote.get(store.storeId);
    const isFar = isAnywhere && terms?.mode === 'pickup' && store.miles > MAX_PICKUP_MILES;
    return terms && !isFar ? [{ ...store, terms }] : [];
  });
  return withProductIndexes(deps, sellers);
}

const MODES = ['delivery', 'pickup'] as const;
const ANY_SLOT: Slot = { startEpochS: 0, endEpochS: 0 };

/**
 * Reads each store's terms in its mode, by id. By the rules of quotes (docs/quotes.md#quote-errors), stores that take
 * no order now or for a later slot are left out.
 */
async function readCartTerms(db: Sql, stores: Iterable<Store>, query: CartQuery, now: Temporal.Instant) {
  const terms = new Map<string, CartTerms>();
  const requested = requestedModeOf(query.pickup);
  let left = [...stores];
  const promotionsFor = await readPromotions(db, left, query, now);
  for (const mode of requested ? [requested] : MODES) {
    const quotes = await quoteStores(db, left, mode, query, now);
    for (const store of left) {
      const quote = quotes.get(store.storeId);
      if (quote) terms.set(store.storeId, cartTerms(quote, store.taxClass, promotionsFor(store, quote)));
    }
    left = left.filter(({ storeId }) => !terms.has(storeId));
  }
  return terms;
}

type CartPromotions = CartTerms['promotions'];

function cartTerms({ mode, fees, orderMinimumCents }: Quote, taxClass: TaxClass, promotions: CartPromotions) {
  return { mode, fees, slotDeliveryFee: null, orderMinimumCents, taxClass, ...present({ promotions }) };
}

/** Reads the promotions that apply by themselves; returns a store's promotions, undefined if it has none now. */
async function readPromotions(db: Sql, stores: readonly Store[], query: CartQuery, now: Temporal.Instant) {
  const storeIds = stores.map(({ storeId }) => storeId);
  const found = await findAutomaticPromotions(db, storeIds, query, now);
  const byStore = new Map<string, Candidate[]>();
  const everywhere: Candidate[] = [];
  for (const { stores: names, ...promotion } of found) {
    if (!names) everywhere.push({ promotion });
    for (const storeId of names ?? []) byStore.set(storeId, [...(byStore.get(storeId) ?? []), { promotion }]);
  }
  const nowEpochS = epochSeconds(now);
  /** Values that are valid everywhere, by all of a store's inputs to them. */
  const known = new Map<string, readonly Candidate[]>();
  return ({ storeId, type, timeZone, address }: Store, { mode, party }: Quote): CartPromotions => {
    const question = {
      codes: [],
      store: { storeId, type, timeZone, country: address.country, state: address.state, liveSinceEpochS: null },
      mode,
      deliveryOwner: party === 'first' ? 'store' : 'operator',
      nowEpochS,
      servedEpochS: nowEpochS,
    } as const;
    const validOf = (candidates: readonly Candidate[]) => validCandidates({ ...question, candidates });
    const key = `${type} ${timeZone} ${address.country} ${mode}`;
    const shared = known.get(key) ?? validOf(everywhere);
    known.set(key, shared);
    const own = validOf(byStore.get(storeId) ?? []);
    const candidates = own.length === 0 ? shared : [...shared, ...own];
    return candidates.length === 0 ? undefined : { ...question, candidates };
  };
}

async function quoteStores(db: Sql, stores: readonly Store[], mode: Mode, query: CartQuery, now: Temporal.Instant) {
  const quotes = new Map<string, Quote>();
  const { keyMode, sandbox } = query;
  const addQuote = (store: Store, slots: readonly Slot[]): boolean => {
    const quote = quoteFor({ store, mode, keyMode, door: query, preference: 'first_available', now, slots });
    if (!('error' in quote)) quotes.set(store.storeId, quote);
    return !('error' in quote);
  };
  // Slots are computed only for a closed store without another quote error.
  const onlyLater: Store[] = [];
  for (const store of stores) {
    if (isSliceOver()) await nextSlice();
    if (!addQuote(store, []) && store.scheduling.enabled && addQuote(store, [ANY_SLOT])) onlyLater.push(store);
  }
  const counted = onlyLater.flatMap(({ storeId, scheduling: { capacity } }) =>
    capacity === null ? [] : [{ storeId, capacity }],
  );
  const limited = onlyLater.flatMap(({ storeId, kitchen }) => (kitchen ? [storeId] : []));
  const [fullStarts, loads] = await Promise.all([
    findFullSlotsByStore(db, counted, { sandbox, pickup: mode === 'pickup', from: now }),
    findLoads(db, limited, sandbox),
  ]);
  for (const store of onlyLater) {
    if (isSliceOver()) await nextSlice();
    const busy = slotsWithoutRoom(store.kitchen, loads.get(store.storeId));
    const full = new Set([...(fullStarts.get(store.storeId) ?? []), ...busy]);
    const slot = firstOfferedSlot(slotQuestionOf(store, mode, now, full));
    quotes.delete(store.storeId);
    addQuote(store, slot ? [slot] : []);
  }
  return quotes;
}
