import type { LineFault } from './feed/feed-fields.ts';
import type { ParsedStoreLine } from './feed/parse-store-line.ts';

/**
 * A record of a feed with its store; every format is read into such entries. `line` names the record in errors: its line,
 * or its number among the records of the file. `file` is present where several files are one feed. `leftOut` is the
 * reason why a valid record is no store. An entry with only `warnings` is a record that is part of a store.
 */
export type FeedEntry = { line: number; file?: string } & (
  | { parsed: ParsedStoreLine }
  | { leftOut: string }
  | { warnings: readonly LineFault[] }
);
