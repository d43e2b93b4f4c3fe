import { looksLikeIco, looksLikePng, readIcoSizes, readPngSize } from '../../platform/lib/images.ts';
import type { Branding } from './branding.ts';
import type { Parsed } from './branding-fields.ts';

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
