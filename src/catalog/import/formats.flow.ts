import { openLines } from '../../lib/read-lines.ts';
import { osm, overture } from '../../places/place-formats.flow.ts';
import { FEED_LIMITS } from './feed-limits.ts';
import type { FeedFormat, FormatName } from './formats.ts';
import { storeEntries } from './import-feed.flow.ts';

const ndjson: FeedFormat = {
  async open(file, stdin) {
    const { lines, progress } = await openLines(file, stdin, FEED_LIMITS.lineBytes);
    return { entries: storeEntries(lines), progress };
  },
  endings: ['.ndjson'],
  leavesOut: false,
};

/** How each format is read. */
export const FEED_FORMATS: Readonly<Record<FormatName, FeedFormat>> = { ndjson, overture, osm };
