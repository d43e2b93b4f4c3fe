import assert from 'node:assert/strict';
import type { App } from '../harness.ts';

/** The first product represents its category: many carry a hundred kilobytes of options. */
const DETAILS_PER_CATEGORY = 1;

type Item = {
  name: string;
  price: number;
  min_price: number;
  product_id: string;
  should_fetch_customizations: boolean;
};
type Category = { name: string; subcategory_id: string; menu_item_list: Item[] };
type Walked = { stores: number; categories: number; products: number; details: Set<string> };

/** Reads every inventory, and details of its products; the harness checks each response against its description. */
export async function walkInventories(app: App): Promise<void> {
  const stores = await app.service.deps.db
    .selectFrom('stores')
    .select(['storeId', 'profile'])
    .where('hasCatalog', '=', true)
    .execute();
  const walked: Walked = { stores: 0, categories: 0, products: 0, details: new Set() };
  for (const { storeId, profile } of stores) {
    walked.stores += 1;
    const grocery = profile.type === 'grocery';
    // The two thousand levels of a grocery are read in one mode.
    for (const pickup of profile.pickup.enabled && !grocery ? [false, true] : [false]) {
      await walkStore(app, { storeId, pickup, grocery }, walked);
    }
  }
  assert.ok(walked.stores >= 40 && walked.products > 10_000 && walked.details.size > 1_000, JSON.stringify(walked));
}

type Walk = { storeId: string; pickup: boolean; grocery: boolean };

async function walkStore(app: App, { storeId, pickup, grocery }: Walk, walked: Walked): Promise<void> {
  const places: (string | undefined)[] = [undefined];
  for (const subcategory of places) {
    const query = { store_id: storeId, pickup, ...(subcategory === undefined ? {} : { subcategory_id: subcategory }) };
    const { status, body } = await app.get('/details/inventory', query);
    assert.equal(status, 200);
    for (const category of body.categories as Category[]) {
      walked.categories += 1;
      walked.products += category.menu_item_list.length;
      if (grocery && category.subcategory_id !== subcategory) places.push(category.subcategory_id);
      const items = category.menu_item_list.slice(0, DETAILS_PER_CATEGORY);
      const fresh = items.filter((item) => !walked.details.has(item.product_id));
      await Promise.all(fresh.map((item) => checkDetails(app, item, pickup)));
      for (const item of fresh) walked.details.add(item.product_id);
    }
  }
}

async function checkDetails(app: App, item: Item, pickup: boolean): Promise<void> {
  const { status, body } = await app.get('/details/product', { product_id: item.product_id, pickup });
  assert.equal(status, 200);
  assert.deepEqual([body.name, body.price, body.min_price], [item.name, item.price, item.min_price]);
  assert.ok(body.min_price >= body.price && body.original_price >= body.price);
  if (item.should_fetch_customizations) assert.ok(body.customizations.length > 0);
}
