import { lowerBound } from 'doorstep/collections';
import type { Columns } from './columns.ts';
import { reachOf } from './delivery.ts';
import type { UnitVector } from './geography/sphere.ts';
import { KINDS, NO_MINUTES } from './store-row.ts';

/** Slots per leaf, and children per inner node. */
export const LEAF_SLOTS = 32;
export const FAN_OUT = 16;

/**
 * The tree over consecutive slots: leaves of 32 slots, nodes of 16 children. A node is a range of slots, so there are
 * no pointers. Nodes are numbered by level, leaves first, root last.
 */
export class TreeShape {
  /** Number of each level's first node, leaves first; the last entry is the number of nodes. */
  readonly levelStarts: readonly number[];
  /** Level of the root; -1 if there are no slots. */
  readonly top: number;
  readonly nodes: number;

  constructor(size: number) {
    const starts = [0];
    let count = Math.ceil(size / LEAF_SLOTS);
    let nodes = count;
    for (; count > 1; nodes += count) {
      starts.push(nodes);
      count = Math.ceil(count / FAN_OUT);
    }
    this.levelStarts = [...starts, nodes];
    this.top = size === 0 ? -1 : starts.length - 1;
    this.nodes = nodes;
  }

  /** Returns the number of slots below a full node of the level. */
  static slotsOf(level: number): number {
    return LEAF_SLOTS * FAN_OUT ** level;
  }

  nodesOf(level: number): number {
    return (this.levelStarts[level + 1] as number) - (this.levelStarts[level] as number);
  }
}

/** Fills the tree's columns bottom-up. A node's limits include every slot below it. */
export function fillTree(columns: Columns, size: number): void {
  const shape = new TreeShape(size);
  for (let node = 0; node < shape.nodes; node += 1) emptyNode(columns, node);
  for (let slot = 0; slot < size; slot += 1) addSlot(columns, Math.floor(slot / LEAF_SLOTS), slot);
  for (let level = 1; level <= shape.top; level += 1) {
    const [below, own] = [shape.levelStarts[level - 1] as number, shape.levelStarts[level] as number];
    for (let child = below; child < own; child += 1) {
      mergeNode(columns, own + Math.floor((child - below) / FAN_OUT), child);
    }
  }
}

function emptyNode(columns: Columns, node: number): void {
  for (let at = 0; at < 6; at += 1) columns.boxes[node * 6 + at] = at % 2 === 0 ? Infinity : -Infinity;
  for (let at = 0; at < 4; at += 1) columns.bounds[node * 4 + at] = at % 2 === 0 ? Infinity : -Infinity;
  columns.reaches[node] = -1;
  columns.nodeKinds[node] = 0;
  columns.nodePrices[node] = 0;
  columns.nodeRatings[node] = 0;
  columns.nodePickupMinutes[node] = NO_MINUTES;
  columns.nodeDeliveryMinutes[node] = NO_MINUTES;
}

function addSlot(columns: Columns, node: number, slot: number): void {
  const { boxes, bounds, points, degrees, traits } = columns;
  for (let axis = 0; axis < 3; axis += 1) widen(boxes, node * 6 + axis * 2, points[slot * 3 + axis] as number);
  for (let axis = 0; axis < 2; axis += 1) widen(bounds, node * 4 + axis * 2, degrees[slot * 2 + axis] as number);
  const trait = traits[slot] as number;
  const start = columns.deliveryStarts[columns.delivery[slot] as number] as number;
  columns.reaches[node] = Math.max(columns.reaches[node] as number, reachOf(columns.deliveries, start));
  columns.nodeKinds[node] = (columns.nodeKinds[node] as number) | (1 << (trait & (KINDS - 1)));
  columns.nodePrices[node] = (columns.nodePrices[node] as number) | (1 << ((trait >>> 5) & 7));
  columns.nodeRatings[node] = Math.max(columns.nodeRatings[node] as number, columns.rating[slot] as number);
  lower(columns.nodePickupMinutes, node, columns.pickupMinutes[slot] as number);
  lower(columns.nodeDeliveryMinutes, node, columns.deliveryMinutes[slot] as number);
}

function mergeNode(columns: Columns, node: number, child: number): void {
  for (let at = 0; at < 6; at += 2) {
    widen(columns.boxes, node * 6 + at, columns.boxes[child * 6 + at] as number);
    widen(columns.boxes, node * 6 + at, columns.boxes[child * 6 + at + 1] as number);
  }
  for (let at = 0; at < 4; at += 2) {
    widen(columns.bounds, node * 4 + at, columns.bounds[child * 4 + at] as number);
    widen(columns.bounds, node * 4 + at, columns.bounds[child * 4 + at + 1] as number);
  }
  columns.reaches[node] = Math.max(columns.reaches[node] as number, columns.reaches[child] as number);
  columns.nodeKinds[node] = (columns.nodeKinds[node] as number) | (columns.nodeKinds[child] as number);
  columns.nodePrices[node] = (columns.nodePrices[node] as number) | (columns.nodePrices[child] as number);
  columns.nodeRatings[node] = Math.max(columns.nodeRatings[node] as number, columns.nodeRatings[child] as number);
  lower(columns.nodePickupMinutes, node, columns.nodePickupMinutes[child] as number);
  lower(columns.nodeDeliveryMinutes, node, columns.nodeDeliveryMinutes[child] as number);
}

function widen(ranges: Float64Array, at: number, value: number): void {
  if (value < (ranges[at] as number)) ranges[at] = value;
  if (value > (ranges[at + 1] as number)) ranges[at + 1] = value;
}

function lower(column: Uint16Array, at: number, value: number): void {
  if (value < (column[at] as number)) column[at] = value;
}

export function chordToBox(boxes: Float64Array, node: number, { x, y, z }: UnitVector): number {
  const at = node * 6;
  const dx = Math.max((boxes[at] as number) - x, x - (boxes[at + 1] as number), 0);
  const dy = Math.max((boxes[at + 2] as number) - y, y - (boxes[at + 3] as number), 0);
  const dz = Math.max((boxes[at + 4] as number) - z, z - (boxes[at + 5] as number), 0);
  return dx * dx + dy * dy + dz * dz;
}

/** Returns an upper bound of the distance of the node's stores. */
export function farthestChordToNode(boxes: Float64Array, node: number, { x, y, z }: UnitVector): number {
  const at = node * 6;
  const dx = Math.max(x - (boxes[at] as number), (boxes[at + 1] as number) - x);
  const dy = Math.max(y - (boxes[at + 2] as number), (boxes[at + 3] as number) - y);
  const dz = Math.max(z - (boxes[at + 4] as number), (boxes[at + 5] as number) - z);
  return dx * dx + dy * dy + dz * dz;
}

/** Returns the slots of a list in leaves that may be within a distance, whose squared chord is `farthest`. */
export function slotsWithin(
  tree: TreeShape,
  boxes: Float64Array,
  slots: Uint32Array,
  { from, farthest }: { from: UnitVector; farthest: number },
): Uint32Array {
  if (farthest === Infinity || slots.length === 0) return slots;
  const found = new Uint32Array(slots.length);
  let count = 0;
  const open = (level: number, node: number, start: number, end: number): void => {
    if (chordToBox(boxes, (tree.levelStarts[level] as number) + node, from) > farthest) return;
    if (level === 0) {
      for (let at = start; at < end; at += 1) found[count + at - start] = slots[at] as number;
      count += end - start;
      return;
    }
    const childSlots = TreeShape.slotsOf(level - 1);
    let at = start;
    for (let child = node * FAN_OUT; at < end; child += 1) {
      const childEnd = lowerBound(slots, (child + 1) * childSlots, at, end);
      if (childEnd > at) open(level - 1, child, at, childEnd);
      at = childEnd;
    }
  };
  open(tree.top, 0, 0, slots.length);
  return found.slice(0, count);
}
