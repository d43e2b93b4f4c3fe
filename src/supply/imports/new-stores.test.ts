import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { until } from '../../../test/until.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { storeIdOf } from '../stores/store-id.ts';
import { nextChange } from '../stores/stores.db.ts';

const given = await givenImport();
const { db, importLines, productsOf, store } = given;
after(() => given.close());

const bare = { categories: [], phone: '2125550100', hours: { operational: 'Mo-Fr 08:00-20:00' } };

/** A store without its id and change number. */
async function comparable(source: string, externalId: string) {
  const row = await store(source, externalId);
  assert.ok(row, `${source} ${externalId}`);
  const { storeId, source: _, externalId: id, changedSeq, createdAt, updatedAt, feedHash, ...others } = row;
  assert.equal(storeId, storeIdOf(source, externalId));
  assert.equal(createdAt.epochNanoseconds, updatedAt.epochNanoseconds);
  return { ...others, id, feedHash: feedHash.toString('hex') };
}

async function backendOf(tx: Sql): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
  return rows[0]?.pid ?? 0;
}

/**
 * True if a statement waits for this backend's lock. Not in a transaction, where the list of connections would stay as
 * in its first query.
 */
async function isWaitedFor(backend: number): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity where ${backend} = any(pg_blocking_pids(pid))`.execute(db);
  return rows.length > 0;
}

test('a store in a batch of new stores equals a new store next to a known one', async () => {
  const lines = [
    shop([], { ...bare, external_id: 'bare', pickup: { enabled: false }, name: 'Café \u2028 "Łódź"' }),
    shop([product('a'), product('b', { upc_code: '012345678905' })], { external_id: 'menu' }),
  ];
  assert.deepEqual(await importLines('alone', lines), [2, 2, 0, 0, 0]);
  await importLines('beside', [shop([], { external_id: 'known' })]);
  const changed = shop([], { external_id: 'known', name: 'Renamed' });
  assert.deepEqual(await importLines('beside', [changed, ...lines]), [3, 2, 1, 0, 0]);
  for (const id of ['bare', 'menu']) assert.deepEqual(await comparable('alone', id), await comparable('beside', id));
  assert.deepEqual([...(await productsOf('alone', 'menu')).keys()], ['a', 'b']);
});

test('the stores of a batch have its number, and the numbers of batches follow each other', async () => {
  const { seq: before } = await db.selectFrom('changeClock').select('seq').executeTakeFirstOrThrow();
  const lines = Array.from({ length: 2500 }, (_, n) => shop([], { ...bare, external_id: `${n}` }));
  assert.deepEqual(await importLines('numbers', lines), [2500, 2500, 0, 0, 0]);
  const { rows } = await sql<{ seq: number; first: number; stores: number }>`
    select changed_seq as seq, min(external_id::integer)::integer as first, count(*)::integer as stores from stores
    where source = 'numbers' group by 1 order by 1`.execute(db);
  assert.deepEqual(
    rows.map(({ seq, first, stores }) => [seq - before, first, stores]),
    [
      [1, 0, 1000],
      [2, 1000, 1000],
      [3, 2000, 500],
    ],
  );
});

test('a store that another import adds after the look at the database is updated, not refused', async () => {
  const lines = ['x', 'y'].map((id) => shop([], { ...bare, external_id: id }));
  const { importing, seq } = await db.transaction().execute(async (tx) => {
    const number = await nextChange(tx);
    const backend = await backendOf(tx);
    const results = importLines('meanwhile', lines);
    await until('the import waits for the clock', () => isWaitedFor(backend));
    await sql`
      insert into stores (store_id, source, external_id, profile, online_ordering, accept_delivery, accept_pickup,
        feed_hash, changed_seq, created_at, updated_at)
      select ${storeIdOf('meanwhile', 'x')}, source, 'x', profile, true, true, true, '\\x00', ${number}, now(), now()
      from stores where source = 'alone' limit 1`.execute(tx);
    return { importing: results, seq: number };
  });
  assert.deepEqual(await importing, [2, 1, 1, 0, 0]);
  const [x, y] = [await store('meanwhile', 'x'), await store('meanwhile', 'y')];
  assert.deepEqual([x?.changedSeq, y?.changedSeq], [seq + 1, seq + 1]);
});

test('a store of any size and any characters is stored as it is written', async () => {
  const name = 'Ł\\N 🥐 \u2028 "quoted"';
  const large = shop([], {
    ...bare,
    external_id: 'large',
    name,
    photos: { store: Array(200).fill(`https://a.example/${'é'.repeat(900)}`) },
  });
  assert.deepEqual(await importLines('odd', [large]), [1, 1, 0, 0, 0]);
  const row = await store('odd', 'large');
  assert.deepEqual([row?.profile.name, row?.profile.photos.store.length], [name, 200]);
});

test('an import whose connection is lost in the middle of a batch fails, and the next one is whole', async () => {
  const lines = ['x', 'y'].map((id) => shop([product('a')], { external_id: id }));
  const lost = await db.transaction().execute(async (tx) => {
    await nextChange(tx);
    const backend = await backendOf(tx);
    const importing = importLines('lost', lines).catch((error) => error);
    await until('the import waits for the clock', () => isWaitedFor(backend));
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where ${backend} = any(pg_blocking_pids(pid))`.execute(db);
    return importing;
  });
  assert.ok(lost instanceof Error, String(lost));
  assert.equal(await store('lost', 'x'), undefined);
  assert.deepEqual(await importLines('lost', lines), [2, 2, 0, 0, 0]);
});
