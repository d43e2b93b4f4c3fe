import { milesBetween } from 'doorstep/search-engine/geography';
import type { KeyMode } from '../../access/accounts/account.ts';
import { percentOf } from '../../platform/lib/money.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { dateOfDay } from '../stores/hours.ts';
import { busyMinutesAt, type KitchenWait, minutesOf, publishedWait } from '../stores/kitchen.ts';
import { withLearnedMinutes } from '../stores/learned-minutes.ts';
import { isStoreOpenAt, type OpeningFields } from '../stores/open-state.ts';
import { readRegion } from '../stores/region.ts';
import { scheduleOf } from '../stores/schedule.ts';
import type {
  DeliveryFee,
  DeliveryParty,
  DeliveryZone,
  Fees,
  Mode,
  PartyKind,
  ServiceFee,
  SmallOrderFee,
  Store,
  TaxRate,
} from '../stores/store.ts';
import { estimateDelivery, estimatePickup, type TimeEstimate } from '../stores/time-estimate.ts';
import { type Door, preparationOf, zoneAtDoor } from '../stores/zone-at-door.ts';
import { zoneClock } from '../stores/zone-clock.ts';
import { deliveryRateFor } from './price-order.ts';
import { builtInTaxes } from './sales-tax-table.ts';
import type { Slot, SlotQuestion } from './slots.ts';
import { customTaxName, percentOn } from './taxes.ts';

/**
 * A store's fees, minutes and slots for a mode at a moment. Fees that the mode lacks are zero, so that all fees are
 * priced alike; no threshold adds a delivery fee to pickup.
 */
export type Quote = {
  mode: Mode;
  estimate: TimeEstimate;
  slots: readonly Slot[];
  asapAvailable: boolean;
  /** All taxes on the store's default class together. */
  salesTaxPercent: number;
  orderMinimumCents: number;
  deliveryFee: DeliveryFee;
  serviceFee: ServiceFee;
  smallOrderFee: SmallOrderFee;
  /** The fees for pricing: the store's, overridden by party and zone, and the taxes of the day. */
  fees: Fees & { taxes: readonly TaxRate[] };
  /** The delivering party; pickup counts as first party. */
  party: PartyKind;
};

/** The types of quote errors and their sentences in `quote.error` (docs/quotes.md#quote-errors). */
export const QUOTE_ERROR_MESSAGES = {
  DELIVERY_NOT_AVAILABLE: 'Delivery is currently unavailable for this store.',
  PICKUP_NOT_AVAILABLE: 'Pickup is currently unavailable for this store.',
  STORE_CLOSED: 'This store is closed.',
  OUT_OF_RANGE: 'This store is out of range for the provided address.',
  STORE_NOT_AVAILABLE: 'This store is not available.',
} as const;

export type QuoteErrorType = keyof typeof QUOTE_ERROR_MESSAGES;

/**
 * Why there is no quote. `isClosed`: the mode takes orders again once the store opens, and not before `busyUntilS` if
 * its kitchen has no room.
 */
export type QuoteFailure = { error: QuoteErrorType; isClosed: boolean; busyUntilS?: number };

export type QuoteQuestion = {
  store: Store;
  mode: Mode;
  /** The key's mode, because a live key gets no quote from a store that could not receive the order. */
  keyMode: KeyMode;
  /** Null only for pickup, which has no range. */
  door: Door | null;
  /** Which of the parties that deliver to the address is chosen. */
  preference: QuotePreference;
  now: Temporal.Instant;
  /** When the order is served, whose day decides on taxes; absent: now. */
  servedAt?: Temporal.Instant;
  /**
   * How long an ASAP order waits for room in the kitchen; null if it does not. Absent: the wait that search shows, of a
   * live order of one item.
   */
  wait?: KitchenWait | null;
  /** The result of `offeredSlots` for the same store, mode and moment, which callers may cache. */
  slots: readonly Slot[];
};

const NO_DELIVERY_FEE: DeliveryFee = { flatCents: 0, percent: 0, taxable: false, thresholds: [] };
const NO_SERVICE_FEE: ServiceFee = { flatCents: 0, percent: 0, minCents: 0, maxCents: null, taxable: false };

/** Returns the quote, or the highest-ranked quote error (docs/quotes.md#quote-errors). */
export function quoteFor(question: QuoteQuestion): Quote | QuoteFailure {
  const { mode, keyMode, now, slots } = question;
  const store = withLearnedMinutes(question.store, now);
  if (!store.onlineOrdering || !store.hasCatalog || !store.listed) return failure('STORE_NOT_AVAILABLE');
  if (keyMode === 'live' && !store.hasChannel) return failure('STORE_NOT_AVAILABLE');
  const terms = modeTerms({ ...question, store });
  if (terms === 'out_of_range') return failure('OUT_OF_RANGE');
  if (terms === 'not_accepting') return failure(NOT_AVAILABLE[mode]);

  const wait = question.wait === undefined ? waitOfStore(store) : question.wait;
  const unavailable = asapFailure(store, mode, wait, now);
  if (unavailable && slots.length === 0) return unavailable;
  const { party } = terms;
  const estimate = delayed(terms.estimate, (wait ? minutesOf(wait, now) : 0) + busyMinutesAt(store.busy, now));
  const taxes = taxesAt(store, question.servedAt ?? now);
  if (taxes === null) return failure('STORE_NOT_AVAILABLE');
  const fees = { ...terms.fees, taxes };
  const delivered = mode === 'delivery';
  return {
    mode,
    estimate,
    slots,
    asapAvailable: unavailable === undefined,
    salesTaxPercent: percentOn(taxes, store.taxClass),
    orderMinimumCents: fees.orderMinimumCents,
    deliveryFee: delivered ? fees.deliveryFee : NO_DELIVERY_FEE,
    serviceFee: delivered ? fees.serviceFee : (fees.pickupServiceFee ?? NO_SERVICE_FEE),
    smallOrderFee: fees.smallOrderFee,
    fees,
    party,
  };
}

const NOT_AVAILABLE = { delivery: 'DELIVERY_NOT_AVAILABLE', pickup: 'PICKUP_NOT_AVAILABLE' } as const;

/** Why the store takes no ASAP order now; undefined if it does. */
function asapFailure(
  store: Store,
  mode: Mode,
  wait: KitchenWait | null,
  now: Temporal.Instant,
): QuoteFailure | undefined {
  const isOpen = isStoreOpenAt(store, mode, now);
  const busyUntilS = wait ? busyUntil(store, mode, wait, now) : undefined;
  if (isOpen && busyUntilS === undefined) return undefined;
  const isStoreOpen = isOpen || isStoreOpenAt(store, 'operational', now);
  const failed = { error: isStoreOpen ? NOT_AVAILABLE[mode] : 'STORE_CLOSED', isClosed: true } as const;
  return busyUntilS === undefined ? failed : { ...failed, busyUntilS };
}

/** The wait that search shows. */
export function waitOfStore({ kitchen, roomFrom }: Pick<Store, 'kitchen' | 'roomFrom'>): KitchenWait | null {
  return kitchen && roomFrom ? publishedWait(kitchen, epochSeconds(roomFrom)) : null;
}

/** When a kitchen takes ASAP orders again, in epoch seconds. It takes none that it would start while closed. */
export function acceptsFrom(store: OpeningFields, mode: Mode, { startS, acceptsFromS }: KitchenWait): number {
  return isStoreOpenAt(store, mode, instantOfEpochSeconds(startS)) ? acceptsFromS : startS;
}

/** When a busy kitchen takes ASAP orders again, in epoch seconds; undefined if it takes them now. */
export function busyUntil(
  store: OpeningFields,
  mode: Mode,
  wait: KitchenWait,
  now: Temporal.Instant,
): number | undefined {
  const nowS = now.epochMilliseconds / 1000;
  if (wait.startS <= nowS) return undefined;
  const untilS = acceptsFrom(store, mode, wait);
  return untilS > nowS ? untilS : undefined;
}

function delayed({ minMinutes, maxMinutes }: TimeEstimate, minutes: number): TimeEstimate {
  return { minMinutes: minMinutes + minutes, maxMinutes: maxMinutes + minutes };
}

/**
 * A store's taxes: its own by name, otherwise its one rate, otherwise its state's or province's on that day. Null where
 * that is unknown, so that no store sells untaxed by mistake.
 */
function taxesAt({ fees, address, timeZone }: Store, at: Temporal.Instant): readonly TaxRate[] | null {
  if (fees.taxes) return fees.taxes;
  if (fees.salesTaxPercent !== null) return [{ name: customTaxName(address), percent: fees.salesTaxPercent }];
  const { country, state } = address;
  const region = readRegion(state, country);
  return region === null ? null : builtInTaxes({ country, region }, localDateAt(timeZone, at));
}

function localDateAt(timeZone: string, at: Temporal.Instant): string {
  const epochS = epochSeconds(at);
  return dateOfDay(Math.floor((epochS + zoneClock(timeZone).offsetAt(epochS)) / 86_400));
}

function failure(error: QuoteErrorType): QuoteFailure {
  return { error, isClosed: false };
}

/** The mode's terms at the delivery address. A delivery without an address is quoted as if at the store. */
function modeTerms({ store, mode, door, preference }: QuoteQuestion): ReturnType<typeof deliveryTermsFor> {
  const { enabled, accepting, prepMinutes } = store[mode];
  if (!enabled || !accepting) return 'not_accepting';
  if (mode === 'delivery') return deliveryTermsFor(store, door ?? store, preference);
  const terms: DeliveryTerms = { party: 'first', fees: store.fees, estimate: estimatePickup(prepMinutes) };
  return terms;
}

/** The `isSlotOffered` question for slots of a store; `fullStarts` are the starts of full ones in epoch seconds. */
export function slotQuestionOf(
  store: Store,
  mode: Mode,
  now: Temporal.Instant,
  fullStarts: ReadonlySet<number>,
): SlotQuestion {
  const { timeZone, scheduling, pausedUntil } = store;
  return { schedule: scheduleOf(store, mode), timeZone, scheduling, pausedUntil, now, fullStarts };
}

/** How the delivering party is chosen (docs/quotes.md#delivery-providers-and-zones); the first is the default. */
export const QUOTE_PREFERENCES = ['first_available', 'first_party', 'cheapest', 'fastest'] as const;

export type QuotePreference = (typeof QUOTE_PREFERENCES)[number];

/** One party's terms for an address. `fees` are the store's, overridden by party and zone. */
type DeliveryTerms = { party: PartyKind; fees: Fees; estimate: TimeEstimate };

type DeliveryStore = Pick<Store, 'latitude' | 'longitude' | 'delivery' | 'fees'>;

/**
 * The terms of the preferred party that delivers to the address
 * (docs/quotes.md#delivery-providers-and-zones). `not_accepting`: none of the parties in range takes orders now.
 */
export function deliveryTermsFor(
  store: DeliveryStore,
  door: Door,
  preference: QuotePreference,
): DeliveryTerms | 'not_accepting' | 'out_of_range' {
  const { parties } = store.delivery;
  if (!parties.some((party) => party.accepting)) return 'not_accepting';
  const miles = milesBetween(store, door);
  let best: DeliveryTerms | undefined;
  let isReached = false;
  for (const party of parties) {
    const zone = zoneAtDoor(party, door, miles);
    isReached ||= zone !== undefined;
    if (!zone || !party.accepting) continue;
    const terms = partyTerms(store, party, zone, miles);
    if (!best || isPreferred(terms, best, preference, store.fees.orderMinimumCents)) best = terms;
  }
  return best ?? (isReached ? 'not_accepting' : 'out_of_range');
}

function partyTerms(store: DeliveryStore, party: DeliveryParty, zone: DeliveryZone, miles: number): DeliveryTerms {
  const prepMinutes = preparationOf(store.delivery, party, zone);
  return {
    party: party.party,
    fees: zoneFees(store.fees, party, zone),
    estimate: estimateDelivery(prepMinutes, miles),
  };
}

/** Fees of the zone, otherwise the party, otherwise the store, each fee by itself. */
function zoneFees(fees: Fees, { fees: own }: DeliveryParty, { deliveryFee, orderMinimumCents }: DeliveryZone): Fees {
  if (own === null && deliveryFee === null && orderMinimumCents === null) return fees;
  return {
    ...fees,
    deliveryFee: deliveryFee ?? own?.deliveryFee ?? fees.deliveryFee,
    serviceFee: own?.serviceFee ?? fees.serviceFee,
    smallOrderFee: own?.smallOrderFee ?? fees.smallOrderFee,
    orderMinimumCents: orderMinimumCents ?? own?.orderMinimumCents ?? fees.orderMinimumCents,
  };
}

/**
 * Whether the preference prefers `terms` to an earlier party's. Ties go to the earlier party. If the store itself does
 * not deliver to the address, `first_party` means `first_available`.
 */
function isPreferred(
  terms: DeliveryTerms,
  before: DeliveryTerms,
  preference: QuotePreference,
  subtotalCents: number,
): boolean {
  const isOwn = Number(terms.party === 'first') - Number(before.party === 'first');
  if (preference === 'first_party' && isOwn !== 0) return isOwn > 0;
  const slower = terms.estimate.maxMinutes - before.estimate.maxMinutes;
  const dearer = deliveryCents(terms, subtotalCents) - deliveryCents(before, subtotalCents);
  return preference === 'cheapest' ? (dearer || slower) < 0 : (slower || dearer) < 0;
}

/** The fee for delivering this subtotal, in cents. A fee beyond an order's maximum is compared like any other. */
function deliveryCents({ fees }: DeliveryTerms, subtotalCents: number): number {
  const { flatCents, percent } = deliveryRateFor(fees.deliveryFee, null, subtotalCents);
  return flatCents + percentOf(percent, subtotalCents);
}
