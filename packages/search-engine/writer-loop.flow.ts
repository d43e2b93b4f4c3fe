import type { StoreRow } from './store-row.ts';
import type { Publication, SnapshotPart, Writer } from './writer.ts';

/** How long changes are collected before they are sealed, in milliseconds: the maximum staleness apart from sealing. */
const FLUSH_AFTER_MS = 50;
/** Time slice of a compaction; changes may be sealed between slices. */
const COMPACTION_SLICE_MS = 10;
/** Maximum frozen segments. Further changes wait for a compaction, because more segments slow down searches. */
const MAX_FROZEN = 24;

/**
 * Runs a writer in its own thread: seals changes 50 ms after the first one, and compacts in slices in between.
 * `publish` posts each version to the searching threads.
 */
export class WriterLoop {
  private readonly writer: Writer;
  private readonly publish: (publication: Publication) => void;
  private timer: NodeJS.Timeout | null = null;
  private compaction: Generator<void, Publication | null> | null = null;
  private nextSlice: NodeJS.Immediate | null = null;
  private readonly waiting: (() => void)[] = [];
  private isClosed = false;
  /** The oldest version that a searching thread still reads, and the version of a snapshot being written. */
  private released = 0;
  private pinned: number | null = null;

  constructor(writer: Writer, publish: (publication: Publication) => void) {
    this.writer = writer;
    this.publish = publish;
  }

  change(storeId: string, row: StoreRow | null): void {
    if (row === null) this.writer.remove(storeId);
    else this.writer.upsert(row);
    this.timer ??= setTimeout(() => this.flush(), FLUSH_AFTER_MS);
  }

  /** Seals the changes now. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const publication = this.writer.flush();
    if (publication !== null) this.publish(publication);
    this.compactSoon();
  }

  /** Resolves once few segments of changes are waiting for compaction (back-pressure). */
  async room(): Promise<void> {
    while (this.writer.frozenCount > MAX_FROZEN && !this.isClosed) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** Called when no thread reads versions below this one. */
  release(oldestVersion: number): void {
    this.released = oldestVersion;
    this.writer.release(Math.min(oldestVersion, this.pinned ?? oldestVersion));
  }

  /** Returns the segments of the current version, which stay unchanged until `unpin`. */
  pin(): SnapshotPart[] {
    this.flush();
    this.pinned = this.writer.currentVersion;
    return this.writer.snapshot();
  }

  unpin(): void {
    this.pinned = null;
    this.writer.release(this.released);
  }

  close(): void {
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.nextSlice !== null) clearImmediate(this.nextSlice);
    this.wake();
  }

  private compactSoon(): void {
    if (this.isClosed) return;
    this.nextSlice ??= setImmediate(() => {
      this.nextSlice = null;
      this.compact();
    });
  }

  /** Compacts until nothing is worth rewriting. */
  private compact(): void {
    const endMs = performance.now() + COMPACTION_SLICE_MS;
    this.compaction ??= this.writer.compact();
    do {
      const { done, value } = this.compaction.next();
      if (!done) continue;
      this.compaction = null;
      if (value === null) return;
      this.publish(value);
      this.wake();
      break;
    } while (performance.now() < endMs);
    this.compactSoon();
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
