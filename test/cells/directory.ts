import type { Store } from '../../src/supply/stores/store.ts';

/** Which cell has which store, as the change feeds of all cells tell. */
export type Directory = {
  /** Takes in a store as a cell has it now, and returns the store as search shows it. */
  take(cell: string, store: Store): Store;
  /** The cell that takes the orders of a store; undefined for an unknown store. */
  cellOf(storeId: string): string | undefined;
  /** Cells that had the store before. */
  formerCellsOf(storeId: string): string[];
};

/**
 * The feeds of two cells are read independently, so news of a move can come in any order. A listing cell has the store;
 * during a move two cells list it and neither takes its orders. Each cell's row is kept, so that ending one listing
 * shows the other.
 */
export function createDirectory(): Directory {
  /** The rows of each store by cell, the last news last. */
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
