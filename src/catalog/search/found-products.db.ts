import type { Sandbox } from '../../accounts/account.ts';
import type { Sql } from '../../db/connect.ts';
import { columnsAsFields, runBulk } from '../../db/hot-statement.ts';
import type { ProductRef } from '../catalog-tokens.ts';
import type { Food } from '../food.ts';
import { stockLeft } from '../stock-left.db.ts';

/** A product as a search shows it. */
export type FoundProduct = ProductRef & {
  name: string;
  price: number;
  pickupPrice: number;
  originalPrice: number;
  minExtra: number;
  image: string | null;
  unitSize: number | null;
  unitOfMeasurement: string;
  upcCode: string | null;
  food: Food | null;
  modes: { delivery: boolean; pickup: boolean };
  /** Units in stock; null where stock is not counted. */
  qtyAvailable: number | null;
  /** Name of its leaf category. */
  category: string;
};

type Row = Omit<FoundProduct, 'modes'> & { inDelivery: boolean; inPickup: boolean };

const FIELDS = [
  'storeId',
  'productNo',
  'name',
  'price',
  'pickupPrice',
  'originalPrice',
  'minExtra',
  'image',
  'unitSize',
  'unitOfMeasurement',
  'upcCode',
  'food',
  'inDelivery',
  'inPickup',
  'qtyAvailable',
  'category',
] as const satisfies readonly (keyof Row)[];

// A cart search reads a thousand products.
const FOUND_TEXT = `
  select ${columnsAsFields(FIELDS)} from (select p.store_id, p.product_no, p.name, p.price, p.pickup_price, p.original_price, p.min_extra, p.image, p.unit_size,
    p.unit_of_measurement, p.upc_code, p.food, p.in_delivery, p.in_pickup, ${stockLeft('p', '$3')} as qty_available,
    c.name as category
  from unnest($1::text[], $2::integer[]) as r (store_id, product_no)
  join products as p on p.store_id = r.store_id and p.product_no = r.product_no
  join categories as c on c.store_id = p.store_id and c.category_no = p.category_no
  where p.available and not p.removed) as sold where qty_available is distinct from 0`;

/**
 * The named products as they are committed now, unsorted, with the stock that is left to a sandbox or to live callers; a
 * product that has left its store's catalogue, is off sale or sold out is left out.
 */
export async function findProductsByNumber(
  sql: Sql,
  refs: readonly ProductRef[],
  sandbox: Sandbox,
): Promise<FoundProduct[]> {
  if (refs.length === 0) return [];
  const storeIds = refs.map(({ storeId }) => storeId);
  const { rows } = await runBulk<Row>(sql, FOUND_TEXT, [
    storeIds,
    refs.map(({ productNo }) => productNo),
    sandbox ?? '',
  ]);
  return rows.map(({ inDelivery, inPickup, ...row }) => ({
    ...row,
    modes: { delivery: inDelivery, pickup: inPickup },
  }));
}
