import { join } from 'node:path';
import { IsolatedProcess, ProcessLost } from '../../platform/lib/isolated-process.ts';
import type { PhotoAnswer, PhotoLimits, PhotoRequest, ProcessAnswer } from './photo-process.flow.ts';

export type { PhotoFault, PhotoSizes } from './photo-process.flow.ts';

/*
 * Photos that people upload become WebP without metadata, in the sizes of the request. A process of its own decodes
 * each: it is bounded in pixels, memory and time, and has none of the service's secrets.
 */

/** Phones take photos of 12 to 50 megapixels. 50 take 1 to 3 s, and 440 MB as interlaced 16-bit PNG. */
export const PHOTO_LIMITS: PhotoLimits = {
  maxPixels: 50_000_000,
  memoryMb: 1024,
  heapMb: 256,
  cpuMs: 20_000,
  answerMs: 120_000,
};

const PROCESS = join(import.meta.dirname, 'photo-process.flow.ts');

/** Converts a photo. Its format is detected only from its bytes. */
export async function convertPhoto<Size extends string>(
  bytes: Buffer,
  maxSides: Readonly<Record<Size, number>>,
  limits: PhotoLimits = PHOTO_LIMITS,
): Promise<PhotoAnswer<Size>> {
  if (!isPhoto(bytes)) return { kind: 'refused', fault: 'other_format' };
  const child = new IsolatedProcess<PhotoRequest, ProcessAnswer<Size>>(PROCESS, limits);
  try {
    const answer = await child.ask({ bytes, limits, maxSides });
    if (answer.kind === 'failed') throw new Error(`photos cannot be converted: ${answer.reason}`);
    return answer;
  } catch (error) {
    if (!(error instanceof ProcessLost)) throw error;
    return { kind: 'refused', fault: 'too_much_work' };
  } finally {
    child.kill();
  }
}

/** Whether the bytes begin as a JPEG, PNG or WebP does. */
function isPhoto(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 12);
  return ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n'].some((mark) => start.startsWith(mark)) || /^RIFF.{4}WEBP/s.test(start);
}
