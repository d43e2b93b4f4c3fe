import type { MessagePort } from 'node:worker_threads';

/** A searching thread's data for product indexes, from the thread that follows the change feed. */
export type ShelfAccess = {
  /** Memory of `TermLog` and `ShelfUsage`. */
  terms: SharedArrayBuffer;
  usage: SharedArrayBuffer;
  /** Null without a folder, and until its shelves are known. */
  shelves: ShelfLocation | null;
  port: MessagePort;
};

/** A folder of shelves, and the memory of its `ShelfDirectory`. */
export type ShelfLocation = { folder: string; directory: SharedArrayBuffer };

/** Follows the stores' changes alongside the search index. */
export type ShelfFollower = {
  open(): Promise<void>;
  /** Notes a change of a store before any searching thread sees it. */
  change(storeId: string, seq: number, isSeller: boolean): void;
  /** Notes that all changes up to this one are known. */
  complete(seq: number): void;
  /** Lists the stores with a catalog, neighbors side by side. */
  buildAhead(storeIds: Iterator<string>): void;
  /** The port must be transferred. */
  connect(): ShelfAccess;
  close(): Promise<void>;
};
