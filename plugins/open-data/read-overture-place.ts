import {
  type Country,
  EXPECTED_REGION,
  FEED_LIMITS,
  isJsonObject,
  type JsonObject,
  listIn,
  localityOfRecord,
  memberOf,
  objectIn,
  type Place,
  type PlaceReading,
  type PlaceStatus,
  type StatedAddress,
  type StoreKind,
  shortText,
  textIn,
  webUrl,
} from 'doorstep/plugin';
import { featurePoint, type Spot } from './feature-point.ts';
import { cuisinesOfOverture, overtureStoreKind } from './store-kind.ts';

/**
 * A place of Overture Maps as GeoJSON of any release: categories may be in the older or newer form, and parts missing.
 * Overture has no opening hours. Every source record keeps its own license.
 */

const MAX_SOURCES = 50;
const MAX_WORD_CHARACTERS = 100;
const EXPECTED_FEATURE = 'expected a GeoJSON Feature with an id and properties';

const STATUSES: ReadonlyMap<string, PlaceStatus> = new Map([
  ['open', 'OPERATIONAL'],
  ['permanently_closed', 'CLOSED_PERMANENTLY'],
  ['temporarily_closed', 'CLOSED_TEMPORARILY'],
]);

export function readOverturePlace(feature: unknown): PlaceReading {
  const fields = isJsonObject(feature) && memberOf(feature, 'type') === 'Feature' ? feature : null;
  const properties = fields && memberOf(fields, 'properties');
  const placeId = fields ? overtureId(fields, objectIn(fields, 'properties')) : '';
  if (!fields || !isJsonObject(properties) || placeId === '')
    return { ok: false, placeId: placeId || null, reason: 'malformed', path: '', message: EXPECTED_FEATURE };
  const refuse = (reason: Extract<PlaceReading, { ok: false }>['reason'], path: string, message: string) =>
    ({ ok: false, placeId, reason, path, message }) as const;
  const where = featurePoint(memberOf(fields, 'geometry'));
  if ('fault' in where) return refuse('malformed', 'geometry', where.fault);
  const categories = overtureCategories(properties);
  const kind = overtureStoreKind(categories.own, categories.others);
  if (kind === null)
    return refuse(
      'no_shop',
      'properties',
      `expected a place that sells meals or goods, not ${categories.own[0] ?? 'one of no known kind'}`,
    );
  const name = overtureName(properties);
  if (name.length > FEED_LIMITS.nameCharacters)
    return refuse('malformed', 'properties.names.primary', `expected at most ${FEED_LIMITS.nameCharacters} characters`);
  if (name === '') return refuse('no_name', 'properties.names.primary', 'expected a name or a brand');
  if ('none' in where) return refuse('no_location', 'geometry', 'expected a geometry');
  if (memberOf(properties, 'confidence') === 0)
    return refuse('does_not_exist', 'properties.confidence', 'expected a place that exists');
  const stated = overtureAddress(properties);
  const { country, state } = localityOfRecord(stated, where.spot);
  if (country !== null && state === null)
    return refuse('malformed', 'properties.addresses[0].region', `expected ${EXPECTED_REGION[country]}`);
  const address = { ...stated.address, state: state ?? '' };
  return {
    ok: true,
    place: overturePlace({ placeId, name, kind, spot: where.spot, address, country, categories, properties }),
    warnings: [],
  };
}

type Parts = {
  placeId: string;
  name: string;
  kind: StoreKind;
  spot: Spot;
  address: Place['address'];
  country: Country | null;
  categories: Categories;
  properties: JsonObject;
};

function overturePlace({ placeId, name, kind, spot, address, country, categories, properties }: Parts): Place {
  return {
    placeId,
    name,
    address,
    country,
    ...spot,
    phone: firstText(properties, 'phones', FEED_LIMITS.phoneCharacters),
    hours: null,
    datedRules: null,
    cuisines:
      kind.type === 'restaurant' ? cuisinesOfOverture([...categories.own, ...categories.others]) : [...kind.sells],
    brand: overtureBrand(properties) || null,
    storeType: kind.type,
    category: categories.own[0] ?? '',
    status: STATUSES.get(textIn(properties, 'operating_status', MAX_WORD_CHARACTERS)) ?? 'OPERATIONAL',
    link: webUrl(firstText(properties, 'websites', FEED_LIMITS.urlCharacters)),
    origins: originsOf(properties, placeId),
  };
}

function overtureId(feature: JsonObject, properties: JsonObject): string {
  const longest = FEED_LIMITS.idCharacters;
  return textIn(feature, 'id', longest) || textIn(properties, 'id', longest);
}

/** An overlong name is kept, so that it is refused instead of treated as missing. */
const overtureName = (properties: JsonObject): string =>
  textIn(objectIn(properties, 'names'), 'primary', Number.POSITIVE_INFINITY) || overtureBrand(properties);

const overtureBrand = (properties: JsonObject): string =>
  textIn(objectIn(objectIn(properties, 'brand'), 'names'), 'primary', FEED_LIMITS.nameCharacters);

/** A place's primary categories, most specific first, and its alternate categories. */
type Categories = { own: readonly string[]; others: readonly string[] };

function overtureCategories(properties: JsonObject): Categories {
  const taxonomy = objectIn(properties, 'taxonomy');
  const older = objectIn(properties, 'categories');
  const words = (values: readonly unknown[]) =>
    values.map((value) => shortText(value, MAX_WORD_CHARACTERS).toLowerCase());
  const known = (values: readonly string[]) => [...new Set(values)].filter((word) => word !== '');
  const own = [
    memberOf(taxonomy, 'primary'),
    memberOf(older, 'primary'),
    memberOf(properties, 'basic_category'),
    ...listIn(taxonomy, 'hierarchy').slice(0, FEED_LIMITS.categoryDepth).toReversed(),
  ];
  const others = [...listIn(taxonomy, 'alternates'), ...listIn(older, 'alternate')].slice(0, FEED_LIMITS.cuisines);
  return { own: known(words(own)), others: known(words(others)) };
}

/** Reads the first address. */
function overtureAddress(properties: JsonObject): StatedAddress {
  const [first] = listIn(properties, 'addresses');
  const given = isJsonObject(first) ? first : {};
  const part = (key: string) => textIn(given, key, FEED_LIMITS.addressCharacters);
  const address = {
    streetAddr: part('freeform'),
    streetAddr2: '',
    city: part('locality'),
    zipcode: part('postcode'),
  };
  return { country: part('country'), region: part('region'), address };
}

function firstText(properties: JsonObject, key: string, maxCharacters: number): string {
  for (const value of listIn(properties, key)) {
    const text = shortText(value, maxCharacters);
    if (text !== '') return text;
  }
  return '';
}

/** Every source record once; the place itself if it has none. */
function originsOf(properties: JsonObject, placeId: string): Place['origins'] {
  const origins = new Map<string, Place['origins'][number]>();
  for (const source of listIn(properties, 'sources').slice(0, MAX_SOURCES)) {
    if (!isJsonObject(source)) continue;
    const part = (key: string) => textIn(source, key, FEED_LIMITS.idCharacters);
    const origin = {
      dataset: part('dataset') || 'Overture Maps',
      license: part('license') || null,
      recordId: part('record_id') || null,
      updatedAt: part('update_time') || null,
    };
    origins.set(JSON.stringify(origin), origin);
  }
  if (origins.size > 0) return [...origins.values()];
  return [{ dataset: 'Overture Maps', license: null, recordId: placeId, updatedAt: null }];
}
