import { basename } from 'node:path';
import { UnreadableFile } from '../lib/read-bytes.ts';
import { openLines } from '../lib/read-lines.ts';
import { FEED_LIMITS } from './feed/feed-limits.ts';
import { headOf } from './file-kinds.ts';
import type { FeedFormat, FormatName } from './formats.ts';
import { openGoogleFood } from './google-food/open-google-food.flow.ts';
import { storeEntries } from './import-feed.flow.ts';
import { osm, overture } from './open-data/place-formats.flow.ts';
import { openSchemaOrg } from './schema-org/open-schema-org.flow.ts';

const ndjson: FeedFormat = {
  async open(file, stdin) {
    const { lines, progress } = await openLines(file, stdin, FEED_LIMITS.lineBytes, headOf('ndjson'));
    return { entries: storeEntries(lines), progress };
  },
  endings: ['.ndjson'],
  leavesOut: false,
  globalIds: false,
};

const googleFood: FeedFormat = {
  openAll: openGoogleFood,
  endings: ['.ndjson', '.json'],
  leavesOut: false,
  globalIds: false,
};

const schemaOrg: FeedFormat = {
  async open(file, stdin, { site }) {
    // Pages that come one after the other through one pipe would all have one publisher.
    if (file === '-' && !site) throw new UnreadableFile(file, new Error('name the site of its pages with --site'));
    return openSchemaOrg(file, stdin, site ? { site } : { file: plainNameOf(file) });
  },
  endings: ['.ndjson', '.jsonld', '.json', '.html', '.htm'],
  leavesOut: false,
  globalIds: false,
};

/** The name of a file without its folder and the ending of its compression. */
export const plainNameOf = (file: string): string => basename(file).replace(/\.(gz|zst)$/i, '');

/** How each format is read. */
export const FEED_FORMATS: Readonly<Record<FormatName, FeedFormat>> = {
  ndjson,
  overture,
  osm,
  'google-food': googleFood,
  'schema-org': schemaOrg,
};
