import type { PhotoSize } from '../../platform/lib/photo-sizes.ts';

export type PhotoFiles = ReadonlyMap<PhotoSize, Buffer>;

/** Port: a bucket of an outside party that keeps the files of photos. Every operation may be repeated. */
export type PhotoBucket = {
  save(photoId: string, files: PhotoFiles): Promise<void>;
  /** Undefined if the bucket has no such file. */
  read(photoId: string, size: PhotoSize): Promise<Buffer | undefined>;
  remove(photoId: string): Promise<void>;
};
