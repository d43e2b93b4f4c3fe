import { type FileHandle, open } from 'node:fs/promises';
import { BufferPool } from '../../platform/lib/buffer-pool.ts';
import type { Shelf } from './product.index.ts';
import { isWholeShelf, readShelfHead } from './shelf.ts';
import type { ShelfDirectory, ShelfPlace } from './shelf-directory.index.ts';
import { shelfFile } from './shelf-files.cache.ts';
import type { ShelfUsage } from './shelf-usage.index.ts';

/** Shelves up to this far apart are read at once: neighbors mostly lie side by side. */
const MAX_GAP_BYTES = 2 ** 15;
const MAX_RUN_BYTES = 2 ** 20;

export type ShelfFolder = { folder: string; directory: ShelfDirectory; usage: ShelfUsage };

type Wanted = ShelfPlace & { storeId: string };
/** Shelves that are read at once, and where their bytes begin in the buffer. */
type Run = { file: number; from: number; end: number; start: number; shelves: Wanted[] };

/** Sized for a hundred menus, and for all reads of a thread that run at once. */
const buffers = new BufferPool({ bufferBytes: 2 ** 21, maxKept: 16 });

/**
 * Reads the shelves of stores into one buffer: V8 collects garbage by bytes of external memory, and meanwhile each
 * allocation stalls the thread for milliseconds. A missing or damaged shelf is left out.
 */
export async function readShelves(
  { folder, directory, usage }: ShelfFolder,
  storeIds: readonly string[],
): Promise<Map<string, Shelf>> {
  const wanted = storeIds.flatMap((storeId): Wanted[] => {
    const place = directory.find(storeId);
    return place === undefined ? [] : [{ storeId, ...place }];
  });
  if (wanted.length === 0) return new Map();
  const runs = runsOf(wanted.sort((a, b) => a.file - b.file || a.at - b.at));
  const buffer = buffers.take(runs.reduce((sum, { from, end }) => sum + end - from, 0));
  const files = Map.groupBy(runs, ({ file }) => file);
  const read = await Promise.all(
    Array.from(files, async ([file, own]) => {
      usage.note(file);
      const handle = await open(shelfFile(folder, file)).catch(() => null);
      if (handle === null) return [];
      return Promise.all(own.map((run) => readRun(handle, run, buffer))).finally(() => handle.close());
    }),
  );
  const shelves = copyTogether(read.flat(2));
  buffers.give(buffer);
  return shelves;
}

function runsOf(wanted: readonly Wanted[]): Run[] {
  const runs: Run[] = [];
  let start = 0;
  for (const shelf of wanted) {
    const { file, at, length } = shelf;
    const last = runs.at(-1);
    const isNext = last !== undefined && last.file === file && at >= last.end && at - last.end <= MAX_GAP_BYTES;
    if (isNext && at + length - last.from <= MAX_RUN_BYTES) {
      start += at + length - last.end;
      last.end = at + length;
      last.shelves.push(shelf);
    } else {
      runs.push({ file, from: at, end: at + length, start, shelves: [shelf] });
      start += length;
    }
  }
  return runs;
}

type Part = [storeId: string, shelf: Buffer];

/** Reads a run into its place in the buffer, and returns its whole shelves. */
async function readRun(handle: FileHandle, { from, end, start, shelves }: Run, buffer: Buffer): Promise<Part[]> {
  const { bytesRead } = await handle.read(buffer, start, end - from, from).catch(() => ({ bytesRead: 0 }));
  return shelves.flatMap(({ storeId, at, length }): Part[] => {
    const shelf = buffer.subarray(start + at - from, start + at - from + length);
    const isWhole = at - from + length <= bytesRead && isWholeShelf(shelf);
    return isWhole && readShelfHead(shelf)?.storeId === storeId ? [[storeId, shelf]] : [];
  });
}

/** Copies the shelves side by side into a buffer of their own. The length of each is a multiple of eight. */
function copyTogether(parts: readonly Part[]): Map<string, Shelf> {
  const memory = Buffer.allocUnsafeSlow(parts.reduce((sum, [, { length }]) => sum + length, 0));
  let at = 0;
  return new Map(
    parts.map(([storeId, shelf]) => {
      const own = memory.subarray(at, at + shelf.copy(memory, at));
      at += own.length;
      return [storeId, own];
    }),
  );
}
