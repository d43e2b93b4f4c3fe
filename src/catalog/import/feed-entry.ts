import type { ParsedStoreLine } from './parse-store-line.ts';

/**
 * A record of a feed with the store it tells of: whatever a feed's format is, this is what an import takes. `line` is
 * what errors name it by: its line, or its place among the records of the file. `leftOut` names why a record with
 * nothing wrong in it is no store.
 */
export type FeedEntry = { line: number } & ({ parsed: ParsedStoreLine } | { leftOut: string });
