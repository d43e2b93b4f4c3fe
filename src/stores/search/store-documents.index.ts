import { type ByteStore, createByteStore } from '../../lib/columns/byte-store.ts';
import { grownUint32 } from '../../lib/columns/grow.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import type { Store } from '../store.ts';
import { presentHours, presentStore } from '../store-element.ts';

/**
 * The element of each store as bytes, up to the members of its opening: from there on the request decides the bytes.
 * Hours are two thirds of an element and shared by many stores, so each distinct set is kept once.
 */
export type StoreDocuments = {
  set(ordinal: number, store: Store): void;
  clear(ordinal: number): void;
  byteLength(ordinal: number): number;
  /** Copies the bytes to the target at that offset; returns the offset after them. */
  copyTo(ordinal: number, target: Buffer, at: number): number;
  toText(ordinal: number): string;
  readonly reservedBytes: number;
};

export function createStoreDocuments(): StoreDocuments {
  const heads: ByteStore = createByteStore();
  const tails: ByteStore = createByteStore();
  const hours = createInterner();
  let hoursOf = new Uint32Array(1024);

  function release(ordinal: number): void {
    const id = hoursOf[ordinal] as number;
    if (id > 0 && hours.release(id)) tails.clear(id);
  }

  return {
    set(ordinal, store) {
      if (ordinal >= hoursOf.length) hoursOf = grownUint32(hoursOf, ordinal + 1);
      const { id, isNew } = hours.acquire(JSON.stringify(store.hours));
      if (isNew) tails.set(id, `${membersOf(presentHours(store.hours))},`);
      release(ordinal);
      hoursOf[ordinal] = id;
      heads.set(ordinal, `{${membersOf(presentStore(store))},`);
    },
    clear(ordinal) {
      release(ordinal);
      hoursOf[ordinal] = 0;
      heads.clear(ordinal);
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

/** The members of an object as JSON, without its braces. */
function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}
