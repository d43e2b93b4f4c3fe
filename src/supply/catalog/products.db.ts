import { sql as raw, type Selectable } from 'kysely';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { columnName, runPrepared, unnested } from '../../platform/db/hot-statement.ts';
import type { Database } from '../../platform/db/tables.ts';
import type { MenuWeek } from '../stores/menu-hours.ts';
import type { TaxClass } from '../stores/tax-class.ts';
import type { CatalogProduct, Customization } from './product.ts';
import { searchWordsOf } from './search-words.ts';
import { stockLeft } from './stock.db.ts';

/* Products of a store's catalog in SQL, with the stock and switches that its console sets on top of the feed. */

const COLUMNS = [
  'storeId',
  'productNo',
  'externalId',
  'categoryNo',
  'name',
  'description',
  'price',
  'pickupPrice',
  'originalPrice',
  'menuPrice',
  'menuPickupPrice',
  'image',
  'thumbnailImage',
  'unitSize',
  'unitOfMeasurement',
  'weight',
  'upcCode',
  'isAlcoholic',
  'food',
  'inDelivery',
  'inPickup',
  'hours',
  'optionCount',
  'minExtra',
  'available',
  'qtyAvailable',
  'removed',
] as const;

/** A row with the menu hours of the product's category and all parents. */
type Row = Pick<Selectable<Database['products']>, (typeof COLUMNS)[number]> & {
  categoryHours: readonly MenuWeek[];
  taxClass: TaxClass | null;
};

function productHead({ inDelivery, inPickup, weight, ...row }: Row): ProductHead['product'] {
  return { ...row, ...(weight && { weight }), modes: { delivery: inDelivery, pickup: inPickup } };
}

/**
 * Products of a store by number, removed ones included, with the stock left for a sandbox or live callers. Unknown
 * numbers are omitted.
 */
export async function findCatalogProducts(
  sql: Sql,
  storeId: string,
  productNos: readonly number[],
  sandbox: Sandbox,
): Promise<CatalogProduct[]> {
  if (productNos.length === 0) return [];
  const { rows } = await runPrepared<ProductRow>(sql, PRODUCTS_TEXT, [storeId, productNos, sandbox ?? '']);
  return rows.map(productOfRow);
}

/** All columns except customizations; `account` as in `stockLeft`. */
function headExpressions(account: string): string {
  const columns = COLUMNS.map((column) =>
    column === 'qtyAvailable' ? `${stockLeft('products', account)} as qty_available` : `products.${columnName(column)}`,
  );
  const ofCategory = (expression: string) => `(
    select ${expression} from categories as c
    where c.store_id = products.store_id and c.category_no = products.category_no)`;
  return `${columns.join(', ')}, ${ofCategory('c.menu_hours')} as category_hours,
    coalesce(products.tax_class, case when products.is_alcoholic then 'alcohol' else ${ofCategory(CATEGORY_TAX_CLASS)} end) as tax_class`;
}

/** SQL for the class a category `c` gives its products. */
export const CATEGORY_TAX_CLASS = 'c.tax_classes[cardinality(c.tax_classes)]';

export type ProductRow = Row & { customizations: readonly Customization[] | null };

export function productOfRow({ customizations, ...row }: ProductRow): CatalogProduct {
  return { ...productHead(row), customizations: customizations ?? [] };
}

/** All columns of a product, for statements that also read other tables. For `account`, see `stockLeft`. */
export function productExpressions(account: string): string {
  return `${headExpressions(account)}, products.customizations`;
}

const PRODUCTS_TEXT = `
  select ${productExpressions('$3')}
  from products where store_id = $1 and product_no = any($2::integer[]) order by product_no`;

/** A product, and the sandbox whose stock is read. */
export type StockedProductRef = { storeId: string; productNo: number; sandbox: Sandbox };
/** A product without its customizations, which may be large, and their version. */
export type ProductHead = { product: Omit<CatalogProduct, 'customizations'>; choicesVersion: string };

/** SQL for a version that changes with the feed entry and with the options off sale. */
const CHOICES_VERSION = `products.feed_hash || case when products.options_off = '{}' then ''
  else sha256(convert_to(products.options_off::text, 'UTF8')) end`;

/** Several products in one statement, in the order of `refs`; undefined for unknown ones. */
export async function findProductHeads(
  sql: Sql,
  refs: readonly StockedProductRef[],
): Promise<(ProductHead | undefined)[]> {
  const values = [
    refs.map(({ storeId }) => storeId),
    refs.map(({ productNo }) => productNo),
    refs.map(({ sandbox }) => sandbox ?? ''),
  ];
  const { rows } = await runPrepared<Row & { n: number; choicesVersion: Buffer }>(sql, HEADS_TEXT, values);
  const heads = refs.map((): ProductHead | undefined => undefined);
  for (const { n, choicesVersion, ...row } of rows) {
    heads[n - 1] = { product: productHead(row), choicesVersion: choicesVersion.toString('base64url') };
  }
  return heads;
}

const HEADS_TEXT = `
  select ref.n, ${CHOICES_VERSION} as choices_version, ${headExpressions('ref.account_id')}
  from ${unnested(['text', 'integer', 'text'])} with ordinality as ref (store_id, product_no, account_id, n)
  join products using (store_id, product_no)`;

export async function findCustomizations(
  sql: Sql,
  storeId: string,
  productNo: number,
): Promise<{ customizations: readonly Customization[]; choicesVersion: string }> {
  const row = await sql
    .selectFrom('products')
    .select(['customizations', raw<Buffer>`${raw.raw(CHOICES_VERSION)}`.as('choicesVersion')])
    .where('storeId', '=', storeId)
    .where('productNo', '=', productNo)
    .executeTakeFirstOrThrow();
  return { customizations: row.customizations ?? [], choicesVersion: row.choicesVersion.toString('base64url') };
}

/** Fields for comparing products of two stores. */
export type ComparedProduct = Pick<CatalogProduct, 'productNo' | 'upcCode' | 'name'>;

/** Products of a store with the same UPC or name words as the given products, by number. */
export async function findSimilarProducts(
  sql: Sql,
  storeId: string,
  others: readonly ComparedProduct[],
): Promise<ComparedProduct[]> {
  const upcs = others.flatMap(({ upcCode }) => (upcCode === null ? [] : [upcCode]));
  const words = others.map(({ name }) => searchWordsOf(name));
  return sql
    .selectFrom('products')
    .select(['productNo', 'upcCode', 'name'])
    .where('storeId', '=', storeId)
    .where('removed', '=', false)
    .where((eb) => eb.or([eb('upcCode', 'in', [...upcs, '']), eb('searchWords', 'in', words)]))
    .orderBy('productNo')
    .execute();
}
