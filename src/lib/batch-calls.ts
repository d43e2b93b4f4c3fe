import { AsyncLocalStorage } from 'node:async_hooks';
import { type BatchGate, NO_GATE } from './batch-gate.ts';
import { FairQueue } from './fair-queue.ts';

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
  /** Bounds the batches that run at a time; without a gate each batch begins at once. */
  gate?: BatchGate;
};

/** `didNothing` of a batch that only reads. */
export const changesNothing = (): boolean => true;

/** Fewer items stay one batch: a second run costs more than it gains. */
const MIN_ITEMS_TO_SPLIT = 5;

/**
 * Batches the calls of one turn of the event loop, and those that come while the batch waits at its gate, and answers each
 * call by itself. A single call waits for nothing; a busy process makes larger batches. Two half-size batches keep both
 * the database and this process busy; one full batch leaves each idle while the other works. An item that fails does not
 * fail the other items of its batch.
 */
export function batchCalls<Item, Answer>(options: BatchCallsOptions<Item, Answer>) {
  const { maxBatch, run, didNothing, ownerNow = () => undefined, gate = NO_GATE } = options;
  // Owners take turns: where more calls wait than a batch holds, the flood of an owner delays the owner's own calls.
  const waiting = new FairQueue<Waiting<Item, Answer>>({ maxOfOwner: Infinity, maxInAll: Infinity });
  const ofNoCall: Context = AsyncLocalStorage.snapshot();
  let isBeginning = false;
  let beginNow = (): void => {};

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

  const take = (size: number): Waiting<Item, Answer>[] =>
    Array.from({ length: Math.min(size, maxBatch, waiting.size) }, () => waiting.take()?.item).filter(
      (call) => call !== undefined,
    );

  /** Begins a batch of at most `size` calls, or of all that its wait at the gate brings; false while it waits. */
  const begin = (size: number): boolean => {
    let hasBegun = false;
    let isInTurn = true;
    beginNow = gate.enter((hasWaited) => {
      hasBegun = true;
      const batch = take(hasWaited ? maxBatch : size);
      isBeginning = waiting.size > 0;
      const context = contextOf(batch) ?? ofNoCall;
      context(() => runBatch(batch).finally(gate.leave));
      if (!isInTurn) beginAll(size);
    });
    // A full batch gains nothing by waiting.
    if (waiting.size >= maxBatch) beginNow();
    isInTurn = false;
    return hasBegun;
  };

  const beginAll = (size: number): void => {
    while (waiting.size > 0 && begin(size));
  };

  const start = (): void => beginAll(Math.max(MIN_ITEMS_TO_SPLIT - 1, Math.ceil(waiting.size / 2)));

  return (item: Item): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    if (!isBeginning) setImmediate(start);
    isBeginning = true;
    const owner = ownerNow();
    waiting.add(owner ?? '', { item, owner, context: AsyncLocalStorage.snapshot(), resolve, reject });
    if (waiting.size >= maxBatch) beginNow();
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
