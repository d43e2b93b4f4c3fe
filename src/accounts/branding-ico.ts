import { looksLikePng, readPngSize } from './branding-png.ts';

const HEADER = Buffer.from([0, 0, 1, 0]);
const HEADER_LENGTH = 6;
const ENTRY_LENGTH = 16;
const BITMAP_HEADER_LENGTH = 40;
const DEPTHS = [1, 4, 8, 16, 24, 32];
/** Plain, and plain with the masks of its colours named. */
const COMPRESSIONS = [0, 3];
const MAX_PALETTE = 256;

type Size = { width: number; height: number };

export function looksLikeIco(bytes: Buffer): boolean {
  return bytes.subarray(0, HEADER.length).equals(HEADER);
}

/**
 * The sizes in pixels of all images of a whole ICO: each lies behind the directory and is what the directory says,
 * and the file ends with the last. Undefined for anything else.
 */
export function readIcoSizes(bytes: Buffer): readonly Size[] | undefined {
  if (!looksLikeIco(bytes) || bytes.length < HEADER_LENGTH) return undefined;
  const count = bytes.readUInt16LE(4);
  const directoryEnd = HEADER_LENGTH + count * ENTRY_LENGTH;
  if (count === 0 || directoryEnd > bytes.length) return undefined;
  const entries = Array.from({ length: count }, (_, index) => entryAt(bytes, HEADER_LENGTH + index * ENTRY_LENGTH));
  if (Math.max(...entries.map(({ end }) => end)) !== bytes.length) return undefined;
  const whole = entries.every(({ start, end, size }) => {
    return start >= directoryEnd && holds(bytes.subarray(start, end), size);
  });
  return whole ? entries.map(({ size }) => size) : undefined;
}

function entryAt(bytes: Buffer, at: number): { size: Size; start: number; end: number } {
  const start = bytes.readUInt32LE(at + 12);
  // The directory writes 256 as 0.
  const size = { width: bytes.readUInt8(at) || 256, height: bytes.readUInt8(at + 1) || 256 };
  return { size, start, end: start + bytes.readUInt32LE(at + 8) };
}

function holds(image: Buffer, size: Size): boolean {
  if (!looksLikePng(image)) return isBitmapOf(image, size);
  const found = readPngSize(image);
  return found?.width === size.width && found.height === size.height;
}

/** An uncompressed bitmap with a header of 40 bytes, its height counted twice for the mask below the colours. */
function isBitmapOf(image: Buffer, { width, height }: Size): boolean {
  if (image.length < BITMAP_HEADER_LENGTH || image.readUInt32LE(0) !== BITMAP_HEADER_LENGTH) return false;
  if (image.readInt32LE(4) !== width || image.readInt32LE(8) !== height * 2) return false;
  const depth = image.readUInt16LE(14);
  const named = image.readUInt32LE(32);
  if (!DEPTHS.includes(depth) || !COMPRESSIONS.includes(image.readUInt32LE(16)) || named > MAX_PALETTE) return false;
  const palette = depth <= 8 ? (named || 2 ** depth) * 4 : 0;
  // Where each pixel has its own opacity, some programs leave the mask out.
  const mask = depth === 32 ? 0 : rowLength(width, 1) * height;
  return image.length >= BITMAP_HEADER_LENGTH + palette + rowLength(width, depth) * height + mask;
}

/** Bytes of a row of a bitmap: whole groups of four. */
function rowLength(width: number, depth: number): number {
  return Math.ceil((width * depth) / 32) * 4;
}
