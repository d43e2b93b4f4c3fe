import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { bytesOfColumns, COLUMN_NAMES, type ColumnLengths, columnsIn, type SegmentData } from './columns.ts';
import type { Segment } from './segment.ts';
import type { SegmentMemory } from './segment-memory.ts';

/** Files of another layout of columns are not read. */
const LAYOUT = `1 ${COLUMN_NAMES.join()}`;

/** Where a segment of a snapshot goes back to. */
export type SegmentRole = { level: 'frozen' | 'young' | 'old' } | { level: 'range'; from: number; end: number };

type Header = {
  layout: string;
  role: SegmentRole;
  size: number;
  idWidth: number;
  lengths: ColumnLengths;
  checksum: number;
};

export type RestoredSegment = { role: SegmentRole; data: SegmentData };

const LENGTH_BYTES = 4;

/**
 * A segment as a file: the length of its header, its header, and its columns as they lie, compressed. Slots with a
 * tombstone at the snapshot's version have the tombstone 1, so versions begin anew.
 */
export function encodeSegment({ data }: Segment, role: SegmentRole, died: Uint32Array): Buffer {
  const { size, idWidth, lengths, memory } = data;
  const bytes = Buffer.from(new Uint8Array(memory).slice(0, bytesOfColumns(lengths)).buffer);
  const tombstones = new Uint32Array(bytes.buffer, columnsIn(memory, lengths).died.byteOffset, size);
  for (let slot = 0; slot < size; slot += 1) tombstones[slot] = died[slot] === 0 ? 0 : 1;
  const header: Header = { layout: LAYOUT, role, size, idWidth, lengths, checksum: crc32(bytes) };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  const compressed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  return Buffer.concat([length, text, compressed]);
}

/** Undefined for a file of another layout, or one that is damaged. */
export function decodeSegment(file: Buffer, id: number, memory: SegmentMemory): RestoredSegment | undefined {
  const header = headerOf(file);
  if (header === undefined || header.layout !== LAYOUT) return undefined;
  const { role, size, idWidth, lengths, checksum } = header;
  const length = bytesOfColumns(lengths);
  const bytes = decompress(file.subarray(LENGTH_BYTES + file.readUInt32LE(0)), length);
  if (bytes === undefined || bytes.length !== length || crc32(bytes) !== checksum) return undefined;
  const block = memory.take(bytes.length);
  bytes.copy(Buffer.from(block));
  return { role, data: { id, size, idWidth, lengths, memory: block } };
}

function headerOf(file: Buffer): Header | undefined {
  try {
    const length = file.readUInt32LE(0);
    return JSON.parse(file.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + length));
  } catch {
    return undefined;
  }
}

/** Chunks of the whole length: smaller ones would be copied together. */
function decompress(bytes: Buffer, length: number): Buffer | undefined {
  try {
    return zstdDecompressSync(bytes, { chunkSize: Math.max(64, length), maxOutputLength: Math.max(64, length) });
  } catch {
    return undefined;
  }
}
