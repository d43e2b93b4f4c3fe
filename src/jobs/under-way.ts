/** Work that was started and not waited for. */
export type UnderWay = {
  size(): number;
  /** The work handles its own failures. */
  add(work: Promise<void>): void;
  /** Ends when none is left. */
  idle(): Promise<void>;
};

export function createUnderWay(): UnderWay {
  const works = new Set<Promise<void>>();
  return {
    size: () => works.size,
    add(work) {
      const tracked = work.finally(() => works.delete(tracked));
      works.add(tracked);
    },
    async idle() {
      while (works.size > 0) await Promise.all(works);
    },
  };
}
