// covers: src/supply/imports/{import-files,merge-staged,write-stores}.flow.ts
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { givenImport, product, shop } from '../given/import.ts';
import { startWorker } from './worker-process.ts';

const given = await givenImport();
const { db, fileOf, importAll } = given;
after(() => given.close());

const STORES = 3000;
const PRODUCTS = 12;

const SOURCE = 'killed';

/** Number of the feed's stores, and of incomplete ones: missing products, or a version that does not match. */
async function countStores(): Promise<{ stores: number; broken: number }> {
  const { rows } = await sql<{ stores: number; broken: number }>`
    select count(*)::int as stores, count(*) filter (where p.n is distinct from ${PRODUCTS} or p.digest is distinct from m.delivery_digest)::int as broken
    from stores as s
    left join menus as m on m.store_id = s.store_id
    left join lateral (
      select count(*)::int as n, bit_xor(delivery_digest) # (select bit_xor(c.digest) from categories as c where c.store_id = s.store_id) as digest
      from products as p where p.store_id = s.store_id
    ) as p on true
    where s.source = ${SOURCE}`.execute(db);
  return rows[0] ?? { stores: 0, broken: 0 };
}

test('an import killed at any moment leaves whole stores, and the next one finishes its work', async () => {
  const goods = Array.from({ length: PRODUCTS }, (_, n) => product(`${n}`));
  const lines = Array.from({ length: STORES }, (_, n) => shop(goods, { external_id: `${n}` }));
  const file = fileOf('killed.ndjson', lines);
  const countRows = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from stores where source = ${SOURCE}`.execute(db)).rows[0]?.n ??
    0;
  let seen = 0;
  for (let kill = 0; kill < 3 && seen < STORES; kill += 1) {
    const worker = startWorker('import-child.ts', given.app, [file]);
    await worker.until('stores are imported', async () => (await countRows()) > seen);
    await worker.kill();
    const { stores, broken } = await countStores();
    assert.equal(broken, 0);
    assert.ok(stores > seen, `${stores} stores after kill ${kill}`);
    seen = stores;
  }
  const result = await importAll([file], { source: SOURCE });
  assert.deepEqual([result.created + result.unchanged, result.rejected], [STORES, 0]);
  assert.deepEqual(await countStores(), { stores: STORES, broken: 0 });
});
