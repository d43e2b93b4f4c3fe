/** What is written in one batch, known by an id; `characters` counts its rows. */
export type BatchItem = { storeId: string; characters: number };

/**
 * Collects items and writes them in batches. The next batch is prepared beside the write of a batch, and takes effect after
 * it; the batch after that is collected meanwhile.
 */
export type Batches<Item extends BatchItem> = {
  /** An item whose id is in the batch that is collected starts another batch. Throws when an earlier batch failed. */
  add(item: Item): Promise<void>;
  /** Writes what is left and waits for all batches; throws when a batch failed. */
  drain(): Promise<void>;
};

export type BatchesOptions<Item extends BatchItem> = {
  /** `turn` ends once the batch before is written, and fails where that batch has failed. */
  write(items: readonly Item[], turn: Promise<void>): Promise<void>;
  maxItems: number;
  maxCharacters: number;
};

export function createBatches<Item extends BatchItem>(options: BatchesOptions<Item>): Batches<Item> {
  const { write, maxItems, maxCharacters } = options;
  let batch = new Map<string, Item>();
  let characters = 0;
  let last: { ids: ReadonlySet<string>; done: Promise<void> } = { ids: new Set(), done: Promise.resolve() };
  let beforeLast = last.done;

  async function flush(): Promise<void> {
    if (batch.size === 0) return;
    const full = batch;
    batch = new Map();
    characters = 0;
    await beforeLast;
    // A batch is prepared from what is there: it must not see its items as they were before the batch that changes them.
    if (full.keys().some((storeId) => last.ids.has(storeId))) await last.done;
    const turn = last.done;
    // A batch that has nothing to write is done with the batch before, so that no later batch overtakes that batch.
    const done = write([...full.values()], turn).then(() => turn);
    // The next batch or `drain` throws the error; until then the rejection must not count as unhandled.
    done.catch(() => {});
    beforeLast = turn;
    last = { ids: new Set(full.keys()), done };
  }

  return {
    async add(item) {
      if (batch.has(item.storeId)) await flush();
      batch.set(item.storeId, item);
      characters += item.characters;
      if (batch.size >= maxItems || characters >= maxCharacters) await flush();
    },
    async drain() {
      await flush();
      await beforeLast;
      await last.done;
    },
  };
}
