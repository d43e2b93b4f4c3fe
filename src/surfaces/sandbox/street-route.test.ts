import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metersBetween } from 'doorstep/search-engine/geography';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import type { Position } from '../../fulfillment/deliveries/position.ts';
import { type Street, streetRoute } from './street-route.ts';

const STEP = 0.002;
const LINES = Array.from({ length: 11 }, (_, n) => n * STEP);
const END = 10 * STEP;
const at = (north: number, east: number): Position => ({ latitude: 40 + north, longitude: -75 + east });
/** A grid of eleven by eleven streets, about 200 m apart. */
const GRID: Street[] = LINES.flatMap((n) => [
  { from: at(n, 0), to: at(n, END) },
  { from: at(0, n), to: at(END, n) },
]);

const offGrid = (degrees: number) => Math.abs(degrees / STEP - Math.round(degrees / STEP)) * STEP;

test('between any two places of a grid the way starts and ends there, and keeps to streets between', () => {
  const degrees = fc.double({ min: 0, max: END, noNaN: true });
  const place = fc.tuple(degrees, degrees).map(([north, east]) => at(north, east));
  const property = fc.property(place, place, (start, end) => {
    const way = streetRoute(GRID, start, end);
    assert.ok(way);
    assert.deepEqual([way[0], way.at(-1)], [start, end]);
    const street = way.slice(1, -1);
    street.slice(1).forEach((to, n) => {
      const from = street[n] ?? to;
      const [north, east] = [Math.abs(to.latitude - from.latitude), Math.abs(to.longitude - from.longitude)];
      assert.ok(Math.min(north, east) < 1e-9, 'a leg goes along one street');
      const fixed = north < east ? from.latitude - 40 : from.longitude + 75;
      if (Math.max(north, east) > 1e-9) assert.ok(offGrid(fixed) < 1e-9, 'and a street is there');
    });
    const meters = way.slice(1).reduce((sum, to, n) => sum + metersBetween(way[n] ?? to, to), 0);
    const corner = { latitude: start.latitude, longitude: end.longitude };
    const blocks = metersBetween(start, corner) + metersBetween(corner, end);
    assert.ok(meters < blocks + 1000, `${meters} m where blocks are ${blocks} m`);
  });
  fc.assert(property, { numRuns: runs(500) });
});

test('no streets, a place far from all, or streets that do not meet are no way', () => {
  const [start, end] = [at(0.0001, 0.0001), at(0.011, 0.011)];
  assert.equal(streetRoute([], start, end), undefined);
  assert.equal(streetRoute(GRID, start, at(0.1, 0)), undefined);
  const apart = [
    { from: at(0, 0), to: at(0, 0.001) },
    { from: at(0.01, 0.01), to: at(0.01, 0.02) },
  ];
  assert.equal(streetRoute(apart, start, end), undefined);
});

test('two places of one street have no corner between them', () => {
  const way = streetRoute(GRID, at(0.0041, 0.001), at(0.0039, 0.009));
  assert.deepEqual(way?.slice(1, -1), [at(0.004, 0.001), at(0.004, 0.009)]);
});
