import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { PhotoDeps } from './keep-photo.flow.ts';
import { deletePhoto, lockUnreferenced, markUnreferenced } from './photos.db.ts';

/** How long an unused photo is kept, in hours, because a person may still be writing its item. */
const UNREFERENCED_HOURS = 24;

/** Deletes photos that have been unused for a day (`markUnreferenced`). Runs once an hour. */
export function purgePhotos({ db, clock, photoBucket }: PhotoDeps): Worker<object> {
  return {
    kind: { name: 'purge-photos' },
    concurrency: 1,
    everyMinutes: 60,
    atMinute: 37,
    run: async (_payload, signal) => {
      await markUnreferenced(db, clock.now());
      const before = clock.now().subtract({ hours: UNREFERENCED_HOURS });
      for (let isLeft = true; isLeft; ) {
        signal.throwIfAborted();
        isLeft = await db.transaction().execute(async (tx) => {
          const photo = await lockUnreferenced(tx, before);
          if (!photo) return false;
          if (photo.storage === 'bucket') await photoBucket?.remove(photo.photoId);
          await deletePhoto(tx, photo.photoId);
          return true;
        });
      }
    },
  };
}
