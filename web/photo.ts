import { PHOTO_MAX_SIDES } from '../src/supply/photos/photo.ts';

const LARGE = /\/photos\/[\w-]{27}\/large\.webp$/;

/** Attributes of an image element. Of a photo that Doorstep stores, the browser picks the file for its width on the page. */
export function sourcesOf(url: string, sizes: string): { src: string; srcset?: string; sizes?: string } {
  if (!LARGE.test(url)) return { src: url };
  const folder = url.slice(0, url.lastIndexOf('/'));
  const files = Object.entries(PHOTO_MAX_SIDES).map(([size, side]) => `${folder}/${size}.webp ${side}w`);
  return { src: url, srcset: files.join(', '), sizes };
}
