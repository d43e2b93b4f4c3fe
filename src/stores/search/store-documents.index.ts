import { type ByteStore, createByteStore } from '../../lib/columns/byte-store.ts';
import { grownUint32 } from '../../lib/columns/grow.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import { memoisedByObject } from '../../lib/memo.ts';
import type { StoreHours } from '../hours.ts';
import type { Store } from '../store.ts';
import { presentHours } from '../store-element.ts';
import { documentHead, membersOf } from './document-head.ts';

/**
 * The element of each store as bytes, up to the members of its opening: from there on the request decides the bytes.
 * Hours are two thirds of an element and shared by many stores, so each distinct set is kept once.
 */
export type StoreDocuments = {
  set(ordinal: number, store: Store): void;
  /** The same with the head of the document as `documentHead` wrote it. */
  setWritten(ordinal: number, hours: StoreHours, head: Uint8Array): void;
  clear(ordinal: number): void;
  byteLength(ordinal: number): number;
  /** Copies the bytes to the target at that offset; returns the offset after them. */
  copyTo(ordinal: number, target: Buffer, at: number): number;
  toText(ordinal: number): string;
  readonly reservedBytes: number;
};

/** The key of a set of hours; stores of a snapshot share the objects of their hours. */
const keyOfHours = memoisedByObject((hours: StoreHours) => ({ text: JSON.stringify(hours) }));

export function createStoreDocuments(): StoreDocuments {
  const heads: ByteStore = createByteStore();
  const tails: ByteStore = createByteStore();
  const hours = createInterner();
  let hoursOf = new Uint32Array(1024);

  function release(ordinal: number): void {
    const id = hoursOf[ordinal] as number;
    if (id > 0 && hours.release(id)) tails.clear(id);
  }

  function setHours(ordinal: number, own: StoreHours): void {
    if (ordinal >= hoursOf.length) hoursOf = grownUint32(hoursOf, ordinal + 1);
    const { id, isNew } = hours.acquire(keyOfHours(own).text);
    if (isNew) tails.set(id, `${membersOf(presentHours(own))},`);
    release(ordinal);
    hoursOf[ordinal] = id;
  }

  return {
    set(ordinal, store) {
      setHours(ordinal, store.hours);
      heads.set(ordinal, documentHead(store));
    },
    setWritten(ordinal, own, head) {
      setHours(ordinal, own);
      heads.setBytes(ordinal, head);
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
