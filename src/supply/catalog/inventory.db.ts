import { sql as raw } from 'kysely';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { type MenuWeek, menuHoursOf } from '../stores/menu-hours.ts';
import type { Country, Mode, StoreType } from '../stores/store.ts';
import { DEFAULT_TAX_CLASSES, isAlcoholSql, type TaxClass } from '../stores/tax-class.ts';
import { MAX_INLINE_OPTIONS, MENU_COLUMNS, type MenuCategory, type MenuProduct } from './present-menu.ts';
import type { Customization } from './product.ts';
import { CATEGORY_TAX_CLASS } from './products.db.ts';
import { stockLeftForCaller } from './stock.db.ts';
import type { TimedProducts } from './timed-menu.ts';

/** The version of everything in an inventory or quote. */
export type InventoryVersion = {
  storeId: string;
  /** Version of the store's own fields and switches. */
  changedSeq: number;
  /** Version of the orders' use of its slots and kitchen. */
  loadVersion: number;
  type: StoreType;
  country: Country;
  /** The default tax class of its products. */
  taxClass: TaxClass;
  /** Digest of its menu in each mode, as shown for its store type; a 64-bit number as text. */
  menuDigests: Readonly<Record<Mode, string>>;
  /** The sandbox whose stock the menu shows; usually null, for live stock. */
  menuSandbox: Sandbox;
};

/** A store and its viewer: a sandbox, or null for live callers. */
export type StoreView = { storeId: string; sandbox: Sandbox };

type VersionRow = Omit<InventoryVersion, 'menuDigests' | 'menuSandbox' | 'taxClass'> &
  InventoryVersion['menuDigests'] & { n: number; holdsStock: boolean; taxClass: TaxClass | null };

/** SQL for a sandbox's change to a mode's digest; it holds units of the product `p`. */
const ownDigest = (mode: Mode) =>
  raw.raw(`coalesce(bit_xor(case when p.removed or not p.available or p.${mode}_view is null then 0
    else p.${mode}_digest # hashtextextended(p.product_no || '|' || p.${mode}_view || '|'
      || greatest(p.qty_available - own.held, 0), 0) end), 0) as ${mode}`);

/** SQL for the products `p` whose price a promotion lowers, and for a digest of these prices. */
const LOWERED = raw.raw('(p.menu_price is not null or p.menu_pickup_price is not null)');
const loweredDigest = (column: 'menu_price' | 'menu_pickup_price') =>
  raw.raw(`coalesce(bit_xor(case when p.removed or not p.available then 0
    else hashtextextended(p.product_no || '|' || p.${column}, 1) end), 0)`);

/**
 * Committed store versions, per view; undefined for an unknown store. Sandbox stock changes the digest only if it
 * changes how a product looks, so views with equal content have equal versions.
 */
export async function findInventoryVersions(
  sql: Sql,
  views: readonly StoreView[],
): Promise<(InventoryVersion | undefined)[]> {
  const storeIds = views.map(({ storeId }) => storeId);
  const accountIds = views.map(({ sandbox }) => sandbox ?? '');
  const { rows } = await raw<VersionRow>`
    select v.n, s.store_id, s.changed_seq, t.type, t.country, t.tax_class, held.products > 0 as holds_stock,
      coalesce(l.version, 0) as load_version,
      (coalesce(case t.type when 'restaurant' then m.delivery_digest # m.category_digest # m.delivery_leaves
        else m.delivery_digest end, 0) # held.delivery # classes.digest # lowered.delivery)::text as delivery,
      (coalesce(case t.type when 'restaurant' then m.pickup_digest # m.category_digest # m.pickup_leaves
        else m.pickup_digest end, 0) # held.pickup # classes.digest # lowered.pickup)::text as pickup
    from unnest(${storeIds}::text[], ${accountIds}::text[]) with ordinality as v (store_id, account_id, n)
    join stores as s on s.store_id = v.store_id
    cross join lateral (
      select s.profile->>'type' as type, s.profile->'address'->>'country' as country,
        coalesce(s.tax_class, s.profile->>'taxClass') as tax_class) as t
    cross join lateral (
      select coalesce(bit_xor(hashtextextended(c.category_no || array_to_string(c.tax_classes, ' '), 0)), 0)
        # coalesce(hashtextextended(t.tax_class, 0), 0) # coalesce(hashtextextended(s.offers::text, 0), 0) as digest
      from categories as c where c.store_id = s.store_id and c.tax_classes <> '{}' and not c.removed) as classes
    cross join lateral (select ${loweredDigest('menu_price')} as delivery, ${loweredDigest('menu_pickup_price')} as pickup
      from products as p where p.store_id = s.store_id and ${LOWERED}) as lowered
    left join menus as m on m.store_id = s.store_id
    left join store_loads as l on l.store_id = s.store_id and l.account_id = v.account_id
    cross join lateral (
      select count(*) as products, ${ownDigest('delivery')}, ${ownDigest('pickup')}
      from sandbox_stock as own join products as p on p.store_id = own.store_id and p.product_no = own.product_no
      where own.store_id = v.store_id and own.account_id = v.account_id and own.held > 0
        and p.qty_available is not null
    ) as held`.execute(sql);
  const versions = views.map((): InventoryVersion | undefined => undefined);
  for (const { n, holdsStock, delivery, pickup, ...row } of rows) {
    const menuSandbox = holdsStock ? (views[n - 1]?.sandbox ?? null) : null;
    const taxClass = row.taxClass ?? DEFAULT_TAX_CLASSES[row.type];
    versions[n - 1] = { ...row, taxClass, menuDigests: { delivery, pickup }, menuSandbox };
  }
  return versions;
}

const CATEGORY = ['categoryNo', 'parentNo', 'name', 'isLeaf', 'menuHours', 'taxClasses'] as const;

const categoriesIn = (sql: Sql, storeId: string) =>
  sql.selectFrom('categories').select(CATEGORY).where('storeId', '=', storeId).where('removed', '=', false);

export async function findCategory(sql: Sql, storeId: string, categoryNo: number): Promise<MenuCategory | undefined> {
  return categoriesIn(sql, storeId).where('categoryNo', '=', categoryNo).executeTakeFirst();
}

/** A store's categories, siblings in order: all of them, or one parent's children (null for the top level). */
export async function findCategories(
  sql: Sql,
  storeId: string,
  parentNo: number | null | 'any',
): Promise<MenuCategory[]> {
  return categoriesIn(sql, storeId)
    .$if(parentNo === null, (query) => query.where('parentNo', 'is', null))
    .$if(typeof parentNo === 'number', (query) => query.where('parentNo', '=', parentNo as number))
    .orderBy('position')
    .orderBy('categoryNo')
    .execute();
}

/** How many products each leaf shows in one mode; leaves without one are absent. */
export async function countMenuProducts(sql: Sql, storeId: string, mode: Mode): Promise<ReadonlyMap<number, number>> {
  const rows = await sql
    .selectFrom('products')
    .select(['categoryNo', raw<number>`count(*)::int`.as('count')])
    .where('storeId', '=', storeId)
    .where('removed', '=', false)
    .where('available', '=', true)
    .where(mode === 'pickup' ? 'inPickup' : 'inDelivery', '=', true)
    .groupBy('categoryNo')
    .orderBy('categoryNo')
    .execute();
  return new Map(rows.map(({ categoryNo, count }) => [categoryNo, count]));
}

/**
 * The products on sale in one mode in these categories, in order. Customizations that are too large to inline are
 * empty.
 */
export async function findMenuProducts(
  sql: Sql,
  storeId: string,
  mode: Mode,
  categoryNos: readonly number[],
  sandbox: Sandbox,
): Promise<MenuProduct[]> {
  if (categoryNos.length === 0) return [];
  const rows = await sql
    .selectFrom('products')
    .select([
      ...MENU_COLUMNS,
      stockLeftForCaller(sandbox, 'products').as('qtyAvailable'),
      raw<readonly Customization[] | null>`case when option_count <= ${MAX_INLINE_OPTIONS} then customizations end`.as(
        'customizations',
      ),
    ])
    .where('storeId', '=', storeId)
    .where(raw<boolean>`category_no = any(${categoryNos}::int[])`)
    .where('removed', '=', false)
    .where('available', '=', true)
    .where(mode === 'pickup' ? 'inPickup' : 'inDelivery', '=', true)
    .orderBy('categoryNo')
    .orderBy('position')
    .orderBy('productNo')
    .execute();
  return rows.map((row) => ({ ...row, customizations: row.customizations ?? [] }));
}

/**
 * Products with menu hours that are in stock and shown in the mode, by their hours. Always reads categories first,
 * through two indexes, so that stores without menu hours pay nothing.
 */
export async function findTimedProducts(
  sql: Sql,
  storeId: string,
  mode: Mode,
  sandbox: Sandbox,
  storeClass: TaxClass,
): Promise<TimedProducts[]> {
  const inMode = raw.ref(mode === 'pickup' ? 'p.inPickup' : 'p.inDelivery');
  const shown = raw`not p.removed and p.available and ${inMode} and ${stockLeftForCaller(sandbox, 'p')} is distinct from 0`;
  const isAlcohol = raw.raw(
    isAlcoholSql('p.is_alcoholic', `coalesce(p.tax_class, ${CATEGORY_TAX_CLASS}, '${storeClass}')`),
  );
  const { rows } = await raw<{ weeks: readonly (MenuWeek | null)[]; isAlcohol: boolean; products: string }>`
    with timed_categories as materialized (
      select category_no, menu_hours, tax_classes from categories where store_id = ${storeId} and menu_hours <> '[]'
    )
    select weeks, is_alcohol, bit_xor(hashtextextended(product_no::text, 0))::text as products from (
      select jsonb_build_array(p.hours) || c.menu_hours as weeks, p.product_no, ${isAlcohol} as is_alcohol
      from products as p join categories as c on c.store_id = p.store_id and c.category_no = p.category_no
      where p.store_id = ${storeId} and p.hours is not null and ${shown}
      union all
      select c.menu_hours, own.product_no, own.is_alcohol
      from timed_categories as c cross join lateral (
        select p.product_no, ${isAlcohol} as is_alcohol from products as p
        where p.store_id = ${storeId} and p.category_no = c.category_no and p.hours is null and ${shown} offset 0
      ) as own
    ) as timed group by weeks, is_alcohol`.execute(sql);
  return rows.map(({ weeks, isAlcohol, products }) => ({
    hours: menuHoursOf(weeks, isAlcohol),
    products: BigInt(products),
  }));
}

/**
 * The digest of a leaf: its products in one mode, as groceries show them, with their menu hours. Equal digests mean
 * equal lists, so a change elsewhere does not rewrite this list.
 */
export async function findLeafDigest(
  sql: Sql,
  { storeId, mode, sandbox }: { storeId: string; mode: Mode; sandbox: Sandbox },
  categoryNo: number,
): Promise<string> {
  const digest = raw.ref(mode === 'pickup' ? 'pickupDigest' : 'deliveryDigest');
  const ownStock =
    sandbox === null
      ? raw``
      : raw`, bit_xor(hashtextextended(product_no || '|' || ${stockLeftForCaller(sandbox, 'products')}, 0))`;
  const { rows } = await raw<{ text: string }>`
    select concat_ws(':',
      (select c.digest::text || c.menu_hours || array_to_string(c.tax_classes, ' ') from categories as c where c.store_id = ${storeId} and c.category_no = ${categoryNo}),
      bit_xor(${digest}), bit_xor(hashtextextended(product_no || hours::text, 0)),
      bit_xor(hashtextextended(concat_ws('|', product_no, menu_price, menu_pickup_price), 0)) filter (where menu_price is not null or menu_pickup_price is not null),
      count(*)${ownStock}) as text
    from products where store_id = ${storeId} and category_no = ${categoryNo} and not removed`.execute(sql);
  return `leaf ${rows[0]?.text}`;
}

/** The digest of a category's subcategories, or of the top level (null). */
export async function findLevelDigest(sql: Sql, storeId: string, parentNo: number | null): Promise<string> {
  const under = parentNo === null ? raw`parent_no is null` : raw`parent_no = ${parentNo}`;
  const { rows } = await raw<{ text: string }>`
    select concat_ws(':', bit_xor(digest), count(*)) as text
    from categories where store_id = ${storeId} and ${under} and not removed`.execute(sql);
  return `level ${rows[0]?.text}`;
}
