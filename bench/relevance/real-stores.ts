import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { FEEDS } from '../setup.ts';
import { plainWords } from './typed-name.ts';

/** A store of a real feed, referenced by the feed and its id or its index among the features. */
export type NamedStore = {
  ref: string;
  name: string;
  city: string;
  /** Equal for the stores of one chain. */
  chain: string;
  latitude: number;
  longitude: number;
};

const STORE_FEEDS = ['chains', 'bay-area', 'pizza', 'icecream'];
const PLACE_FEEDS = ['vancouver', 'ottawa-groceries'];

/** Every named store with a coordinate from the real feeds; undefined on a machine without them. */
export function readRealStores(): NamedStore[] | undefined {
  const files = [...STORE_FEEDS.map(feedFile), ...PLACE_FEEDS.map(placeFile)];
  if (!files.every((file) => existsSync(file))) return undefined;
  return [...STORE_FEEDS.flatMap(storesOf), ...PLACE_FEEDS.flatMap(placesOf)];
}

function feedFile(feed: string): string {
  return join(FEEDS, `${feed}.ndjson.gz`);
}

function placeFile(feed: string): string {
  return join(FEEDS, `${feed}.geojson.gz`);
}

function textOf(file: string): string {
  return gunzipSync(readFileSync(file)).toString();
}

type Line = { external_id: string; name: string; latitude: number; longitude: number; address?: { city?: string } };

function storesOf(feed: string): NamedStore[] {
  const lines = textOf(feedFile(feed))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  const placed = lines.filter((line) => Number.isFinite(line.latitude) && Number.isFinite(line.longitude));
  return placed.map(({ external_id: id, name, latitude, longitude, address }) => {
    const brand = feed === 'chains' ? (id.split(':')[0] as string) : name;
    return { ref: `${feed}/${id}`, name, city: address?.city ?? '', chain: lettersOf(brand), latitude, longitude };
  });
}

type Feature = { properties: Record<string, string>; geometry: { coordinates: [number, number] } };

/** Features of the extract have no ids, so their index in the file identifies them. */
function placesOf(feed: string): NamedStore[] {
  const { features } = JSON.parse(textOf(placeFile(feed))) as { features: Feature[] };
  return features.flatMap(({ properties, geometry }, n): NamedStore[] => {
    const { name, 'addr:city': city = '' } = properties;
    if (name === undefined || name === '') return [];
    const [longitude, latitude] = geometry.coordinates;
    return [{ ref: `${feed}/${n}`, name, city, chain: lettersOf(name), latitude, longitude }];
  });
}

function lettersOf(name: string): string {
  return plainWords(name).join('');
}
