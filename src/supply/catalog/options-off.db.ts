import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import { listOptions } from './options-off.ts';
import type { Customization } from './product.ts';
import type { ShownChoices } from './shown-choices.ts';

/** A product's options from the feed, its shown options, and the ids of those off sale. */
export type ProductOptions = {
  storeId: string;
  productNo: number;
  full: readonly Customization[];
  shown: readonly Customization[];
  optionsOff: readonly string[];
};

type Row = Pick<ProductOptions, 'storeId' | 'productNo' | 'optionsOff'> & {
  customizations: readonly Customization[] | null;
  fullCustomizations: readonly Customization[] | null;
};

const COLUMNS = ['storeId', 'productNo', 'customizations', 'fullCustomizations', 'optionsOff'] as const;

function productOptions({ customizations, fullCustomizations, ...row }: Row): ProductOptions {
  const shown = customizations ?? [];
  return { ...row, shown, full: fullCustomizations ?? shown };
}

/** A product of the store's current catalog, by feed id. */
export async function findProductOptions(
  sql: Sql,
  storeId: string,
  externalId: string,
): Promise<ProductOptions | undefined> {
  const row = await sql
    .selectFrom('products')
    .select(COLUMNS)
    .where('storeId', '=', storeId)
    .where('externalId', '=', externalId)
    .where('removed', '=', false)
    .executeTakeFirst();
  return row && productOptions(row);
}

/** Options off sale and all that those open: their names by ID, of each of these products that has any. */
export async function findOptionsOff(
  sql: Sql,
  storeId: string,
  productNos: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, string>>> {
  if (productNos.length === 0) return new Map();
  const rows = await sql
    .selectFrom('products')
    .select(COLUMNS)
    .where('storeId', '=', storeId)
    .where('productNo', 'in', [...productNos])
    .where('fullCustomizations', 'is not', null)
    .execute();
  const namesOf = (customizations: readonly Customization[]) =>
    new Map(listOptions(customizations, new Set()).map(({ id, name }) => [id, name]));
  return new Map(
    rows.map(productOptions).map(({ productNo, full, shown }) => {
      const onSale = namesOf(shown);
      return [productNo, new Map([...namesOf(full)].filter(([id]) => !onSale.has(id)))];
    }),
  );
}

/**
 * Products that this transaction's import wrote with all feed options although the store has taken some off sale: up to
 * `limit`, by store and number.
 */
export async function findUnprunedProducts(
  sql: Sql,
  storeIds: readonly string[],
  limit: number,
): Promise<ProductOptions[]> {
  const rows = await sql
    .selectFrom('products')
    .select(COLUMNS)
    .where(raw<boolean>`store_id = any(${storeIds}::text[])`)
    .where(raw<boolean>`options_off <> '{}'`)
    .where('fullCustomizations', 'is', null)
    .where('customizations', 'is not', null)
    .orderBy('storeId')
    .orderBy('productNo')
    .limit(limit)
    .execute();
  return rows.map(productOptions);
}

/** Saves the options off sale, and the columns that derive from the shown ones. */
export async function writeProductOptions(
  sql: Sql,
  { storeId, productNo, full, shown, optionsOff }: ProductOptions,
  { optionCount, minExtra }: ShownChoices,
  /** XOR of the view of the choices before and after. */
  viewChange: bigint,
): Promise<void> {
  const change = viewChange.toString();
  await sql
    .updateTable('products')
    .set({
      optionsOff: [...optionsOff],
      customizations: shown.length === 0 ? null : JSON.stringify(shown),
      fullCustomizations: optionsOff.length === 0 ? null : JSON.stringify(full),
      optionCount,
      minExtra,
      deliveryView: raw<string | null>`delivery_view # ${change}::bigint`,
      pickupView: raw<string | null>`pickup_view # ${change}::bigint`,
    })
    .where('storeId', '=', storeId)
    .where('productNo', '=', productNo)
    .execute();
}
