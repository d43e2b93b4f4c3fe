import { LRUCache } from 'lru-cache';
import type { NameIndex } from '../name.index.ts';

/** Which names large groups have: a bit for each name. */
export type GroupMarks = {
  marksOf(group: Uint32Array): Uint32Array;
};

/** Bound on the words of all marks together, 8 MB: 90 groups of an index of 700,000 names. */
const MAX_WORDS = 2_000_000;

export function createGroupMarks(names: Pick<NameIndex, 'ceiling'>): GroupMarks {
  /** The least recently used marks are dropped first. */
  const marks = new LRUCache<Uint32Array, Uint32Array>({ max: 1024, maxSize: MAX_WORDS });

  function make(group: Uint32Array): Uint32Array {
    const words = new Uint32Array((names.ceiling >>> 5) + 1);
    for (let nth = 0; nth < group.length; nth += 1) {
      const name = group[nth] as number;
      words[name >>> 5] = (words[name >>> 5] as number) | (1 << (name & 31));
    }
    marks.set(group, words, { size: words.length });
    return words;
  }

  return { marksOf: (group) => marks.get(group) ?? make(group) };
}

/** A name that came after the marks were made is not of the group. */
export function isMarked(marks: Uint32Array, name: number): boolean {
  return (((marks[name >>> 5] ?? 0) >>> (name & 31)) & 1) === 1;
}
