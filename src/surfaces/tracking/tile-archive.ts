import type { Readable } from 'node:stream';

/** A file with the map's tiles, which browsers read in parts. */
export type TileArchive = {
  /** Opens the file in its current state, for one response; undefined if it no longer exists. */
  open(): Promise<OpenTileArchive | undefined>;
};

export type OpenTileArchive = {
  sizeBytes: number;
  /** Changes with the file's content; a strong validator (RFC 9110, section 8.8.1). */
  etag: string;
  /** Reads the bytes from `first` to `last`, inclusive. The archive is closed when the stream has ended. */
  read(first: number, last: number): Readable;
  close(): Promise<void>;
};
