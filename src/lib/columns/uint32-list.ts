import { grownUint32 } from './grow.ts';

/** Numbers that become more. `data` is replaced when it grows, and is longer than the list. */
export type Uint32List = {
  data: Uint32Array;
  length: number;
  append(numbers: Uint32Array): void;
};

export function createUint32List(): Uint32List {
  const list: Uint32List = {
    data: new Uint32Array(1024),
    length: 0,
    append(numbers) {
      const length = list.length + numbers.length;
      if (length > list.data.length) list.data = grownUint32(list.data, length);
      list.data.set(numbers, list.length);
      list.length = length;
    },
  };
  return list;
}
