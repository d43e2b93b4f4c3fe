/** What is written in one batch, known by an id; `characters` counts its rows. */
export type BatchItem = { storeId: string; characters: number };

/**
 * Collects items and writes them in batches. The next batches are prepared beside the write of a batch, and take effect
 * after it; the batch after those is collected meanwhile.
 */
export type Batches<Item extends BatchItem> = {
  /** An item whose id is in the batch that is collected starts another batch. Throws when an earlier batch failed. */
  add(item: Item): Promise<void>;
  /** Writes what is left and waits for all batches; throws when a batch failed. */
  drain(): Promise<void>;
};

export type Turn = {
  /**
   * Ends once the batch before is written: it is committed, or it has passed its turn on. Fails where that batch has failed.
   */
  begins: Promise<void>;
  /** Lets the next batch write while nothing but the commit of this batch is left. */
  passOn(): void;
};

export type BatchesOptions<Item extends BatchItem> = {
  write(items: readonly Item[], turn: Turn): Promise<void>;
  maxItems: number;
  maxCharacters: number;
};

/** Batches that are prepared or written beside the batch that is collected. */
const MAX_RUNNING = 2;

export function createBatches<Item extends BatchItem>(options: BatchesOptions<Item>): Batches<Item> {
  const { write, maxItems, maxCharacters } = options;
  let batch = new Map<string, Item>();
  let characters = 0;
  let begins = Promise.resolve();
  /** The earliest batch first. A batch that failed stays, so that every later call fails. */
  const running: { ids: ReadonlySet<string>; done: Promise<void> }[] = [];

  async function flush(): Promise<void> {
    if (batch.size === 0) return;
    const full = batch;
    batch = new Map();
    characters = 0;
    while (running.length >= MAX_RUNNING) {
      await running[0]?.done;
      running.shift();
    }
    // A batch is prepared from what is there: it must not see its items as they were before the batch that changes them.
    for (const { ids, done } of running) if (full.keys().some((storeId) => ids.has(storeId))) await done;
    const passed = Promise.withResolvers<void>();
    const turn = { begins, passOn: passed.resolve };
    // A batch that has nothing to write is done in its turn, so that no later batch overtakes the batch before.
    const done = write([...full.values()], turn).then(() => turn.begins);
    begins = Promise.race([passed.promise, done]);
    // The next batch or `drain` throws the error; until then the rejections must not count as unhandled.
    done.catch(() => {});
    begins.catch(() => {});
    running.push({ ids: new Set(full.keys()), done });
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
      for (const { done } of running) await done;
    },
  };
}
