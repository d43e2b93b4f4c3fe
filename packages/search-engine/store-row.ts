/**
 * A store as input of the engine, in plain values. The engine is independent of feeds, databases and rules of opening
 * hours; the caller decides what texts and bytes mean.
 */
export type StoreRow = {
  storeId: string;
  /** Words of the name (`splitWords`). */
  words: readonly string[];
  latitude: number;
  longitude: number;
  /** City, state and postal code as people write them: words joined by spaces, distinct. */
  places: readonly string[];
  type: 'restaurant' | 'grocery';
  /** Folded and distinct. */
  cuisines: readonly string[];
  dollarSigns: number | null;
  rating: number | null;
  /** Whole minutes of preparation; null if the mode is not offered. */
  pickupMinutes: number | null;
  deliveryMinutes: number | null;
  /** When the kitchen starts an order placed now, in epoch seconds; null or past: at once. */
  beginsAtS: number | null;
  /** Minutes that a busy kitchen adds to an order placed before a moment, in epoch seconds; null: none. */
  busy: { minutes: number; untilS: number } | null;
  /** Whether the store has a catalog, so that product search includes it. */
  isSeller: boolean;
  hasOffer: boolean;
  /** The only accounts whose sandboxes see the store; null for a public store. */
  sandboxAccounts: readonly string[] | null;
  /** Where it delivers (`packDelivery`). */
  delivery: Float64Array;
  /** Opening hours in the text form of `HoursEvaluator`. Equal texts mean equal hours. */
  schedule: string;
  /** Times when each mode takes orders, in the same form; null if it never does. */
  pickupOrders: string | null;
  deliveryOrders: string | null;
  /** Where the parties that take orders deliver (`packDelivery`). */
  acceptingDelivery: Float64Array;
  /** Whether live orders reach the store. */
  hasChannel: boolean;
  /** Whether the store agreed to be sold. */
  hasAgreement: boolean;
  isOrderingOn: boolean;
  country: 'US' | 'CA';
  /** The document: the store's own bytes, then bytes that many stores share. */
  head: Uint8Array;
  tail: Uint8Array;
};

/** Bits of a store's kind. */
export const GROCERY = 1;
export const PICKUP = 2;
export const DELIVERY = 4;
export const SANDBOX = 8;
export const SELLER = 16;
/** Number of kinds, so that a set of kinds fits into a 32-bit word. */
export const KINDS = 32;

export function kindBits(row: StoreRow): number {
  return (
    (row.type === 'grocery' ? GROCERY : 0) |
    (row.pickupMinutes === null ? 0 : PICKUP) |
    (row.deliveryMinutes === null ? 0 : DELIVERY) |
    (row.sandboxAccounts === null ? 0 : SANDBOX) |
    (row.isSeller ? SELLER : 0)
  );
}

/** The kind of a store that has an offer. */
export const OFFER = 'offer';

/** Returns the store's kinds as terms (`KIND`): its type, its modes, `OFFER`, and its cuisines with the type. */
export function kindsOf({ type, cuisines, pickupMinutes, deliveryMinutes, hasOffer }: StoreRow): string[] {
  const modes = [...(pickupMinutes === null ? [] : ['pickup']), ...(deliveryMinutes === null ? [] : ['delivery'])];
  return [type, ...modes, ...(hasOffer ? [OFFER] : []), ...cuisines.map((cuisine) => `${type} ${cuisine}`)];
}

/**
 * Bits of `traits` after kind and price level: online ordering is on, pickup orders are taken, delivery orders are
 * taken, live orders reach the store, the store agreed to be sold, the store is in Canada.
 */
export const ORDERING = 256;
export const PICKUP_ORDERS = 512;
export const DELIVERY_ORDERS = 1024;
export const CHANNEL = 2048;
export const AGREED = 4096;
export const CANADA = 8192;

export function orderBits(row: StoreRow): number {
  const { isOrderingOn, pickupOrders, deliveryOrders, hasChannel, hasAgreement, country } = row;
  return (
    (isOrderingOn ? ORDERING : 0) |
    (pickupOrders === null ? 0 : PICKUP_ORDERS) |
    (deliveryOrders === null ? 0 : DELIVERY_ORDERS) |
    (hasChannel ? CHANNEL : 0) |
    (hasAgreement ? AGREED : 0) |
    (country === 'CA' ? CANADA : 0)
  );
}

/** Type and country of a store, by its `traits`. */
export const typeAndCountryOf = (trait: number): Pick<StoreRow, 'type' | 'country'> => ({
  type: trait & GROCERY ? 'grocery' : 'restaurant',
  country: trait & CANADA ? 'CA' : 'US',
});

/** Minutes of a mode that the store does not offer. */
export const NO_MINUTES = 0xffff;
/** Price levels are 0 to 5. This one means unknown and sorts last. */
export const UNKNOWN_PRICE = 7;
