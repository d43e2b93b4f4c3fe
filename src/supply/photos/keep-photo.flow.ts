import { spendStoreBudget } from '../../access/budgets/spend-store-budget.flow.ts';
import type { Context } from '../../platform/db/context.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { recordByName } from '../../platform/lib/records.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { ConcurrencyLimiter } from '../../platform/load/concurrency-limiter.ts';
import { convertPhoto, type PhotoSizes } from './convert-photo.flow.ts';
import {
  PHOTO_FAULTS,
  PHOTO_ID_LENGTH,
  PHOTO_MAX_SIDES,
  PHOTO_SIZES,
  type Photo,
  type PhotoBucket,
  type PhotoSize,
} from './photo.ts';
import { findPhotoStorage, readPhotoFile, savePhotoFiles, savePhotoRow } from './photos.db.ts';

export type PhotoDeps = Context & { photoBucket: PhotoBucket | undefined };

export type UploadDeps = PhotoDeps & { photoTurns: ConcurrencyLimiter };

/** Limits conversions, which take a processor and up to 1 GB, to one at a time; stores and drivers take turns. */
export function createPhotoTurns(): ConcurrencyLimiter {
  return new ConcurrencyLimiter({
    maxRunning: 1,
    maxRunningOfOwner: 1,
    maxWaiting: 12,
    maxWaitingOfOwner: 2,
    refusal: () =>
      new Refusal('rate_limited', 'Too many photos are being processed. Send one at a time.', retryAfter(2)),
  });
}

/** Converts and keeps a store's uploaded photo. Refuses other files, and uploads beyond the store's daily budget. */
export type KeepPhoto = (storeId: string, owner: string, bytes: Buffer) => Promise<Photo>;

export function createKeepPhoto({ db, clock, photoBucket, photoTurns }: UploadDeps): KeepPhoto {
  return async (storeId, owner, bytes) => {
    const converted = await photoTurns.run(owner, async () => {
      // Refused uploads count too: they cost as much work.
      await spendStoreBudget(db, 'photos', storeId, clock.now());
      return convertPhoto(bytes, PHOTO_MAX_SIDES);
    });
    if (converted.kind === 'refused') throw new Refusal('photo_not_accepted', PHOTO_FAULTS[converted.fault]);
    const { sizes } = converted;
    const photo: Photo = {
      photoId: photoIdOf(storeId, sizes),
      storeId,
      storage: photoBucket ? 'bucket' : 'database',
      sizes: recordByName(PHOTO_SIZES, (size) => ({ width: sizes[size].width, height: sizes[size].height })),
      createdAt: clock.now(),
    };
    const files = new Map(PHOTO_SIZES.map((size) => [size, Buffer.from(sizes[size].bytes)]));
    await db.transaction().execute(async (tx) => {
      // Writes the row first: while it is locked, the purge skips the files.
      await savePhotoRow(tx, photo);
      await (photoBucket ? photoBucket.save(photo.photoId, files) : savePhotoFiles(tx, photo.photoId, files));
    });
    return photo;
  };
}

/** Hashes store and photo, so that equal photos of two stores have two ids, and each store keeps and loses its own. */
function photoIdOf(storeId: string, sizes: PhotoSizes<PhotoSize>): string {
  return sha256(Buffer.concat([Buffer.from(`${storeId}\n`), sizes.large.bytes]))
    .toString('base64url')
    .slice(0, PHOTO_ID_LENGTH);
}

/** Reads a photo in one size from where it is stored, the bucket or the database; undefined if it is unknown. */
export async function readPhoto(
  { db, photoBucket }: Pick<PhotoDeps, 'db' | 'photoBucket'>,
  photoId: string,
  size: PhotoSize,
): Promise<Buffer | undefined> {
  const storage = await findPhotoStorage(db, photoId);
  if (storage === undefined) return undefined;
  return storage === 'bucket' ? photoBucket?.read(photoId, size) : readPhotoFile(db, photoId, size);
}
