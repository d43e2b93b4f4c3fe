import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { givenImport, shop } from '../../test/given-import.ts';
import { storeIdOf } from '../stores/store-id.ts';
import { findStore } from '../stores/stores.db.ts';

const { db, close, importLines } = await givenImport();
after(close);

const EVENING = { operational: 'Mo-Su 17:00-23:00' };
const LUNCH = { ...EVENING, delivery: 'Mo-Su 11:00-14:00' };

/** The channels of the hours as they are kept. */
async function keptChannels(source: string): Promise<string[]> {
  const storeId = storeIdOf(source, 'shop');
  const { rows } = await sql<{ channels: string[] }>`
    select array(select jsonb_object_keys(profile->'hours')) as channels from stores where store_id = ${storeId}`.execute(
    db,
  );
  return rows[0]?.channels.toSorted() ?? [];
}

const shown = async (source: string) => (await findStore(db, storeIdOf(source, 'shop')))?.hours;
const permit = () =>
  sql`insert into migration_stops select '0036-hours-once.sql' on conflict do nothing`.execute(db).then(() => {});
const forbid = () => sql`delete from migration_stops where name = '0036-hours-once.sql'`.execute(db).then(() => {});

beforeEach(permit);

test('a new database keeps the hours of channels once, and shows them for each', async () => {
  await importLines('plain', [shop([], { hours: EVENING })]);
  await importLines('lunch', [shop([], { hours: LUNCH })]);
  assert.deepEqual(await keptChannels('plain'), ['operational']);
  assert.deepEqual(await keptChannels('lunch'), ['delivery', 'operational']);
  await forbid();
  await importLines('whole plain', [shop([], { hours: EVENING })]);
  await importLines('whole lunch', [shop([], { hours: LUNCH })]);
  assert.deepEqual(await keptChannels('whole plain'), ['delivery', 'dine_in', 'operational', 'pickup']);
  assert.deepEqual(await shown('plain'), await shown('whole plain'));
  assert.deepEqual(await shown('lunch'), await shown('whole lunch'));
});

test('hours that a store set itself stay while the feed’s are equal, in whichever way they are kept', async () => {
  const own = await shown('lunch');
  const setOwn = (source: string) =>
    db
      .updateTable('stores')
      .set({ ownHours: JSON.stringify(own) as never })
      .where('storeId', '=', storeIdOf(source, 'shop'))
      .execute();
  const hasOwn = async (source: string) => {
    const row = await db
      .selectFrom('stores')
      .select('ownHours')
      .where('storeId', '=', storeIdOf(source, 'shop'))
      .executeTakeFirst();
    return row?.ownHours !== null;
  };
  for (const [source, first, second] of [
    ['to once', forbid, permit],
    ['to whole', permit, forbid],
  ] as const) {
    await first();
    await importLines(source, [shop([], { hours: EVENING })]);
    await setOwn(source);
    await second();
    await importLines(source, [shop([], { hours: EVENING, name: 'Renamed' })]);
    assert.equal(await hasOwn(source), true, source);
    await importLines(source, [shop([], { hours: { ...EVENING, pickup: 'Mo-Fr 18:00-20:00' }, name: 'Renamed' })]);
    assert.equal(await hasOwn(source), false, source);
  }
});
