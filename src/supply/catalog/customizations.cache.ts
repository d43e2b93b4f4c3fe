import { LRUCache } from 'lru-cache';
import type { Db } from '../../platform/db/connect.ts';
import { type KeptJson, keepJson } from '../../platform/http/json-pieces.ts';
import { presentCustomization } from './present-menu.ts';
import { findCustomizations } from './products.db.ts';

const MAX_BYTES = 64 * 1024 * 1024;

type Product = { storeId: string; productNo: number; choicesVersion: string };

/** The result of a read, with the version of the customizations. */
type ReadCustomizations = { json: KeptJson; choicesVersion: string };

/**
 * Caches the JSON of products' `customizations`, which may have thousands of options. It changes only with the feed
 * entry and with options that the store takes off sale.
 */
export class CustomizationsCache {
  private readonly reads: LRUCache<string, ReadCustomizations, Product>;

  constructor({ db }: { db: Db }) {
    this.reads = new LRUCache({
      maxSize: MAX_BYTES,
      sizeCalculation: ({ json }) => json.bytes.length + 256,
      // An evicted read still answers the requests waiting for it.
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context: { storeId, productNo } }) => readJson(db, storeId, productNo),
    });
  }

  async read(product: Product): Promise<KeptJson> {
    const key = `${product.storeId}:${product.productNo}:${product.choicesVersion}`;
    const { json, choicesVersion } = await this.reads.forceFetch(key, { context: product });
    // A newer entry answers the request but must not be cached under this key, because the feed may return to the older
    // one.
    if (choicesVersion !== product.choicesVersion) this.reads.delete(key);
    return json;
  }
}

async function readJson(db: Db, storeId: string, productNo: number): Promise<ReadCustomizations> {
  const { customizations, choicesVersion } = await findCustomizations(db, storeId, productNo);
  return { json: keepJson(JSON.stringify(customizations.map(presentCustomization))), choicesVersion };
}
