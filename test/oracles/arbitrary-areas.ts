import fc from 'fast-check';
import type { Area, LongitudeLatitude, Ring } from '../../packages/search-engine/geography/area.ts';

/** Areas of every kind, and points near their edges. */

const SEAM_STEPS = 16;

/** A coarse grid makes coordinates coincide often; unsnapped ones almost never do. */
const arbitrarySnap = fc.constantFrom(0, 1 / 4, 1 / 1024);

const snapped = (value: number, step: number): number => (step === 0 ? value : Math.round(value / step) * step);

/** A star-shaped ring around a center; valid unless snapping moves a corner past another. */
function starOf(corners: readonly { angle: number; radius: number }[], center: LongitudeLatitude, step: number): Ring {
  const sorted = [...corners].sort((one, other) => one.angle - other.angle);
  const ring = sorted.map(({ angle, radius }): LongitudeLatitude => {
    return [snapped(center[0] + radius * Math.cos(angle), step), snapped(center[1] + radius * Math.sin(angle), step)];
  });
  return [...ring, ring[0] as LongitudeLatitude];
}

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const arbitraryCorners = fc.array(fc.record({ angle: degrees(0.001, 6.28), radius: degrees(0.5, 9) }), {
  minLength: 3,
  maxLength: 24,
  size: 'max',
});
const arbitraryCenter = fc.tuple(degrees(-165, 165), degrees(-75, 75));

/** Outlines of one or two polygons, with and without a hole of the same shape. */
const arbitraryStars: fc.Arbitrary<Area> = fc
  .array(fc.tuple(arbitraryCorners, arbitraryCenter, arbitrarySnap, fc.constantFrom(null, 0.25, 0.5)), {
    minLength: 1,
    maxLength: 2,
  })
  .map((polygons) =>
    polygons.map(([corners, center, step, shrunk]) => {
      const outline = starOf(corners, center, step);
      if (shrunk === null) return [outline];
      const smaller = corners.map(({ angle, radius }) => ({ angle, radius: radius * shrunk }));
      return [outline, starOf(smaller, center, step).toReversed()];
    }),
  );

/** Rings on a few grid points: self-crossing, touching, doubling back, collinear, and with zero-length edges. */
export const arbitraryGridRing: fc.Arbitrary<Ring> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })), { minLength: 3, maxLength: 9 })
  .map((ring) => [...ring, ring[0] as LongitudeLatitude]);

const arbitraryTangles: fc.Arbitrary<Area> = fc
  .array(fc.array(arbitraryGridRing, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
  .map((area) => area);

/** One area across the antimeridian in three forms: split at ±180, past 180, past -180. */
export type SeamForms = { split: Area; pastEast: Area; pastWest: Area };

/** Columns from west to east of the antimeridian, each from a southern to a northern latitude. */
export const arbitrarySeam: fc.Arbitrary<SeamForms> = fc
  .tuple(
    fc.integer({ min: 1, max: SEAM_STEPS }),
    fc.integer({ min: 1, max: SEAM_STEPS }),
    fc.array(fc.tuple(degrees(40, 50), degrees(50.5, 60)), {
      minLength: 2 * SEAM_STEPS + 1,
      maxLength: 2 * SEAM_STEPS + 1,
    }),
    fc.constantFrom(1 / 4, 5 / 8, 3),
  )
  .map(([west, east, columns, width]) => {
    const between = (from: number, to: number, offset: number): Ring => {
      const steps = Array.from({ length: to - from + 1 }, (_, i) => from + i);
      const at = (step: number, side: 0 | 1): LongitudeLatitude => {
        return [offset + step * width, (columns[step + SEAM_STEPS] as [number, number])[side]];
      };
      const ring = [...steps.map((step) => at(step, 0)), ...steps.toReversed().map((step) => at(step, 1))];
      return [...ring, ring[0] as LongitudeLatitude];
    };
    return {
      split: [[between(-west, 0, 180)], [between(0, east, -180)]],
      pastEast: [[between(-west, east, 180)]],
      pastWest: [[between(-west, east, -180)]],
    };
  });

export const arbitraryArea: fc.Arbitrary<Area> = fc.oneof(arbitraryStars, arbitraryTangles);

/** Picks a point: a fraction of the area's box, or a corner or edge and a step alongside it. */
type Pick = {
  kind: 'corner' | 'edge' | 'line' | 'row' | 'box';
  n: number;
  at: number;
  across: number;
  nudge: LongitudeLatitude;
};

export const arbitraryPicks: fc.Arbitrary<Pick[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('corner', 'edge', 'line', 'row', 'box'),
    n: fc.nat(1000),
    at: fc.oneof(fc.constantFrom(0.5, 0.25, 0.75), degrees(0, 1)),
    across: degrees(-0.1, 1.1),
    nudge: fc.tuple(fc.constantFrom(0, 0, 1, -1), fc.constantFrom(0, 0, 1, -1)),
  }),
  { minLength: 60, maxLength: 60, size: 'max' },
);

/** The picked point, with its longitude within ±180. */
export function pointOf(area: Area, { kind, n, at, across, nudge }: Pick): LongitudeLatitude {
  const ring = area.flat()[n % area.flat().length] as Ring;
  const i = 1 + (n % (ring.length - 1));
  const [from, to] = [ring[i - 1] as LongitudeLatitude, ring[i] as LongitudeLatitude];
  const along = (share: number): LongitudeLatitude => [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
  ];
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  const x = Math.min(...xs) + (Math.max(...xs) - Math.min(...xs)) * across;
  const y = Math.min(...ys) + (Math.max(...ys) - Math.min(...ys)) * at;
  const points = { corner: from, edge: along(at), line: along(at * 3 - 1), row: [x, from[1]], box: [x, y] } as const;
  const [longitude, latitude] = points[kind];
  const turned = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
  return [beside(turned, nudge[0]), beside(latitude, nudge[1])];
}

/** The next double up or down; values below the source's resolution become 0. */
function beside(value: number, step: number): number {
  if (Math.abs(value) < 1e-30) return 0;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(step));
  return view.getFloat64(0);
}
