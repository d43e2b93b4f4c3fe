import { type ByteStore, createByteStore, UNIT_BYTES, unitsOf } from '../../lib/columns/byte-store.ts';
import { grownUint32 } from '../../lib/columns/grow.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import { memoisedByObject } from '../../lib/memo.ts';
import type { StoreHours } from '../hours.ts';
import type { Store } from '../store.ts';
import { documentHead, documentTail } from './document-head.ts';
import { hoursKey } from './hours-key.ts';
import type { WrittenHours } from './store-block.ts';

/**
 * The element of each store as bytes, up to the members of its opening: from there on the request decides the bytes.
 * Hours are two thirds of an element and shared by many stores, so each distinct set is kept once.
 */
export type StoreDocuments = {
  set(ordinal: number, store: Store): void;
  /** The hours of the store, an object that stores with equal hours share: what is known of the object is known of all. */
  hoursAt(ordinal: number): StoreHours;
  /** The number of a set of hours, which is held until `release`. */
  acquire(hours: WrittenHours): number;
  release(hoursId: number): void;
  /**
   * Sets the documents of new stores, whose ordinals follow each other and whose hours are held. The heads follow each
   * other, each from a whole unit on; a buffer whose heads are all placed is kept as it is where that is possible.
   */
  placeAll(first: number, documents: PlacedDocuments): void;
  /** Makes room for so many stores in all. */
  reserve(stores: number): void;
  clear(ordinal: number): void;
  /**
   * Looks at the documents of a page, before they are copied, in one short loop: the processor then waits for the
   * memory of all of them together, and not for each after the copy before. Returns a sum of bytes without a meaning.
   */
  lookAhead(ordinals: readonly number[]): number;
  byteLength(ordinal: number): number;
  /** Copies the bytes to the target at that offset; returns the offset after them. */
  copyTo(ordinal: number, target: Buffer, at: number): number;
  toText(ordinal: number): string;
  readonly reservedBytes: number;
};

export type PlacedDocuments = {
  heads: Buffer;
  headBytes: Uint32Array;
  /** The heads that are placed, in their sequence; null for all heads. */
  nths: Uint32Array | null;
  /** By store: the number of its hours. */
  hoursIds: Uint32Array;
};

const keyOfHours = memoisedByObject((hours: StoreHours) => ({ text: hoursKey(hours) }));

export function createStoreDocuments(): StoreDocuments {
  const heads: ByteStore = createByteStore();
  const tails: ByteStore = createByteStore();
  const hours = createInterner();
  let hoursOf = new Uint32Array(1024);
  /** By number of hours: the object that came first, or what gives the object. */
  const sharedHours: (StoreHours | (() => StoreHours) | undefined)[] = [];

  function release(id: number): void {
    if (id === 0 || !hours.release(id)) return;
    tails.clear(id);
    sharedHours[id] = undefined;
  }

  function acquire(own: StoreHours): number {
    const { id, isNew } = hours.acquire(keyOfHours(own).text);
    if (!isNew) return id;
    tails.set(id, documentTail(own));
    sharedHours[id] = own;
    return id;
  }

  function acquireWritten({ key, tail, parse }: WrittenHours): number {
    const { id, isNew } = hours.acquire(key);
    if (!isNew) return id;
    tails.setBytes(id, tail);
    sharedHours[id] = parse;
    return id;
  }

  function hoursAt(ordinal: number): StoreHours {
    const id = hoursOf[ordinal] as number;
    const known = sharedHours[id] as StoreHours | (() => StoreHours);
    const own = typeof known === 'function' ? known() : known;
    sharedHours[id] = own;
    return own;
  }

  function makeRoom(stores: number): void {
    if (stores > hoursOf.length) hoursOf = grownUint32(hoursOf, stores);
  }

  /** The store holds the hours already. */
  function setHours(ordinal: number, id: number): void {
    makeRoom(ordinal + 1);
    release(hoursOf[ordinal] as number);
    hoursOf[ordinal] = id;
  }

  function copyHeads(first: number, { heads: bytes, headBytes, nths }: Omit<PlacedDocuments, 'hoursIds'>): void {
    const end = nths?.length ?? headBytes.length;
    for (let nth = 0, at = 0, from = 0; at < end; nth += 1) {
      const length = headBytes[nth] as number;
      if (nths === null || nths[at] === nth) {
        heads.setBytes(first + at, bytes.subarray(from, from + length));
        at += 1;
      }
      from += unitsOf(length) * UNIT_BYTES;
    }
  }

  return {
    set(ordinal, store) {
      setHours(ordinal, acquire(store.hours));
      heads.set(ordinal, documentHead(store));
    },
    hoursAt,
    acquire: acquireWritten,
    release,
    placeAll(first, { heads: bytes, headBytes, nths, hoursIds }) {
      hours.holdAll(hoursIds);
      makeRoom(first + hoursIds.length);
      hoursOf.set(hoursIds, first);
      const address = nths === null ? heads.adopt(bytes) : null;
      if (address !== null) heads.setAdopted(first, address, headBytes);
      else copyHeads(first, { heads: bytes, headBytes, nths });
    },
    reserve(stores) {
      heads.reserve(stores);
      makeRoom(stores);
    },
    clear(ordinal) {
      release(hoursOf[ordinal] as number);
      hoursOf[ordinal] = 0;
      heads.clear(ordinal);
    },
    lookAhead(ordinals) {
      let sum = 0;
      for (const ordinal of ordinals) sum += heads.look(ordinal) + tails.look(hoursOf[ordinal] as number);
      return sum;
    },
    byteLength: (ordinal) => heads.byteLength(ordinal) + tails.byteLength(hoursOf[ordinal] as number),
    copyTo(ordinal, target, at) {
      return tails.copyTo(hoursOf[ordinal] as number, target, heads.copyTo(ordinal, target, at));
    },
    toText: (ordinal) => heads.toText(ordinal) + tails.toText(hoursOf[ordinal] as number),
    get reservedBytes() {
      return heads.reservedBytes + tails.reservedBytes;
    },
  };
}
