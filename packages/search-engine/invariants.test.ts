import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { engineQueryOf } from '../../src/search/stores/store-query.ts';
import { createHoursEvaluator, engineRow } from '../../src/search/stores/store-row.ts';
import type { Store } from '../../src/supply/stores/store.ts';
import { travelMinutes } from '../../src/supply/stores/time-estimate.ts';
import { loadAll } from '../../test/given/search-index.ts';
import { arbitraryChange, arbitraryQuery, arbitraryStore } from '../../test/oracles/arbitrary-stores.ts';
import { openAtOf, queryOf, storeOf } from '../../test/oracles/store-search.ts';
import { runs } from '../../test/runs.ts';
import { COLUMN_NAMES } from './columns.ts';
import type { CompactionLimits } from './compaction.ts';
import type { Cursor } from './cursor.ts';
import { chordOfMiles, unitVectorAt } from './geography/sphere.ts';
import { hilbertKey } from './hilbert.ts';
import { finish } from './seal.ts';
import { Searcher } from './searcher.ts';
import type { Segment } from './segment.ts';
import { SegmentMemory } from './segment-memory.ts';
import { findSnapshot, readSnapshot, writeSnapshot } from './snapshot-files.cache.ts';
import { Sort } from './sort.ts';
import { chordToBox, slotsWithin, TreeShape } from './tree.ts';
import type { IndexView } from './view.ts';
import { type Publication, Writer } from './writer.ts';

/** So small that a few hundred changes pass through every level and split ranges. */
const LIMITS: CompactionLimits = { memtable: 8, young: 24, old: 48, range: 60 };
const RULES = { hours: createHoursEvaluator(openAtOf), travelMinutes };
const NOW = 1000;

type Step = { upsert: Store } | { remove: string } | { step: 'flush' } | { step: 'compact'; steps: number };

const arbitrarySteps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: arbitraryChange },
    { weight: 2, arbitrary: fc.constant({ step: 'flush' as const }) },
    { weight: 2, arbitrary: fc.record({ step: fc.constant('compact' as const), steps: fc.nat(8) }) },
  ),
  { minLength: 1, maxLength: 500, size: 'max' },
);

/** Replays a history on a writer; calls `show` with each version and the stores in it. */
class History {
  readonly writer: Writer;
  readonly stores = new Map<string, Store>();
  private readonly show: (publication: Publication, stores: ReadonlyMap<string, Store>) => void;
  private flushed: ReadonlyMap<string, Store> = new Map();
  private compaction: Generator<void, Publication | null> | null = null;

  constructor(show: History['show'], memory = new SegmentMemory(0)) {
    this.show = show;
    this.writer = new Writer(memory, LIMITS);
  }

  play(steps: readonly Step[]): void {
    for (const step of steps) this.take(step);
    this.take({ step: 'flush' });
  }

  private take(step: Step): void {
    if ('remove' in step) this.remove(step.remove);
    else if ('upsert' in step) this.upsert(step.upsert);
    else if (step.step === 'compact') this.compact(step.steps);
    else {
      const publication = this.writer.flush();
      this.flushed = new Map(this.stores);
      if (publication !== null) this.show(publication, this.flushed);
    }
  }

  private upsert(store: Store): void {
    if (!store.listed) {
      this.remove(store.storeId);
      return;
    }
    this.writer.upsert(engineRow(store));
    this.stores.set(store.storeId, store);
  }

  private remove(storeId: string): void {
    this.writer.remove(storeId);
    this.stores.delete(storeId);
  }

  private compact(steps: number): void {
    this.compaction ??= this.writer.compact();
    for (let step = 0; step <= steps && this.compaction !== null; step += 1) {
      const { done, value } = this.compaction.next();
      if (!done) continue;
      this.compaction = null;
      if (value !== null) this.show(value, this.flushed);
    }
  }
}

function aliveIn({ segments, version }: IndexView): string[] {
  return segments.flatMap((segment) =>
    Array.from({ length: segment.size }, (_, slot) => slot)
      .filter((slot) => segment.isAlive(slot, version))
      .map((slot) => segment.ids.at(slot)),
  );
}

/** All columns except the tombstones, as one text. */
function sealedBytes({ columns }: Segment): string {
  return COLUMN_NAMES.filter((name) => name !== 'died')
    .map((name) =>
      Buffer.from(columns[name].buffer, columns[name].byteOffset, columns[name].byteLength).toString('latin1'),
    )
    .join();
}

test('1. a sealed column never changes, and a tombstone is set once', () => {
  fc.assert(
    fc.property(arbitrarySteps, (steps) => {
      const seen = new Map<Segment, { bytes: string; died: Uint32Array }>();
      const searcher = new Searcher(RULES);
      const history = new History((publication) => {
        finish(searcher.show(publication));
        for (const segment of searcher.view.segments) {
          const { died } = segment.columns;
          const known = seen.get(segment) ?? { bytes: sealedBytes(segment), died: died.slice() };
          assert.ok(known.died.every((version, slot) => version === 0 || version === died[slot]));
          seen.set(segment, { ...known, died: died.slice() });
        }
      });
      history.play(steps);
      for (const [segment, { bytes }] of seen) assert.ok(bytes === sealedBytes(segment));
    }),
    { numRuns: runs(40), interruptAfterTimeLimit: 15_000 },
  );
});

test('2. and 6. at each version, older ones too, each store has exactly one slot, whatever compactions ran meanwhile', () => {
  fc.assert(
    fc.property(arbitrarySteps, (steps) => {
      const searcher = new Searcher(RULES);
      const views: { view: IndexView; due: string[] }[] = [];
      const history = new History((publication, stores) => {
        finish(searcher.show(publication));
        const due = [...stores.keys()].sort();
        assert.deepEqual(aliveIn(searcher.view).sort(), due);
        views.push({ view: searcher.view, due });
      });
      history.play(steps);
      for (const { view, due } of views.slice(-12)) assert.deepEqual(aliveIn(view).sort(), due);
    }),
    { numRuns: runs(60), interruptAfterTimeLimit: 15_000 },
  );
});

test('3. a posting list is sorted, without repetitions, and has exactly the slots whose store has the term', () => {
  fc.assert(
    fc.property(arbitrarySteps, (steps) => {
      const searcher = new Searcher(RULES);
      new History((publication) => finish(searcher.show(publication))).play(steps);
      for (const segment of searcher.view.segments) {
        const { nameStarts, nameTerms, places, kinds, termSetStarts, termSetTerms } = segment.columns;
        for (let term = 0; term < segment.terms.size; term += 1) {
          const due: number[] = [];
          for (let slot = 0; slot < segment.size; slot += 1) {
            const sets = [places[slot] as number, kinds[slot] as number];
            const terms = [
              ...nameTerms.slice(nameStarts[slot], nameStarts[slot + 1]),
              ...sets.flatMap((set) => [...termSetTerms.slice(termSetStarts[set], termSetStarts[set + 1])]),
            ];
            if (terms.includes(term)) due.push(slot);
          }
          assert.deepEqual([...segment.postings.of(term)], due);
        }
      }
    }),
    { numRuns: runs(20), interruptAfterTimeLimit: 15_000 },
  );
});

test('4. a bound of a node is never worse than the key or the distance of a slot under it', () => {
  fc.assert(
    fc.property(arbitrarySteps, arbitraryQuery, (steps, drawn) => {
      const searcher = new Searcher(RULES);
      new History((publication) => finish(searcher.show(publication))).play(steps);
      const query = engineQueryOf(drawn);
      const sort = new Sort(query, travelMinutes, NOW);
      const { filter } = searcher.plan({ ...query, words: [] }, NOW);
      for (const segment of searcher.view.segments) {
        const own = filter.in(segment, null);
        const { tree, columns } = segment;
        for (let slot = 0; slot < segment.size; slot += 1) {
          const chord = segment.chordTo(slot, filter.from);
          for (let level = 0; level <= tree.top; level += 1) {
            const node = (tree.levelStarts[level] as number) + Math.floor(slot / TreeShape.slotsOf(level));
            const bound = chordToBox(columns.boxes, node, filter.from);
            assert.ok(bound <= chord);
            assert.ok(sort.boundOf(segment, node, bound) <= sort.keyOf(segment, slot, chord));
            const isWanted = own.acceptsTraits(slot) && own.accepts(slot, chord);
            assert.ok(!isWanted || own.mayHold(node));
            assert.ok(!isWanted || !filter.delivers || bound <= (columns.reaches[node] as number));
          }
        }
      }
    }),
    { numRuns: runs(60), interruptAfterTimeLimit: 15_000 },
  );
});

test('5. compaction changes no page: ties end by store id', () => {
  fc.assert(
    fc.property(arbitrarySteps, fc.array(arbitraryQuery, { minLength: 4, maxLength: 8 }), (steps, queries) => {
      const [searcher, again] = [new Searcher(RULES), new Searcher(RULES)];
      const history = new History((publication) => finish(searcher.show(publication)));
      history.play(steps);
      const other = new Writer(new SegmentMemory(0), LIMITS);
      finish(again.show(loadAll(other, [...history.stores.values()].map(engineRow))));
      const pages = (of: Searcher) => queries.map((query) => searchAllIds(of, engineQueryOf(query), 20));
      const before = pages(searcher);
      assert.deepEqual(pages(again), before);
      for (let next = finish(history.writer.compact()); next !== null; next = finish(history.writer.compact())) {
        finish(searcher.show(next));
        assert.deepEqual(pages(searcher), before);
      }
    }),
    { numRuns: runs(40), interruptAfterTimeLimit: 20_000 },
  );
});

/** All pages of a query, each from the previous page's cursor. */
function searchAllIds(searcher: Searcher, query: ReturnType<typeof engineQueryOf>, size: number): string[] {
  const ids: string[] = [];
  for (let after: Cursor | null = null; ; ) {
    const { hits, next } = searcher.search(query, after, size, NOW);
    ids.push(...hits.map(({ segment, slot }) => segment.ids.at(slot)));
    if (hits.length < size) return ids;
    after = next as Cursor;
  }
}

test('7. a walk over pages shows every store that did not change exactly once, whatever happens between the pages', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryStore, { minLength: 60, maxLength: 300, size: 'max' }),
      arbitraryQuery,
      fc.array(arbitrarySteps, { minLength: 3, maxLength: 6 }),
      (loaded, drawn, histories) => {
        const searcher = new Searcher(RULES);
        const history = new History((publication) => finish(searcher.show(publication)));
        history.play(loaded.map((upsert) => ({ upsert })));
        // A store that appears or disappears may change how a text is interpreted; such pages belong to another search.
        const query = { ...engineQueryOf(drawn), words: [] };
        const before = new Map(history.stores);
        const due = searchAllIds(searcher, query, 20);
        const shown: string[] = [];
        let after: Cursor | null = null;
        for (let page = 0; ; page += 1) {
          const { hits, next } = searcher.search(query, after, 20, NOW);
          shown.push(...hits.map(({ segment, slot }) => segment.ids.at(slot)));
          if (hits.length < 20) break;
          after = next;
          history.play(histories[page] ?? []);
        }
        const lasting = due.filter((id) => history.stores.get(id) === before.get(id));
        const shownLasting = shown.filter((id) => lasting.includes(id));
        // A removed store re-added unchanged is a new object and does not count as lasting.
        assert.deepEqual(shownLasting, lasting);
      },
    ),
    { numRuns: runs(60), interruptAfterTimeLimit: 20_000 },
  );
});

/** Stores anywhere, in three towns, on a few spots, and all on one, which exceeds a segment. */
const arbitrarySpots = (stores: number) => {
  const anywhere = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  const spots = (count: number) =>
    fc
      .tuple(
        fc.array(anywhere, { minLength: count, maxLength: count }),
        fc.array(fc.nat(), { minLength: stores, maxLength: stores }),
      )
      .map(([known, drawn]) => drawn.map((n) => known[n % count] as (typeof known)[number]));
  const towns = fc
    .tuple(spots(3), fc.array(fc.nat(1000), { minLength: stores, maxLength: stores }))
    .map(([known, off]) =>
      known.map(({ latitude, longitude }, n) => {
        const by = (off[n] as number) / 20_000;
        return { latitude: Math.max(-90, latitude - by), longitude: Math.max(-180, longitude - by * 3) };
      }),
    );
  return fc.oneof(fc.array(anywhere, { minLength: stores, maxLength: stores }), towns, spots(1), spots(2), spots(12));
};

/** Numbers of stores around each limit: none, a run, a full range, several of both. */
const AROUND = [0, LIMITS.range, LIMITS.range * 1.25, LIMITS.range * 2, LIMITS.range * 2.5, LIMITS.range * 6];
const arbitraryLoad = fc
  .tuple(fc.constantFrom(...AROUND), fc.integer({ min: -1, max: 1 }))
  .chain(([size, more]) => arbitrarySpots(Math.max(0, size + more)));

const keyOf = ({ latitude, longitude }: Store) => hilbertKey(latitude, longitude);
/** Orders where PostgreSQL may return rows: random, sorted, and such that the first rows are no sample. */
const SEQUENCES: readonly ((stores: readonly Store[]) => readonly Store[])[] = [
  (stores) => stores,
  (stores) => stores.toSorted((a, b) => a.longitude - b.longitude),
  (stores) => stores.toSorted((a, b) => b.latitude - a.latitude),
  (stores) => stores.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  (stores) => stores.toSorted((a, b) => keyOf(a) - keyOf(b)),
  (stores) => stores.toSorted((a, b) => keyOf(b) - keyOf(a)),
  function fromBothEnds(stores) {
    const sorted = stores.toSorted((a, b) => keyOf(a) - keyOf(b));
    return sorted.map((_, n) => sorted.at(n % 2 === 0 ? n / 2 : -(n + 1) / 2) as Store);
  },
];

test('8. a load has every store in any order and at any places, and loses none when all change', () => {
  fc.assert(
    fc.property(arbitraryLoad, fc.nat(SEQUENCES.length - 1), (spots, sequence) => {
      const stores = spots.map((spot, n) => storeOf(`s${n}`, { ...spot, name: `${'ABCDEFG'.charAt(n % 7)}${n % 31}` }));
      const due = stores.map(({ storeId }) => storeId).sort();
      const searcher = new Searcher(RULES);
      const showAll = (writer: Writer, publication: Publication | null) => {
        if (publication === null) return false;
        finish(searcher.show(publication));
        assert.deepEqual(aliveIn(searcher.view).sort(), due);
        assert.equal(writer.liveStores, stores.length);
        for (const { segment, role } of writer.snapshot()) {
          assert.ok(role.level !== 'range' || segment.size <= LIMITS.range * 1.25);
        }
        return true;
      };
      const rows = SEQUENCES[sequence]?.(stores).map(engineRow) ?? [];
      const loading = new Writer(new SegmentMemory(0), LIMITS);
      showAll(loading, loadAll(loading, rows));
      const nearest = searchAllIds(searcher, engineQueryOf(queryOf()), 20);
      const writer = new Writer(new SegmentMemory(0), LIMITS);
      showAll(writer, writer.restore(loading.snapshot().map(({ segment: { data }, role }) => ({ role, data }))));
      assert.deepEqual(searchAllIds(searcher, engineQueryOf(queryOf()), 20), nearest);
      for (const [nth, row] of rows.entries()) {
        writer.upsert(row);
        if (nth % 50 === 0) showAll(writer, writer.flush());
      }
      showAll(writer, writer.flush());
      while (showAll(writer, finish(writer.compact())));
      assert.deepEqual(searchAllIds(searcher, engineQueryOf(queryOf()), 20), nearest);
    }),
    { numRuns: runs(400), interruptAfterTimeLimit: 30_000 },
  );
});

test('a list that is cut to a distance keeps its order and every slot within it', () => {
  fc.assert(
    fc.property(arbitrarySteps, arbitraryStore, fc.constantFrom(0, 1, 25, 500, 5000), (steps, from, miles) => {
      const searcher = new Searcher(RULES);
      new History((publication) => finish(searcher.show(publication))).play(steps);
      const near = { from: unitVectorAt(from.latitude, from.longitude), farthest: chordOfMiles(miles) };
      for (const segment of searcher.view.segments) {
        const { tree, columns, postings, terms } = segment;
        for (let term = 0; term < terms.size; term += 1) {
          const list = [...postings.of(term)];
          const kept = new Set(slotsWithin(tree, columns.boxes, postings.of(term), near));
          assert.deepEqual(
            [...kept],
            list.filter((slot) => kept.has(slot)),
          );
          const isNear = (slot: number) => segment.chordTo(slot, near.from) <= near.farthest;
          assert.ok(list.every((slot) => kept.has(slot) || !isNear(slot)));
        }
      }
    }),
    { numRuns: runs(40), interruptAfterTimeLimit: 10_000 },
  );
});

test('a page that is sought by its rank begins where a walk over the pages comes to it', () => {
  fc.assert(
    fc.property(arbitrarySteps, arbitraryQuery, fc.integer({ min: 1, max: 8 }), (steps, drawn, page) => {
      const searcher = new Searcher(RULES);
      new History((publication) => finish(searcher.show(publication))).play(steps);
      const query = engineQueryOf(drawn);
      const all = searchAllIds(searcher, query, 7);
      const start = finish(searcher.seek(query, page * 7 - 1, NOW));
      const due = all.slice(page * 7, page * 7 + 7);
      if (start === null) assert.deepEqual(due, []);
      else {
        const { hits } = searcher.search(query, start, 7, NOW);
        assert.deepEqual(
          hits.map(({ segment, slot }) => segment.ids.at(slot)),
          due,
        );
      }
    }),
    { numRuns: runs(80), interruptAfterTimeLimit: 15_000 },
  );
});

test('a rank is found in a leaf whose box is wider than the earth', () => {
  const searcher = new Searcher(RULES);
  const stores = Array.from({ length: 12 }, (_, n) =>
    storeOf(`s${n}`, { latitude: n * 14 - 77, longitude: ((n * 150) % 360) - 180 }),
  );
  new History((publication) => finish(searcher.show(publication))).play(stores.map((upsert) => ({ upsert })));
  const query = engineQueryOf(queryOf({ latitude: -50, longitude: 170 }));
  const all = searchAllIds(searcher, query, 20);
  const sought = all.map((_, rank) => finish(searcher.seek(query, rank, NOW))?.storeId);
  assert.equal(all.length, 12);
  assert.deepEqual(sought, all);
});

test('slots are in Hilbert order, and segments of a range have only stores of the range', () => {
  fc.assert(
    fc.property(arbitrarySteps, (steps) => {
      const searcher = new Searcher(RULES);
      const history = new History((publication) => finish(searcher.show(publication)));
      history.play(steps);
      for (const { segment, role } of history.writer.snapshot()) {
        let last = role.level === 'range' ? role.from : 0;
        for (let slot = 0; slot < segment.size; slot += 1) {
          const { degrees } = segment.columns;
          const key = hilbertKey(degrees[slot * 2] as number, degrees[slot * 2 + 1] as number);
          assert.ok(key >= last && (role.level !== 'range' || key < role.end));
          last = key;
        }
      }
    }),
    { numRuns: runs(30), interruptAfterTimeLimit: 10_000 },
  );
});

test('an index that is read from its snapshot answers as before, and takes in changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitrarySteps,
      arbitrarySteps,
      fc.array(arbitraryQuery, { minLength: 3, maxLength: 5 }),
      async (steps, more, queries) => {
        const folder = mkdtempSync(join(tmpdir(), 'doorstep-engine-'));
        try {
          const [searcher, again] = [new Searcher(RULES), new Searcher(RULES)];
          const history = new History((publication) => finish(searcher.show(publication)));
          history.play(steps);
          await writeSnapshot(folder, { name: 'first', facts: { change: 42 }, nowMs: 0 }, history.writer.snapshot());
          const memory = new SegmentMemory(0);
          const restored = new History((publication) => finish(again.show(publication)), memory);
          const found = await findSnapshot(folder);
          assert.deepEqual(found?.facts, { change: 42 });
          const segments = found && (await readSnapshot(folder, found, memory));
          assert.ok(segments);
          finish(again.show(restored.writer.restore(segments)));
          const pages = (of: Searcher) => queries.map((query) => searchAllIds(of, engineQueryOf(query), 20));
          assert.deepEqual(pages(again), pages(searcher));
          history.play(more);
          restored.play(more);
          assert.deepEqual(pages(again), pages(searcher));
        } finally {
          rmSync(folder, { recursive: true });
        }
      },
    ),
    { numRuns: runs(25), interruptAfterTimeLimit: 15_000 },
  );
});

test('a damaged or half-written snapshot is not read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-engine-'));
  const history = new History(() => {});
  history.play(fc.sample(arbitraryStore, { numRuns: 100, seed: 1 }).map((upsert) => ({ upsert })));
  await writeSnapshot(folder, { name: 'first', facts: null, nowMs: 0 }, history.writer.snapshot());
  const read = async () => {
    const found = await findSnapshot(folder);
    return found && readSnapshot(folder, found, new SegmentMemory(0));
  };
  assert.notEqual(await read(), null);
  const files = ['snapshot.json', ...readdirSync(join(folder, 'first')).map((name) => join('first', name))];
  assert.ok(files.length > 1);
  for (const file of files.map((name) => join(folder, name))) {
    const whole = readFileSync(file);
    for (const damaged of [whole.subarray(0, whole.length >> 1), Buffer.alloc(0), Buffer.from(whole).fill(7, 60, 80)]) {
      writeFileSync(file, damaged);
      assert.equal(await read(), null);
    }
    rmSync(file);
    assert.equal(await read(), null);
    writeFileSync(file, whole);
  }
  assert.notEqual(await read(), null);
  const outside = JSON.stringify({ name: '../../etc', facts: null, segments: [] });
  writeFileSync(join(folder, 'snapshot.json'), `${crc32(outside)}\n${outside}`);
  assert.equal(await read(), null);
  rmSync(folder, { recursive: true });
});

test('memory of removed segments is reused only after their last reader', () => {
  const memory = new SegmentMemory(2 ** 24);
  const searcher = new Searcher(RULES);
  const history = new History((publication) => {
    finish(searcher.show(publication));
    history.writer.release(searcher.oldestVersion);
  }, memory);
  const stores = fc.sample(arbitraryStore, { numRuns: 200, seed: 3 });
  history.play(stores.map((upsert) => ({ upsert })));
  const seeking = searcher.seek(engineQueryOf(queryOf()), 3, NOW);
  assert.equal(seeking.next().done, false);
  const { view } = searcher;
  const blocks = new Set(view.segments.map(({ data }) => data.memory));
  for (let round = 0; round < 20; round += 1) {
    history.play([...stores.slice(0, 40).map((upsert) => ({ upsert })), { step: 'compact', steps: 1000 }]);
    for (const segment of searcher.view.segments) {
      assert.ok(view.segments.includes(segment) || !blocks.has(segment.data.memory));
    }
  }
  finish(seeking);
  const [segments, used] = [new Set<number>(), new Set<SharedArrayBuffer>()];
  for (let round = 0; round < 100; round += 1) {
    history.play([...stores.slice(0, 40).map((upsert) => ({ upsert })), { step: 'compact', steps: 1000 }]);
    for (const { id, data } of searcher.view.segments) {
      segments.add(id);
      used.add(data.memory);
    }
  }
  assert.ok(used.size * 4 < segments.size, `${used.size} blocks for ${segments.size} segments`);
});
