import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { givenStore } from '../../../../test/given-store.ts';
import { openTestDatabase } from '../../../../test/harness.ts';
import { until } from '../../../../test/until.ts';
import { type Db, openDb, openPool } from '../../../db/connect.ts';
import { migrate } from '../../../db/migrate.ts';
import { createFairTurns } from '../../../lib/fair-turns.ts';
import { createLog } from '../../../lib/log.ts';
import { randomId } from '../../../lib/random-id.ts';
import { setProduct } from '../../set-product.flow.ts';
import { matchProducts } from '../match-products.ts';
import { prepareQuery } from '../prepare-query.ts';
import { createProductIndexes } from '../product-indexes.cache.ts';
import type { ProductTerms } from '../product-terms.index.ts';
import { createIndexWriter } from './store-indexes.cache.ts';

const schema = randomId('s_', 6).toLowerCase().replaceAll('-', '_');
let db: Db;
let closeAll: () => Promise<void>;
before(async () => {
  const server = await openTestDatabase();
  const pool = openPool({ connectionString: server.connectionString, schema });
  await migrate(pool, schema);
  db = openDb(pool);
  closeAll = async () => {
    await pool.query(`drop schema ${schema} cascade`);
    await db.destroy();
    await server.close();
  };
});
after(() => closeAll());

const turns = createFairTurns();
const AT = Temporal.Instant.from('2026-06-10T17:00:00Z');

const givenShop = (name: string, category = 'Drinks'): Promise<string> =>
  givenStore(db, {
    external_id: name,
    name,
    categories: [{ id: 'c', name: category, products: [{ id: 'Tea', name: 'Tea', price: 100 }] }],
  });

/** A node that starts. `before` is called with the text of each statement, and the statements that were answered. */
function givenNode({
  before = async (_text: string, _answered: readonly string[]) => {},
  format = 'one',
  delayMs = 0,
} = {}) {
  const statements: string[] = [];
  const seen = new Proxy(db, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown;
      if (typeof member !== 'function') return member;
      if (name !== 'executeQuery') return member.bind(target);
      return async (query: { sql: string }) => {
        await before(query.sql, statements);
        const answer = await member.call(target, query);
        statements.push(query.sql);
        return answer;
      };
    },
  });
  const formatOf = async () => format;
  let writer: ReturnType<typeof createIndexWriter> | undefined;
  const writerOf = (terms: ProductTerms) => {
    writer = createIndexWriter({ db: seen, terms, format: formatOf, log: createLog('silent'), delayMs });
    return writer;
  };
  const indexes = createProductIndexes({ turns, db: seen, stored: { format: formatOf, writerOf } });
  return {
    indexes,
    statements,
    stored: () => until('all indexes are stored', () => writer?.waiting === 0).then(() => indexes.close()),
    waiting: () => writer?.waiting,
    rowReads: () => statements.filter((text) => text.includes('as product_nos')).length,
    async pricesOf(storeId: string, text = 'tea'): Promise<number[]> {
      const index = (await indexes.of([storeId], 'anyone')).get(storeId);
      assert.ok(index);
      return matchProducts(index, prepareQuery(text, indexes.terms), null).map(({ priceCents }) => priceCents);
    },
  };
}

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

test('stored indexes are lost in a crash of the database, and then built from rows again', async () => {
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
