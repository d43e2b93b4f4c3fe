/** A line waits so long for other lines before all of them are written. */
export const LINES_WAIT_MS = 20;

/** Keeps lines until it is told to write them; `flushSync` returns once they are written. */
type Keeping = { write(line: string): unknown; flush(): void; flushSync(): void };

/**
 * Writes the lines of a moment together: the write of one line takes a turn of another thread, which costs more than the
 * line. The wait keeps no process running; a process that ends writes its lines itself.
 */
export function joinLines(destination: Keeping): Omit<Keeping, 'flush'> {
  let isDue = false;
  const flush = (): void => {
    isDue = false;
    destination.flush();
  };
  return {
    write(line) {
      destination.write(line);
      if (isDue) return;
      isDue = true;
      setTimeout(flush, LINES_WAIT_MS).unref();
    },
    flushSync: () => destination.flushSync(),
  };
}
