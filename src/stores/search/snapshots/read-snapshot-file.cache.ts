import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { errorCode } from '../../../lib/error-code.ts';
import type { BlockBytes } from './snapshot-blocks.ts';
import {
  END_BYTES,
  MAGIC,
  type PackedPart,
  type SnapshotFacts,
  type SnapshotList,
  UnusableSnapshot,
} from './snapshot-layout.ts';

/** A snapshot whose end is as it was written. Calls hold their thread while they read and unpack. */
export type SnapshotReader = {
  facts: SnapshotFacts;
  /** The blocks in their sequence, each of which is checked before it is given. Throws UnusableSnapshot. */
  blocks(): Generator<BlockBytes>;
  close(): void;
};

const MAX_LIST_BYTES = 16 << 20;
/** Room that is left in a chunk tells that nothing follows; a chunk has at least 64 bytes. */
const SPARE_BYTES = 64;

/** Opens a snapshot and checks its end. Throws UnusableSnapshot; null where there is no file. */
export function readSnapshotFile(path: string): SnapshotReader | null {
  const file = openFile(path);
  if (file === null) return null;
  try {
    const { blocks, ...facts } = readList(file);
    return { facts, blocks: () => readBlocks(file, blocks), close: () => closeSync(file) };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function openFile(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new UnusableSnapshot('the file cannot be read', { cause: error });
  }
}

function readList(file: number): SnapshotList {
  const { size } = fstatSync(file);
  const magic = readAt(file, 0, MAGIC.length);
  if (!magic.equals(MAGIC) || size < MAGIC.length + END_BYTES) throw new UnusableSnapshot('the file is no snapshot');
  const end = readAt(file, size - END_BYTES, END_BYTES);
  const length = end.readUInt32LE(0);
  if (length > Math.min(MAX_LIST_BYTES, size - MAGIC.length - END_BYTES))
    throw new UnusableSnapshot('its end is damaged');
  const text = readAt(file, size - END_BYTES - length, length);
  const isWhole = hash('sha256', text, 'buffer').equals(end.subarray(4));
  if (!isWhole) throw new UnusableSnapshot('its end is damaged');
  const list = JSON.parse(text.toString()) as SnapshotList;
  const bytes = list.blocks.reduce((sum, { columns, documents }) => sum + columns.bytes + documents.bytes, 0);
  if (MAGIC.length + bytes + length + END_BYTES !== size) throw new UnusableSnapshot('its size is another one');
  return list;
}

function* readBlocks(file: number, listed: SnapshotList['blocks']): Generator<BlockBytes> {
  let at = MAGIC.length;
  for (const { columns, documents } of listed) {
    const block = { columns: readPart(file, at, columns), documents: readPart(file, at + columns.bytes, documents) };
    at += columns.bytes + documents.bytes;
    yield block;
  }
}

function readPart(file: number, at: number, { bytes, size, sha256 }: PackedPart): Buffer {
  const packed = readAt(file, at, bytes);
  if (hash('sha256', packed) !== sha256) throw new UnusableSnapshot('a block is damaged');
  // One chunk: the bytes are not put together of many, and the index may keep them.
  return zstdDecompressSync(packed, { chunkSize: size + SPARE_BYTES });
}

function readAt(file: number, at: number, bytes: number): Buffer<ArrayBuffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  return buffer.subarray(0, readSync(file, buffer, 0, bytes, at));
}
