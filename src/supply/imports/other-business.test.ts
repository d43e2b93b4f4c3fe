import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { haveUnlikeNames } from '../stores/merges/same-place.ts';
import { type Business, MAX_MOVE_METERS, MAX_RENAME_METERS, otherBusiness } from './inferred-feed.ts';

const EARTH_METERS = 6_371_008.8;
const RADIAN = Math.PI / 180;

/** The haversine formula; the service measures chord length. */
function haversine(one: Business, other: Business): number {
  const [a, b] = [one.latitude * RADIAN, other.latitude * RADIAN];
  const half =
    Math.sin((b - a) / 2) ** 2 +
    Math.cos(a) * Math.cos(b) * Math.sin(((other.longitude - one.longitude) * RADIAN) / 2) ** 2;
  return 2 * EARTH_METERS * Math.asin(Math.sqrt(half));
}

/** Distinctive words, none a substring of another; two kinds of place; and generic words. */
const OWN = ['marisol', 'brick', 'gorse', 'tandoor', 'keg', 'qlub'];
const KINDS = ['Pizza', 'Cafe', 'Pharmacy', 'Bar'];
const named = (words: readonly string[]) =>
  fc
    .record({ own: fc.subarray([...words], { minLength: 1 }), kinds: fc.subarray(KINDS), the: fc.boolean() })
    .map(({ own, kinds, the }) => ({ own, name: [...(the ? ['The'] : []), ...own, ...kinds].join(' ') }));
const place = fc.record({
  phoneNumber: fc.option(fc.integer({ min: 12_125_550_100, max: 12_125_550_102 })),
  latitude: fc.double({ min: 25, max: 49, noNaN: true }),
  longitude: fc.double({ min: -124, max: -67, noNaN: true }),
});
/** An offset of some meters in some direction, within and beyond the limits. */
const step = fc.record({
  meters: fc.noBias(fc.integer({ min: 0, max: 120_000 })),
  bearing: fc.double({ min: 0, max: 6.28, noNaN: true }),
});

function moved(
  from: Business,
  { meters, bearing }: { meters: number; bearing: number },
): Pick<Business, 'latitude' | 'longitude'> {
  const north = (meters * Math.cos(bearing)) / EARTH_METERS / RADIAN;
  const east = (meters * Math.sin(bearing)) / EARTH_METERS / RADIAN / Math.cos(from.latitude * RADIAN);
  return { latitude: from.latitude + north, longitude: from.longitude + east };
}

test('a line is of another business exactly where it is far away, or away with nothing in common', () => {
  const decisions = new Map<string, number>();
  fc.assert(
    fc.property(
      named(OWN),
      named(OWN),
      place,
      place,
      step,
      fc.constantFrom(1, 0.1, 0.01),
      (first, second, spot, more, way, scale) => {
        const known = { ...spot, name: first.name };
        const line = {
          phoneNumber: more.phoneNumber,
          name: second.name,
          ...moved(known, { ...way, meters: way.meters * scale }),
        };
        const meters = haversine(known, line);
        // Maximum difference between the two formulas.
        fc.pre([MAX_RENAME_METERS, MAX_MOVE_METERS].every((limit) => Math.abs(meters - limit) > 0.01));
        const shares = first.own.some((word) => second.own.includes(word));
        const samePhone = known.phoneNumber !== null && known.phoneNumber === line.phoneNumber;
        const expected = meters > 50_000 || (meters > 1000 && !shares && !samePhone);
        const found = otherBusiness(known, line);
        assert.equal(found !== null, expected, `${known.name} / ${line.name} ${meters}`);
        if (found) assert.ok(Math.abs(found.meters - meters) < 0.01);
        assert.equal(otherBusiness(line, known) === null, found === null, 'the same from either side');
        decisions.set(String(expected), (decisions.get(String(expected)) ?? 0) + 1);
      },
    ),
    { numRuns: runs(2000) },
  );
  assert.ok(
    ['true', 'false'].every((answer) => (decisions.get(answer) ?? 0) > runs(200)),
    JSON.stringify([...decisions]),
  );
});

test('a store that stays within a kilometer, or keeps a word of its name or its number, is the same store', () => {
  const known = { name: "Joe's Pizza", phoneNumber: 12_125_550_100, latitude: 40.7, longitude: -74 };
  const near = { ...known, name: 'Gorse Table', phoneNumber: null, latitude: known.latitude + 0.0089 };
  const away = { ...known, latitude: known.latitude + 0.4 };
  assert.equal(otherBusiness(known, near), null);
  assert.equal(otherBusiness(known, { ...away, name: 'Gorse Table' }), null);
  assert.equal(otherBusiness(known, { ...away, name: 'Joe’s Corner', phoneNumber: null }), null);
  assert.ok(otherBusiness(known, { ...away, name: 'Gorse Table', phoneNumber: null }));
  assert.ok(otherBusiness(known, { ...known, latitude: known.latitude + 0.46 }));
});

test('names are unlike where no word that tells businesses apart is in both', () => {
  for (const [one, other] of [
    ["Tony's Pizza", "Mario's Pizza"],
    ['CVS Pharmacy', 'Walgreens Pharmacy'],
    ['Pizza', 'Burger'],
    ['The Keg', 'The Gorse'],
    ['寿司太郎', 'Marisol'],
    ['Q', 'Quiznos'],
  ] as const)
    assert.deepEqual([haveUnlikeNames(one, other), haveUnlikeNames(other, one)], [true, true], `${one} / ${other}`);
  for (const [one, other] of [
    ["Tony's Pizza", "Tony's Trattoria"],
    ['Mc Donalds', "McDonald's"],
    ['Joe’s', 'Joes Corner'],
    ['Pizza', "Tony's Pizza"],
    ['PHỞ HÒA', 'pho hoa restaurant'],
    ['!!!', 'Marisol'],
    ['', ''],
  ] as const)
    assert.deepEqual([haveUnlikeNames(one, other), haveUnlikeNames(other, one)], [false, false], `${one} / ${other}`);
});
