import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StoreQuery } from '../../src/search/stores/store-query.ts';
import { createHoursEvaluator, engineRow } from '../../src/search/stores/store-row.ts';
import type { Store } from '../../src/supply/stores/store.ts';
import { travelMinutes } from '../../src/supply/stores/time-estimate.ts';
import { loadAll } from '../../test/given/search-index.ts';
import { arbitraryChange, arbitraryQuery, arbitraryStore } from '../../test/oracles/arbitrary-stores.ts';
import { assertAgrees, expectedStores, openAtOf, queryOf, storeOf } from '../../test/oracles/store-search.ts';
import { runs } from '../../test/runs.ts';
import { COMPACTION_LIMITS, type CompactionLimits } from './compaction.ts';
import type { Cursor } from './cursor.ts';
import { milesOfChord } from './geography/sphere.ts';
import type { EngineQuery } from './query.ts';
import { finish } from './seal.ts';
import { Searcher } from './searcher.ts';
import { SegmentMemory } from './segment-memory.ts';
import { splitWords } from './text/normalize-text.ts';
import type { Vocabulary } from './vocabulary.ts';
import { type Publication, Writer } from './writer.ts';
import { WriterLoop } from './writer-loop.flow.ts';

const RULES = { hours: createHoursEvaluator(openAtOf), travelMinutes };
/** So small that a few hundred changes pass through every level and split ranges. */
const SMALL: CompactionLimits = { memtable: 8, young: 24, old: 48, range: 60 };

const engineQuery = ({ page: _, text, ...query }: StoreQuery): EngineQuery => ({
  ...query,
  words: splitWords(text),
  sellersOnly: false,
});

/** One writer and one searcher in the same thread. */
type HistoryStep =
  | { upsert: Store }
  | { remove: string }
  | { step: 'flush' }
  | { step: 'compact'; pausesAfter: number };

class Engine {
  readonly searcher = new Searcher(RULES);
  readonly writer: Writer;
  private compacting: Generator<void, Publication | null> | null = null;

  constructor(limits: CompactionLimits) {
    this.writer = new Writer(new SegmentMemory(2 ** 26), limits);
  }

  show(publication: Publication | null): void {
    if (publication === null) return;
    finish(this.searcher.show(publication));
    this.writer.release(publication.version);
  }

  load(stores: Iterable<Store>): void {
    this.show(loadAll(this.writer, [...stores].map(engineRow)));
  }

  flush(): void {
    this.show(this.writer.flush());
  }

  /** Applies one step of a history; `stores` is the expected content after it. */
  apply(step: HistoryStep, stores: Map<string, Store>): void {
    if ('step' in step) {
      if (step.step === 'flush') this.flush();
      else this.compact(step.pausesAfter);
      return;
    }
    const storeId = 'remove' in step ? step.remove : step.upsert.storeId;
    if ('upsert' in step && step.upsert.listed) {
      this.writer.upsert(engineRow(step.upsert));
      stores.set(storeId, step.upsert);
    } else {
      this.writer.remove(storeId);
      stores.delete(storeId);
    }
  }

  finishCompaction(): void {
    if (this.compacting !== null) this.show(finish(this.compacting));
  }

  /** Continues a compaction, or starts one. */
  private compact(pausesAfter: number): void {
    this.compacting ??= this.writer.compact();
    for (let step = 0; step <= pausesAfter && this.compacting !== null; step += 1) {
      const { done, value } = this.compacting.next();
      if (!done) continue;
      this.compacting = null;
      this.show(value);
    }
  }

  /** All pages of a query, each from the previous page's cursor. */
  *pages(query: StoreQuery, nowS: number, size: number) {
    for (let after: Cursor | null = null; ; ) {
      const { hits, next } = this.searcher.search(engineQuery(query), after, size, nowS);
      yield hits.map(({ segment, slot, chordSquared }) => ({
        storeId: segment.ids.at(slot),
        miles: milesOfChord(chordSquared),
      }));
      if (hits.length < size) return;
      after = next as Cursor;
    }
  }

  all(query: StoreQuery, nowS: number) {
    return [...this.pages(query, nowS, query.text === '' ? 100 : 20)].flat();
  }
}

const arbitraryQueries = fc.array(fc.tuple(arbitraryQuery, fc.constantFrom(999, 1000)), {
  minLength: 6,
  maxLength: 12,
});

const arbitraryHistory = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: arbitraryChange },
    { weight: 2, arbitrary: fc.constant({ step: 'flush' as const }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('compact' as const), pausesAfter: fc.nat(6) }) },
  ),
  { minLength: 1, maxLength: 900, size: 'max' },
);

test('any query equals a linear scan after any additions, changes, removals, flushes and merges', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryStore, { maxLength: 300, size: 'max' }),
      arbitraryHistory,
      arbitraryQueries,
      (loaded, history, queries) => {
        const stores = new Map(loaded.map((store) => [store.storeId, store]));
        const engine = new Engine(SMALL);
        if (loaded.length > 0) engine.load(stores.values());
        for (const change of history) engine.apply(change, stores);
        engine.flush();
        for (const [query, nowS] of queries) {
          assertAgrees(engine.all(query, nowS), expectedStores(stores.values(), query, nowS), query);
        }
        engine.finishCompaction();
        for (const [query, nowS] of queries) {
          assertAgrees(engine.all(query, nowS), expectedStores(stores.values(), query, nowS), query);
        }
      },
    ),
    { numRuns: runs(60), interruptAfterTimeLimit: 20_000 },
  );
});

test('names that come and go do not stay in the vocabulary, and stores before them are still found', () => {
  const engine = new Engine(COMPACTION_LIMITS);
  const lasting = Array.from({ length: 20 }, (_, n) => storeOf(`lasting${n}`, { name: `Lasting ${n}` }));
  engine.load(lasting);
  const row = engineRow(storeOf('renamed'));
  const found = (word: string) =>
    engine.searcher.search(engineQuery(queryOf({ text: word })), null, 100, 1000).hits.length;
  const letters = (round: number) => 'abcdefg'.charAt(round + 1).repeat(6);
  for (let round = 0; round < 5; round += 1) {
    const words = Array.from({ length: 10_000 }, (_, n) => `${letters(round)}${n}`);
    engine.writer.upsert({ ...row, words });
    engine.flush();
    assert.deepEqual(
      [found('lasting'), found(`${letters(round)}9999`), found(`${letters(round - 1)}9999`)],
      [20, 1, 0],
    );
  }
  const { size } = Reflect.get(engine.searcher, 'vocabulary') as Vocabulary;
  assert.ok(size < 35_000, `${size} terms`);
});

test('searches go on between the steps of a version, and a step adds no more than 1,024 terms', () => {
  const engine = new Engine(COMPACTION_LIMITS);
  engine.load([storeOf('lasting', { name: 'Lasting' })]);
  const { searcher, writer } = engine;
  const found = (text: string) => searcher.search(engineQuery(queryOf({ text })), null, 100, 1000).hits.length;
  for (let round = 0; round < 5; round += 1) {
    const word = 'bcdef'.charAt(round).repeat(6);
    const words = Array.from({ length: 10_000 }, (_, n) => `${word}${n}`);
    writer.upsert({ ...engineRow(storeOf('renamed')), words });
    const version = writer.flush();
    assert.ok(version !== null);
    let steps = 0;
    for (const _ of searcher.show(version)) {
      steps += 1;
      assert.deepEqual([found('lasting'), found(`${word}9999`)], [1, 0]);
    }
    assert.ok(steps >= Math.floor(words.length / 1024), `${steps} steps`);
    assert.deepEqual([found('lasting'), found(`${word}9999`)], [1, 1]);
  }
});

test('a pinned snapshot keeps its segments, whatever searching threads release, until it is unpinned', () => {
  const writer = new Writer(new SegmentMemory(2 ** 26), SMALL);
  const released: number[] = [];
  writer.release = (version) => released.push(version);
  const loop = new WriterLoop(writer, () => {});
  loop.pin();
  loop.release(writer.currentVersion + 5);
  loop.unpin();
  loop.close();
  assert.deepEqual(released, [writer.currentVersion, writer.currentVersion + 5]);
});
