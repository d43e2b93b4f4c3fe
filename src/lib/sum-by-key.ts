/** The sum of the amounts of each key, in the order in which the keys come first. */
export function sumByKey<Key>(amounts: Iterable<readonly [Key, number]>): Map<Key, number> {
  const sums = new Map<Key, number>();
  for (const [key, amount] of amounts) sums.set(key, (sums.get(key) ?? 0) + amount);
  return sums;
}
