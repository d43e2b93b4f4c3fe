import { grownUint32 } from './grow.ts';
import { createHashTable, mixed } from './hash-table.ts';
import { createIntLists, type IntLists, listOf } from './int-lists.ts';

/** Numbers of an array, from an index up to another. */
export type Run = { data: ArrayLike<number>; from: number; end: number };

/**
 * Gives equal sequences of numbers one small number while it has a holder; a released number is given out again. Numbers
 * start at 1, so that 0 can mean no sequence. Nothing lies in the JavaScript heap.
 */
export type SequenceInterner = {
  /** By number: the sequence, as it was given. */
  readonly sequences: Readonly<Pick<IntLists, 'data' | 'starts' | 'counts'>>;
  /** `isNew` means that the sequence had no holder: the caller must set its data of that number. */
  acquire(run: Run): { id: number; isNew: boolean };
  /** Adds a holder to a number that has one. */
  hold(id: number): void;
  /** The same for each of the numbers, which may repeat. */
  holdAll(ids: Uint32Array): void;
  /** The sequence when the last holder released the number, which is free again then; null before that. */
  release(id: number): readonly number[] | null;
  idOf(run: Run): number | undefined;
  reserve(sequences: number): void;
  /** One more than the highest number ever given out. */
  readonly ceiling: number;
};

export function runOf(numbers: ArrayLike<number>): Run {
  return { data: numbers, from: 0, end: numbers.length };
}

export function createSequenceInterner(): SequenceInterner {
  const sequences = createIntLists();
  const ids = createHashTable<Run>({ hashOf, isKeyOf: isSequence });
  const free: number[] = [];
  let holders = new Uint32Array(1024);
  let ceiling = 1;

  function isSequence(id: number, { data, from, end }: Run): boolean {
    if ((sequences.counts[id] ?? 0) !== end - from) return false;
    const start = (sequences.starts[id] as number) - from;
    for (let at = from; at < end; at += 1) if (sequences.data[start + at] !== data[at]) return false;
    return true;
  }

  function add(id: number, { data, from, end }: Run): void {
    for (let at = from; at < end; at += 1) sequences.add(id, data[at] as number);
    if (id >= holders.length) holders = grownUint32(holders, id + 1);
    holders[id] = 1;
  }

  return {
    sequences,
    acquire(run) {
      const next = free.at(-1) ?? ceiling;
      const id = ids.getOrAdd(run, next);
      if (id !== next) {
        holders[id] = (holders[id] as number) + 1;
        return { id, isNew: false };
      }
      if (free.pop() === undefined) ceiling += 1;
      add(id, run);
      return { id, isNew: true };
    },
    hold(id) {
      holders[id] = (holders[id] as number) + 1;
    },
    holdAll(ids) {
      const counts = holders;
      for (let nth = 0; nth < ids.length; nth += 1)
        counts[ids[nth] as number] = (counts[ids[nth] as number] as number) + 1;
    },
    release(id) {
      holders[id] = (holders[id] as number) - 1;
      if (holders[id] !== 0) return null;
      const sequence = [...listOf(sequences, id)];
      ids.delete(runOf(sequence));
      sequences.clear(id);
      free.push(id);
      return sequence;
    },
    idOf: (run) => ids.get(run),
    reserve(count) {
      ids.reserve(count);
      if (count >= holders.length) holders = grownUint32(holders, count + 1);
    },
    get ceiling() {
      return ceiling;
    },
  };
}

function hashOf({ data, from, end }: Run): number {
  let hash = 0x811c_9dc5;
  for (let at = from; at < end; at += 1) {
    const word = data[at] as number;
    hash = Math.imul(hash ^ (word & 0xffff), 0x0100_0193);
    hash = Math.imul(hash ^ (word >>> 16), 0x0100_0193);
  }
  return mixed(hash);
}
