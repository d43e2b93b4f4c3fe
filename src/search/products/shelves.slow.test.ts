import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { matchProducts, prepareQuery } from '../../../test/given/product-index.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { watched } from '../../../test/given/watched-database.ts';
import { givenDatabase } from '../../../test/test-database.ts';
import { until } from '../../../test/until.ts';
import type { Db } from '../../platform/db/connect.ts';
import { createLog } from '../../platform/lib/log.ts';
import { setProduct } from '../../supply/catalog/set-product.flow.ts';
import { storeIdOf } from '../../supply/stores/store-id.ts';
import { ShelfBuilder } from './build-shelves.flow.ts';
import { ShelfKeeper } from './keep-shelves.flow.ts';
import { ProductIndexes } from './product-indexes.cache.ts';
import { ProductTerms } from './product-terms.index.ts';
import { readShelves } from './read-shelves.cache.ts';
import { layOutShelf, SHELF_HEAD_BYTES } from './shelf.ts';
import { ShelfFiles } from './shelf-files.cache.ts';
import { ShelfUsage } from './shelf-usage.index.ts';
import { TermLog } from './term-log.index.ts';

/** The shelves of a node on its disk: the effects of a start, a change, damage and a full folder. */
let db: Db;
let close: () => Promise<void>;
const storeIds: string[] = [];
const SHOPS = 30;
const LOG = createLog('silent');
const AT = Temporal.Instant.from('2026-06-10T17:00:00Z');
before(async () => {
  ({ db, close } = await givenDatabase());
  for (let nth = 0; nth < SHOPS; nth += 1) {
    const products = [`Tea number ${nth}`, 'Milk', 'Sourdough bread'].map((name) => ({
      id: name,
      name,
      price: 100 + nth,
    }));
    storeIds.push(
      await givenStore(db, {
        external_id: `s${nth}`,
        name: `Shop ${nth}`,
        categories: [{ id: 'c', name: 'Things', products }],
      }),
    );
  }
});
after(() => close());

async function lastChange(): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from change_clock`.execute(db);
  return rows[0]?.seq ?? 0;
}

type Node = { indexes: ProductIndexes; keeper: ShelfKeeper; menusRead(): number; close(): Promise<void> };

/** A node whose shelves lie in the folder, with one searching thread in this one. */
async function startNode(
  at: string,
  { maxBytes = 1e8, maxProducts = 1e6, aheadOf = [] as string[] } = {},
): Promise<Node> {
  const { db: seen, statements } = watched(db);
  const keeper = new ShelfKeeper({ db: seen, kept: { folder: dirname(at), maxBytes }, log: LOG });
  await keeper.open();
  keeper.complete(await lastChange());
  keeper.buildAhead(aheadOf.values());
  const indexes = connect(keeper, maxProducts);
  return {
    indexes,
    keeper,
    menusRead: () => statements.filter((text) => text.includes('as product_nos')).length,
    async close() {
      indexes.close();
      await keeper.close();
    },
  };
}

function connect(keeper: ShelfKeeper, maxProducts?: number): ProductIndexes {
  const reportLeftOut = (...reported: unknown[]) => assert.fail(JSON.stringify(reported));
  const indexes = new ProductIndexes({ reportLeftOut, ...(maxProducts === undefined ? {} : { maxProducts }) });
  indexes.attach(keeper.connect());
  return indexes;
}

/** Prices of products with these words by store, as in the stores' menus. */
async function pricesOf(indexes: ProductIndexes, text: string, of = storeIds): Promise<number[][]> {
  const found = await indexes.of(of, 'anyone');
  return of.map((storeId) => {
    const index = found.get(storeId);
    assert.ok(index);
    return matchProducts(index, prepareQuery(text, index.terms), null).map(({ priceCents }) => priceCents);
  });
}

const MILK = Array.from({ length: SHOPS }, (_, nth) => [100 + nth]);

async function assertRight(indexes: ProductIndexes): Promise<void> {
  assert.deepEqual(await pricesOf(indexes, 'milk'), MILK);
  assert.deepEqual(
    (await pricesOf(indexes, 'tea number 7')).flatMap((prices, nth) => prices.map(() => nth)),
    [7],
  );
}

function withFolder(name: string, run: (folder: string) => Promise<void>): void {
  test(name, async () => {
    const parent = mkdtempSync(join(tmpdir(), 'doorstep-shelves-'));
    await run(join(parent, '1'));
    rmSync(parent, { recursive: true });
  });
}

const filesOf = (folder: string, ending: string) => readdirSync(folder).filter((name) => name.endsWith(ending));

withFolder('a node that starts has its shelves of before, and reads no menu', async (folder) => {
  const first = await startNode(folder);
  await assertRight(first.indexes);
  assert.equal(first.menusRead(), 2);
  await first.close();
  for (let start = 0; start < 2; start += 1) {
    const next = await startNode(folder);
    await assertRight(next.indexes);
    assert.equal(next.menusRead(), 0);
    await next.close();
  }
});

withFolder('a search that begins before the shelves are open waits for them, and reads no menu', async (folder) => {
  const first = await startNode(folder);
  await assertRight(first.indexes);
  await first.close();
  const { db: seen, statements } = watched(db);
  const keeper = new ShelfKeeper({ db: seen, kept: { folder: dirname(folder), maxBytes: 1e8 }, log: LOG });
  const indexes = connect(keeper);
  const early = assertRight(indexes);
  // A change from the feed meanwhile is no longer in the directory.
  keeper.change(storeIds[5] as string, (await lastChange()) + 1, true);
  const opening = keeper.open();
  keeper.change(storeIds[6] as string, (await lastChange()) + 1, true);
  await opening;
  await early;
  assert.ok(statements.filter((text) => text.includes('as product_nos')).length <= 1);
  indexes.close();
  await keeper.close();
});

withFolder('two searching threads share shelves: the second reads no menu', async (folder) => {
  const { keeper, indexes, menusRead, close: end } = await startNode(folder);
  const other = connect(keeper);
  await assertRight(indexes);
  await until('the shelves are written and in the directory', async () => {
    const before = menusRead();
    other.dropAll();
    await assertRight(other);
    return menusRead() === before;
  });
  other.close();
  await end();
});

withFolder('shelves that nobody has needed are built ahead', async (folder) => {
  const node = await startNode(folder, { aheadOf: storeIds });
  await until('all are read', () => node.menusRead() === 2);
  await until('they are written', () => filesOf(folder, '.shelves').length > 0);
  await node.close();
  const next = await startNode(folder);
  await assertRight(next.indexes);
  assert.equal(next.menusRead(), 0);
  await next.close();
});

withFolder('a store that changed while the node was down is read again, and no other', async (folder) => {
  const first = await startNode(folder);
  await assertRight(first.indexes);
  await first.close();
  const storeId = storeIds[3] as string;
  const setOnSale = (available: boolean) =>
    db.transaction().execute((tx) => setProduct(tx, { storeId, externalId: 'Milk' }, { available }, AT));
  await setOnSale(false);
  const next = await startNode(folder);
  assert.deepEqual(await pricesOf(next.indexes, 'milk'), MILK.with(3, []));
  assert.equal(next.menusRead(), 1);
  await setOnSale(true);
  next.keeper.change(storeId, await lastChange(), true);
  next.indexes.drop(storeId);
  assert.deepEqual(await pricesOf(next.indexes, 'milk'), MILK);
  await next.close();
});

withFolder('shelves that were read together leave memory together, but for one that changed since', async (folder) => {
  const first = await startNode(folder);
  await assertRight(first.indexes);
  await first.close();
  const [a, b, c, d, e] = storeIds as [string, string, string, string, string];
  // An index counts as its three products and 16: there is room for four.
  const { indexes, keeper, close: end } = await startNode(folder, { maxProducts: 80 });
  await indexes.of([a, b], 'anyone');
  await indexes.of([c], 'anyone');
  keeper.change(b, await lastChange(), true);
  indexes.drop(b);
  await until('the changed store is there again', () => indexes.indexCount === 3);
  await indexes.of([c, b, d], 'anyone');
  assert.equal(indexes.indexCount, 3, 'a has left, with what was read with it');
  const kept = (await indexes.of([b], 'anyone')).get(b);
  await indexes.of([c, d], 'anyone');
  await indexes.of([e], 'anyone');
  assert.deepEqual([indexes.indexCount, (await indexes.of([b], 'anyone')).get(b)], [4, kept]);
  await end();
});

withFolder('any byte that differs is noticed: the shelf is built again, and the answer is right', async (folder) => {
  const first = await startNode(folder);
  await assertRight(first.indexes);
  await first.close();
  const kept = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const);
  for (const [name, bytes] of kept) {
    const positions = Array.from({ length: 12 }, (_, nth) => Math.floor((bytes.length * (nth + 0.5)) / 12));
    for (const at of name === 'terms' ? [0, 4, 8, ...positions] : positions) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 0x10;
      writeFileSync(join(folder, name), damaged);
      const node = await startNode(folder);
      await assertRight(node.indexes);
      await node.close();
      for (const one of readdirSync(folder)) rmSync(join(folder, one));
      for (const [one, whole] of kept) writeFileSync(join(folder, one), whole);
    }
  }
});

withFolder('files that are missing or cut are built again', async (folder) => {
  const first = await startNode(folder);
  await assertRight(first.indexes);
  await first.close();
  for (const ending of ['.list', '.shelves', 'terms', 'shelves.json']) {
    for (const cut of [0, 20, 1000]) {
      for (const name of filesOf(folder, ending)) {
        if (cut === 0) rmSync(join(folder, name));
        else writeFileSync(join(folder, name), readFileSync(join(folder, name)).subarray(0, -cut));
      }
      const node = await startNode(folder);
      await assertRight(node.indexes);
      await node.close();
    }
  }
});

withFolder(
  'shelves take no more than the setting and than is free beside them; the least recently read leave',
  async (folder) => {
    const terms = new ProductTerms(new TermLog());
    const built = await new ShelfBuilder({ db, terms, reportLeftOut: () => {} }).build(storeIds, 'anyone');
    const length = Math.max(...built.values().map(({ shelf }) => shelf.length));
    const usage = new ShelfUsage();
    let diskBytes = 1e9;
    const freeBytes = async () => diskBytes - files.bytes;
    const onGrow = () => {};
    const maxBytes = 8 * length;
    const files: ShelfFiles = new ShelfFiles({ folder, maxBytes, log: terms.log, usage, freeBytes, onGrow });
    await files.clear();
    const addOne = async (storeId: string) => {
      files.add(storeId, built.get(storeId)?.shelf ?? assert.fail(), 1);
      await files.write();
    };
    const kept = () => storeIds.filter((storeId) => files.has(storeId));
    for (const storeId of storeIds.slice(0, 12)) await addOne(storeId);
    assert.ok(files.bytes > 6 * length && files.bytes <= 8 * length, `${files.bytes} of ${length}`);
    const oldest = kept()[0] ?? assert.fail();
    usage.note(files.directory.find(oldest)?.file ?? assert.fail());
    diskBytes = 7 * length;
    await addOne(storeIds[12] ?? '');
    assert.ok(files.bytes <= 3.5 * length, `${files.bytes} of ${length}`);
    assert.ok(kept().includes(oldest), 'the one that was read last');
    assert.equal(filesOf(folder, '.shelves').length, kept().length);
    await files.close();
  },
);

withFolder(
  'valid shelves of a file that was mostly replaced move to another, byte for byte, also at a second try',
  async (folder) => {
    const terms = new ProductTerms(new TermLog());
    const built = await new ShelfBuilder({ db, terms, reportLeftOut: () => {} }).build(storeIds, 'anyone');
    const usage = new ShelfUsage();
    const open = () =>
      new ShelfFiles({ folder, maxBytes: 1e6, log: terms.log, usage, freeBytes: async () => 1e9, onGrow: () => {} });
    const files = open();
    await files.clear();
    const shelfOf = (storeId: string) => Uint8Array.from(built.get(storeId)?.shelf ?? assert.fail());
    const ask = () => readShelves({ folder, directory: files.directory, usage }, storeIds);
    for (const storeId of storeIds) files.add(storeId, shelfOf(storeId), 1);
    await files.write();
    await files.close();
    const valid = storeIds.filter((_, nth) => nth % 3 === 0);
    const before = await ask();
    const [file] = filesOf(folder, '.shelves');
    for (const storeId of storeIds) if (!valid.includes(storeId)) files.drop(storeId, 2);
    // The move cannot begin its file: nothing is lost, and the next write tries again.
    const blocked = join(folder, '2.shelves');
    writeFileSync(blocked, '');
    files.add(storeIds[1] as string, shelfOf(storeIds[1] as string), 2);
    await assert.rejects(files.write());
    assert.deepEqual([...(await ask()).keys()].sort(), [...valid].sort());
    rmSync(blocked);
    files.add(storeIds[2] as string, shelfOf(storeIds[2] as string), 2);
    await files.write();
    const after = await ask();
    assert.deepEqual([...after.keys()].sort(), [...valid, storeIds[2]].sort());
    for (const storeId of valid) {
      assert.deepEqual(productsOf(after.get(storeId)), productsOf(before.get(storeId)));
      assert.equal(files.directory.find(storeId)?.seq, 1);
    }
    assert.ok(!filesOf(folder, '.shelves').includes(file ?? ''));
    await files.close();
    const next = open();
    assert.ok(await next.read(2));
    assert.deepEqual(storeIds.filter((storeId) => next.has(storeId)).sort(), [...after.keys()].sort());
  },
);

withFolder('shelves that lie far apart and in several files are read into one memory', async (folder) => {
  const terms = new ProductTerms(new TermLog());
  const built = await new ShelfBuilder({ db, terms, reportLeftOut: () => {} }).build(storeIds, 'anyone');
  const usage = new ShelfUsage();
  const freeBytes = async () => 1e9;
  const files = new ShelfFiles({ folder, maxBytes: 2e6, log: terms.log, usage, freeBytes, onGrow: () => {} });
  await files.clear();
  const counts = { productCount: 5000, categoryCount: 0, termCount: 0, rowsAt: 1, rowLength: 3, weightCount: 0 };
  const noColumns = { pickupAt: 0, extraAt: 0, claimsAt: 0, taxAt: 0, sizeAt: 0 };
  for (const [nth, storeId] of storeIds.entries()) {
    const between = storeIdOf('between', String(nth));
    files.add(storeId, Uint8Array.from(built.get(storeId)?.shelf ?? assert.fail()), 1);
    files.add(between, layOutShelf(between, { ...counts, ...noColumns }, 0, terms).shelf, 1);
    await files.write();
  }
  assert.ok(filesOf(folder, '.shelves').length > 2);
  const read = await readShelves({ folder, directory: files.directory, usage }, storeIds.toReversed());
  for (const storeId of storeIds) {
    assert.deepEqual(productsOf(read.get(storeId)), productsOf(built.get(storeId)?.shelf));
  }
  assert.deepEqual([read.size, new Set(read.values().map(({ buffer }) => buffer)).size], [storeIds.length, 1]);
  await files.close();
});

/** A shelf's bytes without its checksum and the length of the term log. */
const productsOf = (shelf: Uint8Array | undefined): Buffer =>
  Buffer.from(shelf ?? assert.fail()).subarray(SHELF_HEAD_BYTES);
