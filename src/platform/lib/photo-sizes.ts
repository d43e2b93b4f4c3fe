/** Longest side of each size of a photo, in pixels: a thumbnail in a list, a dish on a page, the whole screen. */
export const PHOTO_MAX_SIDES = { small: 320, medium: 800, large: 1600 } as const;
export type PhotoSize = keyof typeof PHOTO_MAX_SIDES;
export const PHOTO_SIZES = Object.keys(PHOTO_MAX_SIDES) as PhotoSize[];

/** A larger upload is refused. Phones write 2 to 10 MB. */
export const MAX_PHOTO_BYTES = 10 * 1024 * 1024;

/** A converted photo: each size as WebP. */
export type PhotoSizes = Readonly<Record<PhotoSize, { bytes: Uint8Array; width: number; height: number }>>;

/** `other_format`: not JPEG, PNG, WebP or HEIC. `too_much_work`: a limit of memory or time was reached. */
export type PhotoFault = 'other_format' | 'unreadable' | 'too_many_pixels' | 'too_much_work';
