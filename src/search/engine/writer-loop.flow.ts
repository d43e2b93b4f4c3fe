import type { StoreRow } from './store-row.ts';
import type { Publication, Writer } from './writer.ts';

/** Changes wait so long for others before they are sealed: the bound on how stale a search is, but for the sealing. */
const FLUSH_EVERY_MS = 50;
/** A compaction works so long at a time, and then changes may be sealed. */
const COMPACTION_SLICE_MS = 10;

/**
 * Runs a writer in a thread of its own: seals changes every 50 ms, and compacts in slices between. `publish` gives a
 * version to the threads that search.
 */
export class WriterLoop {
  private readonly writer: Writer;
  private readonly publish: (publication: Publication) => void;
  private readonly timer: NodeJS.Timeout;
  private compaction: Generator<void, Publication | null> | null = null;

  constructor(writer: Writer, publish: (publication: Publication) => void) {
    this.writer = writer;
    this.publish = publish;
    this.timer = setInterval(() => this.flush(), FLUSH_EVERY_MS);
  }

  change(storeId: string, row: StoreRow | null): void {
    if (row === null) this.writer.remove(storeId);
    else this.writer.upsert(row);
  }

  close(): void {
    clearInterval(this.timer);
    this.compaction = null;
  }

  private flush(): void {
    const publication = this.writer.flush();
    if (publication !== null) this.publish(publication);
    if (this.compaction === null) this.compact();
  }

  private compact(): void {
    const endMs = performance.now() + COMPACTION_SLICE_MS;
    this.compaction ??= this.writer.compact();
    do {
      const { done, value } = this.compaction.next();
      if (!done) continue;
      this.compaction = null;
      if (value !== null) this.publish(value);
      return;
    } while (performance.now() < endMs);
    setImmediate(() => this.compaction !== null && this.compact());
  }
}
