import type { Readable } from 'node:stream';
import type { Db } from '../db/connect.ts';
import type { FeedEntry } from './feed-entry.ts';

/** What `doorstep import --format` takes; what opens them is in formats.flow.ts. */
export const FORMAT_NAMES = ['ndjson', 'overture', 'osm', 'google-food', 'schema-org'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** A file of a feed, opened. */
export type OpenedFeed = {
  /** The entries in the order of the file, some at a time. Throws UnreadableFile. */
  entries: AsyncIterable<readonly FeedEntry[]>;
  /** Bytes of the file as it lies there; the total is null where nobody knows it. */
  progress(): { bytesRead: number; bytesTotal: number | null };
};

export type FeedFormat = {
  /** Endings of file names, after those of compression, that are no part of the feed's name. */
  endings: readonly string[];
  /** Whether records that are no stores are counted apart, by reason. */
  leavesOut: boolean;
} & (
  | {
      /** Opens a file, or standard input for `-`. Throws UnreadableFile. */
      open(file: string, stdin: Readable): Promise<OpenedFeed>;
    }
  | {
      /** Opens all files of an import as one feed, whose records may refer to each other. */
      openTogether(files: readonly string[], stdin: Readable, db: Db): OpenedFeed;
    }
);
