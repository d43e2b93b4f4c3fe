type Waiting<Item, Answer> = { item: Item; resolve: (answer: Answer) => void; reject: (error: unknown) => void };

export type TogetherOptions<Item, Answer> = {
  mostAtOnce: number;
  /** One answer for each, in their order. */
  run(items: readonly Item[]): Promise<readonly Answer[]>;
  /** Whether a failed run is known to have done nothing, so that each may be tried alone. */
  didNothing(error: unknown): boolean;
};

/** Fewer are not divided: a run of its own costs more than it gains. */
const LEAST_TO_DIVIDE = 5;

/**
 * Does as one what is asked for within one turn of the event loop, and answers each by itself. Alone it waits for nothing;
 * the busier a process is, the more comes together. It goes in two halves: all in one would come back in one, and this
 * process and the one that does the runs would do nothing but wait for each other. One that cannot be done does not take
 * the others with it.
 */
export function together<Item, Answer>({ mostAtOnce, run, didNothing }: TogetherOptions<Item, Answer>) {
  let waiting: Waiting<Item, Answer>[] = [];

  const runAll = async (group: readonly Waiting<Item, Answer>[]): Promise<void> => {
    try {
      const answers = await run(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      const isToDivide = group.length > 1 && didNothing(error);
      for (const one of group) {
        if (isToDivide) runAll([one]);
        else one.reject(error);
      }
    }
  };

  const start = (): void => {
    const all = waiting;
    waiting = [];
    const size = Math.min(mostAtOnce, Math.max(LEAST_TO_DIVIDE - 1, Math.ceil(all.length / 2)));
    for (let from = 0; from < all.length; from += size) runAll(all.slice(from, from + size));
  };

  return (item: Item): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    if (waiting.length === 0) setImmediate(start);
    waiting.push({ item, resolve, reject });
    return promise;
  };
}
