import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';
import { runHot } from '../db/hot-statement.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import type { CatalogProduct, Customization } from './product.ts';

const COLUMNS = [
  'store_id',
  'product_no',
  'external_id',
  'category_no',
  'name',
  'description',
  'price',
  'pickup_price',
  'original_price',
  'image',
  'thumbnail_image',
  'unit_size',
  'unit_of_measurement',
  'upc_code',
  'is_alcoholic',
  'in_delivery',
  'in_pickup',
  'hours',
  'option_count',
  'min_extra',
  'available',
  'qty_available',
  'removed',
] as const;

/** Menu hours of the product's category and of all above it. */
const CATEGORY_HOURS = raw<readonly WeeklyHours[]>`(
  select c.menu_hours from categories as c
  where c.store_id = products.store_id and c.category_no = products.category_no
)`.as('category_hours');

function findRows(sql: Sql, storeId: string, productNos: readonly number[]) {
  return sql
    .selectFrom('products')
    .select(COLUMNS)
    .select(CATEGORY_HOURS)
    .where('store_id', '=', storeId)
    .where('product_no', 'in', productNos)
    .orderBy('product_no');
}

type Row = Awaited<ReturnType<ReturnType<typeof findRows>['execute']>>[number];

function productOf(row: Row, customizations: readonly Customization[]): CatalogProduct {
  return {
    storeId: row.store_id,
    productNo: row.product_no,
    externalId: row.external_id,
    categoryNo: row.category_no,
    name: row.name,
    description: row.description,
    price: row.price,
    pickupPrice: row.pickup_price,
    originalPrice: row.original_price,
    image: row.image,
    thumbnailImage: row.thumbnail_image,
    unitSize: row.unit_size,
    unitOfMeasurement: row.unit_of_measurement,
    upcCode: row.upc_code,
    isAlcoholic: row.is_alcoholic,
    modes: { delivery: row.in_delivery, pickup: row.in_pickup },
    hours: row.hours,
    categoryHours: row.category_hours,
    customizations,
    optionCount: row.option_count,
    minExtra: row.min_extra,
    available: row.available,
    qtyAvailable: row.qty_available,
    removed: row.removed,
  };
}

/** The named products of a store in the order of their numbers, removed ones too; a number that names none is left out. */
export async function findProducts(
  sql: Sql,
  storeId: string,
  productNos: readonly number[],
): Promise<CatalogProduct[]> {
  if (productNos.length === 0) return [];
  const { rows } = await runHot<ProductRow>(sql, PRODUCTS_TEXT, [storeId, productNos]);
  return rows.map(productOfRow);
}

/** A row of `PRODUCT_EXPRESSIONS`. */
export type ProductRow = Row & { customizations: readonly Customization[] | null };

export function productOfRow(row: ProductRow): CatalogProduct {
  return productOf(row, row.customizations ?? []);
}

/** Everything that is known of a row of `products`, for statements that look at other tables too. */
export const PRODUCT_EXPRESSIONS = `${COLUMNS.map((column) => `products.${column}`).join(', ')}, products.customizations, (
    select c.menu_hours from categories as c
    where c.store_id = products.store_id and c.category_no = products.category_no
  ) as category_hours`;

const PRODUCTS_TEXT = `
  select ${PRODUCT_EXPRESSIONS}
  from products where store_id = $1 and product_no = any($2::integer[]) order by product_no`;

/** A product without its customizations, which may be large, and the hash of the feed entry that they are part of. */
export async function findProductHead(
  sql: Sql,
  storeId: string,
  productNo: number,
): Promise<{ product: Omit<CatalogProduct, 'customizations'>; feedHash: string } | undefined> {
  const row = await findRows(sql, storeId, [productNo]).select('feed_hash').executeTakeFirst();
  return row && { product: productOf(row, []), feedHash: row.feed_hash.toString('base64url') };
}

/** The customizations of one product, and the hash of the feed entry that they were read with. */
export async function findCustomizations(
  sql: Sql,
  storeId: string,
  productNo: number,
): Promise<{ customizations: readonly Customization[]; feedHash: string }> {
  const row = await sql
    .selectFrom('products')
    .select(['customizations', 'feed_hash'])
    .where('store_id', '=', storeId)
    .where('product_no', '=', productNo)
    .executeTakeFirstOrThrow();
  return { customizations: row.customizations ?? [], feedHash: row.feed_hash.toString('base64url') };
}
