/** A store as the sequence needs it; `bytes` as PostgreSQL keeps them. */
export type SpottedStore = { storeId: string; latitude: number; longitude: number; bytes: number };

/** Bounds on the stores that are read at once. A store that is larger than `bytes` is read alone. */
export type BatchBounds = { stores: number; bytes: number };

/** Halvings of latitude and of longitude: the last cells are a third of a kilometre wide. */
const HALVINGS = 16;

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
      keys.push((BigInt(cellOf(store)) << 32n) | BigInt(storeIds.length));
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

/** The number of a coordinate's cell, whose bits are the halves that the coordinate is in, latitude first. */
function cellOf({ latitude, longitude }: Pick<SpottedStore, 'latitude' | 'longitude'>): number {
  const row = partOf((latitude + 90) / 180);
  const column = partOf((longitude + 180) / 360);
  let cell = 0;
  for (let bit = HALVINGS - 1; bit >= 0; bit -= 1) cell = cell * 4 + ((row >> bit) & 1) * 2 + ((column >> bit) & 1);
  return cell;
}

function partOf(share: number): number {
  const parts = 2 ** HALVINGS;
  return Math.min(parts - 1, Math.max(0, Math.floor(share * parts)));
}
