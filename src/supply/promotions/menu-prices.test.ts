import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { NEAR_DOOR, pizzeria } from '../../../test/feed-lines.ts';
import { givenConsole, givenOperator } from '../../../test/given/merchant.ts';
import { givenPaymentMethod, orderBody } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { TAX_CLASSES } from '../stores/tax-class.ts';

/** Under any promotions an order pays the prices shown in its fulfillment type's menu. */

const app = await givenApp({ start: '2026-06-10T17:00:00Z' });
after(() => app.close());
const operator = await givenOperator(app);
const card = await givenPaymentMethod(app);
const REASON = { reason: 'A test.' };
const BY_WEIGHT = { sold_by: 'weight', weight: { unit: 'lb', step: 0.25 } };

const maybe = (key: string, value: fc.Arbitrary<unknown>) =>
  fc.option(value, { nil: undefined }).map((given) => (given === undefined ? {} : { [key]: given }));
const all = (id: string, ...parts: fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...parts).map((given) => Object.assign({ id, name: id }, ...given));
const cents = fc.integer({ min: 100, max: 5000 });
const taxClass = maybe('tax_class', fc.constantFrom(...TAX_CLASSES));
const product = (id: string) =>
  all(
    id,
    fc.record({ price: cents }),
    fc.oneof(maybe('pickup_price', cents), fc.constant(BY_WEIGHT)),
    maybe('is_alcoholic', fc.boolean()),
    taxClass,
  );
const leaf = (id: string) =>
  all(id, taxClass, fc.record({ products: fc.tuple(product(`${id}0`), product(`${id}1`), product(`${id}2`)) }));
const node = (id: string, ...below: fc.Arbitrary<object>[]) =>
  all(id, taxClass, fc.record({ categories: fc.tuple(...below) }));
const menus = fc.record({ categories: fc.tuple(node('a', leaf('b'), node('c', leaf('d')))) });

const filter = fc
  .tuple(
    maybe('products', fc.subarray(['b0', 'b1', 'd0', 'd1', 'd2'], { minLength: 1 })),
    maybe('categories', fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 })),
    maybe('tax_classes', fc.subarray([...TAX_CLASSES], { minLength: 1 })),
  )
  .map((parts): object => Object.assign({}, ...parts))
  .filter((parts) => Object.keys(parts).length > 0);
const offers = fc.record({
  by: fc.constantFrom('store', 'operator', 'operator in all stores'),
  items: fc.tuple(filter, maybe('except', filter)).map(([items, except]) => ({ ...items, ...except })),
  percent: fc.constantFrom(5, 12.5, 33.333333, 100),
  mode: maybe('mode', fc.constantFrom('delivery', 'pickup')),
  days: maybe('new_store_days', fc.constantFrom(1, 30)),
});

type Item = { name: string; price: number; product_id: string };
type Category = { menu_item_list?: Item[]; subcategories?: Category[] };
const itemsOf = ({ menu_item_list: own = [], subcategories = [] }: Category): Item[] => [
  ...own,
  ...subcategories.flatMap(itemsOf),
];

test('an order pays its menu’s prices, by nested categories, classes and exceptions, of store or operator', async () => {
  let made = 0;
  const property = fc.asyncProperty(
    menus,
    taxClass,
    fc.array(offers, { minLength: 1, maxLength: 4 }),
    async (...given) => {
      const [menu, ofStore, offered] = given;
      const line = { external_id: `menu-${made++}`, hours: { operational: '24/7' }, fees: {}, ...menu, ...ofStore };
      const [storeId = ''] = await givenStores(app, [pizzeria(line)]);
      const owner = await givenConsole(app, storeId);
      const ends: string[] = [];
      for (const { by, items, percent, mode, days } of offered) {
        const body = { kind: 'item_price', items, percent, ...mode };
        const ofOperator = { ...body, ...days, ...REASON, ...(by === 'operator' && { stores: [storeId] }) };
        const reply = await (by === 'store'
          ? owner.post('/store/promotions', body)
          : operator.post('/operator/promotions', ofOperator));
        assert.equal(reply.status, 200, reply.text);
        if (by !== 'store') ends.push(`/operator/promotions/${reply.body.promotion_id}/end`);
      }
      await app.advance({ seconds: 1 });
      await app.catchUp();
      for (const pickup of [false, true]) {
        const { body } = await app.get('/details/inventory', { store_id: storeId, pickup });
        const shown: Item[] = body.categories.flatMap(itemsOf);
        const items = shown.map(({ product_id }) => ({ product_id }));
        const order = orderBody(undefined, card, { place_order: false, pickup, items, ...NEAR_DOOR });
        const reply = await app.post('/order/order/v2', order);
        assert.equal(reply.status, 200, reply.text);
        const paid = reply.body.final_quote.items.map((item: { name: string; base_price: number }) => [
          item.name,
          item.base_price,
        ]);
        assert.deepEqual(
          [paid.length, paid],
          [6, shown.map(({ name, price }) => [name, price])],
          JSON.stringify(given),
        );
      }
      for (const path of ends) await operator.post(path, REASON);
    },
  );
  await fc.assert(property, { numRuns: runs(60, 8), endOnFailure: true });
});
