import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import type { JsonRecord } from '../../lib/json-records.ts';
import { openParquet, type ParquetRow } from '../../lib/read-parquet.ts';
import type { FeedEntry } from '../feed-entry.ts';
import { headOf } from '../file-kinds.ts';
import type { FeedFormat } from '../formats.ts';
import { createOsmDatedMemo } from '../osm-memo.ts';
import { type FeatureStream, openGeoJson } from './open-features.flow.ts';
import type { Place } from './place.ts';
import { placeEntry } from './place-entry.ts';
import type { PlaceReading } from './place-reading.ts';
import { readOsmPlace } from './read-osm-place.ts';
import { readOverturePlace } from './read-overture-place.ts';
import { positionOfWkb } from './wkb-point.ts';

const GEOJSON_ENDINGS = ['.geojson', '.geojsonl', '.geojsons', '.geojsonseq', '.ndjson', '.json'];
const PARQUET_ENDINGS = ['.parquet', '.geoparquet'];

/** The columns of Overture that a store is made of. */
const OVERTURE_COLUMNS = [
  'id',
  'geometry',
  'names',
  'categories',
  'basic_category',
  'taxonomy',
  'confidence',
  'operating_status',
  'addresses',
  'phones',
  'websites',
  'brand',
  'sources',
];

/** Records without an id; some 50 MB. Whole extracts of the country have ids. */
const MAX_REMEMBERED = 500_000;

/** OpenStreetMap elements as GeoJSON. */
export const osm: FeedFormat = {
  async open(file, stdin, { now }) {
    const readHours = createOsmDatedMemo();
    const isRepeated = createRepeats();
    const read = (value: unknown): PlaceReading => {
      const reading = readOsmPlace(value, readHours);
      if (!reading.ok || !isRepeated(reading.place)) return reading;
      const { placeId } = reading.place;
      return { ok: false, placeId, reason: 'repeated', path: '', message: 'expected no record twice' };
    };
    return openedPlaces(await openGeoJson(file, stdin, headOf('osm')), read, now);
  },
  endings: ['.osm.geojson', ...GEOJSON_ENDINGS],
  leavesOut: true,
  globalIds: true,
};

/** Overture Maps places, as GeoParquet or as GeoJSON. */
export const overture: FeedFormat = {
  async open(file, stdin, { now }) {
    return openedPlaces(await openOverture(file, stdin), readOverturePlace, now);
  },
  endings: [...PARQUET_ENDINGS, ...GEOJSON_ENDINGS],
  leavesOut: true,
  globalIds: true,
};

/** Opens a file of Overture places by its ending; standard input is GeoJSON. Throws UnreadableFile. */
async function openOverture(file: string, stdin: Readable): Promise<FeatureStream> {
  if (file === '-' || !PARQUET_ENDINGS.includes(extname(file).toLowerCase()))
    return openGeoJson(file, stdin, headOf('overture'));
  const { rows, progress } = await openParquet(file, OVERTURE_COLUMNS);
  return { features: featuresOf(rows), progress };
}

/**
 * Whether a record without an id repeats an earlier record of the file by name and coordinate: otherwise the two would
 * overwrite each other at every import. Remembers a limited number of records.
 */
function createRepeats(): (place: Place) => boolean {
  const met = new Set<string>();
  return ({ placeId, origins }) => {
    if (origins[0]?.recordId !== null) return false;
    if (met.has(placeId)) return true;
    if (met.size < MAX_REMEMBERED) met.add(placeId);
    return false;
  };
}

async function* featuresOf(rows: AsyncIterable<readonly ParquetRow[]>): AsyncGenerator<JsonRecord[]> {
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

function openedPlaces(
  { features, progress }: FeatureStream,
  read: (value: unknown) => PlaceReading,
  now: Temporal.Instant,
) {
  async function* entries(): AsyncGenerator<FeedEntry[]> {
    for await (const records of features) yield records.map((record) => placeEntry(record, read, now));
  }
  return { entries: entries(), progress };
}
