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

export const isOfThisLayout = ({ layout }: SegmentHeader): boolean => layout === LAYOUT;
