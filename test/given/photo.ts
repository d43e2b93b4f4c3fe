import sharp from 'sharp';
import type { Client } from '../harness.ts';

/** The left half of each given photo is red, the right half blue. */
const RED = '#d02020';
const BLUE = '#2040c0';
/** A text in the metadata of each given photo, alongside the place where it was taken. */
export const PHOTO_SECRET = 'secret owner';

export type PhotoFormat = 'jpeg' | 'png' | 'webp';

/** A photo of 960 × 640 pixels, with Exif that names its owner and its place. */
export async function givenPhoto(format: PhotoFormat = 'jpeg', width = 960, height = 640): Promise<Buffer> {
  const left = await sharp({ create: { width: width / 2, height, channels: 3, background: RED } })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: BLUE } })
    .composite([{ input: left, left: 0, top: 0 }])
    .withExif({
      IFD0: { Copyright: PHOTO_SECRET, ImageDescription: '<script>alert(1)</script>' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '40/1 44/1 0/1' },
    })
    .toFormat(format)
    .toBuffer();
}

/** Uploads a photo by a store's key or session. */
export const uploadPhoto = (as: Pick<Client, 'post'>, bytes: Buffer, type = 'image/jpeg') =>
  as.post('/store/photos', bytes, { 'content-type': type });
