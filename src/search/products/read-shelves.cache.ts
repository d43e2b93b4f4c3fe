import { type FileHandle, open } from 'node:fs/promises';
import type { Shelf } from './product.index.ts';
import { isWholeShelf, readShelfHead } from './shelf.ts';
import type { ShelfDirectory, ShelfPlace } from './shelf-directory.index.ts';
import { shelfFile } from './shelf-files.cache.ts';
import type { ShelfUsage } from './shelf-usage.index.ts';

/** Shelves at most this far apart are read at once: neighbors mostly lie side by side. */
const MAX_GAP_BYTES = 2 ** 15;
const MAX_RUN_BYTES = 2 ** 20;

export type ShelfFolder = { folder: string; directory: ShelfDirectory; usage: ShelfUsage };

type Wanted = ShelfPlace & { storeId: string };
/** Shelves that are read at once. */
type Run = { file: number; from: number; end: number; shelves: Wanted[] };

/** Reads the shelves of stores. One that is missing or damaged is left out. */
export async function readShelves(
  { folder, directory, usage }: ShelfFolder,
  storeIds: readonly string[],
): Promise<Map<string, Shelf>> {
  const wanted = storeIds.flatMap((storeId): Wanted[] => {
    const place = directory.find(storeId);
    return place === undefined ? [] : [{ storeId, ...place }];
  });
  wanted.sort((a, b) => a.file - b.file || a.at - b.at);
  const found = new Map<string, Shelf>();
  const files = Map.groupBy(runsOf(wanted), ({ file }) => file);
  await Promise.all(
    Array.from(files, async ([file, runs]) => {
      usage.note(file);
      const handle = await open(shelfFile(folder, file)).catch(() => null);
      if (handle === null) return;
      await Promise.all(runs.map((run) => readRun(handle, run, found))).finally(() => handle.close());
    }),
  );
  return found;
}

function runsOf(wanted: readonly Wanted[]): Run[] {
  const runs: Run[] = [];
  for (const shelf of wanted) {
    const { file, at, length } = shelf;
    const last = runs.at(-1);
    const isNext = last !== undefined && last.file === file && at >= last.end && at - last.end <= MAX_GAP_BYTES;
    if (isNext && at + length - last.from <= MAX_RUN_BYTES) {
      last.end = at + length;
      last.shelves.push(shelf);
    } else runs.push({ file, from: at, end: at + length, shelves: [shelf] });
  }
  return runs;
}

async function readRun(handle: FileHandle, { from, end, shelves }: Run, found: Map<string, Shelf>): Promise<void> {
  const bytes = Buffer.allocUnsafeSlow(end - from);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, from).catch(() => ({ bytesRead: 0 }));
  for (const { storeId, at, length } of shelves) {
    const shelf = bytes.subarray(at - from, at - from + length);
    if (at - from + length > bytesRead || !isWholeShelf(shelf)) continue;
    // A copy, so that one shelf in memory does not keep its neighbors; `Uint8Array.from` takes ten times as long.
    if (readShelfHead(shelf)?.storeId === storeId) found.set(storeId, new Uint8Array(shelf));
  }
}
