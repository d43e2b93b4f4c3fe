const HEAD_BYTES = 8;
const FIRST_BYTES = 1 << 16;
/** Bytes of all terms; a million have some 10 MB. Address space, not memory. */
const MAX_BYTES = 1 << 27;
const SEPARATOR = '\n';

/**
 * The terms of product indexes in the order of their numbers, in growing shared memory: one thread adds, all read, so
 * that a number is the same term in every thread. No term contains the separator.
 */
export class TermLog {
  readonly memory: SharedArrayBuffer;
  private readonly length: Int32Array;

  constructor(memory = new SharedArrayBuffer(FIRST_BYTES, { maxByteLength: MAX_BYTES })) {
    this.memory = memory;
    this.length = new Int32Array(memory, 0, 1);
  }

  /** Number of bytes so far. */
  get end(): number {
    return Atomics.load(this.length, 0);
  }

  add(term: string): void {
    this.append(Buffer.from(term + SEPARATOR));
  }

  /** Adds the bytes of terms that another log had. */
  append(bytes: Uint8Array): void {
    const { end } = this;
    const needed = HEAD_BYTES + end + bytes.length;
    if (needed > this.memory.byteLength) this.memory.grow(Math.min(MAX_BYTES, 2 * needed));
    new Uint8Array(this.memory, HEAD_BYTES + end).set(bytes);
    Atomics.store(this.length, 0, end + bytes.length);
  }

  bytes(from: number, end: number): Buffer {
    return Buffer.from(this.memory, HEAD_BYTES + from, end - from);
  }

  /** The terms from this byte on. */
  terms(from: number, end: number): string[] {
    return from === end
      ? []
      : this.bytes(from, end - 1)
          .toString()
          .split(SEPARATOR);
  }
}
