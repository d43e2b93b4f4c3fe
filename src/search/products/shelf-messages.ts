import type { Shelf } from './product.index.ts';

/** A shelf as built; `isWhole` is false if it differs from its menu, so that it must not be kept. */
export type BuiltShelf = { shelf: Shelf; isWhole: boolean };

/** Message of a searching thread: these stores' shelves are absent or damaged. */
export type FromShelfReader = { id: number; storeIds: readonly string[]; owner: string };

/** Messages to a searching thread: the response, a new directory, or an index's missing parts (`ReportLeftOut`). */
export type ToShelfReader =
  | { kind: 'built'; id: number; shelves: readonly [storeId: string, built: BuiltShelf][] }
  | { kind: 'failed'; id: number; reason: string }
  | { kind: 'directory'; folder: string; directory: SharedArrayBuffer }
  | { kind: 'left out'; report: [kind: string, text: string, fields: object, times?: number] };
