import type { Branding } from '../../access/accounts/branding.ts';
import type { Parsed } from '../../access/accounts/branding-fields.ts';
import { convertPhoto } from './convert-photo.flow.ts';

export const MAX_FAVICON_BYTES = 64 * 1024;
const SIDE = 16;
/** Bytes of a PNG up to the height in its header. */
const HEAD_BYTES = 24;
const PNG_SIGNATURE = '89504e470d0a1a0a';

/** Reads a favicon with the decoder of photos: a PNG of 16 by 16 pixels and up to 64 KiB, kept as it is. */
export async function readFavicon(bytes: Buffer): Promise<Parsed<NonNullable<Branding['favicon']>>> {
  if (bytes.length === 0) return { fault: 'must not be empty' };
  if (bytes.length > MAX_FAVICON_BYTES) return { fault: 'must have at most 64 KiB' };
  if (bytes.toString('hex', 0, PNG_SIGNATURE.length / 2) !== PNG_SIGNATURE) return { fault: 'must be a PNG' };
  if (bytes.length < HEAD_BYTES) return { fault: 'must be a PNG that is not damaged' };
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width !== SIDE || height !== SIDE) {
    return { fault: `must have 16×16 pixels, not ${width}×${height}` };
  }
  const { kind } = await convertPhoto(bytes, { icon: SIDE });
  return kind === 'converted'
    ? { value: { bytes, type: 'image/png' } }
    : { fault: 'must be a PNG that is not damaged' };
}
