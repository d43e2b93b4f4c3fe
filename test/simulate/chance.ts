export type Chance = {
  /** In [0, 1). */
  next(): number;
  /** An integer in [0, count). */
  below(count: number): number;
  happens(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  fork(name: string): Chance;
};

/** sfc32 by Chris Doty-Humphrey: a 32-bit generator with 128 bits of state, seeded from a text. */
export function createChance(seed: string): Chance {
  let [a, b, c, d] = stateOf(seed);
  const draw = (): number => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round += 1) draw();
  const next = (): number => draw() / 2 ** 32;
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    happens: (probability) => next() < probability,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
    fork: (name) => createChance(`${seed}/${name}`),
  };
}

/** FNV-1a over the text, once per word of the state. */
function stateOf(seed: string): [number, number, number, number] {
  const wordOf = (salt: number): number => {
    let word = 0x811c9dc5 ^ salt;
    for (let at = 0; at < seed.length; at += 1) word = Math.imul(word ^ seed.charCodeAt(at), 0x01000193);
    return word | 0;
  };
  return [wordOf(1), wordOf(2), wordOf(3), wordOf(4)];
}
