/**
 * A task of which one runs at a time: two takes from a queue at once would count the same free work twice. A caller that
 * comes meanwhile gets the result of the running task. `current` is the running task.
 */
export function oneAtATime(task: () => Promise<number>) {
  let current: Promise<number> | undefined;
  const run = (): Promise<number> => {
    current ??= task().finally(() => {
      current = undefined;
    });
    return current;
  };
  return Object.assign(run, { current: () => current });
}
