/** Types for the used part of pg-copy-streams, which has none. */
declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream';
  import type { Submittable } from 'pg';

  /**
   * Streams the bytes of `copy … to stdout`. They end before the statement does: only after `handleReadyForQuery` is
   * `rowCount` valid and the connection free.
   */
  export function to(text: string): Readable & Submittable & { rowCount: number; handleReadyForQuery(): void };
  /** Receives the bytes of `copy … from stdin`. `rowCount` is valid once the stream has finished. */
  export function from(text: string): Writable & Submittable & { rowCount: number };
}
