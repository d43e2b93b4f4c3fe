import { LRUCache } from 'lru-cache';
import type { Db } from '../db/connect.ts';
import { type KeptJson, keepJson } from '../http/json-pieces.ts';
import { createRunningReads } from '../lib/running-reads.ts';
import { presentCustomization } from './present-menu.ts';
import { findCustomizations } from './products.db.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** The JSON of a product's `customizations`: it may have thousands of options, and changes only with its feed entry. */
export type CustomizationsCache = {
  read(product: { storeId: string; productNo: number; feedHash: string }): Promise<KeptJson>;
};

export function createCustomizationsCache({ db }: { db: Db }): CustomizationsCache {
  const kept = new LRUCache<string, KeptJson>({
    maxSize: MAX_BYTES,
    sizeCalculation: (json) => json.bytes.length + 256,
  });
  const reads = createRunningReads<Loaded>();
  return {
    async read({ storeId, productNo, feedHash }) {
      const key = keyOf(storeId, productNo, feedHash);
      const known = kept.get(key);
      if (known) return known;
      const read =
        reads.of(key) ?? reads.add(key, load(db, storeId, productNo), (loaded) => kept.set(loaded.key, loaded.json));
      return (await read).json;
    },
  };
}

/** `key` has the feed hash that the customizations were read with, which may be newer than that of the request. */
type Loaded = { key: string; json: KeptJson };

async function load(db: Db, storeId: string, productNo: number): Promise<Loaded> {
  const { customizations, feedHash } = await findCustomizations(db, storeId, productNo);
  const json = keepJson(JSON.stringify(customizations.map(presentCustomization)));
  return { key: keyOf(storeId, productNo, feedHash), json };
}

function keyOf(storeId: string, productNo: number, feedHash: string): string {
  return `${storeId}:${productNo}:${feedHash}`;
}
