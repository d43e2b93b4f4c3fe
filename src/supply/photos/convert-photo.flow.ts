import { join } from 'node:path';
import { IsolatedProcess, ProcessLost } from '../../platform/lib/isolated-process.ts';
import type { PhotoAnswer, PhotoLimits, PhotoRequest, ProcessAnswer } from './photo-process.flow.ts';

export type { PhotoFault, PhotoSizes } from './photo-process.flow.ts';

/*
 * Photos that people upload become WebP without metadata, in the sizes of the request. A process of its own decodes
 * each: it is bounded in pixels, memory and time, and has none of the service's secrets.
 */

/** Phones take photos of 12 to 50 megapixels. 50 take 1 to 3 s and 790 MB as HEIC, 440 MB as interlaced 16-bit PNG. */
export const PHOTO_LIMITS: PhotoLimits = {
  maxPixels: 50_000_000,
  memoryMb: 1024,
  heapMb: 256,
  cpuMs: 20_000,
  answerMs: 120_000,
};

const PROCESS = join(import.meta.dirname, 'photo-process.flow.ts');

/** Converts a photo. Its format is detected from its bytes, whatever its sender calls it. */
export async function convertPhoto<Size extends string>(
  bytes: Buffer,
  maxSides: Readonly<Record<Size, number>>,
  limits: PhotoLimits = PHOTO_LIMITS,
): Promise<PhotoAnswer<Size>> {
  const format = photoFormat(bytes);
  if (format === undefined) return { kind: 'refused', fault: 'other_format' };
  const child = new IsolatedProcess<PhotoRequest, ProcessAnswer<Size>>(PROCESS, limits);
  try {
    const answer = await child.ask({ bytes, isHeic: format === 'heic', limits, maxSides });
    if (answer.kind === 'failed') throw new Error(`photos cannot be converted: ${answer.reason}`);
    return answer;
  } catch (error) {
    if (!(error instanceof ProcessLost)) throw error;
    return { kind: 'refused', fault: 'too_much_work' };
  } finally {
    child.kill();
  }
}

/** Brands of HEVC images (ISO/IEC 23008-12). An AVIF of the general brand `mif1` fails in the decoder. */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];

/** Returns the format that the first bytes name. */
function photoFormat(bytes: Buffer): 'jpeg' | 'png' | 'webp' | 'heic' | undefined {
  const at = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (at(0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (at(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (at(0, 4) === 'RIFF' && at(8, 12) === 'WEBP') return 'webp';
  return at(4, 8) === 'ftyp' && HEIC_BRANDS.includes(at(8, 12)) ? 'heic' : undefined;
}
