import type { Area, Ring } from '../../packages/search-engine/geography/area.ts';

/**
 * Point-in-area in exact integers: each double is a multiple of 2^-200. Slow, shares no code with the source, and
 * counts windings instead of crossings.
 */
type ExactPoint = { x: bigint; y: bigint };
type ExactRing = { corners: readonly ExactPoint[]; west: bigint; east: bigint };

const SCALE_BITS = 200;
const TURN = 360n << BigInt(SCALE_BITS);

export type ExactArea = {
  holds(longitude: number, latitude: number): boolean;
  /** Winding number of each ring around the point; null if the point is on the ring. */
  windings(longitude: number, latitude: number): (number | null)[];
};

export function exactArea(area: Area): ExactArea {
  const polygons = area.map((rings) => rings.map(exactRing));
  return {
    holds(longitude, latitude) {
      const [x, y] = [exact(longitude), exact(latitude)];
      const turns = [-2n, -1n, 0n, 1n, 2n].map((turn) => ({ x: x + turn * TURN, y }));
      return polygons.some((rings) => turns.some((point) => isHeld(rings, point)));
    },
    windings(longitude, latitude) {
      const point = { x: exact(longitude), y: exact(latitude) };
      return polygons.flat().map((ring) => windingOf(ring, point));
    },
  };
}

function exactRing(ring: Ring): ExactRing {
  const corners = ring.map(([x, y]): ExactPoint => ({ x: exact(x), y: exact(y) }));
  const xs = corners.map(({ x }) => x).sort((one, other) => (one < other ? -1 : 1));
  return { corners, west: xs.at(0) ?? 0n, east: xs.at(-1) ?? 0n };
}

function isHeld([outline, ...holes]: readonly ExactRing[], point: ExactPoint): boolean {
  const isOdd = (ring: ExactRing): boolean => Math.abs(windingOf(ring, point) ?? 0) % 2 === 1;
  if (outline === undefined) return false;
  if (windingOf(outline, point) !== null && !isOdd(outline)) return false;
  return !holes.some(isOdd);
}

function windingOf({ corners, west, east }: ExactRing, point: ExactPoint): number | null {
  if (point.x < west || point.x > east) return 0;
  let winding = 0;
  for (const [i, to] of corners.entries()) {
    const from = corners[i - 1];
    if (from === undefined) continue;
    const side = (to.x - from.x) * (point.y - from.y) - (point.x - from.x) * (to.y - from.y);
    if (side === 0n && isBetween(from.x, point.x, to.x) && isBetween(from.y, point.y, to.y)) return null;
    if (from.y <= point.y && to.y > point.y && side > 0n) winding += 1;
    if (from.y > point.y && to.y <= point.y && side < 0n) winding -= 1;
  }
  return winding;
}

const isBetween = (one: bigint, value: bigint, other: bigint): boolean =>
  one < other ? one <= value && value <= other : other <= value && value <= one;

/** From the sign, exponent and fraction of the double (IEEE 754). */
function exact(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const shift = (exponent === 0 ? 1 : exponent) - 1075 + SCALE_BITS;
  const whole = exponent === 0 ? fraction : fraction | (1n << 52n);
  if (whole !== 0n && shift < 0) throw new RangeError(`${value} is too near to zero for the oracle.`);
  const scaled = whole << BigInt(Math.max(0, shift));
  return bits >> 63n === 1n ? -scaled : scaled;
}
