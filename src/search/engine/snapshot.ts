import { crc32 } from 'node:zlib';
import { bytesOfColumns, COLUMN_NAMES, type ColumnLengths, mapColumns, type SegmentData } from './columns.ts';
import type { Segment } from './segment.ts';

/** Identifies the column layout; files with another layout are not read. Those of format 3 may lack stores. */
const LAYOUT = `4 ${COLUMN_NAMES.join()}`;

/** Where a restored segment belongs: its level and, for a range, its part of the Hilbert curve. */
export type SegmentRole = { level: 'frozen' | 'young' | 'old' } | { level: 'range'; from: number; end: number };

/** The header of a segment's file, before the columns. */
export type SegmentHeader = {
  layout: string;
  role: SegmentRole;
  size: number;
  idWidth: number;
  lengths: ColumnLengths;
  checksum: number;
};

export type RestoredSegment = { role: SegmentRole; data: SegmentData };

/**
 * Returns a segment in stored form: its header and raw columns. Slots with a tombstone at the snapshot's version get
 * tombstone 1, because versions restart at 1. Only the tombstones are copied.
 */
export function serializeSegment(
  { data }: Segment,
  role: SegmentRole,
  died: Uint32Array,
): { header: SegmentHeader; bytes: readonly Buffer[] } {
  const { size, idWidth, lengths, memory } = data;
  const { byteOffset, byteLength } = mapColumns(memory, lengths).died;
  const tombstones = died.map((version) => (version === 0 ? 0 : 1));
  const after = byteOffset + byteLength;
  const bytes = [
    Buffer.from(memory, 0, byteOffset),
    Buffer.from(tombstones.buffer, tombstones.byteOffset, tombstones.byteLength),
    Buffer.from(memory, after, bytesOfColumns(lengths) - after),
  ];
  const checksum = bytes.reduce((sum, part) => crc32(part, sum), 0);
  return { header: { layout: LAYOUT, role, size, idWidth, lengths, checksum }, bytes };
}

export function isOfThisLayout({ layout }: SegmentHeader): boolean {
  return layout === LAYOUT;
}

/** Streams a file's columns into segment memory. */
export class ColumnReader {
  private readonly header: SegmentHeader;
  private readonly memory: SharedArrayBuffer;
  private readonly target: Buffer;
  private at = 0;
  private checksum = 0;

  constructor(header: SegmentHeader, memory: SharedArrayBuffer) {
    this.header = header;
    this.memory = memory;
    this.target = Buffer.from(memory, 0, bytesOfColumns(header.lengths));
  }

  /** Takes a chunk; returns false if the file has too many bytes. */
  take(chunk: Buffer): boolean {
    if (this.at + chunk.length > this.target.length) return false;
    chunk.copy(this.target, this.at);
    this.at += chunk.length;
    this.checksum = crc32(chunk, this.checksum);
    return true;
  }

  /** Returns undefined if bytes are missing or damaged. */
  finish(id: number): RestoredSegment | undefined {
    const { role, size, idWidth, lengths, checksum } = this.header;
    if (this.at !== this.target.length || this.checksum !== checksum) return undefined;
    return { role, data: { id, size, idWidth, lengths, memory: this.memory } };
  }
}
