import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  arbitraryArea,
  arbitraryGridRing,
  arbitraryPicks,
  arbitrarySeam,
  pointOf,
} from '../../../test/oracles/arbitrary-areas.ts';
import { exactArea } from '../../../test/oracles/exact-area.ts';
import { runs } from '../../../test/runs.ts';
import { type Area, areaFaults, type LongitudeLatitude, type Ring } from './area.ts';
import { areaContains, packAreas, packedAreasContain } from './packed-areas.ts';

const SQUARE: Ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
];

const closedRing = (...positions: readonly LongitudeLatitude[]): Ring => [
  ...positions,
  positions[0] as LongitudeLatitude,
];

test('an area contains a point exactly when integer arithmetic says so, on edges and next to them too', (t) => {
  let [points, held, onEdge] = [0, 0, 0];
  fc.assert(
    fc.property(arbitraryArea, arbitraryPicks, (area, picks) => {
      const exact = exactArea(area);
      const packed = packAreas([area]);
      for (const pick of picks) {
        const [longitude, latitude] = pointOf(area, pick);
        const expected = exact.holds(longitude, latitude);
        assert.equal(areaContains(area, longitude, latitude), expected, `[${longitude}, ${latitude}]`);
        assert.equal(
          packedAreasContain(packed, 0, longitude, latitude),
          expected,
          `packed, [${longitude}, ${latitude}]`,
        );
        points += 1;
        if (expected) held += 1;
        if (exact.windings(longitude, latitude).includes(null)) onEdge += 1;
      }
    }),
    { numRuns: runs(1500) },
  );
  t.diagnostic(`${points} points, ${held} of them inside, ${onEdge} on an edge`);
  assert.ok(points >= runs(90_000) && held > points / 5 && held < (points * 4) / 5 && onEdge > points / 5);
});

/** True if a ring passes twice between the same two adjacent grid points of whole degrees, in either direction. */
function runsAlongItself(ring: Ring): boolean {
  const steps = ring.slice(1).flatMap(([toX, toY], i) => {
    const [x, y] = ring[i] as LongitudeLatitude;
    const count = greatestDivisor(Math.abs(toX - x), Math.abs(toY - y));
    const [stepX, stepY] = [(toX - x) / count, (toY - y) / count];
    return Array.from({ length: count }, (_, n) => [2 * x + (2 * n + 1) * stepX, 2 * y + (2 * n + 1) * stepY].join());
  });
  return new Set(steps).size < steps.length;
}

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);

test('no ring of a valid area winds around a point twice: even and odd tell outside from inside', (t) => {
  let [valid, faulty] = [0, 0];
  const arbitraryRing = arbitraryGridRing.filter((ring) => !runsAlongItself(ring));
  fc.assert(
    fc.property(arbitraryRing, (ring) => {
      const isValid = areaFaults([[ring]]).length === 0;
      if (isValid) valid += 1;
      else faulty += 1;
      const exact = exactArea([[ring]]);
      for (let n = 0; n < 64 && isValid; n += 1) {
        const [winding] = exact.windings((n % 8) / 2 + 0.25 + n / 100, Math.floor(n / 8) / 2 + 0.23);
        assert.ok(winding === null || Math.abs(winding ?? 0) <= 1, String(winding));
      }
    }),
    { numRuns: runs(3000) },
  );
  t.diagnostic(`${valid} valid rings, ${faulty} faulty rings`);
  assert.ok(valid > runs(300) && faulty > runs(300));
});

test('a ring may touch itself and may not cross itself', () => {
  const rings: [string, boolean, Ring][] = [
    ['a bow tie', false, closedRing([0, 0], [4, 4], [4, 0], [0, 4])],
    ['a bow tie through a vertex', false, closedRing([0, 0], [2, 2], [4, 4], [4, 0], [2, 2], [0, 4])],
    ['a bow tie through a vertex on an edge', false, closedRing([0, 0], [4, 4], [4, 0], [2, 2], [0, 4])],
    ['two triangles that touch', true, closedRing([0, 0], [2, 2], [0, 4], [4, 4], [2, 2], [4, 0])],
    ['a vertex that touches an edge', true, closedRing([0, 0], [4, 0], [4, 4], [2, 0], [0, 4])],
    ['a loop inside, in the other direction', true, closedRing([0, 0], [1, 2], [2, 1], [0, 0], [4, 0], [4, 4], [0, 4])],
    ['a loop inside, in the same direction', false, closedRing([0, 0], [2, 1], [1, 2], [0, 0], [4, 0], [4, 4], [0, 4])],
    ['a ring that runs twice', false, closedRing([0, 0], [4, 0], [4, 4], [0, 0], [4, 0], [4, 4])],
    ['a spike', true, closedRing([0, 0], [4, 0], [6, 0], [4, 0], [4, 4])],
    [
      'a hole that is cut open',
      true,
      closedRing([0, 0], [1, 1], [2, 3], [3, 1], [1, 1], [0, 0], [0, 5], [5, 5], [5, 0]),
    ],
    ['repeated and collinear positions', true, closedRing([0, 0], [0, 0], [2, 0], [4, 0], [4, 4], [2, 2])],
  ];
  for (const [name, isValid, ring] of rings) {
    for (const form of [ring, ring.toReversed()]) assert.equal(areaFaults([[form]]).length === 0, isValid, name);
  }
});

test('a fault of an area says what it is and where', () => {
  const ringFaults = (...rings: readonly Ring[]): string => areaFaults([rings]).join('; ');
  assert.deepEqual(areaFaults([[SQUARE]]), []);
  assert.deepEqual(areaFaults([]), ['has no polygon']);
  assert.equal(ringFaults(), 'has a polygon without a ring');
  assert.match(ringFaults(SQUARE.slice(0, 3)), /has a ring of 3 positions, under 4/);
  assert.match(ringFaults(SQUARE.slice(0, 4)), /not closed: it begins at \[0, 0\] and ends at \[0, 4\]/);
  assert.match(ringFaults(closedRing([0, 0], [4, 4], [8, 8])), /without an inside/);
  assert.match(ringFaults(closedRing([0, 0], [4, 91], [8, 8])), /out of range: \[4, 91\]/);
  assert.match(ringFaults(closedRing([0, 0], [4, Number.NaN], [8, 8])), /out of range/);
  assert.match(ringFaults(closedRing([0, 0], [4, 1e-200], [8, 8])), /out of range/);
  assert.match(ringFaults(closedRing([-200, 0], [200, 1], [0, 8])), /longer than one turn/);
  assert.match(
    ringFaults(closedRing([179, 0], [-179, 0], [-179, 8])),
    /edge of 358 degrees from \[179, 0\] to \[-179, 0\]/,
  );
  const world = closedRing([-180, -90], [180, -90], [180, 90], [-180, 90]);
  assert.deepEqual(areaFaults([[world]]), []);
  const hole = (...positions: readonly LongitudeLatitude[]): string => ringFaults(SQUARE, closedRing(...positions));
  assert.equal(hole([1, 1], [3, 1], [3, 3]), '');
  assert.equal(hole([0, 0], [2, 1], [1, 2]), '');
  assert.match(hole([1, 1], [5, 1], [3, 3]), /crosses another/);
  assert.match(hole([5, 5], [7, 5], [6, 6]), /hole outside of its outline, at \[5, 5\]/);
  assert.match(hole([4, 4], [7, 5], [6, 6]), /hole outside of its outline, at \[7, 5\]/);
  const many = Array.from({ length: 2000 }, (_, n): LongitudeLatitude => [Math.cos(n / 400), Math.sin(n / 400)]);
  assert.deepEqual(areaFaults([[closedRing(...many)]]), ['has 2001 positions, over 2000']);
  assert.deepEqual(areaFaults([[SQUARE], [SQUARE.slice(0, 3)]]), ['has a ring of 3 positions, under 4, in polygon 2']);
});

test('an area across the antimeridian holds the same points split at it, past 180 and past -180', (t) => {
  let [points, held] = [0, 0];
  fc.assert(
    fc.property(arbitrarySeam, arbitraryPicks, (forms, picks) => {
      const areas = Object.values(forms);
      const exact = exactArea(forms.split);
      const packed = areas.map((area) => packAreas([area]));
      for (const area of areas) assert.deepEqual(areaFaults(area), []);
      for (const [n, pick] of picks.entries()) {
        const chosen = areas[n % areas.length] as Area;
        const [longitude, latitude] = pointOf(chosen, pick);
        const clamped = Math.min(180, Math.max(-180, longitude));
        const expected = exact.holds(clamped, latitude);
        for (const area of areas)
          assert.equal(areaContains(area, clamped, latitude), expected, `[${clamped}, ${latitude}]`);
        for (const numbers of packed) assert.equal(packedAreasContain(numbers, 0, clamped, latitude), expected);
        points += areas.length;
        if (expected) held += areas.length;
      }
    }),
    { numRuns: runs(400) },
  );
  t.diagnostic(`${points} points, ${held} of them inside`);
  assert.ok(points >= runs(70_000) && held > points / 5 && held < (points * 4) / 5);
});
