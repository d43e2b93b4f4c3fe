import type { Sql } from '../../platform/db/connect.ts';
import { runPrepared } from '../../platform/db/hot-statement.ts';
import { AFTER_ALL_IDS } from '../../supply/stores/stores.db.ts';
import { taxCodeSql } from '../../supply/stores/tax-class.ts';
import type { ProductColumns } from './build-product-index.ts';
import { IN_DELIVERY, IN_PICKUP, STOCK_COUNT_BIT } from './product-layout.ts';

/** Separator of a column's joined texts; no catalog text contains this character. */
const SEPARATOR = '\n';

/** Aggregates numbers as bytes, four each, big-endian: the driver reads an array ten times slower. */
const aggregateNumbers = (expression: string, sortColumn: string): string =>
  `coalesce(string_agg(int4send(${expression}), ''::bytea order by ${sortColumn}), ''::bytea)`;
const aggregateTexts = (expression: string, sortColumn: string): string =>
  `string_agg(translate(${expression}, E'\\n', ' '), E'\\n' order by ${sortColumn})`;

/** Factor of the tax code above the facts in one column: PostgreSQL takes a third of a microsecond per number. */
const TAX_CODE_FACTOR = 256;
const OWN_CLASS = `case when tax_class is null and is_alcoholic then 'alcohol' else tax_class end`;
const FLAGS = `in_delivery::int * ${IN_DELIVERY} + in_pickup::int * ${IN_PICKUP} + (qty_available is not null)::int * ${STOCK_COUNT_BIT}
  + case when tax_class is null and not is_alcoholic then 0 else ${TAX_CODE_FACTOR} * ${taxCodeSql(OWN_CLASS)} end`;

const ON_SALE = 'products.store_id = s.store_id and product_no > $2 and not removed and available';

/** Counts the products besides reading them, so that an index that lacks one is detected (`ProductIndexes`). */
const PRODUCTS_TEXT = `
  select s.store_id, p.*, (select count(*)::int from products where ${ON_SALE}) as on_sale
  from unnest($1::text[]) as s (store_id) cross join lateral (
    select ${aggregateNumbers('product_no', 'product_no')} as product_nos, ${aggregateNumbers('category_no', 'product_no')} as category_nos,
      ${aggregateNumbers('coalesce(menu_price, price)', 'product_no')} as prices, ${aggregateNumbers('coalesce(menu_pickup_price, pickup_price)', 'product_no')} as pickup_prices,
      ${aggregateNumbers('min_extra', 'product_no')} as extras,
      ${aggregateNumbers('food_claims', 'product_no')} as claims,
      ${aggregateNumbers(FLAGS, 'product_no')} as flags,
      ${aggregateTexts('name', 'product_no')} as names,
      ${aggregateTexts(`coalesce((weight - 'scaleCode')::text, coalesce(unit_size::text, '') || ' ' || unit_of_measurement)`, 'product_no')} as sizes,
      ${aggregateTexts(`coalesce(upc_code, '')`, 'product_no')} as upc_codes
    from (
      select * from products
      where ${ON_SALE}
      order by product_no limit $3
    ) as sold
  ) as p`;

const CATEGORIES_TEXT = `
  select s.store_id, c.* from unnest($1::text[]) as s (store_id) cross join lateral (
    select ${aggregateNumbers('category_no', 'category_no')} as category_nos, ${aggregateTexts('name', 'category_no')} as names,
      ${aggregateNumbers(taxCodeSql('tax_classes[cardinality(tax_classes)]'), 'category_no')} as tax_codes
    from categories where categories.store_id = s.store_id and is_leaf and not removed
  ) as c`;

type ProductsRow = {
  storeId: string;
  productNos: Buffer;
  categoryNos: Buffer;
  prices: Buffer;
  pickupPrices: Buffer;
  extras: Buffer;
  claims: Buffer;
  flags: Buffer;
  names: string | null;
  sizes: string | null;
  upcCodes: string | null;
  onSale: number;
};
type CategoriesRow = { storeId: string; categoryNos: Buffer; names: string | null; taxCodes: Buffer };

/** Some of a store's products, and how many it has on sale from the first of them on. */
export type ProductRead = { columns: ProductColumns; onSale: number };

/**
 * Finds products that these stores have on sale, in stock or not, by number from `afterNo` on, exclusive: up to `limit`
 * per store. None for an unknown store.
 */
export async function findIndexedProducts(
  sql: Sql,
  storeIds: readonly string[],
  { afterNo, limit }: { afterNo: number; limit: number },
): Promise<Map<string, ProductRead>> {
  const { rows } = await runPrepared<ProductsRow>(sql, PRODUCTS_TEXT, [storeIds, afterNo, limit]);
  return new Map(rows.map((row) => [row.storeId, { columns: productColumns(row), onSale: row.onSale }]));
}

/** Finds the leaf categories of these stores. */
export async function findIndexedCategories(sql: Sql, storeIds: readonly string[]) {
  const { rows } = await runPrepared<CategoriesRow>(sql, CATEGORIES_TEXT, [storeIds]);
  return new Map(
    rows.map(({ storeId, categoryNos, names, taxCodes }) => [
      storeId,
      { categoryNos: integersOf(categoryNos), names: splitLines(names), taxCodes: integersOf(taxCodes) },
    ]),
  );
}

function productColumns(row: ProductsRow): ProductColumns {
  const flags = integersOf(row.flags);
  return {
    productNos: integersOf(row.productNos),
    categoryNos: integersOf(row.categoryNos),
    deliveryCents: integersOf(row.prices),
    pickupCents: integersOf(row.pickupPrices),
    extraCents: integersOf(row.extras),
    claims: integersOf(row.claims),
    taxCodes: flags.map((bits) => Math.floor(bits / TAX_CODE_FACTOR)),
    facts: flags.map((bits) => bits % TAX_CODE_FACTOR),
    names: splitLines(row.names),
    sizes: splitLines(row.sizes),
    upcCodes: splitLines(row.upcCodes),
  };
}

function integersOf(bytes: Buffer): Int32Array {
  const numbers = new Int32Array(bytes.length / Int32Array.BYTES_PER_ELEMENT);
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = bytes.readInt32BE(at * Int32Array.BYTES_PER_ELEMENT);
  return numbers;
}

const splitLines = (text: string | null): string[] => (text === null ? [] : text.split(SEPARATOR));

/** Changes per read of `listChangesSince`. */
const CHANGES_PER_READ = 20_000;

/** Lists the stores that changed after a change, and the change of each. */
export async function* listChangesSince(sql: Sql, since: number): AsyncGenerator<{ storeId: string; seq: number }[]> {
  if (since === Infinity) return;
  let after = { seq: since, storeId: AFTER_ALL_IDS };
  for (;;) {
    const { rows } = await runPrepared<{ storeId: string; seq: number }>(
      sql,
      `select store_id, changed_seq as seq from stores where (changed_seq, store_id) > ($1, $2)
        order by changed_seq, store_id limit ${CHANGES_PER_READ}`,
      [after.seq, after.storeId],
    );
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHANGES_PER_READ) return;
    after = last;
  }
}
