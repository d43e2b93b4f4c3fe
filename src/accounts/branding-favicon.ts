import type { Branding } from './branding.ts';
import type { Parsed } from './branding-fields.ts';
import { looksLikePng, readPngSize } from './branding-png.ts';

const ICO_HEADER = Buffer.from([0, 0, 1, 0]);
const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;
const BITMAP_HEADER_BYTES = 40;
const DEPTHS = [1, 4, 8, 16, 24, 32];
/** Plain, and plain with the masks of its colors named. */
const COMPRESSIONS = [0, 3];
const MAX_PALETTE = 256;

type Size = { width: number; height: number };

export const MAX_FAVICON_BYTES = 64 * 1024;
const SIDE = 16;

/** First bytes of other picture formats, so that the error names the format of the file. */
const OTHER_FORMATS: readonly [RegExp, string][] = [
  [/^GIF8/, 'a GIF'],
  [/^\xff\xd8\xff/, 'a JPEG'],
  [/^RIFF....WEBP/s, 'a WebP picture'],
  [/^....ftypavi[fs]/s, 'an AVIF picture'],
  [/^BM/, 'a BMP'],
  [/^(\xef\xbb\xbf)?\s*<([?!]xml|!--|!doctype|svg)/i, 'an SVG or another document'],
];

/** A PNG of 16 by 16 pixels, or an ICO that holds one image of that size; at most 64 KiB. */
export function parseFavicon(bytes: Buffer): Parsed<NonNullable<Branding['favicon']>> {
  if (bytes.length === 0) return { fault: 'It is empty.' };
  if (bytes.length > MAX_FAVICON_BYTES) return { fault: 'It is larger than 64 KiB.' };
  if (looksLikePng(bytes)) return parsePng(bytes);
  if (looksLikeIco(bytes)) return parseIco(bytes);
  const start = bytes.toString('latin1', 0, 64);
  const other = OTHER_FORMATS.find(([pattern]) => pattern.test(start))?.[1];
  return { fault: other ? `It is ${other}; a favicon is a PNG or an ICO.` : 'It is neither a PNG nor an ICO.' };
}

function parsePng(bytes: Buffer): Parsed<NonNullable<Branding['favicon']>> {
  const size = readPngSize(bytes);
  if (!size) return { fault: 'It is a damaged PNG.' };
  if (size.width !== SIDE || size.height !== SIDE)
    return { fault: `${wrongSize([size])} pixels; a favicon has 16×16.` };
  return { value: { bytes, type: 'image/png' } };
}

function parseIco(bytes: Buffer): Parsed<NonNullable<Branding['favicon']>> {
  const sizes = readIcoSizes(bytes);
  if (!sizes) return { fault: 'It is a damaged ICO.' };
  if (!sizes.some(({ width, height }) => width === SIDE && height === SIDE)) {
    return { fault: `${wrongSize(sizes)} pixels; a favicon has 16×16.` };
  }
  return { value: { bytes, type: 'image/x-icon' } };
}

function wrongSize(sizes: readonly { width: number; height: number }[]): string {
  return `It has ${sizes.map(({ width, height }) => `${width}×${height}`).join(', ')}`;
}

function looksLikeIco(bytes: Buffer): boolean {
  return bytes.subarray(0, ICO_HEADER.length).equals(ICO_HEADER);
}

/**
 * The sizes in pixels of all images of a whole ICO: each lies behind the directory and is what the directory says,
 * and the file ends with the last. Undefined for anything else.
 */
function readIcoSizes(bytes: Buffer): readonly Size[] | undefined {
  if (!looksLikeIco(bytes) || bytes.length < ICO_HEADER_BYTES) return undefined;
  const count = bytes.readUInt16LE(4);
  const directoryEnd = ICO_HEADER_BYTES + count * ICO_ENTRY_BYTES;
  if (count === 0 || directoryEnd > bytes.length) return undefined;
  const entries = Array.from({ length: count }, (_, index) =>
    entryAt(bytes, ICO_HEADER_BYTES + index * ICO_ENTRY_BYTES),
  );
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

/** An uncompressed bitmap with a header of 40 bytes, its height counted twice for the mask below the colors. */
function isBitmapOf(image: Buffer, { width, height }: Size): boolean {
  if (image.length < BITMAP_HEADER_BYTES || image.readUInt32LE(0) !== BITMAP_HEADER_BYTES) return false;
  if (image.readInt32LE(4) !== width || image.readInt32LE(8) !== height * 2) return false;
  const depth = image.readUInt16LE(14);
  const named = image.readUInt32LE(32);
  if (!DEPTHS.includes(depth) || !COMPRESSIONS.includes(image.readUInt32LE(16)) || named > MAX_PALETTE) return false;
  const palette = depth <= 8 ? (named || 2 ** depth) * 4 : 0;
  // Where each pixel has its own opacity, some programs leave the mask out.
  const mask = depth === 32 ? 0 : rowLength(width, 1) * height;
  return image.length >= BITMAP_HEADER_BYTES + palette + rowLength(width, depth) * height + mask;
}

/** Bytes of a row of a bitmap: whole groups of four. */
function rowLength(width: number, depth: number): number {
  return Math.ceil((width * depth) / 32) * 4;
}
