import { AsyncLocalStorage } from 'node:async_hooks';
import { type BatchGate, NO_GATE } from './batch-gate.ts';
import { FairQueue } from './fair-queue.ts';

/** Runs a task in the context of its call. */
type Context = <Result>(task: () => Result) => Result;

type Waiting<Item, Answer> = {
  item: Item;
  owner: string | undefined;
  context: Context;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

export type BatchCallsOptions<Item, Answer> = {
  maxBatch: number;
  /** Runs one batch; returns one response per item, in order. */
  run(items: readonly Item[]): Promise<readonly Answer[]>;
  /** Whether a failed batch is known to have changed nothing; then its items are retried one by one. */
  didNothing(error: unknown): boolean;
  /** Returns the owner of the current call. Calls of several owners can share a batch, which then has no owner. */
  ownerNow?: () => string | undefined;
  /** Limits concurrent batches; without a gate each batch begins at once. */
  gate?: BatchGate;
};

/** `didNothing` for batches that only read. */
export const changesNothing = (): boolean => true;

/** Minimum items before a batch is split in two; below it, a second statement costs more than it gains. */
const MIN_ITEMS_TO_SPLIT = 5;

/**
 * Batches calls of one turn of the event loop, and those arriving while the batch waits at its gate. A single call
 * never waits. Half-size batches keep database and process busy. Failures are per item.
 */
export function batchCalls<Item, Answer>(options: BatchCallsOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  const batches = new CallBatches(options);
  return (item) => batches.call(item);
}

class CallBatches<Item, Answer> {
  private readonly options: BatchCallsOptions<Item, Answer>;
  private readonly gate: BatchGate;
  /** Round-robin over owners: beyond a batch's size, an owner's flood delays only its own calls. */
  private readonly waiting = new FairQueue<Waiting<Item, Answer>>({ maxOfOwner: Infinity, maxInAll: Infinity });
  private readonly ofNoCall: Context = AsyncLocalStorage.snapshot();
  /** Whether batches of all waiting calls are about to begin. */
  private isBeginning = false;
  /** Begins the batch that is waiting at the gate. */
  private beginNow = (): void => {};

  constructor(options: BatchCallsOptions<Item, Answer>) {
    this.options = options;
    this.gate = options.gate ?? NO_GATE;
  }

  call(item: Item): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    if (!this.isBeginning) setImmediate(() => this.start());
    this.isBeginning = true;
    const owner = this.options.ownerNow?.();
    this.waiting.add(owner ?? '', { item, owner, context: AsyncLocalStorage.snapshot(), resolve, reject });
    if (this.waiting.size >= this.options.maxBatch) this.beginNow();
    return promise;
  }

  private start(): void {
    this.beginAll(Math.max(MIN_ITEMS_TO_SPLIT - 1, Math.ceil(this.waiting.size / 2)));
  }

  private beginAll(size: number): void {
    while (this.waiting.size > 0 && this.begin(size));
  }

  /** Begins a batch of up to `size` calls, or of all that arrive while it waits at the gate; false while it waits. */
  private begin(size: number): boolean {
    const { maxBatch } = this.options;
    let hasBegun = false;
    let isInTurn = true;
    this.beginNow = this.gate.enter((hasWaited) => {
      hasBegun = true;
      const batch = this.take(hasWaited ? maxBatch : size);
      this.isBeginning = this.waiting.size > 0;
      const context = sharedContext(batch) ?? this.ofNoCall;
      context(() => this.runBatch(batch).finally(() => this.gate.leave()));
      if (!isInTurn) this.beginAll(size);
    });
    // A full batch does not wait for more calls.
    if (this.waiting.size >= maxBatch) this.beginNow();
    isInTurn = false;
    return hasBegun;
  }

  private take(size: number): Waiting<Item, Answer>[] {
    const length = Math.min(size, this.options.maxBatch, this.waiting.size);
    return Array.from({ length }, () => this.waiting.take()?.item).filter((call) => call !== undefined);
  }

  private async runBatch(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    const { run, didNothing } = this.options;
    try {
      const answers = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      const mayRunAlone = batch.length > 1 && didNothing(error);
      for (const call of batch) {
        if (mayRunAlone) call.context(() => this.runBatch([call]));
        else call.reject(error);
      }
    }
  }
}

/**
 * Returns the context of the batch's owner; undefined with several owners. A single owner's batch queues for a
 * connection as that owner, and calls of other owners must not wait there.
 */
function sharedContext<Item, Answer>([first, ...others]: readonly Waiting<Item, Answer>[]): Context | undefined {
  return others.every(({ owner }) => owner === first?.owner) ? first?.context : undefined;
}
