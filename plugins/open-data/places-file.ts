import { Readable } from 'node:stream';
import {
  ConfigError,
  isJsonObject,
  memberOf,
  objectIn,
  type PlaceDirectory,
  type PlaceReading,
  type PluginLog,
  type ReportLeftOut,
  UnreadableFile,
} from 'doorstep/plugin';
import { PlaceIndex } from './place.index.ts';
import { openGeoJson } from './place-formats.flow.ts';
import { readOsmPlace } from './read-osm-place.ts';
import { readOverturePlace } from './read-overture-place.ts';

/**
 * Maximum places in memory. A place takes 0.7 kB, 0.1 kB of it in the JavaScript heap; 3 GB in all. A larger directory
 * needs a database.
 */
const MAX_PLACES_IN_MEMORY = 4_000_000;

/**
 * Opens the directory of a file: GeoJSON of OpenStreetMap or Overture Maps, compressed or not. Without a file it is
 * empty. An unreadable or empty file is a ConfigError.
 */
export async function openPlacesFile(options: {
  file: string | undefined;
  /** When the file is read. */
  now: Temporal.Instant;
  log: Pick<PluginLog, 'info'>;
  reportLeftOut: ReportLeftOut;
}): Promise<PlaceDirectory> {
  const { file, now, log, reportLeftOut } = options;
  const index = new PlaceIndex();
  if (file !== undefined) {
    const skipped = await readPlaces(file, index, now);
    if (index.size === 0) throw badFile(`has no place that could be read${reasonsOf(skipped)}`);
    log.info({ places: index.size, skipped: Object.fromEntries(skipped) }, 'places read');
    const unread = skipped.get('malformed') ?? 0;
    if (unread > 0) reportLeftOut('place', 'places of PLACES_FILE could not be read', {}, unread);
  }
  return {
    name: 'local',
    isBilled: false,
    maxCacheDays: null,
    search: async (query) => index.search(query),
    find: async (placeId) => index.find(placeId),
  };
}

/** Fills the index; returns the number of omitted records, by reason. */
async function readPlaces(file: string, index: PlaceIndex, now: Temporal.Instant): Promise<Map<string, number>> {
  const skipped = new Map<string, number>();
  const skip = (reason: string) => skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  const read = createReader(now);
  try {
    for await (const batch of await openGeoJson(file, Readable.from([]))) {
      for (const record of batch) {
        const reading = 'value' in record ? read(record.value) : undefined;
        if (!reading?.ok) skip(reading?.reason ?? 'malformed');
        else if (index.size >= MAX_PLACES_IN_MEMORY) throw badFile(`has over ${MAX_PLACES_IN_MEMORY} places`);
        else if (!index.add(reading.place)) skip('repeated');
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    // Omits the path, because the operator set it.
    throw badFile(error.message.replace(`${file} `, '').replace(/\.$/, ''));
  }
  return skipped;
}

const badFile = (reason: string): ConfigError => new ConfigError([`PLACES_FILE ${reason}.`]);

function reasonsOf(skipped: ReadonlyMap<string, number>): string {
  const reasons = [...skipped].map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`);
  return reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
}

/** Distinguishes the formats: Overture's names are an object, OpenStreetMap's tags are texts. */
function createReader(now: Temporal.Instant): (feature: unknown) => PlaceReading {
  const today = now.toZonedDateTimeISO('UTC').toPlainDate().toString();
  return (feature) => {
    const properties = isJsonObject(feature) ? objectIn(feature, 'properties') : {};
    const isOverture = isJsonObject(memberOf(properties, 'names'));
    return isOverture ? readOverturePlace(feature) : readOsmPlace(feature, today);
  };
}
