import type { Readable } from 'node:stream';

/** The map's tiles in one file, of which browsers read parts. */
export type TileArchive = {
  /** Opens the file as it is now, for one answer; undefined where it is gone. */
  open(): Promise<OpenTileArchive | undefined>;
};

export type OpenTileArchive = {
  sizeBytes: number;
  /** Changes with the file's content, and is a strong validator (RFC 9110, section 8.8.1). */
  etag: string;
  /** The bytes from `first` to `last`, inclusive. The archive is closed when the stream has ended. */
  read(first: number, last: number): Readable;
  close(): Promise<void>;
};
