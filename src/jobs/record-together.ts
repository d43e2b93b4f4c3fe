export type Recorder<Item> = {
  /** Ends when the item is recorded, or that has failed for now. */
  add(item: Item): Promise<void>;
  /** Tries again what could not be recorded. */
  flush(): Promise<void>;
};

/**
 * Records what comes in, as many at once as have come in while the last ones were being recorded. What `save` rejects is
 * kept, in its order, and goes with the next.
 */
export function recordTogether<Item>(
  mostAtOnce: number,
  save: (items: readonly Item[]) => Promise<void>,
  failed: (error: unknown) => void,
): Recorder<Item> {
  const waiting: Item[] = [];
  let saving: Promise<void> | undefined;
  const run = async () => {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, mostAtOnce);
        await save(batch);
        waiting.splice(0, batch.length);
      }
    } catch (error) {
      failed(error);
    } finally {
      saving = undefined;
    }
  };
  const flush = async () => {
    if (waiting.length > 0) saving ??= run();
    await saving;
  };
  return {
    add(item) {
      waiting.push(item);
      return flush();
    },
    flush,
  };
}
