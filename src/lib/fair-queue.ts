/** How many items of one owner may wait, and of all owners together. */
export type QueueBounds = { maxOfOwner: number; maxInAll: number };

/** Waiting items, taken from their owners in rotation and from one owner in the order of their arrival. */
export type FairQueue<Item> = {
  /**
   * Adds an item at the end of its owner's row. Returns the item that has no room: the new item where its owner has
   * `maxOfOwner`, or else, where the whole queue is full, the newest item of the owner with most items.
   */
  add(owner: string, item: Item): Item | undefined;
  /** Takes the next item of the first owner in the rotation that may go; that owner then is the last of the rotation. */
  take(mayGo?: (owner: string) => boolean): { owner: string; item: Item } | undefined;
  countOf(owner: string): number;
  /** Owners with waiting items, in the sequence of the rotation. */
  owners(): Iterable<string>;
  readonly size: number;
};

/** An owner that floods the queue delays and displaces its own items alone. */
export function createFairQueue<Item>({ maxOfOwner, maxInAll }: QueueBounds): FairQueue<Item> {
  /** In the sequence of the rotation; an owner without items has no entry. */
  const rows = new Map<string, Item[]>();
  let size = 0;

  function dropFrom(owner: string, row: Item[]): void {
    size -= 1;
    if (row.length === 0) rows.delete(owner);
  }

  /** The owner with most items; of several the last in the rotation. */
  function longest(): [string, Item[]] {
    let found: [string, Item[]] | undefined;
    for (const entry of rows) if (!found || entry[1].length >= found[1].length) found = entry;
    if (!found) throw new RangeError('An empty queue is full: its bound is below 1.');
    return found;
  }

  return {
    add(owner, item) {
      const row = rows.get(owner) ?? [];
      if (row.length >= maxOfOwner) return item;
      row.push(item);
      rows.set(owner, row);
      size += 1;
      if (size <= maxInAll) return undefined;
      const [displacedOwner, displacedRow] = longest();
      const displaced = displacedRow.pop();
      dropFrom(displacedOwner, displacedRow);
      return displaced;
    },
    take(mayGo = () => true) {
      for (const [owner, row] of rows) {
        if (!mayGo(owner)) continue;
        const item = row.shift() as Item;
        dropFrom(owner, row);
        // A map keeps the sequence in which its keys were added.
        if (rows.delete(owner)) rows.set(owner, row);
        return { owner, item };
      }
      return undefined;
    },
    countOf: (owner) => rows.get(owner)?.length ?? 0,
    owners: () => rows.keys(),
    get size() {
      return size;
    },
  };
}
