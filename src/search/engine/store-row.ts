/**
 * One store as input of the engine, in plain values. The engine knows no feed, no database and no opening-hours rules;
 * the caller decides the meaning of texts and bytes.
 */
export type StoreRow = {
  storeId: string;
  /** The words of the name as they are compared (`wordsOf`). */
  words: readonly string[];
  latitude: number;
  longitude: number;
  /** The words of the city, joined by spaces. */
  city: string;
  type: 'restaurant' | 'grocery';
  /** Folded, each once. */
  cuisines: readonly string[];
  dollarSigns: number | null;
  rating: number | null;
  /** Whole minutes of preparation; null where the mode is not offered. */
  pickupMinutes: number | null;
  deliveryMinutes: number | null;
  /** Whether it has a catalog: product search looks there. */
  isSeller: boolean;
  /** The accounts for whose sandbox alone the store exists; null: the store is everyone's. */
  sandboxAccounts: readonly string[] | null;
  /** Where it delivers (`packDelivery`). */
  delivery: Float64Array;
  /** When it is open, as `HoursRules` reads it. Equal texts are equal hours. */
  schedule: string;
  isOrderingOn: boolean;
  /** The document: bytes of this store alone, then bytes that many stores share. */
  head: Uint8Array;
  tail: Uint8Array;
};

/** Bits of a store's kind. */
export const GROCERY = 1;
export const PICKUP = 2;
export const DELIVERY = 4;
export const SANDBOX = 8;
export const SELLER = 16;
/** Number of kinds: a set of kinds is a word of 32 bits. */
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

/** A mode that the store does not offer. */
export const NO_MINUTES = 0xffff;
/** Price levels are 0 to 5; this one is an unknown level, which sorts last. */
export const UNKNOWN_PRICE = 7;
