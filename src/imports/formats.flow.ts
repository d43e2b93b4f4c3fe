import { openLines } from '../lib/read-lines.ts';
import { FEED_LIMITS } from './feed/feed-limits.ts';
import type { FeedFormat, FormatName } from './formats.ts';
import { openGoogleFood } from './google-food/open-google-food.flow.ts';
import { storeEntries } from './import-feed.flow.ts';
import { osm, overture } from './open-data/place-formats.flow.ts';
import { openSchemaOrg } from './schema-org/open-schema-org.flow.ts';

const ndjson: FeedFormat = {
  async open(file, stdin) {
    const { lines, progress } = await openLines(file, stdin, FEED_LIMITS.lineBytes);
    return { entries: storeEntries(lines), progress };
  },
  endings: ['.ndjson'],
  leavesOut: false,
};

const googleFood: FeedFormat = { openAll: openGoogleFood, endings: ['.ndjson', '.json'], leavesOut: false };

const schemaOrg: FeedFormat = {
  open: openSchemaOrg,
  endings: ['.ndjson', '.jsonld', '.json', '.html', '.htm'],
  leavesOut: false,
};

/** How each format is read. */
export const FEED_FORMATS: Readonly<Record<FormatName, FeedFormat>> = {
  ndjson,
  overture,
  osm,
  'google-food': googleFood,
  'schema-org': schemaOrg,
};
