import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { Db } from '../../src/platform/db/connect.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import type { FeedLine } from '../feed-lines.ts';
import { type App, SOURCE } from '../harness.ts';

const IMPORTED_AT = Temporal.Instant.from('2026-06-01T00:00:00Z');

/** A store in New York without a catalog, open at all hours, that takes orders in both modes. */
export const STORE_LINE: FeedLine = {
  external_id: 'store-1',
  name: 'Brick Oven',
  type: 'restaurant',
  address: { street_addr: '120 5th Ave', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' },
  latitude: 40.7383,
  longitude: -73.9927,
  time_zone: 'America/New_York',
  hours: { operational: 'Mo-Su 00:00-24:00' },
  online_ordering: true,
  pickup: { enabled: true, accepting: true, prep_minutes: [10, 20] },
  delivery: { enabled: true, accepting: true, party: 'first', radius_miles: 3, prep_minutes: [10, 20] },
};

/** Imports one store line, replacing an earlier one with the same id, and returns the store's id. */
export async function givenStore(db: Db, changes: FeedLine = {}, source = SOURCE): Promise<string> {
  const line = { ...STORE_LINE, ...changes };
  const stdin = Readable.from([`${JSON.stringify(line)}\n`]);
  const clock = { now: () => IMPORTED_AT };
  const { result } = await importFiles({ db, clock }, { files: ['-'], source, stdin });
  assert.deepEqual(result.errors, []);
  return storeIdOf(source, String(line.external_id));
}

/** Imports the lines as `doorstep import -` does; returns their stores' ids once they are in the search index. */
export async function givenStores(app: App, lines: readonly FeedLine[]): Promise<string[]> {
  const stdin = Readable.from([`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`]);
  const { db, clock } = app.service.deps;
  const { source } = app;
  const { result } = await importFiles({ db, clock }, { files: ['-'], source, stdin });
  assert.deepEqual(result.errors, []);
  await app.catchUp();
  return lines.map((line) => storeIdOf(source, String(line.external_id)));
}
