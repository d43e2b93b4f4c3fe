/** Types for the part of pg-copy-streams that backups use; the package has none. */
declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream';
  import type { Submittable } from 'pg';

  /**
   * The bytes that `copy … to stdout` answers with. They end before the statement does: `rowCount` counts, and the
   * connection takes another statement, from `handleReadyForQuery` on.
   */
  export function to(text: string): Readable & Submittable & { rowCount: number; handleReadyForQuery(): void };
  /** Takes the bytes of `copy … from stdin`. `rowCount` counts once the stream has finished. */
  export function from(text: string): Writable & Submittable & { rowCount: number };
}
