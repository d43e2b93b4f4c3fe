import type { KeyMode, Sandbox } from '../accounts/account.ts';
import type { Sql } from '../db/connect.ts';
import { isSliceOver, nextSlice } from '../load/event-loop-scheduler.ts';
import { type Quote, type QuoteFailure, quoteFor, slotQuestionOf } from '../quotes/quote.ts';
import { findFullSlotsAmong } from '../quotes/slots.db.ts';
import { firstOfferedSlot, type Slot } from '../quotes/slots.ts';
import type { Mode, Store } from '../stores/store.ts';
import type { Door } from '../stores/zone-at-door.ts';
import type { CartTerms } from './price-cart.ts';

/** The door of a cart and its mode; `pickup` null is delivery where the store delivers, else pickup. */
export type CartRequest = {
  keyMode: KeyMode;
  sandbox: Sandbox;
  door: Door;
  pickup: boolean | null;
  now: Temporal.Instant;
};

const ANY_SLOT: Slot = { startEpochS: 0, endEpochS: 0 };

/**
 * The terms of each store in the mode in which it takes orders, by its id. By the rules of the quote
 * (docs/behaviour.md#quote-errors), a store that takes no order now, nor for a window to come, is left out.
 */
export async function cartTermsOf(
  db: Sql,
  stores: Iterable<Store>,
  request: CartRequest,
): Promise<Map<string, CartTerms>> {
  const terms = new Map<string, CartTerms>();
  const modes: readonly Mode[] =
    request.pickup === null ? ['delivery', 'pickup'] : request.pickup ? ['pickup'] : ['delivery'];
  let left = [...stores];
  for (const mode of modes) {
    const quotes = await quotesOf(db, left, mode, request);
    for (const [storeId, quote] of quotes) terms.set(storeId, termsOf(quote));
    left = left.filter(({ storeId }) => !terms.has(storeId));
  }
  return terms;
}

function termsOf({ mode, fees, salesTaxPercent, orderMinimumCents }: Quote): CartTerms {
  return { mode, fees, salesTaxPercent, slotDeliveryFee: null, orderMinimumCents };
}

async function quotesOf(
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
  // Windows are computed only for a closed store whose quote has no other error.
  const onlyLater: Store[] = [];
  for (const store of stores) {
    if (isSliceOver()) await nextSlice();
    if (!addQuote(store, []) && store.scheduling.enabled && addQuote(store, [ANY_SLOT])) onlyLater.push(store);
  }
  const fullStarts = await fullStartsOf(db, onlyLater, { mode, sandbox, now });
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

function fullStartsOf(
  db: Sql,
  stores: readonly Store[],
  { mode, sandbox, now }: Pick<CartRequest, 'sandbox' | 'now'> & { mode: Mode },
) {
  const counted = stores.flatMap(({ storeId, scheduling: { capacity } }) =>
    capacity === null ? [] : [{ storeId, capacity }],
  );
  return findFullSlotsAmong(db, counted, { sandbox, pickup: mode === 'pickup', from: now });
}
