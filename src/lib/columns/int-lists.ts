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
  /** Sets an empty list. */
  set(id: number, values: ArrayLike<number>, from: number, end: number): void;
  /** Adds a value to each of the lists, which may repeat, in steps. No list may change between two steps. */
  addAll(ids: Uint32Array, values: Uint32Array): Generator<void, void>;
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
/** Numbers that a step of `addAll` counts or adds: a millisecond. */
const NUMBERS_OF_STEP = 16_384;

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
      if (size === 0 || count === 1 << (size - 1)) moveToBlock(id, size);
      lists.data[(lists.starts[id] as number) + count] = value;
      lists.counts[id] = count + 1;
    },
    set(id, values, from, end) {
      if (id >= sizes.length) growIds(id);
      if (from === end) return;
      moveToBlock(id, powerFor(end - from));
      const target = (lists.starts[id] as number) - from;
      for (let at = from; at < end; at += 1) lists.data[target + at] = values[at] as number;
      lists.counts[id] = end - from;
    },
    addAll,
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

  /** Moves the list to a larger block, of 2 to the power numbers. */
  function moveToBlock(id: number, power: number): void {
    const size = sizes[id] as number;
    const target = takeBlock(power);
    const start = lists.starts[id] as number;
    const count = lists.counts[id] as number;
    if (count > 0) lists.data.copyWithin(target, start, start + count);
    if (size > 0) freeBlock(size - 1, start);
    sizes[id] = power + 1;
    lists.starts[id] = target;
  }

  function* addAll(ids: Uint32Array, values: Uint32Array): Generator<void, void> {
    yield* makeBlocks(ids);
    for (let nth = 0; nth < ids.length; nth += 1) {
      const id = ids[nth] as number;
      const count = lists.counts[id] as number;
      lists.data[(lists.starts[id] as number) + count] = values[nth] as number;
      lists.counts[id] = count + 1;
      if (nth % NUMBERS_OF_STEP === 0) yield;
    }
  }

  /** Gives lists blocks of their last size at once, so that none is moved while it grows. */
  function* makeBlocks(ids: Uint32Array): Generator<void, void> {
    let ceiling = 0;
    for (const id of ids) ceiling = Math.max(ceiling, id + 1);
    if (ceiling > sizes.length) growIds(ceiling - 1);
    const added = new Uint32Array(ceiling);
    for (let nth = 0; nth < ids.length; nth += 1) {
      added[ids[nth] as number] = (added[ids[nth] as number] as number) + 1;
      if (nth % NUMBERS_OF_STEP === 0) yield;
    }
    for (let id = 0; id < ceiling; id += 1) {
      const power = powerFor((lists.counts[id] as number) + (added[id] as number));
      if (added[id] !== 0 && power >= (sizes[id] as number)) moveToBlock(id, power);
      if (id % NUMBERS_OF_STEP === 0) yield;
    }
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

/** Exponent of the smallest block that holds so many numbers. */
function powerFor(count: number): number {
  return 32 - Math.clz32(count - 1);
}
