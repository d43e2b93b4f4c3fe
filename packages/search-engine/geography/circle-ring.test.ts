import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { areaFaults, circleRing } from './area.ts';
import { milesBetween } from './sphere.ts';

test('the corners of a circle are as far from its center as its radius, and its ring is a valid area', () => {
  const center = fc.record({
    latitude: fc.double({ min: -80, max: 80, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  fc.assert(
    fc.property(center, fc.double({ min: 0.1, max: 300, noNaN: true }), (middle, miles) => {
      const ring = circleRing(middle, miles, 64);
      assert.equal(ring.length, 65);
      assert.deepEqual(areaFaults([[ring]]), []);
      for (const [longitude, latitude] of ring) {
        assert.ok(Math.abs(milesBetween(middle, { latitude, longitude }) - miles) < 0.0002);
      }
    }),
  );
});
