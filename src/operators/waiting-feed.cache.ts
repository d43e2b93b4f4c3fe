import type { Logger } from 'pino';
import { readWaiting, type WaitingDeps } from './read-waiting.flow.ts';

/** The list is read this often while an operator's view is open: one query a node, however many views there are. */
const READ_EVERY_MS = 1000;
const MAX_WATCHERS = 200;

/** One open view. Its functions write immediately or drop the view; they never throw. */
export type WaitingWatcher = {
  /** The list as JSON: at first, and whenever it has changed. */
  send(list: string): void;
  /** The list was read and has not changed. */
  beat(): void;
  /** The list could not be read: the view must not look as if nothing waited. */
  fail(): void;
  end(): void;
};

export type WaitingFeed = {
  hasRoom(): boolean;
  /** Sends the list from now on, until the returned function is called. */
  watch(watcher: WaitingWatcher): () => void;
  close(): Promise<void>;
};

/** Reads the orders that wait for their stores while a view is open, and tells every open view of this node. */
export function createWaitingFeed(deps: WaitingDeps & { log: Logger }): WaitingFeed {
  const sentTo = new Map<WaitingWatcher, string>();
  let reading: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function read(): Promise<void> {
    try {
      const { now, ...list } = await readWaiting(deps);
      const text = JSON.stringify(list);
      for (const [watcher, sent] of [...sentTo]) {
        if (sent === text) watcher.beat();
        else watcher.send(JSON.stringify({ now, ...list }));
        if (sentTo.has(watcher)) sentTo.set(watcher, text);
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'waiting orders could not be read');
      for (const watcher of [...sentTo.keys()]) watcher.fail();
    }
  }

  function schedule(afterMs: number): void {
    if (isClosed || sentTo.size === 0) return;
    timer ??= setTimeout(() => {
      reading = read().then(() => {
        timer = undefined;
        schedule(READ_EVERY_MS);
      });
    }, afterMs);
  }

  return {
    hasRoom: () => !isClosed && sentTo.size < MAX_WATCHERS,
    watch(watcher) {
      sentTo.set(watcher, '');
      schedule(0);
      return () => void sentTo.delete(watcher);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await reading;
      for (const watcher of [...sentTo.keys()]) watcher.end();
    },
  };
}
