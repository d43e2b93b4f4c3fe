import { grownFloat64, grownUint32 } from '../../lib/columns/grow.ts';
import { unitVectorAt } from '../../lib/geo/sphere.ts';
import { buildTree } from './build-tree.ts';
import {
  createWaitingStores,
  type InsertedStores,
  rangeIn,
  WAITS,
  type WaitingStores,
} from './cold-loads/waiting-stores.ts';
import { createRecentChanges } from './groups/recent-changes.index.ts';
import { MAX_HALVINGS } from './halved-cell.ts';
import { cellKeyOf } from './nodes/cell-key.ts';
import { insertStore } from './nodes/insert-store.ts';
import { newSummaries } from './nodes/node-summaries.ts';
import { createNodeTallies } from './nodes/node-tallies.index.ts';
import { createRatedSlots } from './nodes/rated-slots.index.ts';
import { refreshNodes } from './nodes/refresh-nodes.ts';
import { putSlotTraits } from './nodes/slot-traits.ts';
import { type DeliveryRange, emptyBox, putRange, rangeAt, type SpatialTree } from './spatial-tree.ts';
import type { StoreTraits } from './store-columns.ts';
import { createTreeLeaves, lastOf } from './tree-leaves.ts';

/** In place of the slot of an ordinal without a store. */
const IS_NOT_HERE = 0xfffffffe;

/**
 * Stores by coordinate: a tree of halved latitude-longitude cells whose leaves hold small blocks of stores. Distances
 * are bounded by the box of the unit vectors that each node holds, so neither a pole nor the antimeridian is special. A
 * store that comes or goes touches one path from the root: nothing is ever rebuilt.
 *
 * All arrays are replaced when they grow: a search takes them from the index each time.
 */
export type SpatialIndex = SpatialTree & {
  /** By ordinal: the slot of the store, and its coordinate as it was given, in degrees. */
  slotOf: Uint32Array;
  latitudes: Float64Array;
  longitudes: Float64Array;
  /** By ordinal, 3 numbers: the unit vector of the store. A scan of scattered stores misses the cache once for each. */
  vectors: Float64Array;
  /** By ordinal: the number of the cell that the store lies in (`cellKeyOf`). */
  cellKeys: Uint32Array;
  readonly columns: StoreTraits;
  insert(ordinal: number, latitude: number, longitude: number, range: DeliveryRange): void;
  /** Inserts new stores, whose ordinals follow each other. */
  insertAll(first: number, stores: InsertedStores): void;
  /** Makes room for so many stores in all. */
  reserve(stores: number): void;
  remove(ordinal: number): void;
  /** Takes in the range of a store, and its traits where they have changed. */
  change(ordinal: number, range: DeliveryRange, hasNewTraits: boolean): void;
  rangeOf(ordinal: number): DeliveryRange;
  /** Begins the load of an empty index: stores that come wait, and no search is possible until `finishLoad` has ended. */
  beginLoad(): void;
  /** Builds the tree of the stores that wait, in steps; ends at once where no load is under way. */
  finishLoad(): Generator<void, void>;
};

/**
 * `columns` has the traits of a store before the store is inserted. `changes` hears of each store that comes or goes, or gets
 * another range or trait.
 */
export function createSpatialIndex(columns: StoreTraits, changes = createRecentChanges()): SpatialIndex {
  const path = new Uint32Array(MAX_HALVINGS + 1);
  /** Null where nothing is loaded. */
  let waiting: WaitingStores | null = null;
  /** The end of the load, once begun: each caller of `finishLoad` and each change of a store goes on with the same end. */
  let finishing: Generator<void, void> | undefined;

  const tree: SpatialIndex = {
    firstChild: new Int32Array(64),
    firstBlock: new Int32Array(64),
    boxes: new Float64Array(64 * 6),
    bounds: new Float64Array(64 * 4),
    reaches: new Float64Array(64),
    summaries: newSummaries(64),
    blockSizes: new Uint8Array(64),
    nextBlock: new Int32Array(64),
    points: [],
    ordinals: [],
    ranges: [],
    traits: [],
    ratedSlots: null,
    tallies: null,
    vectors: new Float64Array(1024 * 3),
    cellKeys: new Uint32Array(1024),
    slotOf: new Uint32Array(1024),
    latitudes: new Float64Array(1024),
    longitudes: new Float64Array(1024),
    columns,
    insert,
    insertAll,
    reserve(stores) {
      if (stores > tree.slotOf.length) grow(stores - 1);
    },
    remove,
    change,
    rangeOf: (ordinal) => rangeAt(tree, tree.slotOf[ordinal] as number),
    beginLoad() {
      tree.slotOf.fill(IS_NOT_HERE);
      waiting = createWaitingStores(tree.slotOf.length);
    },
    finishLoad() {
      finishing ??= finish();
      return finishing;
    },
  };
  tree.ratedSlots = createRatedSlots(tree);
  tree.tallies = createNodeTallies(tree);
  const leaves = createTreeLeaves(tree);
  leaves.addNode();

  function insert(ordinal: number, latitude: number, longitude: number, range: DeliveryRange): void {
    const isWaiting = isLoading();
    if (ordinal >= tree.slotOf.length) grow(ordinal);
    if (isWaiting) changes.noteMany();
    else changes.note(ordinal);
    tree.latitudes[ordinal] = latitude;
    tree.longitudes[ordinal] = longitude;
    tree.cellKeys[ordinal] = cellKeyOf(latitude, longitude);
    if (isWaiting) wait(ordinal, range);
    else insertStore(tree, leaves, ordinal, range);
  }

  function insertAll(first: number, { latitudes, longitudes, ranges }: InsertedStores): void {
    const stores = latitudes.length;
    if (!isLoading() || waiting === null) {
      for (let at = 0; at < stores; at += 1)
        insert(first + at, latitudes[at] as number, longitudes[at] as number, rangeIn(ranges, at));
      return;
    }
    if (first + stores > tree.slotOf.length) grow(first + stores - 1);
    changes.noteMany();
    tree.latitudes.set(latitudes, first);
    tree.longitudes.set(longitudes, first);
    for (let at = 0; at < stores; at += 1)
      tree.cellKeys[first + at] = cellKeyOf(latitudes[at] as number, longitudes[at] as number);
    tree.slotOf.fill(WAITS, first, first + stores);
    waiting.setAll(first, ranges);
  }

  function grow(ordinal: number): void {
    const known = tree.slotOf.length;
    tree.slotOf = grownUint32(tree.slotOf, ordinal + 1).fill(IS_NOT_HERE, known);
    tree.latitudes = grownFloat64(tree.latitudes, ordinal + 1);
    tree.longitudes = grownFloat64(tree.longitudes, ordinal + 1);
    tree.vectors = grownFloat64(tree.vectors, tree.longitudes.length * 3);
    tree.cellKeys = grownUint32(tree.cellKeys, tree.longitudes.length);
    waiting?.reserve(tree.slotOf.length);
  }

  function wait(ordinal: number, range: DeliveryRange): void {
    tree.slotOf[ordinal] = WAITS;
    waiting?.set(ordinal, range);
  }

  /** A load whose end has begun ends here. */
  function isLoading(): boolean {
    if (waiting !== null && finishing !== undefined) for (const _step of finishing);
    return waiting !== null;
  }

  function* finish(): Generator<void, void> {
    if (waiting === null) return;
    const { rangeOf } = waiting;
    yield* buildTree(tree, { leaves, ordinals: waiting.ordinalsIn(tree.slotOf), rangeOf });
    waiting = null;
    // Otherwise the first far page would make all tallies.
    yield* tree.tallies?.make() ?? [];
  }

  function change(ordinal: number, range: DeliveryRange, hasNewTraits: boolean): void {
    if (isLoading()) {
      wait(ordinal, range);
      return;
    }
    const at = tree.slotOf[ordinal] as number;
    const { core, reach } = rangeAt(tree, at);
    const isSameRange = core === Math.fround(range.core) && reach === Math.fround(range.reach);
    if (isSameRange && !hasNewTraits) return;
    changes.note(ordinal);
    putRange(tree, at, range);
    putSlotTraits(tree, at, columns, ordinal);
    refreshAbove(ordinal);
  }

  function refreshAbove(ordinal: number): void {
    const [latitude, longitude] = [tree.latitudes[ordinal] as number, tree.longitudes[ordinal] as number];
    refreshNodes(tree, columns, { latitude, longitude }, path);
  }

  /** The last store of the leaf's first block moves to the slot that becomes free. */
  function remove(ordinal: number): void {
    const isWaiting = isLoading();
    changes.note(ordinal);
    const at = tree.slotOf[ordinal] as number;
    tree.slotOf[ordinal] = IS_NOT_HERE;
    if (isWaiting) return;
    const leaf = leaves.leafOf(at);
    const last = lastOf(tree, leaf);
    if (last.ordinal !== ordinal) {
      const vector = unitVectorAt(tree.latitudes[last.ordinal] as number, tree.longitudes[last.ordinal] as number);
      leaves.put(at, last.ordinal, rangeAt(tree, last.slot), vector);
    }
    leaves.dropLast(leaf);
    if (leaves.countOf(leaf) === 0) emptyBox(tree, leaf);
    refreshAbove(ordinal);
  }

  return tree;
}
