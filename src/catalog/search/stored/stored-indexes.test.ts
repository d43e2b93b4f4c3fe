import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { type GivenIndexNode, givenIndexNode } from '../../../../test/given/index-node.ts';
import { givenStore } from '../../../../test/given/stores.ts';
import { givenDatabase } from '../../../../test/test-database.ts';
import { until } from '../../../../test/until.ts';
import { setProduct } from '../../set-product.flow.ts';

const { db, close } = await givenDatabase();
after(close);

const AT = Temporal.Instant.from('2026-06-10T17:00:00Z');
const givenNode = (given: GivenIndexNode = {}) => givenIndexNode(db, given);

const givenShop = (name: string, category = 'Drinks'): Promise<string> =>
  givenStore(db, {
    external_id: name,
    name,
    categories: [{ id: 'c', name: category, products: [{ id: 'Tea', name: 'Tea', price: 100 }] }],
  });

const change = (storeId: string, changes: { price?: number; available?: boolean }) =>
  db.transaction().execute((tx) => setProduct(tx, { storeId, externalId: 'Tea' }, changes, AT));

test('a node that starts reads the index that another node has stored, and no row of a product', async () => {
  const storeId = await givenShop('Corner');
  const first = givenNode();
  assert.deepEqual(await first.pricesOf(storeId), [100]);
  await first.stored();
  const second = givenNode();
  assert.deepEqual(await second.pricesOf(storeId), [100]);
  assert.deepEqual([first.rowReads(), second.rowReads()], [1, 0]);
  assert.equal(second.waiting(), 0);
});

test('an index from before a change is never read, whether or not a node has stored a newer one', async () => {
  const storeId = await givenShop('Changing');
  for (const [available, prices] of [
    [true, [100]],
    [false, []],
    [true, [100]],
  ] as const) {
    await change(storeId, { available });
    const node = givenNode();
    assert.deepEqual(await node.pricesOf(storeId), prices);
    assert.equal(node.rowReads(), 1);
    await node.stored();
    assert.deepEqual(await givenNode().pricesOf(storeId), prices);
  }
});

test('an index of another format is not read, and gives way to the format of the node', async () => {
  const storeId = await givenShop('Upgraded');
  const old = givenNode({ format: 'old' });
  await old.pricesOf(storeId);
  await old.stored();
  const upgraded = givenNode();
  await upgraded.pricesOf(storeId);
  await upgraded.stored();
  assert.equal(upgraded.rowReads(), 1);
  const next = givenNode();
  await next.pricesOf(storeId);
  assert.equal(next.rowReads(), 0);
});

test('an index of rows from before and after a change is not stored', async () => {
  const storeId = await givenShop('Halfway');
  const node = givenNode({
    async before(text, answered) {
      if (!text.includes('as product_nos')) return;
      await until('the categories are read', () => answered.some((each) => each.includes('from categories')));
      await givenShop('Halfway', 'Juices');
    },
  });
  assert.deepEqual(await node.pricesOf(storeId, 'tea juices'), []);
  await node.stored();
  const current = givenNode();
  assert.deepEqual(await current.pricesOf(storeId, 'tea juices'), [100]);
  await current.stored();
});

test('an older index does not replace a newer one', async () => {
  const storeId = await givenShop('Late');
  const { promise: newerIsStored, resolve: letLate } = Promise.withResolvers<void>();
  const late = givenNode({
    async before(text) {
      if (text.includes('insert into product_indexes')) await newerIsStored;
    },
  });
  await late.pricesOf(storeId);
  await until('the older index is about to be written', () =>
    late.statements.some((text) => text.includes('not exists')),
  );
  await change(storeId, { available: false });
  const quick = givenNode();
  await quick.pricesOf(storeId);
  await quick.stored();
  letLate();
  await late.stored();
  const current = givenNode();
  assert.deepEqual(await current.pricesOf(storeId), []);
  assert.equal(current.rowReads(), 0);
});

test('an index of a store that changes while it waits is not written', async () => {
  const storeId = await givenShop('Busy');
  const node = givenNode({ delayMs: 60_000 });
  await node.pricesOf(storeId);
  assert.equal(node.waiting(), 1);
  node.indexes.drop(storeId);
  assert.equal(node.waiting(), 0);
  await node.indexes.close();
});

test('the table of stored indexes is unlogged, and where a crash has emptied it indexes are built from rows', async () => {
  const { rows } = await sql<{ persistence: string }>`
    select relpersistence as persistence from pg_class where oid = 'product_indexes'::regclass`.execute(db);
  assert.deepEqual(rows, [{ persistence: 'u' }]);
  const storeId = await givenShop('Crashed');
  const node = givenNode();
  await node.pricesOf(storeId);
  await node.stored();
  await sql`truncate product_indexes`.execute(db);
  const restarted = givenNode();
  assert.deepEqual(await restarted.pricesOf(storeId), [100]);
  assert.equal(restarted.rowReads(), 1);
  await restarted.stored();
});

test('a node that does not know its format builds indexes from rows and stores none', async () => {
  const storeId = await givenShop('Nameless');
  const stored = givenNode();
  await stored.pricesOf(storeId);
  await stored.stored();
  const node = givenNode({ format: null });
  assert.deepEqual(await node.pricesOf(storeId), [100]);
  await node.stored();
  assert.equal(node.rowReads(), 1);
  assert.ok(node.statements.every((text) => !text.includes('product_indexes')));
});
