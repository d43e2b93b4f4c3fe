import type { ColumnsOf, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { Photo, PhotoSize } from './photo.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    photos: ColumnsOf<Photo> & { unreferencedSince: MaybeInstantColumn };
    photoFiles: { photoId: string; size: PhotoSize; bytes: Buffer };
  }
}
