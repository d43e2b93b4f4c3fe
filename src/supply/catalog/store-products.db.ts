import { type RawBuilder, sql as raw } from 'kysely';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { SoldByWeight } from '../pricing/weight.ts';
import type { CatalogProduct } from './product.ts';
import { wordPatterns } from './search-words.ts';
import { stockLeftForCaller } from './stock.db.ts';

/** A product as shown to its store: with all options of the feed, and the ids of those off sale. */
export type StoreProduct = Pick<
  CatalogProduct,
  'productNo' | 'externalId' | 'name' | 'available' | 'qtyAvailable' | 'customizations'
> & {
  category: string;
  /** When a product that is off sale goes on sale by itself. */
  availableAt: Temporal.Instant | null;
  optionsOff: readonly string[];
};

type StoreProductsFilter = {
  /** The sandbox whose stock is read; null for live stock. */
  sandbox: Sandbox;
  /** Words of the name, and the last one may be incomplete; empty for all products. */
  words: readonly string[];
  /** Whether to list only products that are off sale, sold out, or have an option off sale. */
  offSale: boolean;
  /** Start after the product with this number. */
  afterNo: number;
};

/** `left` is SQL for the units left. */
const productFields = (left: RawBuilder<unknown>) => raw`
  p.product_no, p.external_id, p.name, c.name as category, p.available, p.available_at, ${left} as qty_available,
  coalesce(p.full_customizations, p.customizations, '[]') as customizations, p.options_off`;
const TABLES = raw`products as p
  join categories as c on c.store_id = p.store_id and c.category_no = p.category_no`;

/**
 * A store's current products by number: up to `maxProducts`, ending with the product whose options exceed
 * `maxOptions`. `isLast` if no product follows.
 */
export async function listStoreProducts(
  sql: Sql,
  storeId: string,
  { sandbox, words, offSale, afterNo }: StoreProductsFilter,
  { maxProducts, maxOptions }: { maxProducts: number; maxOptions: number },
): Promise<{ products: StoreProduct[]; isLast: boolean }> {
  const left = stockLeftForCaller(sandbox, 'p');
  const conditions: RawBuilder<unknown>[] = [
    raw`p.store_id = ${storeId} and p.product_no > ${afterNo} and not p.removed`,
    ...wordPatterns(words).map((pattern) => raw`p.search_words like ${pattern}`),
    ...(offSale ? [raw`(not p.available or ${left} = 0 or p.options_off <> '{}')`] : []),
  ];
  const { rows } = await raw<StoreProduct & { isLast: boolean }>`
    with matching as (
      select p.store_id, p.product_no, p.option_count from products as p where ${raw.join(conditions, raw` and `)}
      order by p.product_no limit ${maxProducts + 1}
    ), counted as (
      select store_id, product_no, row_number() over by_number as n, count(*) over () as found,
        sum(option_count) over by_number - option_count as options_before
      from matching window by_number as (order by product_no)
    )
    select ${productFields(left)}, n = found as is_last
    from counted join ${TABLES} on p.store_id = counted.store_id and p.product_no = counted.product_no
    where n <= ${maxProducts} and options_before <= ${maxOptions}
    order by p.product_no`.execute(sql);
  const products = rows.map(({ isLast: _, ...product }) => product);
  return { products, isLast: rows.at(-1)?.isLast ?? true };
}

export async function findStoreProduct(
  sql: Sql,
  storeId: string,
  externalId: string,
): Promise<StoreProduct | undefined> {
  const { rows } = await raw<StoreProduct>`
    select ${productFields(stockLeftForCaller(null, 'p'))} from ${TABLES}
    where p.store_id = ${storeId} and p.external_id = ${externalId} and not p.removed`.execute(sql);
  return rows[0];
}

/** Whether a product is on sale, when it goes on sale by itself, and its stock; null if not counted. */
export type ProductState = Pick<StoreProduct, 'available' | 'availableAt' | 'qtyAvailable'>;

export async function findProductState(
  sql: Sql,
  storeId: string,
  externalId: string,
): Promise<(ProductState & { productNo: number; weight: SoldByWeight | null }) | undefined> {
  return sql
    .selectFrom('products')
    .select(['productNo', 'available', 'availableAt', 'qtyAvailable', 'weight'])
    .where('storeId', '=', storeId)
    .where('externalId', '=', externalId)
    .where('removed', '=', false)
    .executeTakeFirst();
}

export async function updateProductState(
  sql: Sql,
  { storeId, productNo }: { storeId: string; productNo: number },
  { available, availableAt = null, qtyAvailable }: Partial<ProductState>,
): Promise<void> {
  await sql
    .updateTable('products')
    .set({
      ...(available === undefined ? {} : { available, availableAt }),
      ...(qtyAvailable === undefined ? {} : { qtyAvailable }),
    })
    .where('storeId', '=', storeId)
    .where('productNo', '=', productNo)
    .execute();
}

/** Puts a product on sale whose time has come, in the menu or not. */
export async function endOffSale(
  sql: Sql,
  { storeId, externalId }: { storeId: string; externalId: string },
  at: Temporal.Instant,
): Promise<void> {
  await sql
    .updateTable('products')
    .set({ available: true, availableAt: null })
    .where('storeId', '=', storeId)
    .where('externalId', '=', externalId)
    .where('availableAt', '<=', at)
    .execute();
}
