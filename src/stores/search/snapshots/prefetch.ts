/** Reads each item in its sequence, one at a time, and the next item while the caller works on the one before. */
export async function* prefetch<Item, Value>(
  items: Iterable<Item>,
  read: (item: Item) => Promise<Value>,
): AsyncGenerator<Value, void> {
  let next: Promise<Value> | undefined;
  for (const item of items) {
    const before = next;
    // A failed read ends the sequence before another one begins.
    await before;
    next = read(item);
    // A caller that stops does not await the read.
    next.catch(() => {});
    if (before) yield before;
  }
  if (next) yield next;
}
