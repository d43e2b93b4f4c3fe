import { Readable } from 'node:stream';
import { osm } from '../../plugins/open-data/place-formats.flow.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import type { ImportResult } from '../../src/supply/imports/import-result.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { givenOwnApp } from '../harness.ts';
import { givenImport } from './import.ts';

type Tags = Readonly<Record<string, unknown>>;

export function cafe(id: string, name: string, { meters = 0, ...tags }: Tags & { meters?: number } = {}) {
  return {
    type: 'Feature',
    id,
    properties: { amenity: 'cafe', name, ...tags },
    geometry: { type: 'Point', coordinates: [-123.12, 49.28 + meters / 111_195] },
  };
}

export async function givenPlaces() {
  const given = await givenImport(givenOwnApp);
  const { db, clock, fileOf } = given;
  let changes = 0;
  return {
    ...given,
    async importPlaces(
      source: string,
      features: readonly unknown[],
      options: { prune?: boolean } = {},
    ): Promise<ImportResult> {
      changes += 1;
      const files = [fileOf(`places-${changes}.geojson`, features)];
      const request = { files, source, format: osm, stdin: Readable.from([]), ...options };
      return (await importFiles({ db, clock }, request)).result;
    },
    async inSearch(): Promise<string[]> {
      const rows = await db
        .selectFrom('stores')
        .select(['source', 'externalId'])
        .where('listed', '=', true)
        .where('mergedInto', 'is', null)
        .execute();
      return rows.map((row) => `${row.source}/${row.externalId}`).sort();
    },
    /** The store that a store was merged into, as `source/id`; null for a store that was not merged. */
    async standingFor(source: string, externalId: string): Promise<string | null> {
      const row = await db
        .selectFrom('stores as s')
        .innerJoin('stores as t', 't.storeId', 's.mergedInto')
        .select(['t.source', 't.externalId'])
        .where('s.storeId', '=', storeIdOf(source, externalId))
        .executeTakeFirst();
      return row ? `${row.source}/${row.externalId}` : null;
    },
    async mergeOf(source: string, externalId: string) {
      return db
        .selectFrom('storeMerges')
        .selectAll()
        .where('storeId', '=', storeIdOf(source, externalId))
        .executeTakeFirstOrThrow();
    },
    async clear(): Promise<void> {
      await db.deleteFrom('storeMerges').execute();
      await db.deleteFrom('menus').execute();
      await db.deleteFrom('products').execute();
      await db.deleteFrom('categories').execute();
      await db.deleteFrom('stores').execute();
    },
  };
}
