import type { StoreRow } from './store-row.ts';
import type { Publication, SnapshotPart, Writer } from './writer.ts';

/** Changes wait so long for others before they are sealed: the bound on how stale a search is, but for the sealing. */
const FLUSH_AFTER_MS = 50;
/** A compaction works so long at a time, and then changes may be sealed. */
const COMPACTION_SLICE_MS = 10;
/** With more segments of changes, searches would slow down: changes wait until a compaction has taken them. */
const MAX_FROZEN = 24;

/**
 * Runs a writer in a thread of its own: seals changes 50 ms after the first of them, and compacts in slices between.
 * `publish` gives a version to the threads that search.
 */
export class WriterLoop {
  private readonly writer: Writer;
  private readonly publish: (publication: Publication) => void;
  private timer: NodeJS.Timeout | null = null;
  private compaction: Generator<void, Publication | null> | null = null;
  private nextSlice: NodeJS.Immediate | null = null;
  private readonly waiting: (() => void)[] = [];
  private isClosed = false;
  /** The oldest version that the threads that search still read, and the one that a snapshot is written of. */
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

  /** Back-pressure: resolves once there are few segments of changes. */
  async room(): Promise<void> {
    while (this.writer.frozenCount > MAX_FROZEN && !this.isClosed) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** No thread reads a version below this one any more. */
  release(oldestVersion: number): void {
    this.released = oldestVersion;
    this.writer.release(Math.min(oldestVersion, this.pinned ?? oldestVersion));
  }

  /** The segments of the version now, which stay as they are until `unpin`. */
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

  /** One compaction after the other, until nothing is worth rewriting. */
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
