import { systemClock } from '../../src/lib/clock.ts';
import { BLOCK_STORES, type BlockBytes } from '../../src/stores/search/snapshots/snapshot-blocks.ts';
import { writeSnapshotFile } from '../../src/stores/search/snapshots/snapshot-file.cache.ts';
import { createStoreSequence } from '../../src/stores/search/snapshots/store-sequence.ts';
import { createBlockWriter } from '../../src/stores/search/snapshots/write-blocks.ts';
import { type ContinentStore, continentStores } from '../continent/continent-stores.ts';
import { createStoreForm } from '../continent/forms.ts';

/** Writes the snapshot of so many stores of the continent, as a node would, without PostgreSQL. */
const [count = 0, file = ''] = [Number(process.argv[2]), process.argv[3]];
const made = [...continentStores(count)];
const sequence = createStoreSequence();
for (const [nth, { latitude, longitude }] of made.entries()) {
  sequence.add({ storeId: String(nth), latitude, longitude, bytes: 0 });
}

async function* blocks(): AsyncGenerator<BlockBytes> {
  const form = createStoreForm();
  const writer = createBlockWriter();
  for (const batch of sequence.batches({ stores: BLOCK_STORES, bytes: Number.POSITIVE_INFINITY })) {
    for (const nth of batch) writer.add(form(made[Number(nth)] as ContinentStore));
    yield writer.finish();
  }
}

const facts = { format: 'bench', mark: 'bench', seq: 1, stores: count };
await writeSnapshotFile(file, blocks(), () => facts, systemClock.now());
process.send?.({}, () => process.exit(0));
