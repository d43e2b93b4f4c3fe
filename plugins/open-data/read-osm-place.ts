import { createHash } from 'node:crypto';
import {
  type Country,
  EXPECTED_REGION,
  FEED_LIMITS,
  hoursWarnings,
  isJsonObject,
  type JsonObject,
  type LineFault,
  localityOfRecord,
  memberOf,
  objectIn,
  type Place,
  type PlaceReading,
  type PlaceStatus,
  readHours,
  type StatedAddress,
  type StoreType,
  shortText,
  textIn,
  webUrl,
  writeStreet,
} from 'doorstep/plugin';
import { featurePoint, type Spot } from './feature-point.ts';
import { osmStoreKind } from './store-kind.ts';

/* An OpenStreetMap element as a place of the directory: name, address, cuisine, hours and links from its tags. */

const DATASET = 'OpenStreetMap';
/** License of the whole database (openstreetmap.org/copyright). */
const LICENSE = 'ODbL-1.0';

/** Life-cycle prefixes of tags that describe a former business. */
const PAST_PREFIXES = ['disused:', 'abandoned:', 'was:', 'closed:', 'demolished:', 'removed:', 'razed:'];
/** Tags of older records whose whole business is a former one. */
const PAST_FLAGS = ['disused', 'abandoned', 'demolished'];

const OSM_TYPES: ReadonlyMap<string, string> = new Map([
  ['n', 'node'],
  ['w', 'way'],
  ['r', 'relation'],
]);
const EXPECTED_FEATURE = 'expected a GeoJSON Feature with properties';

type Kind = { category: string; storeType: StoreType | null; sells: readonly string[]; status: PlaceStatus };

/**
 * Reads an OpenStreetMap element from GeoJSON (tags in `properties` or `properties.tags`). Unreadable hours are unknown
 * and holiday rules are dropped, each with a warning. `today` decides on `end_date` and `opening_date`.
 */
export function readOsmPlace(feature: unknown, today: string): PlaceReading {
  if (
    !isJsonObject(feature) ||
    memberOf(feature, 'type') !== 'Feature' ||
    !isJsonObject(memberOf(feature, 'properties'))
  )
    return { ok: false, placeId: null, reason: 'malformed', path: '', message: EXPECTED_FEATURE };
  const properties = objectIn(feature, 'properties');
  const nested = memberOf(properties, 'tags');
  const tags = isJsonObject(nested) ? nested : properties;
  const recordId = recordIdOf(feature, properties);
  const refuse = (reason: Extract<PlaceReading, { ok: false }>['reason'], path: string, message: string) =>
    ({ ok: false, placeId: recordId, reason, path, message }) as const;
  const where = featurePoint(memberOf(feature, 'geometry'));
  if ('fault' in where) return refuse('malformed', 'geometry', where.fault);
  const kind = osmKind(tags, today);
  if (kind.storeType === null)
    return refuse(
      'no_shop',
      'properties',
      `expected a place that sells meals or goods, not ${kind.category || 'one of no known kind'}`,
    );
  if (isPeriod(textIn(tags, 'opening_date', 10), 'after', today))
    return refuse('not_open_yet', 'properties.opening_date', 'expected a place that has opened');
  const name = osmName(tags);
  if (name.length > FEED_LIMITS.nameCharacters)
    return refuse('malformed', 'properties.name', `expected at most ${FEED_LIMITS.nameCharacters} characters`);
  if (name === '') return refuse('no_name', 'properties.name', 'expected a name or a brand');
  if ('none' in where) return refuse('no_location', 'geometry', 'expected a geometry');
  const stated = osmAddress(tags);
  const { country, state } = localityOfRecord(stated, where.spot);
  if (country !== null && state === null)
    return refuse('malformed', 'properties.addr:state', `expected ${EXPECTED_REGION[country]}`);
  const address = { ...stated.address, state: state ?? '' };
  const warnings: LineFault[] = [];
  const hours = osmHours(tags, warnings);
  const origin = { recordId, updatedAt: textIn(properties, '@timestamp', 64) || textIn(properties, 'timestamp', 64) };
  return {
    ok: true,
    place: osmPlace({ tags, kind, name, spot: where.spot, address, country, hours, origin }),
    warnings,
  };
}

const UNKNOWN_HOURS = { hours: null, datedRules: null };

type Parts = {
  tags: JsonObject;
  kind: Kind;
  name: string;
  spot: Spot;
  address: Place['address'];
  country: Country | null;
  hours: Pick<Place, 'hours' | 'datedRules'>;
  origin: { recordId: string | null; updatedAt: string };
};

function osmPlace({ tags, kind, name, spot, address, country, hours, origin }: Parts): Place {
  const { recordId, updatedAt } = origin;
  const { sells, ...kept } = kind;
  const page = recordId?.includes('/') ? `https://www.openstreetmap.org/${recordId}` : '';
  return {
    placeId: recordId ?? idOfSpot(name, spot),
    name,
    ...spot,
    ...kept,
    address,
    country,
    phone: firstTag(tags, ['phone', 'contact:phone', 'contact:mobile'], FEED_LIMITS.phoneCharacters),
    ...hours,
    cuisines: osmCuisines(tags, sells),
    brand: textIn(tags, 'brand', FEED_LIMITS.nameCharacters) || null,
    link: webUrl(firstTag(tags, ['website', 'contact:website', 'url'], FEED_LIMITS.urlCharacters)) || page,
    origins: [{ dataset: DATASET, license: LICENSE, recordId, updatedAt: updatedAt || null }],
  };
}

function osmKind(tags: JsonObject, today: string): Kind {
  const hasEnded = isPeriod(textIn(tags, 'end_date', 10), 'before', today);
  const isPast = hasEnded || PAST_FLAGS.some((flag) => textIn(tags, flag, 10).toLowerCase() === 'yes');
  const now = kindByPrefix(tags, '');
  if (now.storeType !== null) return { ...now, status: isPast ? 'CLOSED_PERMANENTLY' : 'OPERATIONAL' };
  // The current business takes precedence over a former one.
  const past = now.category === '' || now.category === 'vacant' ? pastKind(tags) : null;
  return past ?? { ...now, status: 'OPERATIONAL' };
}

const PERIOD = /^\d{4}(?:-\d\d){0,2}$/;

/** Whether a year, month or day is wholly before or after today. */
function isPeriod(period: string, side: 'before' | 'after', today: string): boolean {
  const current = today.slice(0, period.length);
  return PERIOD.test(period) && (side === 'before' ? period < current : period > current);
}

function pastKind(tags: JsonObject): Kind | null {
  const past = PAST_PREFIXES.map((prefix) => kindByPrefix(tags, prefix)).find(({ storeType }) => storeType !== null);
  return past ? { ...past, status: 'CLOSED_PERMANENTLY' } : null;
}

function kindByPrefix(tags: JsonObject, prefix: string): Omit<Kind, 'status'> {
  const amenity = tagValues(tags, `${prefix}amenity`);
  const shop = tagValues(tags, `${prefix}shop`);
  const kind = osmStoreKind({ amenity, shop, healthcare: tagValues(tags, `${prefix}healthcare`) });
  if (kind) return { category: kind.category, storeType: kind.type, sells: kind.sells };
  return { category: amenity[0] ?? shop[0] ?? '', storeType: null, sells: [] };
}

/** Splits a tag's values at semicolons. */
function tagValues(tags: JsonObject, key: string): string[] {
  return textIn(tags, key, FEED_LIMITS.nameCharacters)
    .split(';')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function firstTag(tags: JsonObject, keys: readonly string[], maxCharacters: number): string {
  for (const key of keys) {
    const first = textIn(tags, key, FEED_LIMITS.descriptionCharacters).split(';')[0]?.trim() ?? '';
    if (first !== '' && first.length <= maxCharacters) return first;
  }
  return '';
}

/** An overlong name is kept, so that it is refused instead of treated as missing. */
const osmName = (tags: JsonObject): string =>
  textIn(tags, 'name', Number.POSITIVE_INFINITY) || textIn(tags, 'brand', Number.POSITIVE_INFINITY);

function osmAddress(tags: JsonObject): StatedAddress {
  const part = (key: string) => textIn(tags, key, FEED_LIMITS.addressCharacters);
  const streetName = part('addr:street') || part('addr:place');
  const line = streetName === '' ? '' : writeStreet({ streetNum: part('addr:housenumber'), streetName });
  return {
    country: part('addr:country'),
    region: part('addr:province') || part('addr:state'),
    address: {
      streetAddr: line || part('addr:street_address') || part('addr:full'),
      streetAddr2: part('addr:unit') || part('addr:suite'),
      city: part('addr:city'),
      zipcode: part('addr:postcode'),
    },
  };
}

/** A restaurant's cuisines. A shop's goods come first in the list. */
function osmCuisines(tags: JsonObject, sells: readonly string[]): string[] {
  const cuisines = tagValues(tags, 'cuisine').map((value) => value.replaceAll('_', ' '));
  return [...new Set([...sells, ...cuisines])].slice(0, FEED_LIMITS.cuisines);
}

function osmHours(tags: JsonObject, warnings: LineFault[]): Pick<Place, 'hours' | 'datedRules'> {
  const rules = textIn(tags, 'opening_hours', FEED_LIMITS.descriptionCharacters);
  if (rules === '') return UNKNOWN_HOURS;
  const read = readHours(rules);
  for (const message of hoursWarnings(read, 'left unknown'))
    warnings.push({ path: 'properties.opening_hours', message });
  return read.ok ? { hours: read.hours, datedRules: read.dated } : UNKNOWN_HOURS;
}

/** The element's id in OpenStreetMap's form, `node/123`, from any property that converters use; null without one. */
function recordIdOf(feature: JsonObject, properties: JsonObject): string | null {
  const osmType = textIn(properties, 'osm_type', 20).toLowerCase();
  const type = OSM_TYPES.get(osmType.slice(0, 1)) ?? '';
  const osmId = textIn(properties, 'osm_id', 40);
  const known = [memberOf(feature, 'id'), memberOf(feature, '@id'), memberOf(properties, '@id')]
    .map((value) => shortText(value, FEED_LIMITS.urlCharacters))
    .find((text) => text !== '');
  const text = known || (type && /^-?\d+$/.test(osmId) ? `${type}/${osmId.replace('-', '')}` : osmId);
  const plain = /(?:^|\/)(node|way|relation)\/(\d{1,20})$/.exec(text);
  const id = plain ? `${plain[1]}/${plain[2]}` : text;
  return id !== '' && id.length <= FEED_LIMITS.idCharacters ? id : null;
}

/** Identifies a record without id by its name and coordinate, to a centimeter. */
function idOfSpot(name: string, { latitude, longitude }: Spot): string {
  const text = `${name}\n${latitude.toFixed(7)}\n${longitude.toFixed(7)}`;
  return `spot/${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}
