const FILES = 2 ** 16;

/** The order of the latest reads of shelf files, in shared memory. */
export class ShelfUsage {
  readonly memory: SharedArrayBuffer;
  /** The number of the last read, then of each file's last read. */
  private readonly reads: Uint32Array;

  constructor(memory = new SharedArrayBuffer((1 + FILES) * Uint32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.reads = new Uint32Array(memory);
  }

  note(file: number): void {
    this.reads[1 + (file % FILES)] = Atomics.add(this.reads, 0, 1);
  }

  lastRead(file: number): number {
    return this.reads[1 + (file % FILES)] as number;
  }
}
