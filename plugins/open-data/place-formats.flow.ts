import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type FeedEntry,
  type HeadCheck,
  headCheck,
  type NamedFormat,
  openBytes,
  type Place,
  type PlaceReading,
  rejectedLine,
  storeOfPlace,
  wrapReadErrors,
} from 'doorstep/plugin';
import { positionOfWkb } from './feature-point.ts';
import { type JsonRecord, splitJsonRecords } from './json-records.ts';
import { readOsmPlace } from './read-osm-place.ts';
import { readOverturePlace } from './read-overture-place.ts';
import type { ParquetRow } from './read-parquet.flow.ts';

/** Open data formats as feeds of places: Overture Maps (GeoJSON or GeoParquet) and OpenStreetMap (GeoJSON). */

const GEOJSON_ENDINGS = ['.geojson', '.geojsonl', '.geojsons', '.geojsonseq', '.ndjson', '.json'];
const PARQUET_ENDINGS = ['.parquet', '.geoparquet'];

/** Overture's columns for a store. */
const OVERTURE_COLUMNS = [
  ...'id geometry names categories basic_category taxonomy confidence operating_status addresses phones'.split(' '),
  ...'websites brand sources'.split(' '),
];

/** Maximum tracked records without ids, about 50 MB. Whole national extracts have ids. */
const MAX_TRACKED_RECORDS = 500_000;

/** OpenStreetMap elements as GeoJSON. */
export const osm: NamedFormat = {
  name: 'osm',
  async open([file = '-'], { stdin, now }) {
    const today = now.toZonedDateTimeISO('UTC').toPlainDate().toString();
    const isRepeated = createDuplicateCheck();
    const read = (value: unknown): PlaceReading => {
      const reading = readOsmPlace(value, today);
      if (!reading.ok || !isRepeated(reading.place)) return reading;
      const { placeId } = reading.place;
      return { ok: false, placeId, reason: 'repeated', path: '', message: 'expected no record twice' };
    };
    return openedPlaces(
      await openGeoJson(file, stdin, headCheck({ wanted: 'GeoJSON of OpenStreetMap in UTF-8' })),
      read,
    );
  },
  endings: ['.osm.geojson', ...GEOJSON_ENDINGS],
  leavesOut: true,
};

/** Overture Maps places, as GeoParquet or GeoJSON. */
export const overture: NamedFormat = {
  name: 'overture',
  async open([file = '-'], { stdin }) {
    return openedPlaces(await openOverture(file, stdin), readOverturePlace);
  },
  endings: [...PARQUET_ENDINGS, ...GEOJSON_ENDINGS],
  leavesOut: true,
};

const OVERTURE = { wanted: 'GeoJSON in UTF-8, or GeoParquet named .parquet, of Overture Maps' };

/** Opens an Overture file by its ending; standard input is GeoJSON. Throws UnreadableFile. */
async function openOverture(file: string, stdin: Readable): Promise<Features> {
  if (file === '-' || !PARQUET_ENDINGS.includes(extname(file).toLowerCase()))
    return openGeoJson(file, stdin, headCheck(OVERTURE));
  // Only an import of Overture loads the reader.
  const { openParquet } = await import('./read-parquet.flow.ts');
  return readFeatures(await openParquet(file, OVERTURE_COLUMNS));
}

/**
 * Detects a record without id that repeats an earlier one's name and coordinate; the two would overwrite each other at
 * every import. Tracks a limited number of records.
 */
function createDuplicateCheck(): (place: Place) => boolean {
  const met = new Set<string>();
  return ({ placeId, origins }) => {
    if (origins[0]?.recordId !== null) return false;
    if (met.has(placeId)) return true;
    if (met.size < MAX_TRACKED_RECORDS) met.add(placeId);
    return false;
  };
}

async function* readFeatures(rows: AsyncIterable<readonly ParquetRow[]>): AsyncGenerator<JsonRecord[]> {
  let record = 0;
  for await (const some of rows)
    yield some.map((row) => {
      record += 1;
      return { record, value: featureOf(row) };
    });
}

function featureOf(row: ParquetRow): unknown {
  const { id, geometry, ...properties } = row;
  if (!(geometry instanceof Uint8Array)) return { type: 'Feature', id, geometry: null, properties };
  const coordinates = positionOfWkb(geometry);
  const read = coordinates ? { type: 'Point', coordinates } : { type: 'Unknown' };
  return { type: 'Feature', id, geometry: read, properties };
}

const NO_REGION = { path: 'address', message: 'expected a state or province, or a postal code that tells it' };

function openedPlaces(features: Features, read: (value: unknown) => PlaceReading) {
  async function* entries(): AsyncGenerator<FeedEntry[]> {
    for await (const records of features) yield records.map((record) => placeEntry(record, read));
  }
  return { entries: entries() };
}

/**
 * An import entry for a record of an open directory. Malformed records are rejected. Valid records of other places,
 * such as a park bench, are left out without an error.
 */
function placeEntry(record: JsonRecord, read: (value: unknown) => PlaceReading): FeedEntry {
  const line = record.record;
  if ('fault' in record) return { line, parsed: rejectedLine(null, [{ path: '', message: record.fault }]) };
  const reading = read(record.value);
  if (!reading.ok) {
    const { placeId, reason, path, message } = reading;
    return reason === 'malformed'
      ? { line, parsed: rejectedLine(placeId, [{ path, message }]) }
      : { line, leftOut: reason };
  }
  const placed = storeOfPlace(reading.place);
  if (!placed.ok) return { line, leftOut: placed.reason };
  const warnings = [...reading.warnings, ...(reading.place.address.state === '' ? [NO_REGION] : [])];
  return { line, parsed: { ok: true, store: placed.store, warnings } };
}

/** The features in file order, in batches. Throws UnreadableFile. */
type Features = AsyncGenerator<readonly JsonRecord[]>;

/** Opens a file of GeoJSON, compressed or not, or standard input for `-`. Throws UnreadableFile. */
export async function openGeoJson(file: string, stdin: Readable, check?: HeadCheck): Promise<Features> {
  return wrapReadErrors(file, splitJsonRecords(await openBytes(file, stdin, check), FEATURE_LIMITS));
}

/** Limits per feature of a FeatureCollection, newline-delimited JSON, or RFC 8142; above any building's outline and far below a node's memory. */
const FEATURE_LIMITS = { listKey: 'features', maxBytes: 4 * 1024 * 1024, maxLevels: 32 };
