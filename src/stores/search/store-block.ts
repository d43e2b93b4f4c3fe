import { ID_BYTES } from '../../lib/columns/id-table.ts';
import type { Run } from '../../lib/columns/sequence-interner.ts';
import type { StoreHours } from '../hours.ts';
import type { OpeningFields } from '../open-state.ts';
import type { Store } from '../store.ts';
import type { IndexedStore } from './indexed-store.ts';

/** What few stores differ in. */
export type StoreKind = Pick<Store, 'onlineOrdering' | 'type' | 'dollarSigns' | 'hasCatalogue' | 'sandboxAccounts'>;

/** A set of hours that nobody has asked for yet: most of them are parsed long after a load. */
export type WrittenHours = {
  /** `hoursKey`. */
  key: string;
  /** The hours as a document has them (`documentTail`). */
  tail: Uint8Array;
  /** The same object for each call. */
  parse(): StoreHours;
};

/** The properties that stores share, each of which a block names by a number. */
export const SHARED = ['name', 'opening', 'kind', 'cuisines', 'pickup', 'delivery', 'city'] as const;
export type SharedProperty = (typeof SHARED)[number];

/** The values of shared properties of all blocks so far, by number: a value has the same number in all blocks. */
export type SharedValues = {
  kind: readonly StoreKind[];
  cuisines: readonly Store['cuisines'][];
  pickup: readonly Store['pickup'][];
  delivery: readonly Store['delivery'][];
  city: readonly string[];
  /** The words of all names as they are compared (`wordsOf`), and the words of a name as numbers of these. */
  words: readonly string[];
  wordsOfName(name: number): Run;
  /** What decides when a store is open. Openings with equal hours share the object of the hours. */
  openingOf(opening: number): OpeningFields;
  /** The number of an opening's hours. */
  hoursOf(opening: number): number;
  writtenHours(hours: number): WrittenHours;
};

/**
 * Listed stores side by side, each property in an array of its own. An index works out what a value means to it once and
 * not for each store. The arrays are valid until the next block is read.
 */
export type StoreBlock = {
  readonly size: number;
  /** 12 bytes of each store's id (`IdTable`). */
  ids: Buffer;
  latitudes: Float64Array;
  longitudes: Float64Array;
  /** NaN for a store without a rating. */
  ratings: Float64Array;
  /** By property, for each store: the number of its value. */
  numbers: Readonly<Record<SharedProperty, Uint32Array>>;
  values: SharedValues;
  /** The heads of the documents (`documentHead`), each from a whole unit of `UNIT_BYTES` on, in the sequence of the stores. */
  documents: Buffer;
  /** Bytes of each head. */
  headBytes: Uint32Array;
};

export function storeIdAt({ ids }: Pick<StoreBlock, 'ids'>, nth: number): string {
  return ids.toString('hex', nth * ID_BYTES, (nth + 1) * ID_BYTES);
}

export function hasCatalogue({ numbers, values }: StoreBlock, nth: number): boolean {
  return values.kind[numbers.kind[nth] as number]?.hasCatalogue === true;
}

/** A store of a block as an index takes a store in alone. */
export function storeOfBlock(block: Omit<StoreBlock, 'documents' | 'headBytes'>, nth: number): IndexedStore {
  const { numbers, values, latitudes, longitudes, ratings } = block;
  const numberOf = (property: SharedProperty): number => numbers[property][nth] as number;
  const { data, from, end } = values.wordsOfName(numberOf('name'));
  const words = Array.from({ length: end - from }, (_, word) => values.words[data[from + word] as number]);
  const rating = ratings[nth] as number;
  return {
    storeId: storeIdAt(block, nth),
    latitude: latitudes[nth] as number,
    longitude: longitudes[nth] as number,
    name: words.join(' '),
    ...values.openingOf(numberOf('opening')),
    ...(values.kind[numberOf('kind')] as StoreKind),
    cuisines: values.cuisines[numberOf('cuisines')] as Store['cuisines'],
    rating: Number.isNaN(rating) ? null : { value: rating },
    pickup: values.pickup[numberOf('pickup')] as Store['pickup'],
    delivery: values.delivery[numberOf('delivery')] as Store['delivery'],
    address: { city: values.city[numberOf('city')] as string },
  };
}
