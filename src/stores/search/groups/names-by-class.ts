import { EXACT, PREFIX, TYPO } from '../../../lib/text/term-dictionary.ts';

/** By name: how many words of a query have matched, and the worst class of those matches. */
type WordMatches = { matched: Uint8Array; worst: Uint8Array };

export type NamesByClass = [exact: Uint32Array, prefix: Uint32Array, typo: Uint32Array];

/** The names that so many words have matched, by class, each in the sequence of the names; clears their matches. */
export function takeByClass(names: Uint32Array, { matched, worst }: WordMatches, words: number): NamesByClass {
  const sizes: [number, number, number] = [0, 0, 0];
  for (let nth = 0; nth < names.length; nth += 1) {
    const id = names[nth] as number;
    if (matched[id] === words) sizes[worst[id] as 0 | 1 | 2] += 1;
  }
  const byClass: NamesByClass = [
    new Uint32Array(sizes[EXACT]),
    new Uint32Array(sizes[PREFIX]),
    new Uint32Array(sizes[TYPO]),
  ];
  const filled: [number, number, number] = [0, 0, 0];
  for (let nth = 0; nth < names.length; nth += 1) {
    const id = names[nth] as number;
    const nameClass = worst[id] as 0 | 1 | 2;
    if (matched[id] === words) {
      byClass[nameClass][filled[nameClass]] = id;
      filled[nameClass] += 1;
    }
    matched[id] = 0;
    worst[id] = 0;
  }
  return byClass;
}
