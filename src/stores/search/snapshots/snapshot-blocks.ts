import type { Store } from '../../store.ts';
import { SHARED, type StoreKind } from '../store-block.ts';

/**
 * Listed stores as blocks of bytes, from which the index is built without parsing their profiles: the head of each
 * document as it is sent, and properties as arrays of numbers. What stores share are numbers of dictionaries, which grow
 * with each block.
 */
export type BlockBytes = {
  /** What indexes read of the stores. */
  columns: Buffer;
  /** The heads of their documents, which indexes only keep. */
  documents: Buffer;
};

/**
 * Bounds of a block, which is read at once: small enough to hold the event loop shortly and to be kept as it is by the
 * index, large enough to compress well.
 */
export const BLOCK_STORES = 2048;
export const BLOCK_BYTES = 3_000_000;

/** New values of a block that are few or small: as JSON. */
export type TextEntries = {
  kind: StoreKind[];
  cuisines: Store['cuisines'][];
  pickup: Store['pickup'][];
  delivery: Store['delivery'][];
  city: string[];
  timeZone: string[];
  /** A moment is text. */
  dates: { hoursExceptions: Store['hoursExceptions']; pausedUntil: string | null }[];
  word: string[];
  /** `hoursKey` of each new set of hours. */
  hoursKey: string[];
};

export function newTextEntries(): TextEntries {
  return {
    kind: [],
    cuisines: [],
    pickup: [],
    delivery: [],
    city: [],
    timeZone: [],
    dates: [],
    word: [],
    hoursKey: [],
  };
}

/** Numbers of an opening: its time zone, its hours, its dates with its pause. */
export const OPENING_NUMBERS = 3;

/** The sections of the columns, in their sequence; the numbers of shared properties are named as the properties. */
export const SECTIONS = [
  ...['latitudes', 'longitudes', 'ratings'],
  ...SHARED,
  ...['headBytes', 'ids'],
  /** By new name: how many words; then the words of all. */
  ...['nameSizes', 'nameWords'],
  'openings',
  /** By new set of hours: bytes of its tail and of its JSON; then the bytes of all. */
  ...['tailBytes', 'tails', 'hoursBytes', 'hours'],
  'entries',
] as const;
