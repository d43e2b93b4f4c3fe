import { grownUint32 } from './grow.ts';
import { createSlabBlocks } from './slab-blocks.ts';

/** Blocks are whole units: a text whose length changes a little keeps its block. */
export const UNIT_BYTES = 64;
/** Units of a slab: 4 MiB. A longer text has a slab of its own. */
const SLAB_BITS = 16;
const SLAB_UNITS = 1 << SLAB_BITS;

/**
 * UTF-8 texts by small number, outside of the JavaScript heap. A freed block is used again for a text of the same
 * number of units, so memory stays near the peak of each size.
 */
export type ByteStore = {
  set(id: number, text: string): void;
  /** The same with the bytes of a text. */
  setBytes(id: number, bytes: Uint8Array): void;
  /**
   * Keeps a buffer of texts, each of which begins at a whole unit, in place of copying them. Returns the address of its
   * first unit; null for a buffer that is too large to keep. The buffer is the store's from then on.
   */
  adopt(slab: Buffer): number | null;
  /**
   * Sets the texts of new numbers from `first` on: they follow each other at an address of a buffer that the store has
   * adopted, each from a whole unit on.
   */
  setAdopted(first: number, address: number, lengths: Uint32Array): void;
  /** Makes room for the addresses of so many texts in all. */
  reserve(texts: number): void;
  clear(id: number): void;
  byteLength(id: number): number;
  /** Copies the text to the target at that offset; returns the offset after it. */
  copyTo(id: number, target: Buffer, at: number): number;
  /** A byte of the text, whatever byte: a look ahead of a copy. 0 without a text. */
  look(id: number): number;
  toText(id: number): string;
  /** Memory taken from the system. */
  readonly reservedBytes: number;
};

/** Units of a text of so many bytes. */
export function unitsOf(bytes: number): number {
  return Math.ceil(bytes / UNIT_BYTES);
}

export function createByteStore(): ByteStore {
  const slabs: Buffer[] = [];
  const blocks = createSlabBlocks(SLAB_UNITS, (units) => {
    const slab = Buffer.allocUnsafeSlow(units * UNIT_BYTES);
    reservedBytes += slab.length;
    slabs.push(slab);
  });
  /** By id: the unit at which the text begins, counted through all slabs, and its length in bytes; 0 without a text. */
  let addresses = new Uint32Array(1024);
  let lengths = new Uint32Array(1024);
  let reservedBytes = 0;

  function clear(id: number): void {
    const length = lengths[id] ?? 0;
    if (length === 0) return;
    blocks.give(addresses[id] as number, unitsOf(length));
    lengths[id] = 0;
  }

  function slabOf(id: number): Buffer {
    return slabs[(addresses[id] as number) >>> SLAB_BITS] as Buffer;
  }

  function offsetOf(id: number): number {
    return ((addresses[id] as number) & (SLAB_UNITS - 1)) * UNIT_BYTES;
  }

  /** Gives the text a block of its length. */
  function reserve(id: number, length: number): void {
    makeRoom(id);
    clear(id);
    if (length === 0) return;
    addresses[id] = blocks.take(unitsOf(length));
    lengths[id] = length;
  }

  function makeRoom(id: number): void {
    if (id < addresses.length) return;
    addresses = grownUint32(addresses, id + 1);
    lengths = grownUint32(lengths, id + 1);
  }

  return {
    set(id, text) {
      const length = Buffer.byteLength(text);
      reserve(id, length);
      if (length > 0) slabOf(id).write(text, offsetOf(id), length);
    },
    setBytes(id, bytes) {
      reserve(id, bytes.length);
      if (bytes.length > 0) slabOf(id).set(bytes, offsetOf(id));
    },
    adopt(slab) {
      if (slab.length > SLAB_UNITS * UNIT_BYTES) return null;
      reservedBytes += slab.length;
      slabs.push(slab);
      return blocks.skipSlab();
    },
    setAdopted(first, address, own) {
      makeRoom(first + own.length - 1);
      lengths.set(own, first);
      for (let nth = 0, unit = address; nth < own.length; nth += 1) {
        addresses[first + nth] = unit;
        unit += unitsOf(own[nth] as number);
      }
    },
    reserve(texts) {
      if (texts > addresses.length) makeRoom(texts - 1);
    },
    clear,
    byteLength: (id) => lengths[id] as number,
    copyTo(id, target, at) {
      const offset = offsetOf(id);
      const length = lengths[id] as number;
      slabOf(id).copy(target, at, offset, offset + length);
      return at + length;
    },
    look: (id) => slabOf(id)[offsetOf(id)] ?? 0,
    toText(id) {
      const offset = offsetOf(id);
      return slabOf(id).toString('utf8', offset, offset + (lengths[id] as number));
    },
    get reservedBytes() {
      return reservedBytes;
    },
  };
}
