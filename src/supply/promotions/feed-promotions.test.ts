import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type FeedLine, pizzeria } from '../../../test/feed-lines.ts';
import { givenImport } from '../../../test/given/import.ts';
import { givenConsole } from '../../../test/given/merchant.ts';
import { type Client, givenApp } from '../../../test/harness.ts';
import { storeIdOf } from '../stores/store-id.ts';

/** Promotions that a feed brings: created, changed, ended, and faulty ones left out with their paths. */

let given: Awaited<ReturnType<typeof givenImport>>;
let owner: Client;
before(async () => {
  given = await givenImport(givenApp);
  await read(undefined);
  owner = await givenConsole(given.app, storeIdOf('market', 'pizzeria'));
});
after(() => given.close());

const LUNCH = { id: 'lunch', kind: 'percent', percent: 20, max_uses: 100 };
const SODA = { id: 'soda', kind: 'item_price', price_cents: 200, items: { products: ['soda'] } };

const read = (promotions: unknown, more: FeedLine = {}) => {
  const line = pizzeria(promotions === undefined ? more : { promotions, ...more });
  return given.importAll([given.fileOf('market.ndjson', [line])], { source: 'market' });
};
const shown = async (): Promise<Record<string, unknown>[]> => (await owner.get('/store/promotions')).body.promotions;
const open = async () => (await shown()).filter(({ state }) => state !== 'ended');

test('a feed creates promotions, earlier ends and higher limits change them, other changes replace them, and missing ones end', async () => {
  await read([LUNCH, SODA]);
  const first = await open();
  assert.deepEqual(first.map(({ kind }) => kind).toSorted(), ['item_price', 'percent']);
  const idOf = (list: Record<string, unknown>[], kind: string) => list.find((one) => one.kind === kind)?.promotion_id;
  await read([{ ...LUNCH, max_uses: 200 }, SODA]);
  const raised = await open();
  assert.equal(idOf(raised, 'percent'), idOf(first, 'percent'));
  assert.equal(raised.find(({ kind }) => kind === 'percent')?.max_uses, 200);
  await given.app.advance({ minutes: 1 });
  await read([{ ...LUNCH, max_uses: 200, percent: 25 }, SODA]);
  const replaced = await open();
  assert.notEqual(idOf(replaced, 'percent'), idOf(first, 'percent'));
  assert.equal(idOf(replaced, 'item_price'), idOf(first, 'item_price'));
  assert.equal(replaced.length, 2);
  await read([SODA]);
  assert.deepEqual(
    (await open()).map(({ kind }) => kind),
    ['item_price'],
  );
  await read(undefined);
  assert.deepEqual(await open(), []);
});

test('a promotion ended by the store stays ended until the feed changes it', async () => {
  await given.app.advance({ minutes: 1 });
  await read([LUNCH]);
  const [lunch] = await open();
  await owner.post(`/store/promotions/${lunch?.promotion_id}/end`, {});
  await read([LUNCH], { description: 'Now with a garden.' });
  assert.deepEqual(await open(), []);
  await given.app.advance({ minutes: 1 });
  await read([{ ...LUNCH, percent: 30 }]);
  assert.deepEqual(
    (await open()).map(({ percent }) => percent),
    [30],
  );
});

test('a faulty promotion is left out with its path; the store, the others and the earlier one of its id stay', async () => {
  const before = await open();
  const faulty = { id: 'bad', kind: 'percent', percent: 0, ends_at: -1 };
  const unknown = { ...SODA, id: 'cola', items: { products: ['cola'] } };
  const dear = { ...SODA, id: 'dear', price_cents: 300 };
  const result = await read([{ ...LUNCH, percent: 130 }, faulty, unknown, dear, SODA, { ...SODA }, 'none'], {
    name: 'Garden Pizzeria',
  });
  assert.equal(result.rejected, 0, JSON.stringify(result));
  assert.deepEqual(result.warnings.map(({ path }) => path).toSorted(), [
    'promotions[0].percent',
    'promotions[1].ends_at',
    'promotions[1].percent',
    'promotions[2].items.products[0]',
    'promotions[3].price_cents',
    'promotions[5].id',
    'promotions[6]',
  ]);
  assert.deepEqual(
    (await open()).filter(({ kind }) => kind === 'percent'),
    before,
  );
  assert.equal((await open()).length, 2);
  assert.equal((await read({ not: 'a list' })).rejected, 1);
});
