export type BatchRecorder<Item> = {
  /** Resolves when the item is recorded, or when recording has failed for now. */
  add(item: Item): Promise<void>;
  /** Retries the items that could not be recorded. */
  flush(): Promise<void>;
};

/**
 * Records items in batches: each batch holds the items that arrived while the previous batch was being saved. Items of
 * a batch that `save` rejects are kept in their order and go with the next batch.
 */
export function createBatchRecorder<Item>(
  maxBatch: number,
  save: (items: readonly Item[]) => Promise<void>,
  failed: (error: unknown) => void,
): BatchRecorder<Item> {
  const waiting: Item[] = [];
  let saving: Promise<void> | undefined;
  const run = async () => {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, maxBatch);
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
