import { grownFloat64, grownInt32, grownUint8, grownUint32 } from '../../lib/columns/grow.ts';
import { unitVectorAt } from '../../lib/geo/sphere.ts';
import { type Cell, narrow, sideOf } from './halved-cell.ts';
import { addToSummary, emptySummary, grownSummaries, newSummaries } from './nodes/node-summaries.ts';
import { refreshLeaf, refreshNodes } from './nodes/refresh-nodes.ts';
import { putSlotTraits, WORDS_OF_SLOT } from './nodes/slot-traits.ts';
import {
  BLOCK_SIZE,
  type DeliveryRange,
  emptyBox,
  NO_REACH,
  NONE,
  ordinalAt,
  putRange,
  rangeAt,
  SEGMENT_BLOCKS,
  SLOT_BITS,
  SLOT_MASK,
  type SpatialTree,
  widenNode,
} from './spatial-tree.ts';
import type { StoreTraits } from './store-columns.ts';

/** Halvings of latitude and longitude together: the last cells are a centimetre wide, and may then overflow. */
const MAX_DEPTH = 64;

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
  readonly columns: StoreTraits;
  /** Number of insertions, removals and changes of a range or trait so far. */
  changes: number;
  insert(ordinal: number, latitude: number, longitude: number, range: DeliveryRange): void;
  remove(ordinal: number): void;
  /** Takes in the range of a store, and its traits where they have changed. */
  change(ordinal: number, range: DeliveryRange, hasNewTraits: boolean): void;
  rangeOf(ordinal: number): DeliveryRange;
};

/** `columns` has the traits of a store before the store is inserted. */
export function createSpatialIndex(columns: StoreTraits): SpatialIndex {
  let nodes = 0;
  let blocks = 0;
  let freeBlock = NONE;
  let leafCounts = new Uint32Array(64);
  let leafOfBlock = new Uint32Array(64);
  const path = new Uint32Array(MAX_DEPTH + 1);

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
    vectors: new Float64Array(1024 * 3),
    slotOf: new Uint32Array(1024),
    latitudes: new Float64Array(1024),
    longitudes: new Float64Array(1024),
    columns,
    changes: 0,
    insert,
    remove,
    change,
    rangeOf: (ordinal) => rangeAt(tree, tree.slotOf[ordinal] as number),
  };
  addNode();

  function addNode(): number {
    const node = nodes;
    nodes += 1;
    if (nodes > tree.firstChild.length) {
      tree.firstChild = grownInt32(tree.firstChild, nodes);
      tree.firstBlock = grownInt32(tree.firstBlock, nodes);
      tree.boxes = grownFloat64(tree.boxes, tree.firstChild.length * 6);
      tree.bounds = grownFloat64(tree.bounds, tree.firstChild.length * 4);
      tree.reaches = grownFloat64(tree.reaches, tree.firstChild.length);
      tree.summaries = grownSummaries(tree.summaries, tree.firstChild.length);
      leafCounts = grownUint32(leafCounts, nodes);
    }
    tree.firstChild[node] = NONE;
    tree.firstBlock[node] = NONE;
    tree.reaches[node] = NO_REACH;
    emptySummary(tree.summaries, node);
    emptyBox(tree, node);
    return node;
  }

  function addBlock(leaf: number): number {
    let block = freeBlock;
    if (block !== NONE) freeBlock = tree.nextBlock[block] as number;
    else {
      block = blocks;
      blocks += 1;
      growBlocks();
    }
    tree.blockSizes[block] = 0;
    tree.nextBlock[block] = tree.firstBlock[leaf] as number;
    tree.firstBlock[leaf] = block;
    leafOfBlock[block] = leaf;
    return block;
  }

  function growBlocks(): void {
    if (blocks > tree.points.length * SEGMENT_BLOCKS) {
      tree.points.push(new Float64Array(SEGMENT_BLOCKS * BLOCK_SIZE * 3));
      tree.ordinals.push(new Uint32Array(SEGMENT_BLOCKS * BLOCK_SIZE));
      tree.ranges.push(new Float32Array(SEGMENT_BLOCKS * BLOCK_SIZE * 2));
      tree.traits.push(new Uint32Array(SEGMENT_BLOCKS * BLOCK_SIZE * WORDS_OF_SLOT));
    }
    if (blocks <= tree.blockSizes.length) return;
    tree.blockSizes = grownUint8(tree.blockSizes, blocks);
    tree.nextBlock = grownInt32(tree.nextBlock, blocks);
    leafOfBlock = grownUint32(leafOfBlock, blocks);
  }

  function releaseBlock(block: number): void {
    tree.nextBlock[block] = freeBlock;
    freeBlock = block;
  }

  function insert(ordinal: number, latitude: number, longitude: number, range: DeliveryRange): void {
    if (ordinal >= tree.slotOf.length) {
      tree.slotOf = grownUint32(tree.slotOf, ordinal + 1);
      tree.latitudes = grownFloat64(tree.latitudes, ordinal + 1);
      tree.longitudes = grownFloat64(tree.longitudes, ordinal + 1);
      tree.vectors = grownFloat64(tree.vectors, tree.longitudes.length * 3);
    }
    tree.changes += 1;
    tree.latitudes[ordinal] = latitude;
    tree.longitudes[ordinal] = longitude;
    const { x, y, z } = unitVectorAt(latitude, longitude);
    const cell: Cell = { south: -90, north: 90, west: -180, east: 180 };
    for (let node = 0, depth = 0; ; depth += 1) {
      widenNode(tree, node, { x, y, z }, { latitude, longitude });
      tree.reaches[node] = Math.max(tree.reaches[node] as number, Math.fround(range.reach));
      addToSummary(tree.summaries, node, columns, ordinal);
      if (tree.firstChild[node] === NONE) {
        if ((leafCounts[node] as number) < BLOCK_SIZE || depth >= MAX_DEPTH) {
          addToLeaf(node, ordinal, range, x, y, z);
          return;
        }
        split(node, depth, cell);
      }
      node = (tree.firstChild[node] as number) + narrow(cell, depth, latitude, longitude);
    }
  }

  function addToLeaf(leaf: number, ordinal: number, range: DeliveryRange, x: number, y: number, z: number): void {
    let block = tree.firstBlock[leaf] as number;
    if (block === NONE || tree.blockSizes[block] === BLOCK_SIZE) block = addBlock(leaf);
    const size = tree.blockSizes[block] as number;
    const at = block * BLOCK_SIZE + size;
    tree.blockSizes[block] = size + 1;
    put(at, ordinal, range, x, y, z);
    leafCounts[leaf] = (leafCounts[leaf] as number) + 1;
  }

  function put(at: number, ordinal: number, range: DeliveryRange, x: number, y: number, z: number): void {
    const points = tree.points[at >>> SLOT_BITS] as Float64Array;
    const within = at & SLOT_MASK;
    (tree.ordinals[at >>> SLOT_BITS] as Uint32Array)[within] = ordinal;
    putRange(tree, at, range);
    points[within * 3] = x;
    points[within * 3 + 1] = y;
    points[within * 3 + 2] = z;
    tree.vectors[ordinal * 3] = x;
    tree.vectors[ordinal * 3 + 1] = y;
    tree.vectors[ordinal * 3 + 2] = z;
    putSlotTraits(tree, at, columns, ordinal);
    tree.slotOf[ordinal] = at;
  }

  /** A leaf is split when it has exactly one full block. */
  function split(leaf: number, depth: number, cell: Cell): void {
    const block = tree.firstBlock[leaf] as number;
    const first = addNode();
    addNode();
    tree.firstChild[leaf] = first;
    tree.firstBlock[leaf] = NONE;
    leafCounts[leaf] = 0;
    for (let i = 0; i < BLOCK_SIZE; i += 1) {
      const ordinal = ordinalAt(tree, block * BLOCK_SIZE + i);
      const latitude = tree.latitudes[ordinal] as number;
      const longitude = tree.longitudes[ordinal] as number;
      const { x, y, z } = unitVectorAt(latitude, longitude);
      const child = first + sideOf(cell, depth, latitude, longitude);
      widenNode(tree, child, { x, y, z }, { latitude, longitude });
      addToLeaf(child, ordinal, rangeAt(tree, block * BLOCK_SIZE + i), x, y, z);
    }
    releaseBlock(block);
    for (const child of [first, first + 1]) refreshLeaf(tree, columns, child);
  }

  function change(ordinal: number, range: DeliveryRange, hasNewTraits: boolean): void {
    const at = tree.slotOf[ordinal] as number;
    const { core, reach } = rangeAt(tree, at);
    const isSameRange = core === Math.fround(range.core) && reach === Math.fround(range.reach);
    if (isSameRange && !hasNewTraits) return;
    tree.changes += 1;
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
    tree.changes += 1;
    const at = tree.slotOf[ordinal] as number;
    const leaf = leafOfBlock[Math.floor(at / BLOCK_SIZE)] as number;
    const block = tree.firstBlock[leaf] as number;
    const size = (tree.blockSizes[block] as number) - 1;
    const last = block * BLOCK_SIZE + size;
    const moved = ordinalAt(tree, last);
    const { x, y, z } = unitVectorAt(tree.latitudes[moved] as number, tree.longitudes[moved] as number);
    put(at, moved, rangeAt(tree, last), x, y, z);
    tree.blockSizes[block] = size;
    leafCounts[leaf] = (leafCounts[leaf] as number) - 1;
    if (size === 0) {
      tree.firstBlock[leaf] = tree.nextBlock[block] as number;
      releaseBlock(block);
      if (leafCounts[leaf] === 0) emptyBox(tree, leaf);
    }
    refreshAbove(ordinal);
  }

  return tree;
}
