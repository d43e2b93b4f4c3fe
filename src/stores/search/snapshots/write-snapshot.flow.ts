import type { Sql } from '../../../db/connect.ts';
import { randomId } from '../../../lib/random-id.ts';
import type { Store } from '../../store.ts';
import { findListedSpots, findStores } from '../../stores.db.ts';
import { prefetch } from './prefetch.ts';
import { BLOCK_BYTES, BLOCK_STORES, type BlockBytes } from './snapshot-blocks.ts';
import { writeSnapshotFile } from './snapshot-file.cache.ts';
import { insertMark } from './snapshot-marks.db.ts';
import { createStoreSequence } from './store-sequence.ts';
import { createBlockWriter } from './write-blocks.ts';

/** Stores that are read at a time, and bytes of them as PostgreSQL keeps them. */
const BATCH = { stores: 1000, bytes: 4_000_000 };
const SPOTS_AT_ONCE = 20_000;
export type SnapshotTarget = { file: string; format: string; at: Temporal.Instant; blockStores?: number };

/**
 * Writes the listed stores as they are now, neighbours beside each other: an index that is loaded in this sequence finds
 * the stores of a search in a few runs of memory (docs/adr/0032-what-lies-under-a-node.md). Every change up to the snapshot's number is in it. A store that changes while
 * the snapshot is written has a later number, so that a node that goes on from the snapshot's number reads the store again.
 */
export async function writeSnapshot(
  db: Sql,
  { file, format, at, blockStores = BLOCK_STORES }: SnapshotTarget,
): Promise<{ seq: number; stores: number }> {
  const mark = randomId('snp_', 18);
  const seq = await insertMark(db, mark, at);
  let stores = 0;
  async function* blocks(): AsyncGenerator<BlockBytes> {
    const writer = createBlockWriter();
    const batches = (await readSequence(db)).batches(BATCH);
    for await (const batch of prefetch(batches, (storeIds) => readBatch(db, storeIds))) {
      for (const store of batch) {
        if (!store.listed) continue;
        writer.add(store);
        stores += 1;
        if (writer.size >= blockStores || writer.bytes >= BLOCK_BYTES) yield writer.finish();
      }
    }
    if (writer.size > 0) yield writer.finish();
  }
  await writeSnapshotFile(file, blocks(), () => ({ format, mark, seq, stores }), at);
  return { seq, stores };
}

/** The stores that still exist, in the sequence of their ids. */
async function readBatch(db: Sql, storeIds: readonly string[]): Promise<Store[]> {
  const found = new Map((await findStores(db, storeIds)).map((store) => [store.storeId, store]));
  return storeIds.flatMap((storeId) => found.get(storeId) ?? []);
}

async function readSequence(db: Sql) {
  const sequence = createStoreSequence();
  for (let afterId = ''; ; ) {
    const spots = await findListedSpots(db, afterId, SPOTS_AT_ONCE);
    for (const spot of spots) sequence.add(spot);
    if (spots.length < SPOTS_AT_ONCE) return sequence;
    afterId = spots.at(-1)?.storeId ?? afterId;
  }
}
