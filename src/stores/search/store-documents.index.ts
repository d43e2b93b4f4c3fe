import { hash } from 'node:crypto';
import { type ByteStore, createByteStore, UNIT_BYTES, unitsOf } from '../../lib/columns/byte-store.ts';
import { grownUint32 } from '../../lib/columns/grow.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import { memoisedByObject } from '../../lib/memo.ts';
import type { StoreHours } from '../hours.ts';
import type { Store } from '../store.ts';
import { documentHead, documentTail } from './document-head.ts';

/**
 * The element of each store as bytes, up to the members of its opening: from there on the request decides the bytes.
 * Hours are two thirds of an element and shared by many stores, so each distinct set is kept once.
 */
export type StoreDocuments = {
  set(ordinal: number, store: Store): void;
  /** The same with the head of the document as `documentHead` wrote it. */
  setWritten(ordinal: number, hours: StoreHours, head: Uint8Array): void;
  /** The hours of the store, an object that stores with equal hours share: what is known of the object is known of all. */
  hoursAt(ordinal: number): StoreHours;
  /** The number of a set of hours, which is held until `release`; with the hours as `documentTail` has written them. */
  acquire(hours: StoreHours, tail: string): number;
  release(hoursId: number): void;
  /**
   * Sets the documents of stores without one, whose hours are held. Their heads follow each other, each from a whole unit
   * on; a buffer whose heads are all placed may be kept as it is (`isWhole`).
   */
  place(stores: PlacedDocuments): void;
  clear(ordinal: number): void;
  byteLength(ordinal: number): number;
  /** Copies the bytes to the target at that offset; returns the offset after them. */
  copyTo(ordinal: number, target: Buffer, at: number): number;
  toText(ordinal: number): string;
  readonly reservedBytes: number;
};

export type PlacedDocuments = {
  heads: Buffer;
  headBytes: Uint32Array;
  /** By head: the ordinal of its store, or NO_ORDINAL for a store that is left out. */
  ordinals: Uint32Array;
  /** By head: the number of the store's hours. */
  hoursIds: Uint32Array;
  isWhole: boolean;
};

export const NO_ORDINAL = 0xffffffff;

/** A short key of a set of hours: a kilobyte of JSON would be compared for each store. */
const keyOfHours = memoisedByObject((hours: StoreHours) => ({
  text: hash('sha256', JSON.stringify(hours), 'base64url'),
}));

export function createStoreDocuments(): StoreDocuments {
  const heads: ByteStore = createByteStore();
  const tails: ByteStore = createByteStore();
  const hours = createInterner();
  let hoursOf = new Uint32Array(1024);
  /** By number of hours: the object that came first. */
  const sharedHours: (StoreHours | undefined)[] = [];

  function release(id: number): void {
    if (id === 0 || !hours.release(id)) return;
    tails.clear(id);
    sharedHours[id] = undefined;
  }

  function acquire(own: StoreHours, tail?: string): number {
    const { id, isNew } = hours.acquire(keyOfHours(own).text);
    if (!isNew) return id;
    tails.set(id, tail ?? documentTail(own));
    sharedHours[id] = own;
    return id;
  }

  /** The store holds the hours already. */
  function setHours(ordinal: number, id: number): void {
    if (ordinal >= hoursOf.length) hoursOf = grownUint32(hoursOf, ordinal + 1);
    release(hoursOf[ordinal] as number);
    hoursOf[ordinal] = id;
  }

  return {
    set(ordinal, store) {
      setHours(ordinal, acquire(store.hours));
      heads.set(ordinal, documentHead(store));
    },
    setWritten(ordinal, own, head) {
      setHours(ordinal, acquire(own));
      heads.setBytes(ordinal, head);
    },
    hoursAt: (ordinal) => sharedHours[hoursOf[ordinal] as number] as StoreHours,
    acquire,
    release,
    place({ heads: bytes, headBytes, ordinals, hoursIds, isWhole }) {
      const address = isWhole ? heads.adopt(bytes) : null;
      let unit = 0;
      for (let nth = 0; nth < ordinals.length; nth += 1) {
        const [ordinal, length] = [ordinals[nth] as number, headBytes[nth] as number];
        if (ordinal !== NO_ORDINAL) {
          const hoursId = hoursIds[nth] as number;
          hours.hold(hoursId);
          setHours(ordinal, hoursId);
          if (address !== null) heads.setAdopted(ordinal, address + unit, length);
          else heads.setBytes(ordinal, bytes.subarray(unit * UNIT_BYTES, unit * UNIT_BYTES + length));
        }
        unit += unitsOf(length);
      }
    },
    clear(ordinal) {
      release(hoursOf[ordinal] as number);
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
