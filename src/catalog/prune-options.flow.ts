import type { Sql } from '../db/connect.ts';
import { findUnprunedProducts } from './options-off.db.ts';
import { saveOptionsOff } from './set-option.flow.ts';

/** Products in memory at a time: each may have 20,000 options. */
const BATCH_PRODUCTS = 50;

/**
 * Leaves the options that a store has off sale out of the products that an import has just written, in the import's
 * transaction: no reader sees them in between.
 */
export async function pruneOptions(sql: Sql, storeIds: readonly string[]): Promise<void> {
  for (;;) {
    const products = await findUnprunedProducts(sql, storeIds, BATCH_PRODUCTS);
    for (const product of products) await saveOptionsOff(sql, product, product.optionsOff);
    if (products.length < BATCH_PRODUCTS) return;
  }
}
