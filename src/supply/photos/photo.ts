import { recordByName } from '../../platform/lib/records.ts';
import type { PhotoFault } from './convert-photo.flow.ts';

/**
 * A picture of a store or a dish. Its id is a hash of its content, so a URL's response never changes, and clients may
 * cache it forever.
 */

/** Longest side of each size of a photo, in pixels: a thumbnail in a list, a dish on a page, the whole screen. */
export const PHOTO_MAX_SIDES = { small: 320, medium: 800, large: 1600 } as const;
export type PhotoSize = keyof typeof PHOTO_MAX_SIDES;
export const PHOTO_SIZES = Object.keys(PHOTO_MAX_SIDES) as PhotoSize[];

/** Maximum size of an upload. Phones write 2 to 10 MB. */
export const MAX_PHOTO_BYTES = 10 * 1024 * 1024;

export type PhotoFiles = ReadonlyMap<PhotoSize, Buffer>;

/** Port: a bucket of an external service that keeps the files of photos. Every operation may be repeated. */
export type PhotoBucket = {
  save(photoId: string, files: PhotoFiles): Promise<void>;
  /** Returns undefined if the bucket has no such file. */
  read(photoId: string, size: PhotoSize): Promise<Buffer | undefined>;
  remove(photoId: string): Promise<void>;
};

/** Characters of an id: 162 bits of SHA-256 as base64url. */
export const PHOTO_ID_LENGTH = 27;

export type Photo = {
  photoId: string;
  storeId: string;
  /** The files' location: a service that moves to a bucket still serves its database's files. */
  storage: 'database' | 'bucket';
  sizes: Readonly<Record<PhotoSize, { width: number; height: number }>>;
  createdAt: Temporal.Instant;
};

const FILE_NAME = new RegExp(`^(${PHOTO_SIZES.join('|')})\\.webp$`);

/** Returns the size that a file's name, such as `small.webp`, means. */
export function photoSizeOf(fileName: string): PhotoSize | undefined {
  return FILE_NAME.exec(fileName)?.[1] as PhotoSize | undefined;
}

/** Presents a photo in answers. The largest size is the photo's own address. */
export function presentPhoto({ photoId, sizes }: Pick<Photo, 'photoId' | 'sizes'>, baseUrl: string) {
  const urlOf = (size: PhotoSize) => `${baseUrl}/photos/${photoId}/${size}.webp`;
  return {
    photo_id: photoId,
    url: urlOf('large'),
    ...sizes.large,
    sizes: recordByName(PHOTO_SIZES, (size) => ({ url: urlOf(size), ...sizes[size] })),
  };
}

/** An upload's error, for the person who chose it. */
export const PHOTO_FAULTS: Readonly<Record<PhotoFault, string>> = {
  other_format: 'The file is not a JPEG, PNG or WebP photo.',
  unreadable: 'The photo is damaged or incomplete.',
  too_many_pixels: 'The photo has more than 50 megapixels. Send a smaller one.',
  too_much_work: 'The photo takes too long or too much memory to read. Send a smaller one.',
};
