import type { Readable } from 'node:stream';
import type { Db } from '../db/connect.ts';
import type { FeedEntry } from './feed-entry.ts';

/** The formats of `doorstep import --format`; formats.flow.ts opens them. */
export const FORMAT_NAMES = ['ndjson', 'overture', 'osm', 'google-food', 'schema-org'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** A file of a feed, opened. */
export type OpenedFeed = {
  /** The entries in the order of the file, some at a time. Throws UnreadableFile. */
  entries: AsyncIterable<readonly FeedEntry[]>;
  /** Bytes of the file as stored; the total is null where it is unknown. */
  progress(): { bytesRead: number; bytesTotal: number | null };
};

/** What a format may need beside the file; `site` is where pages come from, as the operator says. */
export type OpenGiven = { now: Temporal.Instant; site?: URL | undefined };

export type FeedFormat = {
  /** Endings of file names that are no part of the feed's name, beside the endings of compression. */
  endings: readonly string[];
  /** Whether records that are no stores are counted apart, by reason. */
  leavesOut: boolean;
  /** Whether an id names the same business in every file, as in open data. */
  globalIds: boolean;
} & (
  | {
      /** Opens a file, or standard input for `-`; yearly dates are those of the year of `now` and the next. Throws UnreadableFile. */
      open(file: string, stdin: Readable, given: OpenGiven): Promise<OpenedFeed>;
    }
  | {
      /** Opens all files of an import as one feed, whose records may refer to each other. */
      openAll(files: readonly string[], stdin: Readable, db: Db): OpenedFeed;
    }
);
