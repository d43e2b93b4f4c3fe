import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMarkup } from 'doorstep/html';
import fc from 'fast-check';
import { LOCALES } from '../../../test/given/locales.ts';
import { runs } from '../../../test/runs.ts';
import type { MapPoint } from '../../fulfillment/deliveries/street-map.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { mapSketch } from './map-view.ts';

const STORE: MapPoint = [40.7383, -73.9927];
const DOOR: MapPoint = [40.744, -73.988];

type Box = { name: string; left: number; right: number; top: number; bottom: number };

/** Bounding boxes of the spots and labels, from the markup; a letter of size 13 is no more than 7.5 wide. */
function boxesOf(
  store: MapPoint,
  door: MapPoint | null,
  driver: MapPoint,
  locale: Locale,
  way: readonly MapPoint[] = [],
): { spots: Box[]; names: Box[] } {
  const markup = toMarkup(mapSketch({ store, door, driver, course: null, way, words: '' }, locale));
  const number = (text = '') => Number(text);
  const spots = [...markup.matchAll(/<circle class="spot spot-(\w+)" cx="(-?\d+)" cy="(-?\d+)" r="8"/g)];
  const names = [...markup.matchAll(/<text x="(-?\d+)" y="(-?\d+)">(\p{L}+)</gu)];
  return {
    spots: spots.map(([, name = '', x, y]) => boxAt(name, number(x), number(y), 8, 8)),
    names: names.map(([, x, y, name = '']) => boxAt(name, number(x), number(y) - 4, (name.length * 7.5) / 2, 6)),
  };
}

function boxAt(name: string, x: number, y: number, halfWidth: number, halfHeight: number): Box {
  return { name, left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight };
}

const overlap = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

function assertReadable(store: MapPoint, door: MapPoint | null, driver: MapPoint): void {
  for (const locale of LOCALES) assertReadableIn(locale, store, door, driver);
}

function assertReadableIn(locale: Locale, store: MapPoint, door: MapPoint | null, driver: MapPoint): void {
  for (const to of [store, ...(door ? [door] : [])])
    assertNames(boxesOf(store, door, driver, locale, [driver, to]), door);
}

function assertNames({ spots, names }: ReturnType<typeof boxesOf>, door: MapPoint | null): void {
  assert.equal(names.length, door ? 3 : 2);
  for (const [index, name] of names.entries()) {
    assert.ok(name.left >= 0 && name.right <= 360 && name.top >= 0 && name.bottom <= 170, `${name.name} is cut`);
    for (const other of [...spots, ...names.slice(index + 1)]) {
      assert.ok(!overlap(name, other), `${name.name} on ${other.name}`);
    }
  }
}

test('at the door and at the store every name of the sketch can be read', () => {
  for (const driver of [DOOR, STORE, [40.7449, -73.9879], [40.7396, -73.9919]] as const) {
    assertReadable(STORE, DOOR, driver);
    assertReadable(STORE, null, driver);
  }
  assertReadable(STORE, STORE, STORE);
});

test('no name of the sketch lies on a spot or on another name, wherever the driver is', () => {
  const near = fc.tuple(
    fc.double({ min: -0.02, max: 0.02, noNaN: true }),
    fc.double({ min: -0.02, max: 0.02, noNaN: true }),
  );
  fc.assert(
    fc.property(near, near, (door, driver) => {
      const at = ([north, east]: readonly [number, number]): MapPoint => [STORE[0] + north, STORE[1] + east];
      assertReadable(STORE, at(door), at(driver));
    }),
    { numRuns: runs(2000) },
  );
});

test('the driver moves from left to right: to the store, then to the door, and never back while coming nearer', () => {
  const [locale = assert.fail()] = LOCALES;
  const driverX = (driver: MapPoint, to: MapPoint) => {
    const { spots } = boxesOf(STORE, DOOR, driver, locale, [driver, to]);
    const [store, door, own] = ['store', 'door', 'driver'].map((kind) => spots.find(({ name }) => name === kind)?.left);
    return [store, own, door];
  };
  const between = (from: MapPoint, to: MapPoint, part: number): MapPoint => [
    from[0] + (to[0] - from[0]) * part,
    from[1] + (to[1] - from[1]) * part,
  ];
  const steps = [0, 0.25, 0.5, 0.75, 1];
  const toStore = steps.map((part) => driverX(between([40.73, -74.01], STORE, part), STORE));
  const toDoor = steps.map((part) => driverX(between(STORE, DOOR, part), DOOR));
  const xs = [...toStore, ...toDoor].map(([, own = Number.NaN]) => own);
  assert.deepEqual(
    xs,
    xs.toSorted((one, other) => one - other),
  );
  assert.deepEqual([toStore.at(-1)?.[1], toDoor.at(-1)?.[1]], [toStore[0]?.[0], toDoor[0]?.[2]]);
  assert.ok(new Set(xs).size > 7, String(xs));
});
