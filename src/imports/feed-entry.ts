import type { LineFault } from './feed/feed-fields.ts';
import type { ParsedStoreLine } from './feed/parse-store-line.ts';

/**
 * A record of a feed with the store it tells of: whatever a feed's format is, this is what an import takes. `line` is
 * what errors name it by: its line, or its place among the records of the file; `file` is there where several files
 * are one feed. `leftOut` names why a record with nothing wrong in it is no store; `warnings` alone are of a record
 * that is part of a store.
 */
export type FeedEntry = { line: number; file?: string } & (
  | { parsed: ParsedStoreLine }
  | { leftOut: string }
  | { warnings: readonly LineFault[] }
);
