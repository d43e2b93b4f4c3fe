import { UNIT_BYTES, unitsOf } from '../../lib/columns/byte-store.ts';
import type { Store } from '../store.ts';
import type { IndexedStore } from './indexed-store.ts';

/** What decides when a store is open; `tail` is the hours as a document has them (`documentTail`). */
export type StoreOpening = { timeZone: string; tail: string } & Pick<
  Store,
  'hours' | 'hoursExceptions' | 'pausedUntil'
>;

/** What few stores differ in. */
export type StoreKind = Pick<Store, 'onlineOrdering' | 'type' | 'dollarSigns' | 'hasCatalogue' | 'sandboxAccounts'>;

/** The properties that stores share, each of which a block names by a number. */
export type SharedValues = {
  /** The words of the name as they are compared (`wordsOf`): numbers of `words`. */
  name: readonly number[];
  opening: StoreOpening;
  kind: StoreKind;
  cuisines: Store['cuisines'];
  rating: Store['rating'];
  pickup: Store['pickup'];
  delivery: Store['delivery'];
  city: string;
};

export const SHARED = ['name', 'opening', 'kind', 'cuisines', 'rating', 'pickup', 'delivery', 'city'] as const;

/**
 * Listed stores side by side. The number of a value is the same in all blocks of a snapshot, so that an index works out
 * what a value means to it once and not for each store.
 */
export type StoreBlock = {
  readonly size: number;
  storeIdAt(nth: number): string;
  latitudes: Float64Array;
  longitudes: Float64Array;
  /** By property, for each store: the number of its value. */
  numbers: Readonly<Record<keyof SharedValues, Uint32Array>>;
  /** By property: the values of all blocks so far, by number. Equal hours are one object. */
  values: { readonly [Property in keyof SharedValues]: readonly SharedValues[Property][] };
  /** The words of all names so far, by number. */
  words: readonly string[];
  /** The heads of the documents (`documentHead`), each from a whole unit of `UNIT_BYTES` on, in the sequence of the stores. */
  documents: Buffer;
  /** Bytes of each head. */
  headBytes: Uint32Array;
};

export function hasCatalogue({ numbers, values }: StoreBlock, nth: number): boolean {
  return values.kind[numbers.kind[nth] as number]?.hasCatalogue === true;
}

/** A store of a block as an index takes a store in alone. */
export function storeOfBlock(
  { storeIdAt, latitudes, longitudes, numbers, values, words }: StoreBlock,
  nth: number,
): IndexedStore {
  const shared = <Property extends keyof SharedValues>(property: Property): SharedValues[Property] =>
    values[property][numbers[property][nth] as number] as SharedValues[Property];
  return {
    storeId: storeIdAt(nth),
    latitude: latitudes[nth] as number,
    longitude: longitudes[nth] as number,
    name: shared('name')
      .map((number) => words[number])
      .join(' '),
    ...shared('opening'),
    ...shared('kind'),
    cuisines: shared('cuisines'),
    rating: shared('rating'),
    pickup: shared('pickup'),
    delivery: shared('delivery'),
    address: { city: shared('city') },
  };
}

/** The head of a store's document; the bytes are valid as long as the block. */
export function headAt({ documents, headBytes }: StoreBlock, nth: number): Uint8Array {
  let unit = 0;
  for (let before = 0; before < nth; before += 1) unit += unitsOf(headBytes[before] as number);
  return documents.subarray(unit * UNIT_BYTES, unit * UNIT_BYTES + (headBytes[nth] as number));
}
