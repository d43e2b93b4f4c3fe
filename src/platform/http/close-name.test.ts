import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeName } from './close-name.ts';

const KNOWN = ['latitude', 'longitude', 'maximum_miles', 'minimum_rating', 'open', 'pickup', 'sort', 'user_zipcode'];

test('a name with a typo, an abbreviated word or another case is close to the known one', () => {
  for (const [given, meant] of [
    ['max_miles', 'maximum_miles'],
    ['maximumMiles', 'maximum_miles'],
    ['maximum-miles', 'maximum_miles'],
    ['maxmum_miles', 'maximum_miles'],
    ['min_rating', 'minimum_rating'],
    ['lat', 'latitude'],
    ['longtitude', 'longitude'],
    ['Pickup', 'pickup'],
    ['zipcode', 'user_zipcode'],
    ['user_zip', 'user_zipcode'],
  ] as const) {
    assert.equal(closeName(given, KNOWN), meant, given);
  }
});

test('another word is close to none', () => {
  for (const given of ['radius', 'q', 'utm_source', 'limit', 'mode', '', '_', 'o', 'x'.repeat(10_000), '__proto__']) {
    assert.equal(closeName(given, KNOWN), undefined, given);
  }
});
