import type { Store } from '../../src/supply/stores/store.ts';

/** Maps stores to cells, from the change feeds of all cells. */
export type Directory = {
  /** Applies a store's current row from a cell and returns the store as search shows it. */
  take(cell: string, store: Store): Store;
  /** The cell that accepts a store's orders; undefined for an unknown store. */
  cellOf(storeId: string): string | undefined;
  /** Cells that had the store earlier. */
  formerCellsOf(storeId: string): string[];
};

/**
 * Two cells' feeds are read independently, so a move's updates may arrive in any order. During a move both cells list
 * the store, and neither accepts orders. Each cell's row is kept, so that delisting one reveals the other.
 */
export function createDirectory(): Directory {
  /** Each store's rows by cell, latest last. */
  const stores = new Map<string, Map<string, Store>>();

  function currentOf(storeId: string): [cell: string, store: Store] | undefined {
    const rows = [...(stores.get(storeId) ?? [])];
    return rows.findLast(([, { listed }]) => listed) ?? rows.at(-1);
  }

  return {
    take(cell, store) {
      const rows = stores.get(store.storeId) ?? new Map<string, Store>();
      rows.delete(cell);
      stores.set(store.storeId, rows.set(cell, store));
      return currentOf(store.storeId)?.[1] ?? store;
    },
    cellOf: (storeId) => currentOf(storeId)?.[0],
    formerCellsOf(storeId) {
      const current = currentOf(storeId)?.[0];
      return [...(stores.get(storeId)?.keys() ?? [])].filter((cell) => cell !== current);
    },
  };
}
