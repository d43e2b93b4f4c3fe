import type { Columns } from './columns.ts';

/**
 * The stores' documents: each has its own head, and a tail that many stores share; the request adds the rest. Documents
 * are in slot order, so a page of neighbors is a few runs of memory.
 */
export class Documents {
  private readonly heads: Buffer;
  private readonly headStarts: Uint32Array;
  private readonly tails: Buffer;
  private readonly tailStarts: Uint32Array;
  private readonly tail: Uint32Array;

  constructor({ headBytes, headStarts, tailBytes, tailStarts, tail }: Columns) {
    this.heads = bufferOf(headBytes);
    this.headStarts = headStarts;
    this.tails = bufferOf(tailBytes);
    this.tailStarts = tailStarts;
    this.tail = tail;
  }

  /** Prefetches the document: reads one byte so that a page's cache misses overlap. */
  touch(slot: number): number {
    const tail = this.tailStarts[this.tail[slot] as number] as number;
    return (this.heads[this.headStarts[slot] as number] as number) + (this.tails[tail] as number);
  }

  byteLength(slot: number): number {
    const tail = this.tail[slot] as number;
    const head = (this.headStarts[slot + 1] as number) - (this.headStarts[slot] as number);
    return head + (this.tailStarts[tail + 1] as number) - (this.tailStarts[tail] as number);
  }

  /**
   * Returns the offset after the copied bytes. `afterHead` may write at the head's end, and returns where the tail
   * begins. `Buffer.copy` from shared memory takes half as long as `set`.
   */
  copyTo(slot: number, target: Buffer, at: number, afterHead?: (end: number) => number): number {
    const tail = this.tail[slot] as number;
    const end = at + this.heads.copy(target, at, this.headStarts[slot], this.headStarts[slot + 1]);
    const from = afterHead ? afterHead(end) : end;
    return from + this.tails.copy(target, from, this.tailStarts[tail], this.tailStarts[tail + 1]);
  }

  toText(slot: number): string {
    const bytes = Buffer.allocUnsafe(this.byteLength(slot));
    this.copyTo(slot, bytes, 0);
    return bytes.toString();
  }
}

export const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
