/** Maximum waiting items, per owner and in all. */
export type QueueBounds = { maxOfOwner: number; maxInAll: number };

/** Waiting items, served round-robin by owner and FIFO within one: a flood delays and displaces only its own items. */
export class FairQueue<Item> {
  private readonly bounds: QueueBounds;
  /** In rotation order; owners without items have no entry. */
  private readonly rows = new Map<string, Item[]>();
  private count = 0;

  constructor(bounds: QueueBounds) {
    this.bounds = bounds;
  }

  get size(): number {
    return this.count;
  }

  countOf(owner: string): number {
    return this.rows.get(owner)?.length ?? 0;
  }

  /** Returns the owners with waiting items, in rotation order. */
  owners(): Iterable<string> {
    return this.rows.keys();
  }

  /**
   * Queues an item for its owner. Returns the dropped item: the new one if its owner has `maxOfOwner`; if the queue is
   * full, the newest of the largest owner.
   */
  add(owner: string, item: Item): Item | undefined {
    const row = this.rows.get(owner) ?? [];
    if (row.length >= this.bounds.maxOfOwner) return item;
    row.push(item);
    this.rows.set(owner, row);
    this.count += 1;
    if (this.count <= this.bounds.maxInAll) return undefined;
    const [displacedOwner, displacedRow] = this.longest();
    const displaced = displacedRow.pop();
    this.dropFrom(displacedOwner, displacedRow);
    return displaced;
  }

  /**
   * Removes and returns the next item of the first owner that `mayGo` admits, which moves to the end of the rotation.
   */
  take(mayGo: (owner: string) => boolean = () => true): { owner: string; item: Item } | undefined {
    for (const [owner, row] of this.rows) {
      if (!mayGo(owner)) continue;
      const item = row.shift() as Item;
      this.dropFrom(owner, row);
      // Moves the owner to the end: a map iterates in insertion order.
      if (this.rows.delete(owner)) this.rows.set(owner, row);
      return { owner, item };
    }
    return undefined;
  }

  private dropFrom(owner: string, row: Item[]): void {
    this.count -= 1;
    if (row.length === 0) this.rows.delete(owner);
  }

  /** Returns the owner with the most items; of several, the last in rotation. */
  private longest(): [string, Item[]] {
    let found: [string, Item[]] | undefined;
    for (const entry of this.rows) if (!found || entry[1].length >= found[1].length) found = entry;
    if (!found) throw new RangeError('An empty queue is full: its limit is below 1.');
    return found;
  }
}
