/** Tasks that run in the background of a loop. */
export type TaskSet = {
  size(): number;
  /** Adds a running task, which must handle its own failures. */
  add(task: Promise<void>): void;
  /** Resolves when no task is left. */
  idle(): Promise<void>;
};

export function createTaskSet(): TaskSet {
  const tasks = new Set<Promise<void>>();
  return {
    size: () => tasks.size,
    add(task) {
      const tracked = task.finally(() => tasks.delete(tracked));
      tasks.add(tracked);
    },
    async idle() {
      while (tasks.size > 0) await Promise.all(tasks);
    },
  };
}
