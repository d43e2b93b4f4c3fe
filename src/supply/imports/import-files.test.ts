import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { pizzeria } from '../../../test/feed-lines.ts';
import { countsOf, givenImport, product, shop } from '../../../test/given/import.ts';
import { givenOwnApp } from '../../../test/harness.ts';

const given = await givenImport(givenOwnApp);
const { db, digests, fileOf, importAll, importLines, productsOf, store } = given;
after(() => given.close());

test('a feed imported again changes nothing and says unchanged, whatever the order of its keys', async () => {
  const line = pizzeria({ external_id: 'shop' });
  assert.deepEqual(await importLines('again', [line]), [1, 1, 0, 0, 0]);
  const before = [await store('again'), await productsOf('again'), await digests('again')];
  const { rows } = await sql<{ seq: number }>`select seq from change_clock`.execute(db);
  const reversed = Object.fromEntries(Object.entries(line).reverse());
  assert.deepEqual(await importLines('again', [reversed]), [1, 0, 0, 1, 0]);
  assert.deepEqual([await store('again'), await productsOf('again'), await digests('again')], before);
  assert.deepEqual((await sql<{ seq: number }>`select seq from change_clock`.execute(db)).rows, rows);
});

test('a store after its import equals its line', async () => {
  await importLines('whole', [pizzeria({ external_id: 'shop' })]);
  const row = await store('whole');
  assert.deepEqual(
    [row?.hasCatalog, row?.supportsUpcCodes, row?.listed, row?.onlineOrdering, row?.profile.name],
    [true, true, true, true, 'Test Pizzeria'],
  );
  const products = await productsOf('whole');
  assert.equal(products.get('margherita')?.minExtra, 0);
  assert.equal(products.get('few')?.qtyAvailable, 3);
  assert.equal(products.get('off')?.available, false);
  assert.deepEqual(
    [...products.values()].map((one) => one.productNo).sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6],
  );
});

test('a bad line is reported with its number, path and expectation, and stops nothing', async () => {
  const bad = shop([product('a'), product('a', { price: -1 })]);
  const result = await importAll([
    fileOf('faulty.ndjson', ['{"external_id":', bad, '', shop([product('a')], { external_id: 'good' }), '[]']),
  ]);
  assert.deepEqual(countsOf(result), [4, 1, 0, 0, 3]);
  assert.deepEqual(
    result.errors.map(({ line, path, message }) => [line, path, message.slice(0, 20)]),
    [
      [1, '', 'expected JSON'],
      [2, 'categories[0].products[1].price', 'expected whole cents'],
      [2, 'categories[0].products[1].id', 'expected unique with'],
      [5, '', 'expected an object'],
    ],
  );
  assert.equal(await store('faulty'), undefined);
});

test('a store whose data the database rejects is skipped; its batch is in', async () => {
  await sql`create function refuse_poison() returns trigger language plpgsql as $$
    begin if new.name = 'poison' then raise check_violation; end if; return new; end $$`.execute(db);
  await sql`create trigger poison before insert on products for each row execute function refuse_poison()`.execute(db);
  const lines = ['shop', 'b', 'c'].map((id) =>
    shop([product('fine'), product(id === 'b' ? 'poison' : 'other')], { external_id: id }),
  );
  const result = await importAll([fileOf('poison.ndjson', lines)]);
  await sql`drop trigger poison on products`.execute(db);
  assert.deepEqual(countsOf(result), [3, 2, 0, 0, 1]);
  assert.equal(result.errors[0]?.line, 2);
  assert.equal(await store('poison', 'b'), undefined);
  assert.equal((await productsOf('poison', 'c')).size, 2);
});

test('a repeated store counts as unchanged where nothing changes, and the last line counts', async () => {
  const first = shop([product('a')]);
  const second = shop([product('a', { price: 200 })]);
  assert.deepEqual(await importLines('repeat', [first, first, second, first, second]), [5, 1, 1, 3, 0]);
  assert.equal((await productsOf('repeat')).get('a')?.price, 200);
});

test('a line that repeats a store with other contents is a warning, and the same file changes nothing the next time', async () => {
  const [first, second] = [shop([product('a')]), shop([product('a', { price: 200 })])];
  const others = Array.from({ length: 3 }, (_, n) => shop([product('a')], { external_id: `other-${n}` }));
  const lines = [first, ...others, second];
  const file = fileOf('twice.ndjson', lines);
  const warned = [
    {
      line: 5,
      path: 'external_id',
      message: 'repeats the external_id of line 1 with other contents; the last line counts',
    },
  ];
  const once = await importAll([file]);
  assert.deepEqual([countsOf(once), once.warnings], [[5, 4, 1, 0, 0], warned]);
  const before = [await store('twice'), await productsOf('twice'), await digests('twice')];
  for (const _ of [1, 2]) {
    const again = await importAll([file]);
    assert.deepEqual([countsOf(again), again.warnings], [[5, 0, 0, 5, 0], warned]);
    assert.deepEqual([await store('twice'), await productsOf('twice'), await digests('twice')], before);
  }
  // Without the store's later line, its earlier line applies.
  assert.deepEqual(await importLines('twice', [first, ...others]), [4, 0, 1, 3, 0]);
  assert.equal((await productsOf('twice')).get('a')?.price, 100);
  assert.deepEqual(await importLines('twice', lines), [5, 0, 1, 4, 0]);
  const third = shop([product('a', { price: 300 })]);
  assert.deepEqual(await importLines('twice', [first, second, third, second]), [4, 0, 2, 2, 0]);
  assert.deepEqual(await importLines('twice', [first, second, third, second]), [4, 0, 0, 4, 0]);
  assert.equal((await productsOf('twice')).get('a')?.price, 200);
});

test('--prune takes missing stores out of search, keeps faulty ones, and they come back', async () => {
  const lines = ['shop', 'b', 'c'].map((id) => shop([product('a')], { external_id: id }));
  await importLines('prune', lines);
  await importLines('elsewhere', [shop([product('a')])]);
  const result = await importAll([fileOf('prune.ndjson', [lines[0], { external_id: 'b' }])], { prune: true });
  assert.deepEqual([countsOf(result), result.pruned], [[2, 0, 0, 1, 1], 1]);
  const listed = () => Promise.all(['shop', 'b', 'c'].map(async (id) => (await store('prune', id))?.listed));
  assert.deepEqual(await listed(), [true, true, false]);
  const [seqB, seqC] = [(await store('prune', 'b'))?.changedSeq ?? 0, (await store('prune', 'c'))?.changedSeq ?? 0];
  assert.ok(seqC > seqB);
  assert.equal((await store('elsewhere'))?.listed, true);
  assert.deepEqual(await importLines('prune', lines), [3, 0, 1, 2, 0]);
  assert.deepEqual(await listed(), [true, true, true]);
});

test('two simultaneous imports of a feed equal one', async () => {
  const lines = Array.from({ length: 40 }, (_, n) => shop([product('a'), product('b')], { external_id: `${n}` }));
  const file = fileOf('race.ndjson', lines);
  const results = await Promise.all([importAll([file]), importAll([file]), importAll([file])]);
  assert.equal(
    results.reduce((sum, result) => sum + result.created, 0),
    40,
  );
  assert.equal(
    results.reduce((sum, result) => sum + result.unchanged + result.updated, 0),
    80,
  );
  for (const id of ['0', '39']) assert.equal((await productsOf('race', id)).size, 2);
});
