import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { type GivenIndexNode, givenIndexNode, watched } from '../../../../test/given/index-node.ts';
import { productIndexOf } from '../../../../test/given/product-index.ts';
import { givenStore } from '../../../../test/given/stores.ts';
import { givenDatabase } from '../../../../test/test-database.ts';
import { until } from '../../../../test/until.ts';
import { createLog } from '../../../lib/log.ts';
import { setProduct } from '../../set-product.flow.ts';
import { createIndexWriter, MAX_STORED_PRODUCTS } from './store-indexes.cache.ts';
import { saveIndexes } from './stored-indexes.db.ts';

const { db, close } = await givenDatabase();
after(close);

const AT = Temporal.Instant.from('2026-06-10T17:00:00Z');
const givenNode = (given: GivenIndexNode = {}) => givenIndexNode(db, given);
const isSave = (text: string) => text.includes('insert into product_indexes');

const givenShop = (name: string): Promise<string> =>
  givenStore(db, {
    external_id: name,
    name,
    categories: [{ id: 'c', name: 'Drinks', products: [{ id: 'Tea', name: 'Tea', price: 100 }] }],
  });

test('two nodes that store the same indexes in opposite sequences both store them', async () => {
  const storeIds = ['a', 'b', 'c'];
  const save = (ids: readonly string[], changedSeq: number, text: string) =>
    saveIndexes(
      db,
      ids.map((storeId) => ({ storeId, changedSeq, bytes: Buffer.from(`${text} ${storeId}`) })),
      'one',
    );
  await save(storeIds, 1, 'old');
  const saves = await db.transaction().execute(async (tx) => {
    await sql`select from product_indexes where store_id = 'b' for update`.execute(tx);
    const running = [save(storeIds, 2, 'first'), save(storeIds.toReversed(), 3, 'second')];
    await until('both statements wait for a row', async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int from pg_locks as held where held.relation = 'product_indexes'::regclass
        and exists (select from pg_locks as awaited where awaited.pid = held.pid and not awaited.granted)`.execute(db);
      return (rows[0]?.count ?? 0) >= 2;
    });
    return { running };
  });
  const ends = await Promise.allSettled(saves.running);
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  );
  const { rows } = await sql<{ text: string }>`
    select convert_from(bytes, 'UTF8') as text from product_indexes where store_id in ('a', 'b', 'c')
    order by store_id`.execute(db);
  assert.deepEqual(
    rows.map(({ text }) => text),
    ['second a', 'second b', 'second c'],
  );
});

test('an index whose write fails is written again, three times at most', async () => {
  for (const [failures, rowReads, tries] of [
    [2, 0, 3],
    [3, 1, 3],
  ] as const) {
    const storeId = await givenShop(`Retried ${failures}`);
    let count = 0;
    const node = givenNode({
      before(text) {
        if (!isSave(text)) return;
        count += 1;
        if (count <= failures) throw new Error('The write fails.');
      },
    });
    await node.pricesOf(storeId);
    await node.stored();
    assert.equal(count, tries);
    const next = givenNode();
    assert.deepEqual(await next.pricesOf(storeId), [100]);
    assert.equal(next.rowReads(), rowReads);
    await next.stored();
  }
});

test('an index whose write fails gives way to a newer index that was noted meanwhile', async () => {
  const storeId = await givenShop('Overtaken');
  let hasBegun = false;
  const { promise: hasFailed, resolve: onFailed } = Promise.withResolvers<void>();
  const node = givenNode({
    async before(text) {
      if (!isSave(text) || hasBegun) return;
      hasBegun = true;
      const changes = { available: false };
      await db.transaction().execute((tx) => setProduct(tx, { storeId, externalId: 'Tea' }, changes, AT));
      node.indexes.drop(storeId);
      await node.pricesOf(storeId);
      onFailed();
      throw new Error('The write fails.');
    },
  });
  await node.pricesOf(storeId);
  await hasFailed;
  await node.stored();
  const next = givenNode();
  assert.deepEqual(await next.pricesOf(storeId), []);
  assert.equal(next.rowReads(), 0);
});

test('a damaged index is built from rows, beside stored ones of the same read, and replaced', async () => {
  const damages = [
    sql`set_byte(bytes, 50, get_byte(bytes, 50) # 255)`,
    sql`substring(bytes from 1 for 60)`,
    sql`''::bytea`,
  ];
  const whole = await givenShop('Whole');
  for (const [nth, damage] of damages.entries()) {
    const storeId = await givenShop(`Damaged ${nth}`);
    const first = givenNode();
    await first.indexes.of([whole, storeId], 'anyone');
    await first.stored();
    await sql`update product_indexes set bytes = ${damage} where store_id = ${storeId}`.execute(db);
    const node = givenNode();
    const indexes = await node.indexes.of([whole, storeId], 'anyone');
    assert.deepEqual([indexes.size, node.faults.length, node.rowReads()], [2, 1, 1]);
    assert.deepEqual([await node.pricesOf(storeId), await node.pricesOf(whole)], [[100], [100]]);
    await node.stored();
    const next = givenNode();
    await next.indexes.of([whole, storeId], 'anyone');
    assert.deepEqual([next.faults.length, next.rowReads()], [0, 0]);
  }
});

test('where PostgreSQL cannot read the stored indexes they are built from rows', async () => {
  const storeId = await givenShop('Unreadable');
  await sql`alter table product_indexes rename to product_indexes_away`.execute(db);
  const node = givenNode({ delayMs: 60_000 });
  assert.deepEqual(await node.pricesOf(storeId), [100]);
  assert.equal(node.faults.length, 1);
  await node.indexes.close();
  await sql`alter table product_indexes_away rename to product_indexes`.execute(db);
});

test('large indexes are written one a statement, and read by as many statements as their bytes need', async () => {
  const storeIds = await Promise.all(['One', 'Two', 'Three', 'Four', 'Five'].map((name) => givenShop(`Large ${name}`)));
  const words = Array.from({ length: 30 }, (_, at) => `word${String.fromCharCode(97 + at)}`).join(' ');
  const { index, terms } = productIndexOf(Array.from({ length: 18_000 }, () => ({ name: words })));
  const { db: seen, statements } = watched(db);
  const writer = createIndexWriter({
    db: seen,
    terms,
    format: async () => 'one',
    log: createLog('silent'),
    delayMs: 0,
  });
  const { rows } = await sql<{ storeId: string; changedSeq: number }>`
    select store_id as "storeId", changed_seq as "changedSeq" from stores where store_id = any(${storeIds})`.execute(
    db,
  );
  for (const { storeId, changedSeq } of rows) writer.note({ ...index, storeId }, changedSeq);
  await until('all indexes are stored', () => writer.waiting === 0);
  await writer.close();
  assert.equal(statements.filter(isSave).length, 5);
  const node = givenNode();
  const read = await node.indexes.of(storeIds, 'anyone');
  assert.deepEqual(
    storeIds.map((storeId) => read.get(storeId)?.productCount),
    storeIds.map(() => 18_000),
  );
  assert.equal(node.rowReads(), 0);
  assert.equal(node.statements.filter((text) => text.includes('product_indexes')).length, 2);
});

test('what waits is bounded by its products, and an index that is too large does not wait', async () => {
  const { index, terms } = productIndexOf(Array.from({ length: MAX_STORED_PRODUCTS + 1 }, () => ({ name: 'Tea' })));
  const log = createLog('silent');
  const writer = createIndexWriter({ db, terms, format: async () => 'one', log, delayMs: 60_000 });
  writer.note({ ...index, storeId: 'too large' }, 1);
  assert.equal(writer.waiting, 0);
  for (let nth = 0; nth < 100; nth += 1) {
    writer.note({ ...index, storeId: `${nth}`, productCount: MAX_STORED_PRODUCTS }, 1);
  }
  assert.equal(writer.waiting, 74);
  writer.drop('0');
  writer.note({ ...index, storeId: 'next', productCount: MAX_STORED_PRODUCTS }, 1);
  assert.equal(writer.waiting, 74);
  await writer.close();
});
