import { demoCatalog } from './catalog.ts';
import { type Chance, chanceOf, seedOf } from './chance.ts';
import { CITIES, type City, type CityKey } from './cities.ts';
import type { FeedStore } from './feed-line.ts';
import { slugOf } from './menu-kit.ts';
import { houseOn } from './streets.ts';

type Tags = Readonly<Record<string, string>>;
type OsmFeature = {
  type: 'Feature';
  id: string;
  properties: Tags;
  geometry: { type: 'Point'; coordinates: [longitude: number, latitude: number] };
};
export type PlacesDocument = { type: 'FeatureCollection'; features: OsmFeature[] };

/** Places of every city that are not in the catalog; all names are invented. */
const KINDS: readonly (Tags & { last: string })[] = [
  {
    last: 'Espresso Bar',
    amenity: 'cafe',
    cuisine: 'coffee_shop',
    opening_hours: 'Mo-Fr 06:30-18:00; Sa-Su 08:00-17:00',
  },
  { last: 'Tea House', amenity: 'cafe', cuisine: 'tea', opening_hours: 'Tu-Su 10:00-19:00' },
  { last: 'Ramen', amenity: 'restaurant', cuisine: 'ramen;japanese', opening_hours: 'Mo-Su 11:30-22:00' },
  { last: 'Trattoria', amenity: 'restaurant', cuisine: 'italian', opening_hours: 'Tu-Su 17:00-23:00' },
  { last: 'Dumplings', amenity: 'fast_food', cuisine: 'chinese;dumpling', opening_hours: 'Mo-Su 11:00-21:00' },
  { last: 'Falafel', amenity: 'fast_food', cuisine: 'lebanese;falafel', opening_hours: 'Mo-Sa 11:00-03:00' },
  { last: 'Ice Cream', amenity: 'ice_cream', cuisine: 'ice_cream', opening_hours: 'Mo-Su 12:00-23:00' },
  { last: 'Taproom', amenity: 'pub', opening_hours: 'Mo-Th 16:00-24:00; Fr-Su 12:00-02:00' },
  { last: 'Bakery', shop: 'bakery', opening_hours: 'Mo-Sa 06:00-16:00' },
  { last: 'Greengrocer', shop: 'greengrocer', opening_hours: 'Mo-Su 08:00-20:00' },
  { last: 'Night & Day', shop: 'convenience', opening_hours: '24/7' },
  { last: 'Chowder', 'disused:amenity': 'restaurant', cuisine: 'seafood' },
];

const FIRST_WORDS = [
  'Amber Kite',
  'Birch & Bell',
  'Cobalt Heron',
  'Driftwood Moon',
  'Ember Lane',
  'Feather Stone',
  'Gilded Otter',
  'Hollow Oak',
  'Indigo Pail',
  'Juniper Gate',
  'Kindling Row',
  'Lilac Anchor',
  'Marble Wren',
  'North Kettle',
  'Opal Ladder',
  'Pewter Fox',
  'Quiet Harbour',
  'Russet Sail',
];

/** Stores of the catalog that the directory knows too: so many of each city. */
const KNOWN_PER_CITY = 2;

/**
 * The demo's directory in OpenStreetMap's format: invented places around its cities that can be added, and some places
 * that are stores of the catalog. Every run gives the same places.
 */
export function demoPlaces(): PlacesDocument {
  const features = (Object.keys(CITIES) as CityKey[]).flatMap(inventedPlaces);
  return { type: 'FeatureCollection', features: [...features, ...knownPlaces()] };
}

function inventedPlaces(key: CityKey): OsmFeature[] {
  const city: City = CITIES[key];
  const first = chanceOf(seedOf(`places of ${key}`)).between(0, FIRST_WORDS.length - 1);
  return KINDS.map(({ last, ...kind }, position) => {
    const name = `${FIRST_WORDS[(first + position) % FIRST_WORDS.length]} ${last}`;
    const id = slugOf(`demo ${key} ${name}`);
    const chance = chanceOf(seedOf(id));
    const phone = `+1-${city.areaCode}-555-01${10 + position}`;
    const { at, ...address } = randomAddress(chance, city, position);
    return featureOf(id, { name, ...kind, ...address, phone, website: `https://${slugOf(name)}.example/` }, at);
  });
}

/** Scattered within about 500 m of a quarter's middle. */
function randomAddress(chance: Chance, city: City, position: number) {
  const quarter = city.quarters[position % city.quarters.length];
  if (!quarter) throw new RangeError(`${city.name} has no quarter.`);
  const near = (degrees: number) => Number((degrees + (chance.fraction() - 0.5) * 0.008).toFixed(6));
  const [number, street] = [chance.between(12, 1480), chance.pick(quarter.streets)];
  const scattered = { number, street, latitude: near(quarter.latitude), longitude: near(quarter.longitude) };
  const house = houseOn(street, scattered) ?? scattered;
  return {
    'addr:housenumber': String(house.number),
    'addr:street': house.street,
    'addr:city': city.name,
    [city.country === 'CA' ? 'addr:province' : 'addr:state']: city.state,
    'addr:postcode': quarter.zipcode,
    'addr:country': city.country,
    at: { latitude: house.latitude, longitude: house.longitude },
  };
}

function knownPlaces(): OsmFeature[] {
  const byCity = Map.groupBy(demoCatalog(), ({ address }) => address.city);
  return [...byCity.values()].flatMap((stores) => stores.slice(0, KNOWN_PER_CITY).map(placeOfStore));
}

function placeOfStore({ external_id, name, type, address, phone, cuisines = [], ...at }: FeedStore): OsmFeature {
  const kind: Tags =
    type === 'grocery' ? { shop: 'supermarket' } : { amenity: 'restaurant', cuisine: cuisines.join(';') };
  const tags = {
    name,
    ...kind,
    phone,
    'addr:full': address.street_addr,
    'addr:city': address.city,
    'addr:state': address.state,
    'addr:postcode': address.zipcode,
    'addr:country': address.country,
  };
  return featureOf(slugOf(`demo ${external_id}`), tags, at);
}

function featureOf(id: string, properties: Tags, at: { latitude: number; longitude: number }): OsmFeature {
  return { type: 'Feature', id, properties, geometry: { type: 'Point', coordinates: [at.longitude, at.latitude] } };
}
