import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arbitraryQuery, arbitraryStore } from '../../../../test/oracles/arbitrary-stores.ts';
import { openAtOf, queryOf } from '../../../../test/oracles/store-search.ts';
import { runs } from '../../../../test/runs.ts';
import type { Store } from '../../store.ts';
import { createStoreIndex, type StoreIndex } from '../store.index.ts';
import { hasCatalogue } from '../store-block.ts';
import { SORTS, type StoreQuery } from '../store-query.ts';
import { createBlockReader } from './read-blocks.ts';
import type { BlockBytes } from './snapshot-blocks.ts';
import { createBlockWriter } from './write-blocks.ts';

/** Ids as stores have them, 12 bytes in hexadecimal. */
const idOf = (storeId: string) => Buffer.from(storeId.padEnd(12, '-')).toString('hex');

const PAUSED = { epochMilliseconds: 1_790_000_000_000 };
const paused = fc.option(fc.constant(PAUSED).map((at) => Temporal.Instant.fromEpochMilliseconds(at.epochMilliseconds)));

const store = fc
  .tuple(arbitraryStore, paused, fc.boolean(), fc.boolean(), fc.option(fc.constant(['acc_1'])))
  .map(([made, pausedUntil, onlineOrdering, hasCatalogue, sandboxAccounts]): Store => {
    return { ...made, storeId: idOf(made.storeId), pausedUntil, onlineOrdering, hasCatalogue, sandboxAccounts };
  });

/** The stores in blocks of some stores each. */
function blocksOf(stores: readonly Store[], size: number): BlockBytes[] {
  const writer = createBlockWriter();
  const blocks: BlockBytes[] = [];
  for (const one of stores) {
    writer.add(one);
    if (writer.size === size) blocks.push(writer.finish());
  }
  if (writer.size > 0) blocks.push(writer.finish());
  return blocks;
}

/** Loads the blocks as the loader of snapshots does; of the stores those with a catalogue alone, where that is asked. */
function load(index: StoreIndex, blocks: readonly BlockBytes[], sellersAlone = false): void {
  const read = createBlockReader();
  const loader = index.startBlocks(blocks.length);
  for (const bytes of blocks) {
    const block = read(bytes);
    if (sellersAlone) loader.load(block, (nth) => hasCatalogue(block, nth));
    else loader.load(block);
  }
  loader.close();
}

function answerOf(index: StoreIndex, query: Parameters<StoreIndex['search']>[0], nowEpochS: number): string {
  return index.writePage(index.search(query, nowEpochS), nowEpochS).toString();
}

const change = fc.oneof(
  { weight: 3, arbitrary: store.map((upsert) => ({ upsert })) },
  { weight: 1, arbitrary: store.map((made) => ({ upsert: { ...made, listed: false } })) },
);

/** Every sort, with the filters of the query and with its place alone. */
function asked(query: StoreQuery, sandbox: string | null): StoreQuery[] {
  const { latitude, longitude } = query;
  return SORTS.flatMap((sort) => [
    { ...query, sort, sandbox },
    { ...queryOf({ latitude, longitude, sort }), sandbox },
  ]);
}

test('an index that is loaded from blocks answers as an index that read the stores, before and after changes', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(store, { minLength: 1, maxLength: 120, size: 'max', selector: ({ storeId }) => storeId }),
      fc.integer({ min: 1, max: 50 }),
      fc.array(change, { maxLength: 60, size: 'max' }),
      fc.array(fc.tuple(arbitraryQuery, fc.constantFrom(999, 1000), fc.constantFrom(null, 'acc_1')), { minLength: 3 }),
      fc.boolean(),
      (stores, size, changes, queries, sellersAlone) => {
        const [read, loaded] = [createStoreIndex({ openAtOf }), createStoreIndex({ openAtOf })];
        const assertEqual = () => {
          for (const [query, nowEpochS, sandbox] of queries) {
            for (const one of asked(query, sandbox)) {
              assert.equal(answerOf(loaded, one, nowEpochS), answerOf(read, one, nowEpochS));
            }
          }
        };
        for (const one of stores) if (one.hasCatalogue || !sellersAlone) read.upsert(one);
        load(loaded, blocksOf(stores, size), sellersAlone);
        assert.equal(loaded.storeCount, read.storeCount);
        assertEqual();
        for (const { upsert } of changes) for (const index of [read, loaded]) index.upsert(upsert);
        assertEqual();
        for (const { storeId } of stores) assert.equal(loaded.remove(storeId), read.remove(storeId));
        assertEqual();
      },
    ),
    { numRuns: runs(30), interruptAfterTimeLimit: 8000 },
  );
});

test('a store that comes again replaces its earlier version', () => {
  const [first] = fc.sample(store, { numRuns: 1, seed: 1 });
  assert.ok(first);
  const index = createStoreIndex({ openAtOf });
  const versions = [first, { ...first, name: 'Another Name' }];
  load(index, blocksOf(versions, 1));
  load(index, blocksOf(versions, 2));
  for (const _step of index.finishLoad());
  assert.equal(index.storeCount, 1);
  assert.deepEqual(index.nearestNamed('another name', first, first.sandboxAccounts === null ? null : 'acc_1', 5), [
    first.storeId,
  ]);
});

test('bytes that are cut are no block', () => {
  const [block] = blocksOf(fc.sample(store, { numRuns: 5, seed: 2 }), 5);
  assert.ok(block);
  const { columns, documents } = block;
  for (const length of [0, 5, 40, columns.length >> 1, columns.length - 1]) {
    assert.throws(() => createBlockReader()({ columns: columns.subarray(0, length), documents }), RangeError);
  }
  for (const length of [0, 64, documents.length - 1]) {
    assert.throws(() => createBlockReader()({ columns, documents: documents.subarray(0, length) }), RangeError);
  }
});
