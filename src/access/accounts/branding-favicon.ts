import { crc32 } from 'node:zlib';
import type { Branding } from './branding.ts';
import type { Parsed } from './branding-fields.ts';

/* Checks a favicon's whole file structure. No pixel is decoded, so no crafted image costs memory. */

export const MAX_FAVICON_BYTES = 64 * 1024;
const SIDE = 16;

/** Signatures of other image formats, so that the error can name the file's format. */
const OTHER_FORMATS: readonly [RegExp, string][] = [
  [/^GIF8/, 'a GIF'],
  [/^\xff\xd8\xff/, 'a JPEG'],
  [/^RIFF....WEBP/s, 'a WebP picture'],
  [/^....ftypavi[fs]/s, 'an AVIF picture'],
  [/^BM/, 'a BMP'],
  [/^(\xef\xbb\xbf)?\s*<([?!]xml|!--|!doctype|svg)/i, 'an SVG or another document'],
];

/** Accepts a PNG of 16 by 16 pixels, or an ICO with one image of that size; at most 64 KiB. */
export function parseFavicon(bytes: Buffer): Parsed<NonNullable<Branding['favicon']>> {
  if (bytes.length === 0) return { fault: 'It is empty.' };
  if (bytes.length > MAX_FAVICON_BYTES) return { fault: 'It is larger than 64 KiB.' };
  const isPng = looksLikePng(bytes);
  if (isPng || looksLikeIco(bytes)) {
    const sizes = isPng ? [readPngSize(bytes) ?? []].flat() : (readIcoSizes(bytes) ?? []);
    if (sizes.length === 0) return { fault: `It is a damaged ${isPng ? 'PNG' : 'ICO'}.` };
    if (sizes.some(({ width, height }) => width === SIDE && height === SIDE)) {
      return { value: { bytes, type: isPng ? 'image/png' : 'image/x-icon' } };
    }
    const found = sizes.map(({ width, height }) => `${width}×${height}`).join(', ');
    return { fault: `It has ${found} pixels; a favicon has 16×16.` };
  }
  const start = bytes.toString('latin1', 0, 64);
  const other = OTHER_FORMATS.find(([pattern]) => pattern.test(start))?.[1];
  return { fault: other ? `It is ${other}; a favicon is a PNG or an ICO.` : 'It is neither a PNG nor an ICO.' };
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length, type and checksum of a chunk. */
const CHUNK_FRAME = 12;
const IHDR_LENGTH = 13;

function looksLikePng(bytes: Buffer): boolean {
  return bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE);
}

/**
 * Returns the size of a complete PNG: every chunk has a valid checksum, the header is first, then pixels, then the end.
 * Undefined otherwise. Pixels are not decoded.
 */
function readPngSize(bytes: Buffer): Size | undefined {
  if (!looksLikePng(bytes)) return undefined;
  const chunks = chunksOf(bytes);
  const header = chunks?.[0];
  if (!chunks || header?.type !== 'IHDR' || header.data.length !== IHDR_LENGTH) return undefined;
  if (chunks.at(-1)?.type !== 'IEND' || !chunks.some(({ type, data }) => type === 'IDAT' && data.length > 0)) {
    return undefined;
  }
  return { width: header.data.readUInt32BE(0), height: header.data.readUInt32BE(4) };
}

/** Returns all chunks up to IEND; undefined if one is cut off, damaged, or follows IEND. */
function chunksOf(bytes: Buffer): { type: string; data: Buffer }[] | undefined {
  const chunks: { type: string; data: Buffer }[] = [];
  let at = PNG_SIGNATURE.length;
  while (at + CHUNK_FRAME <= bytes.length) {
    const end = at + CHUNK_FRAME + bytes.readUInt32BE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4) });
    at = end;
    if (type === 'IEND') break;
  }
  return at === bytes.length ? chunks : undefined;
}

const ICO_HEADER = Buffer.from([0, 0, 1, 0]);
const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;
const BITMAP_HEADER_BYTES = 40;
const BITMAP_DEPTHS = [1, 4, 8, 16, 24, 32];
/** BMP compressions without compression: plain, and with color masks. */
const COMPRESSIONS = [0, 3];
const MAX_PALETTE = 256;

type Size = { width: number; height: number };

function looksLikeIco(bytes: Buffer): boolean {
  return bytes.subarray(0, ICO_HEADER.length).equals(ICO_HEADER);
}

/**
 * Reads the size of every image in an ICO; undefined unless each matches the directory and the file ends with the last
 * one.
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
  // The directory stores 256 as 0.
  const size = { width: bytes.readUInt8(at) || 256, height: bytes.readUInt8(at + 1) || 256 };
  return { size, start, end: start + bytes.readUInt32LE(at + 8) };
}

function holds(image: Buffer, size: Size): boolean {
  if (!looksLikePng(image)) return isBitmapOf(image, size);
  const found = readPngSize(image);
  return found?.width === size.width && found.height === size.height;
}

/** Whether the image is an uncompressed bitmap with a 40-byte header. Its height counts twice, for the mask. */
function isBitmapOf(image: Buffer, { width, height }: Size): boolean {
  if (image.length < BITMAP_HEADER_BYTES || image.readUInt32LE(0) !== BITMAP_HEADER_BYTES) return false;
  if (image.readInt32LE(4) !== width || image.readInt32LE(8) !== height * 2) return false;
  const depth = image.readUInt16LE(14);
  const named = image.readUInt32LE(32);
  if (!BITMAP_DEPTHS.includes(depth) || !COMPRESSIONS.includes(image.readUInt32LE(16)) || named > MAX_PALETTE)
    return false;
  const palette = depth <= 8 ? (named || 2 ** depth) * 4 : 0;
  // Some programs omit the mask of images with an alpha channel.
  const mask = depth === 32 ? 0 : rowLength(width, 1) * height;
  return image.length >= BITMAP_HEADER_BYTES + palette + rowLength(width, depth) * height + mask;
}

/** Returns the bytes per bitmap row, padded to four. */
function rowLength(width: number, depth: number): number {
  return Math.ceil((width * depth) / 32) * 4;
}
