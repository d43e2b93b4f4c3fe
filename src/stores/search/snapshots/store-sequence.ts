import { cellKeyOf } from '../nodes/cell-key.ts';

/** A store as the sequence needs it; `bytes` as PostgreSQL keeps them. */
export type SpottedStore = { storeId: string; latitude: number; longitude: number; bytes: number };

/** Bounds on the stores that are read at once. A store that is larger than `bytes` is read alone. */
export type BatchBounds = { stores: number; bytes: number };

/**
 * Stores in the sequence of the cells that the search tree halves the earth into: neighbours on earth are mostly
 * neighbours in the sequence, and so in every array of an index that is loaded in it.
 */
export function createStoreSequence() {
  const storeIds: string[] = [];
  const bytes: number[] = [];
  const keys: bigint[] = [];

  return {
    add(store: SpottedStore): void {
      // The number of the store in the low half tells the store after the sort, and sorts the stores of a cell.
      keys.push((BigInt(cellKeyOf(store.latitude, store.longitude)) << 32n) | BigInt(storeIds.length));
      storeIds.push(store.storeId);
      bytes.push(store.bytes);
    },
    *batches(bounds: BatchBounds): Generator<string[]> {
      let batch: string[] = [];
      let size = 0;
      for (const key of BigUint64Array.from(keys).sort()) {
        const nth = Number(key & 0xffffffffn);
        size += bytes[nth] as number;
        if (batch.length >= bounds.stores || (batch.length > 0 && size > bounds.bytes)) {
          yield batch;
          batch = [];
          size = bytes[nth] as number;
        }
        batch.push(storeIds[nth] as string);
      }
      if (batch.length > 0) yield batch;
    },
  };
}
