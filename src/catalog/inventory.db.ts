import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';
import type { Mode } from '../stores/mode.ts';
import type { StoreType } from '../stores/store.ts';
import type { MenuCategory } from './menu-tree.ts';
import { MAX_INLINE_OPTIONS, type MenuProduct } from './present-menu.ts';
import type { Customization } from './product.ts';

/** What tells whether anything an inventory or a quote is made of has changed. */
export type InventoryVersion = {
  storeId: string;
  /** Of the store's own facts and switches. */
  changedSeq: number;
  /** Of how many of its windows' places are held. */
  slotsVersion: number;
  type: StoreType;
  /** Of its menu in each mode; a 64-bit number as text. */
  menuDigests: Readonly<Record<Mode, string>>;
};

/** The versions of the named stores as they are committed now; an unknown store is left out. */
export async function findInventoryVersions(sql: Sql, storeIds: readonly string[]): Promise<InventoryVersion[]> {
  const { rows } = await raw<{
    store_id: string;
    changed_seq: number;
    slots_version: number;
    type: StoreType;
    delivery: string;
    pickup: string;
  }>`
    select s.store_id, s.changed_seq, coalesce(v.version, 0) as slots_version, s.profile->>'type' as type,
      coalesce(m.delivery_digest, 0)::text as delivery, coalesce(m.pickup_digest, 0)::text as pickup
    from stores as s
    left join menus as m on m.store_id = s.store_id
    left join slot_versions as v on v.store_id = s.store_id
    where s.store_id = any(${storeIds}::text[])`.execute(sql);
  return rows.map((row) => ({
    storeId: row.store_id,
    changedSeq: row.changed_seq,
    slotsVersion: row.slots_version,
    type: row.type,
    menuDigests: { delivery: row.delivery, pickup: row.pickup },
  }));
}

const CATEGORY = ['category_no as categoryNo', 'parent_no as parentNo', 'name', 'is_leaf as isLeaf'] as const;

export async function findCategory(sql: Sql, storeId: string, categoryNo: number): Promise<MenuCategory | undefined> {
  return sql
    .selectFrom('categories')
    .select(CATEGORY)
    .where('store_id', '=', storeId)
    .where('category_no', '=', categoryNo)
    .where('removed', '=', false)
    .executeTakeFirst();
}

/** The categories right under one, or the top-level ones (null), in their order. */
export async function findSubcategories(sql: Sql, storeId: string, parentNo: number | null): Promise<MenuCategory[]> {
  return sql
    .selectFrom('categories')
    .select(CATEGORY)
    .where('store_id', '=', storeId)
    .where('parent_no', parentNo === null ? 'is' : '=', parentNo)
    .where('removed', '=', false)
    .orderBy('position')
    .orderBy('category_no')
    .execute();
}

/** All categories of a store; siblings are in their order. */
export async function findAllCategories(sql: Sql, storeId: string): Promise<MenuCategory[]> {
  return sql
    .selectFrom('categories')
    .select(CATEGORY)
    .where('store_id', '=', storeId)
    .where('removed', '=', false)
    .orderBy('position')
    .orderBy('category_no')
    .execute();
}

/** The products on sale in one mode of the named categories, in their order; customizations too large to inline are empty. */
export async function findMenuProducts(
  sql: Sql,
  storeId: string,
  mode: Mode,
  categoryNos: readonly number[],
): Promise<MenuProduct[]> {
  if (categoryNos.length === 0) return [];
  const rows = await sql
    .selectFrom('products')
    .select([
      'product_no as productNo',
      'category_no as categoryNo',
      'name',
      'description',
      'price',
      'pickup_price as pickupPrice',
      'original_price as originalPrice',
      'image',
      'thumbnail_image as thumbnailImage',
      'unit_size as unitSize',
      'unit_of_measurement as unitOfMeasurement',
      'option_count as optionCount',
      'min_extra as minExtra',
      'qty_available as qtyAvailable',
      raw<readonly Customization[] | null>`case when option_count <= ${MAX_INLINE_OPTIONS} then customizations end`.as(
        'customizations',
      ),
    ])
    .where('store_id', '=', storeId)
    .where(raw<boolean>`category_no = any(${categoryNos}::int[])`)
    .where('removed', '=', false)
    .where('available', '=', true)
    .where(mode === 'pickup' ? 'in_pickup' : 'in_delivery', '=', true)
    .orderBy('category_no')
    .orderBy('position')
    .orderBy('product_no')
    .execute();
  return rows.map((row) => ({ ...row, customizations: row.customizations ?? [] }));
}

/**
 * Names what a grocery shows under a leaf: its own digest, and those of its products in one mode. Equal texts are equal
 * lists, so that a list need not be read and written out again because another one changed.
 */
export async function findLeafDigest(sql: Sql, storeId: string, mode: Mode, categoryNo: number): Promise<string> {
  const digest = raw.ref(mode === 'pickup' ? 'pickup_digest' : 'delivery_digest');
  const { rows } = await raw<{ text: string }>`
    select concat_ws(':', (select c.digest from categories as c where c.store_id = ${storeId} and c.category_no = ${categoryNo}),
      bit_xor(${digest}), count(*)) as text
    from products where store_id = ${storeId} and category_no = ${categoryNo} and not removed`.execute(sql);
  return `leaf ${rows[0]?.text}`;
}

/** The same for a level: the digests of the categories right under one, or of the top-level ones (null). */
export async function findLevelDigest(sql: Sql, storeId: string, parentNo: number | null): Promise<string> {
  const under = parentNo === null ? raw`parent_no is null` : raw`parent_no = ${parentNo}`;
  const { rows } = await raw<{ text: string }>`
    select concat_ws(':', bit_xor(digest), count(*)) as text
    from categories where store_id = ${storeId} and ${under} and not removed`.execute(sql);
  return `level ${rows[0]?.text}`;
}
