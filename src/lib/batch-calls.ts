import { AsyncLocalStorage } from 'node:async_hooks';

/** Runs a task in the context that the call was made in. */
type Context = <Result>(task: () => Result) => Result;

type Waiting<Item, Answer> = {
  item: Item;
  owner: string | undefined;
  context: Context;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

export type BatchCallsOptions<Item, Answer> = {
  /** The largest batch. */
  maxBatch: number;
  /** Runs one batch; returns one answer for each item, in the order of the items. */
  run(items: readonly Item[]): Promise<readonly Answer[]>;
  /** Whether a failed batch is known to have changed nothing, so that each item may run alone. */
  didNothing(error: unknown): boolean;
  /** The owner of a call. Calls of several owners share a batch, and such a batch runs for no owner. */
  ownerNow?: () => string | undefined;
};

/** Fewer items stay one batch: a second run costs more than it gains. */
const MIN_ITEMS_TO_SPLIT = 5;

/**
 * Batches the calls of one turn of the event loop and answers each call by itself. A single call waits for nothing; a
 * busy process makes larger batches. Two half-size batches keep both the database and this process busy; one full batch
 * leaves each idle while the other works. An item that fails does not fail the other items of its batch.
 */
export function batchCalls<Item, Answer>(options: BatchCallsOptions<Item, Answer>) {
  const { maxBatch, run, didNothing, ownerNow = () => undefined } = options;
  let waiting: Waiting<Item, Answer>[] = [];
  const ofNoCall: Context = AsyncLocalStorage.snapshot();

  const runBatch = async (batch: readonly Waiting<Item, Answer>[]): Promise<void> => {
    try {
      const answers = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      const mayRunAlone = batch.length > 1 && didNothing(error);
      for (const call of batch) {
        if (mayRunAlone) call.context(() => runBatch([call]));
        else call.reject(error);
      }
    }
  };

  const start = (): void => {
    const calls = waiting;
    waiting = [];
    const size = Math.min(maxBatch, Math.max(MIN_ITEMS_TO_SPLIT - 1, Math.ceil(calls.length / 2)));
    for (let from = 0; from < calls.length; from += size) {
      const batch = calls.slice(from, from + size);
      const context = contextOf(batch) ?? ofNoCall;
      context(() => runBatch(batch));
    }
  };

  return (item: Item): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    if (waiting.length === 0) setImmediate(start);
    waiting.push({ item, owner: ownerNow(), context: AsyncLocalStorage.snapshot(), resolve, reject });
    return promise;
  };
}

/**
 * The context of the batch's owner; undefined where the batch has several. A batch of one owner waits for a connection in
 * the turn of that owner, and a call of another owner must not wait there.
 */
function contextOf<Item, Answer>([first, ...others]: readonly Waiting<Item, Answer>[]): Context | undefined {
  return others.every(({ owner }) => owner === first?.owner) ? first?.context : undefined;
}
