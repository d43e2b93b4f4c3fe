import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import type { LongitudeLatitude } from './area.ts';
import { chordsToRing, farthestChordToBox } from './ring-chords.ts';
import { unitVectorAt } from './sphere.ts';

const SLACK = 1e-14;

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const arbitraryPoint = fc.record({ latitude: degrees(-90, 90), longitude: degrees(-180, 180) });

function chordTo(from: { latitude: number; longitude: number }, [longitude, latitude]: LongitudeLatitude): number {
  const [a, b] = [unitVectorAt(from.latitude, from.longitude), unitVectorAt(latitude, longitude)];
  return (a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2;
}

test('no point of a box is farther than its farthest point, and some point is as far', () => {
  const arbitraryBox = fc.tuple(degrees(-90, 90), degrees(-90, 90), degrees(-360, 360), degrees(0, 360));
  fc.assert(
    fc.property(arbitraryPoint, arbitraryBox, (from, [one, other, west, width]) => {
      const box = { west, east: west + width, south: Math.min(one, other), north: Math.max(one, other) };
      const farthest = farthestChordToBox(from, box);
      let found = 0;
      for (let i = 0; i <= 40; i += 1) {
        for (let j = 0; j <= 40; j += 1) {
          const point = [west + (width * i) / 40, box.south + ((box.north - box.south) * j) / 40] as const;
          found = Math.max(found, chordTo(from, point));
        }
      }
      assert.ok(found <= farthest + SLACK, `${found} over ${farthest}`);
      assert.ok(found >= farthest - 0.03, `${found} far under ${farthest}`);
    }),
    { numRuns: runs(300) },
  );
});

/** Corners around a center at varying distances. */
const arbitraryRing = fc
  .record({
    center: arbitraryPoint,
    radii: fc.array(degrees(0.5, 1), { minLength: 3, maxLength: 60, size: 'max' }),
    scale: fc.constantFrom(0.01, 1, 20, 80),
  })
  .map(({ center, radii, scale }) => {
    const corners = radii.map((radius, i): LongitudeLatitude => {
      const angle = (2 * Math.PI * i) / radii.length;
      const latitude = center.latitude + radius * scale * Math.sin(angle);
      return [center.longitude + radius * scale * Math.cos(angle), Math.max(-90, Math.min(90, latitude))];
    });
    return { center, scale, ring: [...corners, corners[0] as LongitudeLatitude] };
  });

const between = (one: LongitudeLatitude, other: LongitudeLatitude, share: number): LongitudeLatitude => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
];

test('no edge of a ring is nearer than its nearest chord, and no point is beyond its farthest', () => {
  const arbitraryFrom = fc.oneof(fc.constant(null), arbitraryPoint);
  fc.assert(
    fc.property(arbitraryRing, arbitraryFrom, ({ center, ring }, elsewhere) => {
      const from = elsewhere ?? center;
      const { nearest, farthest } = chordsToRing(from, ring);
      for (let i = 1; i < ring.length; i += 1) {
        for (const share of [0, 0.13, 0.25, 0.5, 0.9]) {
          const onEdge = between(ring[i - 1] as LongitudeLatitude, ring[i] as LongitudeLatitude, share);
          assert.ok(chordTo(from, onEdge) >= nearest - SLACK, `${chordTo(from, onEdge)} under ${nearest}`);
          for (const depth of [0, 0.5, 1]) {
            const chord = chordTo(from, between(onEdge, [center.longitude, center.latitude], depth));
            assert.ok(chord <= farthest + SLACK, `${chord} over ${farthest}`);
          }
        }
      }
    }),
    { numRuns: runs(1000) },
  );
});

test('the chords of a circle and of a square around a store are close to its nearest and farthest point', () => {
  const middle = { latitude: 45, longitude: 100 };
  const shrink = Math.cos((45 * Math.PI) / 180);
  const polygon = (corners: number): LongitudeLatitude[] =>
    Array.from({ length: corners + 1 }, (_, i) => {
      const angle = (2 * Math.PI * (i % corners)) / corners;
      return [100 + (0.05 * Math.cos(angle)) / shrink, 45 + 0.05 * Math.sin(angle)];
    });
  const share = (chord: number): number => Math.sqrt(chord) / ((0.05 * Math.PI) / 180);
  for (const [corners, inner] of [
    [100, 1],
    [4, Math.SQRT1_2],
  ] as const) {
    const { nearest, farthest } = chordsToRing(middle, polygon(corners));
    assert.ok(share(nearest) <= inner && share(nearest) > 0.93 * inner, String(share(nearest)));
    assert.ok(share(farthest) >= 1 && share(farthest) < 1.07, String(share(farthest)));
  }
});

test('a ring of one position is as far as that position', () => {
  const ring: LongitudeLatitude[] = [
    [3, 4],
    [3, 4],
    [3, 4],
    [3, 4],
  ];
  const from = { latitude: 4.01, longitude: 3 };
  const { nearest, farthest } = chordsToRing(from, ring);
  for (const chord of [nearest, farthest]) assert.ok(Math.abs(chord - chordTo(from, [3, 4])) < SLACK, String(chord));
});
