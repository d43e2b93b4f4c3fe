import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Place } from '../../src/supply/places/place.ts';

export const NEAR_PLACES = { latitude: 49.2827, longitude: -123.1207, radiusMeters: 10_000 };

export function placeOf(changes: Partial<Place> & { placeId: string }): Place {
  return {
    name: 'Harbour Fern',
    address: { streetAddr: '100 Water Street', streetAddr2: '', city: 'Vancouver', state: 'BC', zipcode: 'V6B 1A1' },
    country: 'CA',
    latitude: 49.2841,
    longitude: -123.1089,
    phone: '',
    hours: null,
    datedRules: null,
    cuisines: [],
    brand: null,
    storeType: 'restaurant',
    category: 'restaurant',
    status: 'OPERATIONAL',
    link: '',
    origins: [],
    ...changes,
  };
}

export type OsmTags = Record<string, string>;

/** An OpenStreetMap element in downtown Vancouver as GeoJSON; element n lies 500 m east of element n − 1. */
export function osmFeature(nth: number, tags: OsmTags, at?: { latitude: number; longitude: number }): object {
  const { latitude, longitude } = at ?? { latitude: 49.2827, longitude: -123.1207 + nth * 0.0069 };
  return {
    type: 'Feature',
    id: `node/${nth}`,
    properties: { '@id': `node/${nth}`, ...tags },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  };
}

export function givenPlacesFile(features: readonly object[]): { file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-places-'));
  const file = join(folder, 'places.geojson');
  writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }));
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}
