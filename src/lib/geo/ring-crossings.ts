import { orient2d } from 'robust-predicates';
import type { Position, Ring } from './area.ts';

/** An edge of a ring, from `at` to `to`, with the edge before it. */
export type Edge = { at: Position; to: Position; before: Edge | null; west: number; east: number };

/**
 * An edge with which the rings of a polygon cross themselves or each other; null where they do not. Rings may touch: at
 * a vertex, at a vertex on an edge, and along edges that run in opposite directions, as where a hole is cut open. Edges
 * that run along each other in one direction count as crossing.
 */
export function crossingEdge(rings: readonly Ring[]): Edge | null {
  const edges = rings.flatMap(edgesOf).sort((one, other) => one.west - other.west);
  for (const [i, edge] of edges.entries()) {
    for (let j = i + 1; j < edges.length; j += 1) {
      const other = edges[j] as Edge;
      if (other.west > edge.east) break;
      if (edgesCross(edge, other)) return edge;
    }
  }
  return null;
}

/** Repeated positions make no edge. */
function edgesOf(ring: Ring): Edge[] {
  const edges: Edge[] = [];
  for (let i = 1; i < ring.length; i += 1) {
    const [at, to] = [ring[i - 1] as Position, ring[i] as Position];
    if (at[0] === to[0] && at[1] === to[1]) continue;
    edges.push({ at, to, before: null, west: Math.min(at[0], to[0]), east: Math.max(at[0], to[0]) });
  }
  for (const [i, edge] of edges.entries()) edge.before = edges.at(i - 1) ?? null;
  return edges;
}

function edgesCross(one: Edge, other: Edge): boolean {
  if (Math.max(one.at[1], one.to[1]) < Math.min(other.at[1], other.to[1])) return false;
  if (Math.max(other.at[1], other.to[1]) < Math.min(one.at[1], one.to[1])) return false;
  const [fromOne, toOne] = [sideOf(other, one.at), sideOf(other, one.to)];
  if (fromOne === 0 && toOne === 0 && runTogether(one, other)) return true;
  // An edge on one side of the other's line does not touch it: most pairs of long edges end here.
  if (fromOne * toOne > 0) return false;
  const [fromOther, toOther] = [sideOf(one, other.at), sideOf(one, other.to)];
  if (fromOther * toOther > 0) return false;
  if (fromOne * toOne < 0 && fromOther * toOther < 0) return true;
  return passesThrough(one, other) || passesThrough(other, one);
}

/** Which side of the edge's line the position is on: 1, -1, or 0 for the line itself. */
function sideOf({ at, to }: Edge, position: Position): number {
  return Math.sign(orient2d(at[0], at[1], to[0], to[1], position[0], position[1]));
}

/** Whether two edges of one line share more than a position, and run in one direction. */
function runTogether(one: Edge, other: Edge): boolean {
  const axis = one.at[0] === one.to[0] ? 1 : 0;
  const [from, to] = [one.at[axis], one.to[axis]];
  const [otherFrom, otherTo] = [other.at[axis], other.to[axis]];
  if (to > from !== otherTo > otherFrom) return false;
  return (
    Math.max(Math.min(from, to), Math.min(otherFrom, otherTo)) <
    Math.min(Math.max(from, to), Math.max(otherFrom, otherTo))
  );
}

/** Whether the ring of `one`, at the vertex where `one` begins, passes from one side of the other ring to its other side. */
function passesThrough(one: Edge, other: Edge): boolean {
  const { at, to, before } = one;
  if (before === null || !isOn(other, at) || same(other.to, at)) return false;
  if (!same(other.at, at)) return sideOf(other, before.at) * sideOf(other, to) < 0;
  if (other.before === null) return false;
  const wedge: Wedge = { at, from: before.at, to };
  const ends = [other.before.at, other.to] as const;
  if (ends.some((end) => isSameRay(at, end, before.at) || isSameRay(at, end, to))) return false;
  return isInWedge(wedge, ends[0]) !== isInWedge(wedge, ends[1]);
}

function isOn(edge: Edge, position: Position): boolean {
  const [x, y] = position;
  return (
    x >= edge.west &&
    x <= edge.east &&
    y >= Math.min(edge.at[1], edge.to[1]) &&
    y <= Math.max(edge.at[1], edge.to[1]) &&
    sideOf(edge, position) === 0
  );
}

/** The directions at a vertex that one meets on the way from `from` to `to`. */
type Wedge = { at: Position; from: Position; to: Position };

function isInWedge({ at, from, to }: Wedge, position: Position): boolean {
  const opening = orientation(at, from, to);
  if (opening === 0 && isSameRay(at, from, to)) return false;
  const [afterFrom, beforeTo] = [orientation(at, from, position) > 0, orientation(at, position, to) > 0];
  if (opening > 0) return afterFrom && beforeTo;
  return opening === 0 ? afterFrom : afterFrom || beforeTo;
}

function isSameRay(at: Position, one: Position, other: Position): boolean {
  if (orientation(at, one, other) !== 0) return false;
  return (
    Math.sign(one[0] - at[0]) === Math.sign(other[0] - at[0]) &&
    Math.sign(one[1] - at[1]) === Math.sign(other[1] - at[1])
  );
}

function orientation(at: Position, from: Position, to: Position): number {
  return orient2d(at[0], at[1], from[0], from[1], to[0], to[1]);
}

function same(one: Position, other: Position): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

/** Whether all positions lie on one line. */
export function isFlat(ring: Ring): boolean {
  const [first] = ring;
  const second = first && ring.find((position) => !same(first, position));
  return !first || !second || ring.every((position) => orientation(first, second, position) === 0);
}
