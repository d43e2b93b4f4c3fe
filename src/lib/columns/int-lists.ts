import { grownUint8, grownUint32 } from './grow.ts';

/**
 * Many small lists of whole numbers in one array. A list lies at `starts[id]` of `data` and holds `counts[id]` numbers,
 * unsorted. All three arrays are replaced when they grow: a reader takes them from the object each time.
 */
export type IntLists = {
  data: Uint32Array;
  starts: Uint32Array;
  counts: Uint32Array;
  add(id: number, value: number): void;
  /** Takes out one occurrence; a value that the list does not have changes nothing. */
  remove(id: number, value: number): void;
  /** Takes out all numbers of a list. */
  clear(id: number): void;
};

/** The numbers of a list, in the sequence in which they were added where none was taken out; valid until the next change. */
export function listOf(
  { data, starts, counts }: Pick<IntLists, 'data' | 'starts' | 'counts'>,
  id: number,
): Uint32Array {
  const start = starts[id] ?? 0;
  return data.subarray(start, start + (counts[id] ?? 0));
}

/**
 * Blocks are powers of two, and a freed block is used again for a list of its size: the array is at most about twice
 * as long as the lists were at their peak.
 */
export function createIntLists(): IntLists {
  /** Exponent of the block's size, plus one; 0 while a list has no block. */
  let sizes = new Uint8Array(1024);
  const free: number[][] = [];
  let end = 0;

  const lists: IntLists = {
    data: new Uint32Array(1024),
    starts: new Uint32Array(1024),
    counts: new Uint32Array(1024),
    add(id, value) {
      if (id >= sizes.length) growIds(id);
      const count = lists.counts[id] as number;
      const size = sizes[id] as number;
      if (size === 0 || count === 1 << (size - 1)) moveToLarger(id, size, count);
      lists.data[(lists.starts[id] as number) + count] = value;
      lists.counts[id] = count + 1;
    },
    remove(id, value) {
      const count = lists.counts[id] ?? 0;
      const start = lists.starts[id] ?? 0;
      const at = lists.data.subarray(start, start + count).indexOf(value);
      if (at < 0) return;
      lists.data[start + at] = lists.data[start + count - 1] as number;
      lists.counts[id] = count - 1;
      if (count === 1) release(id);
    },
    clear(id) {
      if ((lists.counts[id] ?? 0) === 0) return;
      lists.counts[id] = 0;
      release(id);
    },
  };

  function growIds(id: number): void {
    sizes = grownUint8(sizes, id + 1);
    lists.starts = grownUint32(lists.starts, id + 1);
    lists.counts = grownUint32(lists.counts, id + 1);
  }

  function moveToLarger(id: number, size: number, count: number): void {
    const target = takeBlock(size);
    const start = lists.starts[id] as number;
    lists.data.copyWithin(target, start, start + count);
    if (size > 0) freeBlock(size - 1, start);
    sizes[id] = size + 1;
    lists.starts[id] = target;
  }

  function takeBlock(power: number): number {
    const reused = free[power]?.pop();
    if (reused !== undefined) return reused;
    const start = end;
    end += 1 << power;
    if (end > lists.data.length) lists.data = grownUint32(lists.data, end);
    return start;
  }

  function freeBlock(power: number, start: number): void {
    const blocks = free[power] ?? [];
    free[power] = blocks;
    blocks.push(start);
  }

  function release(id: number): void {
    freeBlock((sizes[id] as number) - 1, lists.starts[id] as number);
    sizes[id] = 0;
  }

  return lists;
}
