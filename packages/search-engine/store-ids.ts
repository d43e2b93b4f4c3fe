import type { Columns } from './columns.ts';
import { bufferOf } from './documents.ts';

/** Ids of 24 hexadecimal digits are stored in 12 bytes. A segment with any other id stores all ids as text. */
const PACKED = /^[0-9a-f]{24}$/;
export const PACKED_WIDTH = 12;

export const NO_SLOT = -1;

/** Returns the bytes of an id in a segment with ids of this width; null if no such segment can have the id. */
export function idBytes(storeId: string, width: number): Buffer | null {
  if (width === PACKED_WIDTH) return PACKED.test(storeId) ? Buffer.from(storeId, 'hex') : null;
  const bytes = Buffer.alloc(width);
  if (Buffer.byteLength(storeId) > width - 1) return null;
  bytes.write(storeId);
  return bytes;
}

/** Returns a width that fits all ids. Text ids end with a zero, so their width never equals the packed width. */
export function idWidthOf(storeIds: readonly string[]): number {
  if (storeIds.every((id) => PACKED.test(id))) return PACKED_WIDTH;
  return Math.max(PACKED_WIDTH + 1, ...storeIds.map((id) => Buffer.byteLength(id) + 1));
}

/** A segment's ids by slot, and slots by id in an open-addressing hash table. */
export class StoreIds {
  private readonly width: number;
  private readonly bytes: Buffer;
  private readonly table: Uint32Array;

  constructor({ ids, idTable }: Columns, width: number) {
    this.width = width;
    this.bytes = bufferOf(ids);
    this.table = idTable;
  }

  at(slot: number): string {
    const start = slot * this.width;
    if (this.width === PACKED_WIDTH) return this.bytes.toString('hex', start, start + PACKED_WIDTH);
    return this.bytes.toString('utf8', start, this.bytes.indexOf(0, start));
  }

  slotOf(storeId: string): number {
    const wanted = idBytes(storeId, this.width);
    if (wanted === null || this.table.length === 0) return NO_SLOT;
    const mask = this.table.length - 1;
    for (let at = hashId(wanted, 0, this.width) & mask; ; at = (at + 1) & mask) {
      const slot = (this.table[at] as number) - 1;
      if (slot === NO_SLOT) return NO_SLOT;
      const start = slot * this.width;
      if (this.bytes.compare(wanted, 0, this.width, start, start + this.width) === 0) return slot;
    }
  }
}

/** Returns the length of the hash table for this many ids: a power of two, up to three quarters full. */
export const tableLength = (ids: number): number => 2 ** Math.ceil(Math.log2(Math.max(2, (ids * 4) / 3 + 1)));

/** Fills the hash table of the ids, which are stored consecutively. */
export function fillTable(table: Uint32Array, ids: Uint8Array, width: number): void {
  const mask = table.length - 1;
  table.fill(0);
  for (let slot = 0; slot * width < ids.length; slot += 1) {
    let at = hashId(ids, slot * width, width) & mask;
    while (table[at] !== 0) at = (at + 1) & mask;
    table[at] = slot + 1;
  }
}

function hashId(bytes: Uint8Array, start: number, width: number): number {
  let hash = 0;
  for (let at = start; at < start + width; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x0100_0193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
