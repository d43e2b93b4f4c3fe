import { grownUint32 } from './grow.ts';

/** Numbers that become more. `data` is replaced when it grows, and is longer than the list. */
export type Uint32List = {
  data: Uint32Array;
  length: number;
  push(number: number): void;
  append(numbers: Uint32Array): void;
};

/** The numbers of a list, until its next change. */
export function numbersOf({ data, length }: Uint32List): Uint32Array {
  return data.subarray(0, length);
}

export function createUint32List(): Uint32List {
  const list: Uint32List = {
    data: new Uint32Array(1024),
    length: 0,
    push(number) {
      if (list.length === list.data.length) list.data = grownUint32(list.data, list.length + 1);
      list.data[list.length] = number;
      list.length += 1;
    },
    append(numbers) {
      const length = list.length + numbers.length;
      if (length > list.data.length) list.data = grownUint32(list.data, length);
      list.data.set(numbers, list.length);
      list.length = length;
    },
  };
  return list;
}
