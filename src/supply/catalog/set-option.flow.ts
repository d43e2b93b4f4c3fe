import type { Sql } from '../../platform/db/connect.ts';
import { isStoreId } from '../stores/store-id.ts';
import { markStoreChanged, nextChange, notifyChange } from '../stores/stores.db.ts';
import {
  findProductOptions,
  findUnprunedProducts,
  type ProductOptions,
  writeProductOptions,
} from './options-off.db.ts';
import { listOptions, type StoreOption, withoutOptions } from './options-off.ts';
import { shownChoices } from './shown-choices.ts';

/**
 * Maximum options off sale, as many as a product can have; beyond it, ids of options that left the menu are dropped.
 */
const MAX_OPTIONS_OFF = 20_000;

/** An option by feed ids. Option ids are unique within their product at any depth. */
type OptionRef = { storeId: string; productExternalId: string; optionExternalId: string };

/** The option, or the first part of the reference missing from the menu. */
type OptionOutcome = { option: StoreOption } | { missing: 'product' | 'option' };

/**
 * Takes an option on or off sale in the caller's transaction. Writes nothing if nothing changes. The caller evicts the
 * inventory after the commit.
 */
export async function setOption(
  sql: Sql,
  { storeId, productExternalId, optionExternalId }: OptionRef,
  available: boolean,
  at: Temporal.Instant,
): Promise<OptionOutcome> {
  const find = async () => (isStoreId(storeId) ? findProductOptions(sql, storeId, productExternalId) : undefined);
  const known = optionOutcome(await find(), optionExternalId);
  if ('missing' in known || known.option.available === available) return known;
  await markStoreChanged(sql, storeId, { seq: await nextChange(sql), at });
  // Read again under the change clock, so that concurrent changes of two tablets are both kept.
  const before = await find();
  if (before) await saveOptionsOff(sql, before, changedOff(before, optionExternalId, available));
  await notifyChange(sql);
  return optionOutcome(await find(), optionExternalId);
}

/** Saves the options off sale and the values that derive from them. */
async function saveOptionsOff(
  sql: Sql,
  { shown: before, ...product }: ProductOptions,
  optionsOff: readonly string[],
): Promise<void> {
  const shown = withoutOptions(product.full, new Set(optionsOff));
  const choices = shownChoices(shown);
  const viewChange = shownChoices(before).view ^ choices.view;
  await writeProductOptions(sql, { ...product, shown, optionsOff }, choices, viewChange);
}

function optionOutcome(product: ProductOptions | undefined, optionId: string): OptionOutcome {
  if (!product) return { missing: 'product' };
  const option = listOptions(product.full, new Set(product.optionsOff)).find(({ id }) => id === optionId);
  return option ? { option } : { missing: 'option' };
}

/** The changed list of options off sale, sorted so that equal sets are equal texts. */
function changedOff({ full, optionsOff }: ProductOptions, optionId: string, available: boolean): string[] {
  const others = optionsOff.filter((id) => id !== optionId);
  const off = available ? others : [...others, optionId];
  if (off.length <= MAX_OPTIONS_OFF) return off.sort();
  const inMenu = new Set(listOptions(full, new Set()).map(({ id }) => id));
  return off.filter((id) => inMenu.has(id)).sort();
}

/** Maximum products in memory, because each may have 20,000 options. */
const BATCH_PRODUCTS = 50;

/**
 * Removes options off sale from products that were just imported, in the import's transaction, so that no reader sees
 * them.
 */
export async function pruneOptions(sql: Sql, storeIds: readonly string[]): Promise<void> {
  for (;;) {
    const products = await findUnprunedProducts(sql, storeIds, BATCH_PRODUCTS);
    for (const product of products) await saveOptionsOff(sql, product, product.optionsOff);
    if (products.length < BATCH_PRODUCTS) return;
  }
}
