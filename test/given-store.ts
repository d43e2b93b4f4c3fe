import { hash } from 'node:crypto';
import { completeProfile, type FeedStore, parseStoreLine } from '../src/catalog/import/parse-store-line.ts';
import { countOptions, minPrice } from '../src/catalog/min-price.ts';
import type { Db, Sql } from '../src/db/connect.ts';
import { storeIdOf } from '../src/stores/store-id.ts';
import { nextChange } from '../src/stores/stores.db.ts';

type Json = Record<string, unknown>;

const ALWAYS = 'Mo-Su 00:00-24:00';

/** A store line in New York, open at all hours, that takes orders in both modes. */
export const STORE_LINE: Json = {
  external_id: 'store-1',
  name: 'Brick Oven',
  type: 'restaurant',
  address: { street_addr: '120 5th Ave', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' },
  latitude: 40.7383,
  longitude: -73.9927,
  time_zone: 'America/New_York',
  hours: { operational: ALWAYS },
  online_ordering: true,
  pickup: { enabled: true, accepting: true, prep_minutes: [10, 20] },
  delivery: { enabled: true, accepting: true, party: 'first', radius_miles: 3, prep_minutes: [10, 20] },
};

/** Brings a store line in, over what an earlier one of the same id brought, and returns the store's id. */
export async function givenStore(
  db: Db,
  line: Json = {},
  at = Temporal.Instant.fromEpochMilliseconds(0),
): Promise<string> {
  const parsed = parseStoreLine({ ...STORE_LINE, ...line });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const { store } = parsed;
  const storeId = storeIdOf('test', store.externalId);
  await db.transaction().execute(async (tx) => {
    const seq = await nextChange(tx);
    await saveStore(tx, storeId, store, seq, at);
    await tx.updateTable('categories').set({ removed: true }).where('store_id', '=', storeId).execute();
    await tx.updateTable('products').set({ removed: true }).where('store_id', '=', storeId).execute();
    await saveCategories(tx, storeId, store);
    await saveProducts(tx, storeId, store);
  });
  return storeId;
}

async function saveStore(tx: Sql, storeId: string, store: FeedStore, seq: number, at: Temporal.Instant): Promise<void> {
  const { categories, products } = store.catalogue;
  const topNames = categories.filter((category) => category.parentId === null).map((category) => category.name);
  const profile = completeProfile(store, { hasProducts: products.length > 0, topNames });
  const facts = {
    profile: JSON.stringify(profile),
    online_ordering: profile.onlineOrdering,
    accept_delivery: profile.delivery.accepting,
    accept_pickup: profile.pickup.accepting,
    has_catalogue: categories.length > 0,
    listed: true,
    feed_hash: Buffer.alloc(32),
    changed_seq: seq,
    updated_at: at.toString(),
  };
  await tx
    .insertInto('stores')
    .values({ store_id: storeId, source: 'test', external_id: store.externalId, created_at: at.toString(), ...facts })
    .onConflict((conflict) => conflict.column('store_id').doUpdateSet(facts))
    .execute();
}

async function saveCategories(tx: Sql, storeId: string, { catalogue }: FeedStore): Promise<void> {
  for (const category of catalogue.categories) {
    const values = {
      parent_no: category.parentId === null ? null : await categoryNo(tx, storeId, category.parentId),
      position: category.position,
      name: category.name,
      hours: category.hours && JSON.stringify(category.hours),
      is_leaf: category.isLeaf,
      removed: false,
    };
    const key = { store_id: storeId, external_id: category.externalId };
    await tx
      .insertInto('categories')
      .values({ ...key, category_no: await nextNo(tx, 'categories', storeId), ...values })
      .onConflict((conflict) => conflict.columns(['store_id', 'external_id']).doUpdateSet(values))
      .execute();
  }
}

async function saveProducts(tx: Sql, storeId: string, { catalogue }: FeedStore): Promise<void> {
  for (const { product, categoryId, position } of catalogue.products) {
    const view = viewOf(JSON.stringify([{ ...product, qtyAvailable: 0 }, categoryId, position]));
    const values = {
      category_no: await categoryNo(tx, storeId, categoryId),
      position,
      name: product.name,
      description: product.description,
      price: product.price,
      pickup_price: product.pickupPrice,
      original_price: product.originalPrice,
      image: product.image,
      thumbnail_image: product.thumbnailImage,
      unit_size: product.unitSize,
      unit_of_measurement: product.unitOfMeasurement,
      upc_code: product.upcCode,
      is_alcoholic: product.isAlcoholic,
      in_delivery: product.inDelivery,
      in_pickup: product.inPickup,
      hours: product.hours && JSON.stringify(product.hours),
      customizations: product.customizations.length > 0 ? JSON.stringify(product.customizations) : null,
      option_count: countOptions(product.customizations),
      min_extra: minPrice(product.price, product.customizations) - product.price,
      available: product.available,
      qty_available: product.qtyAvailable,
      removed: false,
      feed_hash: hash('sha256', JSON.stringify(product), 'buffer'),
      delivery_view: product.inDelivery ? view : null,
      pickup_view: product.inPickup ? view : null,
    };
    const key = { store_id: storeId, external_id: product.externalId };
    await tx
      .insertInto('products')
      .values({ ...key, product_no: await nextNo(tx, 'products', storeId), ...values })
      .onConflict((conflict) => conflict.columns(['store_id', 'external_id']).doUpdateSet(values))
      .execute();
  }
}

async function categoryNo(tx: Sql, storeId: string, externalId: string): Promise<number> {
  const row = await tx
    .selectFrom('categories')
    .select('category_no')
    .where('store_id', '=', storeId)
    .where('external_id', '=', externalId)
    .executeTakeFirstOrThrow();
  return row.category_no;
}

async function nextNo(tx: Sql, table: 'categories' | 'products', storeId: string): Promise<number> {
  const { count } = await tx
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('store_id', '=', storeId)
    .executeTakeFirstOrThrow();
  return count + 1;
}

function viewOf(text: string): string {
  return hash('sha256', text, 'buffer').readBigInt64BE().toString();
}
