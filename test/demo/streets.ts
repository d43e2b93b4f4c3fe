import { join } from 'node:path';
import { BOUNDS, LAKE, PARKS, type Point, RIVER, STREETS } from '../../demo/streets.ts';
import { archiveOf, collection, type Feature, road } from '../given/tiles.ts';

export const STREET_FILE = join(import.meta.dirname, '../../demo/streets.pmtiles');
const ATTRIBUTION = 'Demo streets, not a map to find a way by';
/** Browsers enlarge the last zoom. */
const ZOOMS = [10, 11, 12, 13, 14];

/** The archive of the demo's streets, drawn from its table. */
export function drawStreets(): Buffer {
  const { west, south, east, north } = BOUNDS;
  const corners = [
    { latitude: south, longitude: west },
    { latitude: south, longitude: east },
    { latitude: north, longitude: east },
    { latitude: north, longitude: west },
  ];
  const shore = [...LAKE, { latitude: north, longitude: east }, { latitude: south, longitude: east }];
  const rivers = RIVER.map((middle) => line({ kind: 'river' }, middle));
  const roads = STREETS.map(({ name, isMajor, from, to }) =>
    road(isMajor ? 'major_road' : 'minor_road', name, [from, to].map(lonLat)),
  );
  return archiveOf({
    name: 'Streets of the demo',
    attribution: ATTRIBUTION,
    zooms: ZOOMS,
    area: [west, south, east, north],
    content: {
      earth: collection([area({}, corners)]),
      landuse: collection(PARKS.map((park) => area({ kind: 'park' }, park))),
      water: collection([area({ kind: 'lake' }, shore), ...rivers]),
      roads: collection(roads),
    },
  });
}

function area(properties: Feature['properties'], ring: readonly Point[]): Feature {
  const coordinates = [[...ring, ...ring.slice(0, 1)].map(lonLat)];
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates } };
}

const line = (properties: Feature['properties'], points: readonly Point[]): Feature => ({
  type: 'Feature',
  properties,
  geometry: { type: 'LineString', coordinates: points.map(lonLat) },
});

const lonLat = ({ latitude, longitude }: Point): number[] => [longitude, latitude];
