import type { Sql } from '../../../db/connect.ts';
import { randomId } from '../../../lib/random-id.ts';
import { FEED_START, type FeedPoint, findStoresChangedSince } from '../../stores.db.ts';
import { createBlockWriter } from './snapshot-blocks.ts';
import { writeSnapshotFile } from './snapshot-file.cache.ts';
import { insertMark } from './snapshot-marks.db.ts';

/** Stores that are read at a time, and bytes of them as PostgreSQL keeps them. */
const BATCH = { stores: 1000, bytes: 4_000_000 };
/** A block is read at once: small enough to hold the event loop shortly, large enough to compress well. */
const BLOCK_STORES = 2048;
const BLOCK_BYTES = 8_000_000;

export type SnapshotTarget = { file: string; format: string; at: Temporal.Instant };

/**
 * Writes the listed stores as they are now. Every change up to the snapshot's number is in it. A store that changes while
 * the snapshot is written has a later number, so that a reader who goes on from the snapshot's number reads the store again.
 */
export async function writeSnapshot(
  db: Sql,
  { file, format, at }: SnapshotTarget,
): Promise<{ seq: number; stores: number }> {
  const mark = randomId('snp_', 18);
  const seq = await insertMark(db, mark, at);
  let stores = 0;
  async function* blocks(): AsyncGenerator<Buffer> {
    const writer = createBlockWriter();
    let point: FeedPoint = FEED_START;
    for (let isEnd = false; !isEnd; ) {
      const batch = await findStoresChangedSince(db, point, BATCH);
      for (const { store } of batch.changes) {
        if (!store.listed) continue;
        writer.add(store);
        stores += 1;
        if (writer.size >= BLOCK_STORES || writer.bytes >= BLOCK_BYTES) yield writer.finish();
      }
      point = batch.changes.at(-1)?.point ?? point;
      isEnd = batch.isEnd;
    }
    if (writer.size > 0) yield writer.finish();
  }
  await writeSnapshotFile(file, blocks(), () => ({ format, mark, seq, stores }), at);
  return { seq, stores };
}
