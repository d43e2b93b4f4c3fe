import type { Logger } from 'pino';
import type { Sql } from '../../../db/connect.ts';
import { isSliceOver, nextSlice } from '../../../load/event-loop-scheduler.ts';
import { AFTER_ALL_IDS, type FeedPoint } from '../../stores.db.ts';
import type { StoreSearch } from '../store-search.index.ts';
import type { BegunSnapshot, OpenedSnapshot } from './begin-snapshot.flow.ts';
import { createBlockReader } from './read-blocks.ts';
import { UnusableSnapshot } from './snapshot-layout.ts';
import { findMark } from './snapshot-marks.db.ts';

export type SnapshotSource = {
  db: Sql;
  log: Logger;
  /** The load closes the snapshot. */
  snapshot: BegunSnapshot;
  /** Of this version (`snapshotFormat`). */
  format: string;
  search: Pick<StoreSearch, 'startBlocks'>;
  /** Ends the load: the node is closing. */
  signal: AbortSignal;
};

/**
 * Loads the index from a snapshot of this version and of this database's own history, and returns the position in the change
 * feed from which on it is incomplete; null where no snapshot counts. A snapshot that breaks off has loaded stores in older
 * versions, which the change feed replaces when it is read from its start.
 */
export async function loadSnapshot(source: SnapshotSource): Promise<FeedPoint | null> {
  const { log, snapshot } = source;
  try {
    const opened = await snapshot.open();
    return opened && (await loadOpened(source, opened));
  } catch (error) {
    if (source.signal.aborted) return null;
    const reason = error instanceof UnusableSnapshot ? error.message : 'it could not be read';
    const { file } = snapshot;
    log.warn({ err: error, file, reason }, 'search snapshot refused: all stores are read from the database');
    return null;
  } finally {
    await snapshot.close();
  }
}

async function loadOpened(
  { db, log, format, search, signal }: SnapshotSource,
  opened: OpenedSnapshot,
): Promise<FeedPoint> {
  const { facts } = opened;
  if (facts.format !== format) throw new UnusableSnapshot('another version wrote it');
  if ((await findMark(db, facts.mark)) !== facts.seq) throw new UnusableSnapshot('it is of another database');
  const stores = await loadBlocks({ opened, search, signal });
  log.info({ stores, seq: facts.seq }, 'search loaded from its snapshot');
  return { seq: facts.seq, storeId: AFTER_ALL_IDS };
}

/** Loads all blocks, some ten milliseconds each; returns the number of stores. Throws UnusableSnapshot. */
export async function loadBlocks({
  opened,
  search,
  signal,
}: Pick<SnapshotSource, 'search' | 'signal'> & { opened: OpenedSnapshot }): Promise<number> {
  const read = createBlockReader();
  const loader = search.startBlocks(opened.facts.stores);
  let stores = 0;
  try {
    for await (const bytes of opened.blocks()) {
      if (isSliceOver()) await nextSlice();
      signal.throwIfAborted();
      const block = read(bytes);
      loader.load(block);
      stores += block.size;
    }
    loader.adopt(await opened.tables());
  } finally {
    loader.close();
  }
  if (stores !== opened.facts.stores) throw new UnusableSnapshot('it has another number of stores');
  return stores;
}
