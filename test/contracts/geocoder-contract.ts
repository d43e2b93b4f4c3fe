import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Geocoder, type LocatedAddress, MAX_RESULTS, PRECISIONS } from '../../src/supply/addresses/geocoder.ts';

/** `known`: an address that the geocoder, or the double of its API, finds, and also at its coordinate. */
export type GeocoderSubject = { geocoder: Geocoder; known: string | undefined };

/** The port's contract. */
export async function keepsGeocoderContract(t: TestContext, { geocoder, known }: GeocoderSubject): Promise<void> {
  await t.test('an unknown address has no match', async () => {
    assert.deepEqual(await geocoder.geocode('0 Nowhere Street, Atlantis'), []);
  });
  if (known === undefined) return;
  await t.test('a known address has up to five matches, each with a coordinate, a line and a precision', async () => {
    checkMatches(await geocoder.geocode(known));
  });
  if (!geocoder.reverseGeocode) return;
  await t.test('its coordinate has up to five addresses, one in the ocean none', async () => {
    const [match] = await geocoder.geocode(known);
    assert.ok(match && geocoder.reverseGeocode);
    checkMatches(await geocoder.reverseGeocode(match));
    assert.deepEqual(await geocoder.reverseGeocode({ latitude: 45, longitude: -40 }), []);
  });
}

function checkMatches(found: readonly LocatedAddress[]): void {
  assert.ok(found.length > 0 && found.length <= MAX_RESULTS);
  for (const { latitude, longitude, address, precision } of found) {
    assert.ok(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && address !== '');
    assert.ok(PRECISIONS.includes(precision), precision);
  }
}
