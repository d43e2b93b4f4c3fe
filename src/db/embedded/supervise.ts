import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Watch } from './run-server.ts';

/** The part of a pino logger that is used here. */
export type EmbeddedLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;

/**
 * Starts the server again, with growing pauses, whenever the watched connection breaks. `stop` ends the watch and
 * waits for a running restart. The watch alone does not keep the process alive.
 */
export function supervise(first: Watch, restart: () => Promise<Watch>, log: EmbeddedLog): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let current = first.client;
  let recovery = Promise.resolve();

  const recover = async () => {
    log.warn({}, 'The embedded database ended by itself; starting it again.');
    for (let backoffMs = FIRST_BACKOFF_MS; !stopping.signal.aborted; ) {
      try {
        watch(await restart());
        log.info({}, 'The embedded database runs again.');
        return;
      } catch (error) {
        log.error({ err: error, backoffMs }, 'The embedded database does not start.');
      }
      await pause(backoffMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
      backoffMs = Math.min(2 * backoffMs, LONGEST_BACKOFF_MS);
    }
  };
  const watch = (next: Watch) => {
    current = next.client;
    setRef(current, 'unref');
    next.ended.then(() => {
      if (!stopping.signal.aborted) recovery = recover();
    });
  };
  watch(first);
  return {
    async stop() {
      stopping.abort();
      await recovery;
      setRef(current, 'ref');
      await current.end().catch(() => {});
    },
  };
}

/** Both methods exist since pg 8 and are missing from its types. */
function setRef(client: Client, change: 'ref' | 'unref'): void {
  (client as unknown as Record<typeof change, () => void>)[change]();
}
