import { LRUCache } from 'lru-cache';
import type { Db } from '../db/connect.ts';
import { type KeptJson, keepJson } from '../http/json-pieces.ts';
import { presentCustomization } from './present-menu.ts';
import { findCustomizations } from './products.db.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** The JSON of a product's `customizations`, which may hold thousands of options and changes with its feed entry only. */
export type CustomizationsCache = {
  read(product: { storeId: string; productNo: number; feedHash: string }): Promise<KeptJson>;
};

export function createCustomizationsCache({ db }: { db: Db }): CustomizationsCache {
  const kept = new LRUCache<string, KeptJson>({
    maxSize: MAX_BYTES,
    sizeCalculation: (json) => json.bytes.length + 256,
  });
  const underWay = new Map<string, Promise<KeptJson>>();

  async function load(storeId: string, productNo: number): Promise<KeptJson> {
    const { customizations, feedHash } = await findCustomizations(db, storeId, productNo);
    const json = keepJson(JSON.stringify(customizations.map(presentCustomization)));
    kept.set(`${storeId}:${productNo}:${feedHash}`, json);
    return json;
  }

  return {
    async read({ storeId, productNo, feedHash }) {
      const key = `${storeId}:${productNo}:${feedHash}`;
      const known = kept.get(key) ?? underWay.get(key);
      if (known) return known;
      const loading = load(storeId, productNo).finally(() => underWay.delete(key));
      underWay.set(key, loading);
      return loading;
    },
  };
}
