import { PHOTO_SIZES, type PhotoFault, type PhotoSize, type PhotoSizes } from '../../platform/lib/photo-sizes.ts';
import { mapNames } from '../../platform/lib/records.ts';
import { sha256 } from '../../platform/lib/sha256.ts';

/*
 * A photo of a store: its picture, or that of a dish. Its id is a hash of its content, so whatever a URL answers never
 * changes, and clients may keep it for good.
 */

export type Photo = {
  photoId: string;
  storeId: string;
  /** Where the files are: a service that moves to a bucket still serves what its database has. */
  storage: 'database' | 'bucket';
  sizes: Readonly<Record<PhotoSize, { width: number; height: number }>>;
  createdAt: Temporal.Instant;
};

/** Characters of an id: 162 bits of SHA-256 as base64url. */
const ID_LENGTH = 27;
const FILE_NAME = new RegExp(`^(${PHOTO_SIZES.join('|')})\\.webp$`);

/** Equal photos of two stores have two ids, so that each store keeps and loses its own. */
export function photoIdOf(storeId: string, sizes: PhotoSizes): string {
  return sha256(Buffer.concat([Buffer.from(`${storeId}\n`), sizes.large.bytes]))
    .toString('base64url')
    .slice(0, ID_LENGTH);
}

/** The size that a file's name such as `small.webp` means. */
export function photoSizeOf(fileName: string): PhotoSize | undefined {
  return FILE_NAME.exec(fileName)?.[1] as PhotoSize | undefined;
}

/** A photo in answers. The largest size is the photo's own address. */
export function presentPhoto({ photoId, sizes }: Pick<Photo, 'photoId' | 'sizes'>, baseUrl: string) {
  const urlOf = (size: PhotoSize) => `${baseUrl}/photos/${photoId}/${size}.webp`;
  return {
    photo_id: photoId,
    url: urlOf('large'),
    ...sizes.large,
    sizes: mapNames(PHOTO_SIZES, (size) => ({ url: urlOf(size), ...sizes[size] })),
  };
}

/** What is wrong with an upload, for the person who chose it. */
export const PHOTO_FAULTS: Readonly<Record<PhotoFault, string>> = {
  other_format: 'The file is not a JPEG, PNG, WebP or HEIC photo.',
  unreadable: 'The photo is damaged or incomplete.',
  too_many_pixels: 'The photo has more than 50 megapixels. Send a smaller one.',
  too_much_work: 'The photo takes too long or too much memory to read. Send a smaller one.',
};
