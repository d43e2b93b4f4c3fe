import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { metersBetween } from 'doorstep/search-engine/geography';
import { TileType } from 'pmtiles';
import { streetRoute } from '../src/surfaces/sandbox/street-route.ts';
import { drawStreets, STREET_FILE } from '../test/demo/streets.ts';
import { readArchive } from '../test/given/tiles.ts';
import { DEMO_START, demoCatalog } from './catalog.ts';
import { demoPlaces } from './places.ts';
import { BOUNDS, houseOn, type Point, STREETS } from './streets.ts';

const CITY = 'Chicago';
const isOnMap = ({ latitude, longitude }: Point) =>
  latitude > BOUNDS.south && latitude < BOUNDS.north && longitude > BOUNDS.west && longitude < BOUNDS.east;

/** Meters from a position to the nearest point of a street. */
function metersTo(street: string, place: Point): number {
  const name = street.replace(/^[NSEW] /, '');
  const on = STREETS.filter((each) => each.name === name);
  const samples = on.flatMap(({ from, to }) =>
    Array.from({ length: 2001 }, (_, n) => ({
      latitude: from.latitude + ((to.latitude - from.latitude) * n) / 2000,
      longitude: from.longitude + ((to.longitude - from.longitude) * n) / 2000,
    })),
  );
  return Math.min(...samples.map((sample) => metersBetween(sample, place)));
}

test('the archive is valid and matches its table: npm run demo-files writes it', async () => {
  const [kept, drawn] = [readArchive(readFileSync(STREET_FILE)), readArchive(drawStreets())];
  const [header, other] = [await kept.getHeader(), await drawn.getHeader()];
  assert.deepEqual([header.specVersion, header.tileType], [3, TileType.Mvt]);
  assert.ok(isOnMap(DEMO_START));
  assert.deepEqual([header.numAddressedTiles, header.maxZoom], [other.numAddressedTiles, other.maxZoom]);
  let tiles = 0;
  for (let z = header.minZoom; z <= header.maxZoom; z += 1) {
    for (const [x, y] of tilesAt(z)) {
      const [tile, expected] = [await kept.getZxy(z, x, y), await drawn.getZxy(z, x, y)];
      assert.ok(tile && expected && Buffer.from(tile.data).equals(Buffer.from(expected.data)), `${z}/${x}/${y}`);
      tiles += 1;
    }
  }
  assert.equal(tiles, header.numAddressedTiles);
  assert.ok(readFileSync(STREET_FILE).length < 50_000);
});

function tilesAt(z: number): [number, number][] {
  const column = (longitude: number) => Math.floor((longitude / 360 + 0.5) * 2 ** z);
  const row = (latitude: number) => {
    const sine = Math.sin((latitude * Math.PI) / 180);
    return Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z);
  };
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
  return range(column(BOUNDS.west), column(BOUNDS.east)).flatMap((x) =>
    range(row(BOUNDS.north), row(BOUNDS.south)).map((y): [number, number] => [x, y]),
  );
}

test('stores and places around the demo are on the map, on their address’s street, at its number', () => {
  const stores = [...demoCatalog()]
    .filter(({ address }) => address.city === CITY)
    .map(({ address, latitude, longitude }) => ({ line: address.street_addr, latitude, longitude }));
  const places = demoPlaces()
    .features.filter(({ properties }) => properties['addr:city'] === CITY && properties['addr:street'])
    .map(({ properties, geometry: { coordinates } }) => ({
      line: `${properties['addr:housenumber']} ${properties['addr:street']}`,
      latitude: coordinates[1],
      longitude: coordinates[0],
    }));
  assert.ok(stores.length > 12 && places.length > 10);
  for (const place of [...stores, ...places]) {
    const [, number, street = ''] = /^(\d+) (.+)$/.exec(place.line) ?? [];
    const house = houseOn(street, place);
    assert.deepEqual([house?.number, house?.street], [Number(number), street], place.line);
    assert.ok(isOnMap(place), place.line);
    const meters = metersTo(street, place);
    assert.ok(meters > 5 && meters < 16, `${place.line} is ${meters} m off its street`);
  }
});

test('from every store around the demo a driver reaches every other on streets', () => {
  const stores = [...demoCatalog()].filter(({ address }) => address.city === CITY);
  for (const from of stores) {
    for (const to of [DEMO_START, ...stores]) {
      const way = streetRoute(STREETS, from, to);
      assert.ok(way, `${from.external_id} to ${JSON.stringify(to)}`);
      assert.ok(way.every(isOnMap), from.external_id);
    }
  }
});
