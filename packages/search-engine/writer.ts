import type { SegmentData } from './columns.ts';
import {
  type CompactionLimits,
  type CompactionTask,
  type CopiedPart,
  copySources,
  planCompaction,
  type Range,
  WHOLE_CURVE,
  wholeSegment,
} from './compaction.ts';
import { HILBERT_END } from './hilbert.ts';
import { finish, SegmentBuilder } from './seal.ts';
import { Segment } from './segment.ts';
import type { SegmentMemory } from './segment-memory.ts';
import type { RestoredSegment, SegmentRole } from './snapshot.ts';
import { NO_SLOT } from './store-ids.ts';
import type { StoreRow } from './store-row.ts';

/** A new version: the ids of its segments in order, and the data of new segments. */
export type Publication = { version: number; segments: readonly number[]; added: readonly SegmentData[] };

/** A segment of a snapshot, and its tombstones at that version. */
export type SnapshotPart = { segment: Segment; role: SegmentRole; died: Uint32Array };

type Death = { storeId: string; version: number };

/**
 * Turns changes into versions. `flush` seals the memtable into a small segment and writes tombstones for older slots;
 * `compact` merges small segments into large ones. Single writer; published versions are immutable.
 */
export class Writer {
  private readonly memory: SegmentMemory;
  private readonly limits: CompactionLimits;
  private version = 0;
  private lastId = 0;
  /** Changes since the last version; null for a removed store. */
  private changes = new Map<string, StoreRow | null>();
  private memtable = new Map<string, StoreRow>();
  /** The segment last sealed from the memtable. */
  private fresh: Segment | null = null;
  private frozen: readonly Segment[] = [];
  private young: Segment | null = null;
  private old: Segment | null = null;
  private ranges: readonly Range[] = [WHOLE_CURVE];
  private published: ReadonlySet<number> = new Set();
  /** Tombstones written while a compaction copies; otherwise null. */
  private deaths: Death[] | null = null;
  /** Dropped segments, each with the first version that does not have it. */
  private retired: { segment: Segment; version: number }[] = [];

  constructor(memory: SegmentMemory, limits: CompactionLimits) {
    this.memory = memory;
    this.limits = limits;
  }

  get currentVersion(): number {
    return this.version;
  }

  get hasChanges(): boolean {
    return this.changes.size > 0;
  }

  get liveStores(): number {
    return this.segments().reduce((sum, segment) => sum + segment.liveSlots, 0);
  }

  has(storeId: string): boolean {
    return this.segments().some(({ ids, columns }) => {
      const slot = ids.slotOf(storeId);
      return slot !== NO_SLOT && columns.died[slot] === 0;
    });
  }

  /** Returns the number of frozen segments that wait for compaction. */
  get frozenCount(): number {
    return this.frozen.length;
  }

  upsert(row: StoreRow): void {
    this.changes.set(row.storeId, row);
  }

  remove(storeId: string): void {
    this.changes.set(storeId, null);
  }

  /** Seals the changes into a new version; null if there are none. */
  flush(): Publication | null {
    if (this.changes.size === 0) return null;
    const version = this.version + 1;
    for (const [storeId, row] of this.changes) {
      this.bury(storeId, version);
      if (row === null) this.memtable.delete(storeId);
      else this.memtable.set(storeId, row);
      // Many changes at once, as from an import, become several segments.
      if (this.memtable.size >= this.limits.young) this.freeze();
    }
    this.changes = new Map();
    this.retire(this.fresh, version);
    this.fresh = null;
    if (this.memtable.size >= this.limits.memtable) this.freeze();
    else if (this.memtable.size > 0) this.fresh = this.sealMemtable();
    return this.publish(version);
  }

  /** Performs the most useful rewrite, in steps between which changes may be flushed. Null if none is worth it. */
  *compact(): Generator<void, Publication | null> {
    const { frozen, young, old, ranges } = this;
    const task = planCompaction({ frozen, young, old, ranges }, this.limits);
    if (task === null) return null;
    this.deaths = [];
    const sealed = yield* this.sealParts(copySources(task, this.limits), true);
    const { deaths } = this;
    this.deaths = null;
    const version = this.version + 1;
    for (const segment of sealed.flatMap((part) => part.segment ?? [])) {
      for (const death of deaths) this.buryIn(segment, death.storeId, death.version);
    }
    this.replace(task, sealed, version);
    return this.publish(version);
  }

  /** Starts loading all stores into an empty index. Changes may be applied only after it ends. */
  startLoad(): BulkLoad {
    return new BulkLoad(this.limits.range, this.memory);
  }

  /** Divides the loaded stores into ranges, as a compaction does, and seals them. */
  *finishLoad(load: BulkLoad): Generator<void, Publication> {
    const task = load.mergeRuns();
    const parts = task === null ? [{ ...WHOLE_CURVE, builder: load.builder }] : copySources(task, this.limits);
    const sealed = yield* this.sealParts(parts, false);
    const version = this.version + 1;
    this.replace({ into: 'range', range: WHOLE_CURVE, sources: task?.sources ?? [] }, sealed, version);
    return this.publish(version);
  }

  /** Seals parts one by one, so that one builder is in memory at a time. */
  private *sealParts(parts: Iterable<CopiedPart | null>, isRewritten: boolean): Generator<void, Range[]> {
    const sealed: Range[] = [];
    for (const part of parts) {
      if (part === null) {
        yield;
        continue;
      }
      const { from, end, builder } = part;
      const data = builder.size === 0 ? null : yield* builder.seal(this.nextId(), this.memory);
      sealed.push({ from, end, segment: data && new Segment({ ...data, isRewritten }) });
    }
    return sealed;
  }

  /** Returns the current version with all of its segments, for a thread that has none yet. */
  whole(): Publication {
    const segments = this.segments();
    return { version: this.version, segments: segments.map(({ id }) => id), added: segments.map(({ data }) => data) };
  }

  /** Releases versions below this one, which no reader uses, so that memory only they used can be reused. */
  release(oldestVersion: number): void {
    const free = this.retired.filter(({ version }) => version <= oldestVersion);
    this.retired = this.retired.filter(({ version }) => version > oldestVersion);
    if (free.length === 0) return;
    const usedBytes = this.segments().reduce((sum, { data }) => sum + data.memory.byteLength, 0);
    this.memory.release(
      free.map(({ segment }) => segment.data.memory),
      usedBytes,
    );
  }

  /** Returns the segments of the current version with their tombstones. Releasing the version ends their use. */
  snapshot(): SnapshotPart[] {
    const parts = (segment: Segment | null, role: SegmentRole): SnapshotPart[] =>
      segment === null ? [] : [{ segment, role, died: segment.columns.died.slice() }];
    return [
      ...this.ranges.flatMap(({ from, end, segment }) => parts(segment, { level: 'range', from, end })),
      ...parts(this.old, { level: 'old' }),
      ...parts(this.young, { level: 'young' }),
      ...[...this.frozen, this.fresh].flatMap((segment) => parts(segment, { level: 'frozen' })),
    ];
  }

  /** Restores a snapshot's segments, numbered from 1, into an empty index. */
  restore(restored: readonly RestoredSegment[]): Publication {
    this.lastId = restored.length;
    const ranges: Range[] = [];
    for (const { role, data } of restored) {
      const segment = new Segment(data);
      segment.tombstones = segment.columns.died.reduce((sum, died) => sum + (died === 0 ? 0 : 1), 0);
      if (role.level === 'range') ranges.push({ from: role.from, end: role.end, segment });
      else if (role.level === 'frozen') this.frozen = [...this.frozen, segment];
      else this[role.level] = segment;
    }
    this.ranges = coverCurve(ranges);
    return this.publish(1);
  }

  /** Writes a tombstone for a store's slot in any segment but the fresh one, which is sealed again. */
  private bury(storeId: string, version: number): void {
    for (const segment of this.segments()) {
      if (segment !== this.fresh && this.buryIn(segment, storeId, version)) {
        this.deaths?.push({ storeId, version });
        return;
      }
    }
  }

  private buryIn(segment: Segment, storeId: string, version: number): boolean {
    const slot = segment.ids.slotOf(storeId);
    if (slot === NO_SLOT || segment.columns.died[slot] !== 0) return false;
    segment.columns.died[slot] = version;
    segment.tombstones += 1;
    return true;
  }

  private replace(task: CompactionTask, sealed: readonly Range[], version: number): void {
    const rewritten = new Set<Segment>();
    for (const { segment, from, end } of task.sources) {
      // Part of the old segment moves to a range; the rest stays.
      if (task.into === 'range' && segment === this.old) this.buryAll(segment, from, end, version);
      else rewritten.add(segment);
    }
    for (const segment of rewritten) this.retire(segment, version);
    const first = sealed[0]?.segment ?? null;
    if (task.into === 'range') {
      this.ranges = this.ranges.flatMap((range) => (range === task.range ? sealed : [range]));
      return;
    }
    this.frozen = this.frozen.filter((segment) => !rewritten.has(segment));
    if (task.into === 'young') this.young = first;
    else [this.young, this.old] = [null, first];
  }

  private buryAll(segment: Segment, from: number, end: number, version: number): void {
    const { died } = segment.columns;
    for (let slot = from; slot < end; slot += 1) {
      if (died[slot] !== 0) continue;
      died[slot] = version;
      segment.tombstones += 1;
    }
  }

  private sealMemtable(): Segment {
    const builder = new SegmentBuilder();
    for (const row of this.memtable.values()) builder.add(row);
    return new Segment(finish(builder.seal(this.nextId(), this.memory)));
  }

  private freeze(): void {
    this.frozen = [...this.frozen, this.sealMemtable()];
    this.memtable = new Map();
  }

  private retire(segment: Segment | null, version: number): void {
    if (segment !== null) this.retired.push({ segment, version });
  }

  private segments(): Segment[] {
    const ranges = this.ranges.map(({ segment }) => segment);
    return [...ranges, this.old, this.young, ...this.frozen, this.fresh].filter((segment) => segment !== null);
  }

  private publish(version: number): Publication {
    const segments = this.segments();
    const added = segments.filter(({ id }) => !this.published.has(id)).map(({ data }) => data);
    this.published = new Set(segments.map(({ id }) => id));
    this.version = version;
    return { version, segments: [...this.published], added };
  }

  private nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }
}

/** Returns the ranges, with empty ranges in the gaps between them. */
function coverCurve(ranges: readonly Range[]): Range[] {
  const covered: Range[] = [];
  let from = 0;
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    if (range.from > from) covered.push({ from, end: range.from, segment: null });
    covered.push(range);
    from = range.end;
  }
  return from < HILBERT_END ? [...covered, { from, end: HILBERT_END, segment: null }] : covered;
}

/**
 * Loads all stores of an index, in any order. Seals them in runs as they are read, and divides the curve once all
 * are known: neither the first rows nor an estimate show how many stores there are and where.
 */
export class BulkLoad {
  builder = new SegmentBuilder();
  private readonly runSize: number;
  private readonly memory: SegmentMemory;
  private readonly runs: Segment[] = [];

  constructor(runSize: number, memory: SegmentMemory) {
    this.runSize = runSize;
    this.memory = memory;
  }

  add(row: StoreRow): void {
    if (this.builder.size === this.runSize) this.endRun();
    this.builder.add(row);
  }

  /** Returns the merge of all runs into ranges; null if all stores are in one builder. */
  mergeRuns(): CompactionTask | null {
    if (this.runs.length === 0) return null;
    this.endRun();
    return { into: 'range', range: WHOLE_CURVE, sources: this.runs.flatMap(wholeSegment) };
  }

  /** Seals the current run. It is in no version, so its id is never used. */
  private endRun(): void {
    this.runs.push(new Segment(finish(this.builder.seal(0, this.memory))));
    this.builder = new SegmentBuilder();
  }
}
