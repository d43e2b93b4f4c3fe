/** Minimum share of a spare block that a segment must use to get it. */
const MIN_USED_SHARE = 1 / 16;
const PAGE = 65_536;
/**
 * Maximum spare memory as a share of the segments'. The next rewrite may begin before readers release the last block.
 */
const MAX_SPARE_SHARE = 1 / 4;

/**
 * Pools shared memory for segments. The garbage collector frees it late, because a few bytes of heap refer to gigabytes
 * outside of it. Reuse limits resident memory to the segments and a few spare blocks.
 */
export class SegmentMemory {
  private readonly minSpareBytes: number;
  private spares: SharedArrayBuffer[] = [];

  /** `minSpareBytes` are allowed even if the segments are small. */
  constructor(minSpareBytes: number) {
    this.minSpareBytes = minSpareBytes;
  }

  get spareBytes(): number {
    return this.spares.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Returns the smallest spare block with enough bytes, or a new one. */
  acquire(bytes: number): SharedArrayBuffer {
    const fit = this.spares
      .filter(({ byteLength }) => byteLength >= bytes && bytes >= byteLength * MIN_USED_SHARE - PAGE)
      .sort((a, b) => a.byteLength - b.byteLength)[0];
    if (fit === undefined) return new SharedArrayBuffer(blockBytes(bytes));
    this.spares = this.spares.filter((block) => block !== fit);
    return fit;
  }

  /** Returns blocks without readers to the pool; above the limit, drops the oldest spares. */
  release(blocks: readonly SharedArrayBuffer[], usedBytes: number): void {
    this.spares.push(...blocks);
    const maxBytes = Math.max(this.minSpareBytes, usedBytes * MAX_SPARE_SHARE);
    while (this.spares.length > 1 && this.spareBytes > maxBytes) this.spares.shift();
  }
}

/** Rounds up to a power of two, so that blocks fit other ranges. Untouched pages of a block take no resident memory. */
const blockBytes = (bytes: number): number => 2 ** Math.ceil(Math.log2(Math.max(bytes, PAGE)));
