import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Position } from './area.ts';
import { farthestChordToBox, farthestChordToRing } from './farthest-chord.ts';
import { unitVectorAt } from './sphere.ts';

const SLACK = 1e-14;

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const arbitraryPoint = fc.record({ latitude: degrees(-90, 90), longitude: degrees(-180, 180) });

function chordTo(from: { latitude: number; longitude: number }, [longitude, latitude]: Position): number {
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
    { numRuns: 300 },
  );
});

test('no point of a ring is farther than its farthest chord, which is close where edges are short', () => {
  const arbitraryRadii = fc.array(degrees(0.5, 1), { minLength: 3, maxLength: 60, size: 'max' });
  const arbitraryScale = fc.constantFrom(0.01, 1, 20, 80);
  fc.assert(
    fc.property(arbitraryPoint, arbitraryPoint, arbitraryRadii, arbitraryScale, (from, centre, radii, scale) => {
      const corners = radii.map((radius, i): Position => {
        const angle = (2 * Math.PI * i) / radii.length;
        const latitude = centre.latitude + radius * scale * Math.sin(angle);
        return [centre.longitude + radius * scale * Math.cos(angle), Math.max(-90, Math.min(90, latitude))];
      });
      const ring = [...corners, corners[0] as Position];
      const farthest = farthestChordToRing(from, ring);
      for (let i = 1; i < ring.length; i += 1) {
        const [a, b] = [ring[i - 1] as Position, ring[i] as Position];
        for (const share of [0, 0.25, 0.5, 0.9]) {
          const edge = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share] as const;
          for (const depth of [1, 0.5, 0]) {
            const point = [
              centre.longitude + (edge[0] - centre.longitude) * depth,
              Math.max(-90, Math.min(90, centre.latitude + (edge[1] - centre.latitude) * depth)),
            ] as const;
            const chord = chordTo(from, point);
            assert.ok(chord <= farthest + SLACK, `${chord} over ${farthest}`);
          }
        }
      }
    }),
    { numRuns: 1000 },
  );
  const circle = Array.from({ length: 101 }, (_, i): Position => {
    return [0.05 * Math.cos((2 * Math.PI * i) / 100), 0.05 * Math.sin((2 * Math.PI * i) / 100)];
  });
  const reach = Math.sqrt(farthestChordToRing({ latitude: 0, longitude: 0 }, circle)) / ((0.05 * Math.PI) / 180);
  assert.ok(reach >= 1 && reach < 1.05, String(reach));
});
