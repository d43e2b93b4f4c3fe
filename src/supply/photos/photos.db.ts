import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { Photo, PhotoFiles, PhotoSize } from './photo.ts';

/**
 * Saves a photo. If it exists and nothing refers to it, its 24 hours until the purge start again. Its row stays locked
 * until the transaction ends, so that the purge skips its files.
 */
export async function savePhotoRow(sql: Sql, photo: Photo): Promise<void> {
  const createdAt = photo.createdAt.toString();
  const unreferencedSince = raw<string>`case when photos.unreferenced_since is not null then ${createdAt}::timestamptz end`;
  await sql
    .insertInto('photos')
    .values({ ...photo, sizes: JSON.stringify(photo.sizes), createdAt, unreferencedSince: createdAt })
    .onConflict((conflict) => conflict.column('photoId').doUpdateSet({ storage: photo.storage, unreferencedSince }))
    .execute();
}

export async function savePhotoFiles(sql: Sql, photoId: string, files: PhotoFiles): Promise<void> {
  await sql
    .insertInto('photoFiles')
    .values([...files].map(([size, bytes]) => ({ photoId, size, bytes })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findPhotoStorage(sql: Sql, photoId: string): Promise<Photo['storage'] | undefined> {
  const row = await sql.selectFrom('photos').select('storage').where('photoId', '=', photoId).executeTakeFirst();
  return row?.storage;
}

export async function findPhotoIds(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.selectFrom('photos').select('photoId').where('photoId', 'in', ids).execute();
  return new Set(rows.map(({ photoId }) => photoId));
}

export async function readPhotoFile(sql: Sql, photoId: string, size: PhotoSize): Promise<Buffer | undefined> {
  const row = await sql
    .selectFrom('photoFiles')
    .select('bytes')
    .where('photoId', '=', photoId)
    .where('size', '=', size)
    .executeTakeFirst();
  return row?.bytes;
}

/**
 * Records since when a photo is unused: no picture or product of its store has its URL, nor any account's look, nor an
 * edit or state that an undo can restore. Compares only the paths of URLs, because `BASE_URL` may change.
 */
export async function markUnreferenced(sql: Sql, now: Temporal.Instant): Promise<void> {
  await raw`
    with named as (
      select p.store_id, substring(u.url from '/photos/([A-Za-z0-9_-]+)/') as photo_id
      from products as p cross join lateral (values (p.image), (p.thumbnail_image)) as u (url)
      where p.store_id in (select store_id from photos) and not p.removed and u.url like '%/photos/%'
      union
      select s.store_id, m.id[1]
      from stores as s
        cross join lateral regexp_matches(concat(s.profile -> 'photos', s.own_photos), '/photos/([A-Za-z0-9_-]+)/', 'g') as m (id)
      where s.store_id in (select store_id from photos)
      union
      select c.store_id, m.id[1]
      from menu_changes as c
        cross join lateral regexp_matches(concat(c.before -> 'items', c.before -> 'patches'), '/photos/([A-Za-z0-9_-]+)/', 'g') as m (id)
      where c.store_id in (select store_id from photos)
      union
      select e.store_id, m.id[1]
      from menu_edits as e cross join lateral regexp_matches(e.patch::text, '/photos/([A-Za-z0-9_-]+)/', 'g') as m (id)
      where e.store_id in (select store_id from photos)
      union
      select k.store_id, k.photo_id
      from brandings as b
        cross join lateral regexp_matches(concat_ws(' ', b.logo_url, b.cover_url), '/photos/([A-Za-z0-9_-]+)/', 'g') as m (id)
        join photos as k on k.photo_id = m.id[1]
    )
    update photos as p set unreferenced_since = case when n.is_named then null else ${now.toString()}::timestamptz end
    from (select photo_id, (store_id, photo_id) in (select store_id, photo_id from named) as is_named from photos) as n
    where p.photo_id = n.photo_id and n.is_named <> (p.unreferenced_since is null)`.execute(sql);
}

/** Locks one photo that has been unused since `before`; undefined if there is none, or others have locked them. */
export async function lockUnreferenced(sql: Sql, before: Temporal.Instant) {
  return sql
    .selectFrom('photos')
    .select(['photoId', 'storage'])
    .where('unreferencedSince', '<', instantParam(before))
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Deletes a photo and its files. */
export async function deletePhoto(sql: Sql, photoId: string): Promise<void> {
  await sql.deleteFrom('photos').where('photoId', '=', photoId).execute();
}
