import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_SOURCE, demoCatalog } from '../../../demo/catalog.ts';
import type { FeedStore } from '../../../demo/feed-line.ts';
import { PICTURES, pictureSides, withPictures } from '../../../demo/pictures.ts';
import type { Db } from '../../platform/db/connect.ts';
import { recordByName } from '../../platform/lib/records.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { PHOTO_ID_LENGTH, PHOTO_SIZES, type Photo, presentPhoto } from '../../supply/photos/photo.ts';
import { findPhotoIds, savePhotoFiles, savePhotoRow } from '../../supply/photos/photos.db.ts';
import { storeIdOf } from '../../supply/stores/store-id.ts';

/*
 * The pictures of the demo are photos of its stores. One picture is one photo, even if several stores show it; it
 * belongs to the first.
 */

type Picture = { photo: Pick<Photo, 'photoId' | 'sizes'>; bytes: Buffer };
/** Pictures, and the stores that they are photos of. */
type Photos = ReadonlyMap<Picture, string>;

const FOLDER = join(import.meta.dirname, '../../../demo/pictures');

/** The demo catalog with addresses of its pictures, and the pictures. */
export async function readPicturedCatalog(baseUrl: string): Promise<{ stores: readonly FeedStore[]; photos: Photos }> {
  const pictures = new Map(await Promise.all([...PICTURES].map(readPicture)));
  const photos = new Map<Picture, string>();
  const stores = [...demoCatalog()].map((store) =>
    withPictures(store, (name) => {
      const picture = pictures.get(name);
      if (!picture) throw new RangeError(`${name} is no picture.`);
      if (!photos.has(picture)) photos.set(picture, storeIdOf(DEMO_SOURCE, store.external_id));
      return presentPhoto(picture.photo, baseUrl).url;
    }),
  );
  return { stores, photos };
}

async function readPicture(name: string): Promise<[string, Picture]> {
  const bytes = await readFile(join(FOLDER, `${name}.webp`));
  const photoId = sha256(bytes).toString('base64url').slice(0, PHOTO_ID_LENGTH);
  return [name, { photo: { photoId, sizes: recordByName(PHOTO_SIZES, () => pictureSides(name)) }, bytes }];
}

/** Saves the pictures that the database lacks; all stores of the catalog are there. */
export async function saveDemoPictures(db: Db, photos: Photos, createdAt: Temporal.Instant): Promise<void> {
  const ids = [...photos.keys()].map(({ photo }) => photo.photoId);
  const known = await findPhotoIds(db, ids);
  const missing = [...photos].filter(([{ photo }]) => !known.has(photo.photoId));
  await db.transaction().execute(async (tx) => {
    for (const [{ photo, bytes }, storeId] of missing) {
      await savePhotoRow(tx, { ...photo, storeId, storage: 'database', createdAt });
      await savePhotoFiles(tx, photo.photoId, new Map(PHOTO_SIZES.map((size) => [size, bytes])));
    }
  });
}
