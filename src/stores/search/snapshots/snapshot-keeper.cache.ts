import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { WITH_COMPILE_CACHE } from '../../../lib/compile-cache.ts';
import type { SnapshotOrder, SnapshotOutcome } from './snapshot-process.flow.ts';

/** Fewer stores are read from the change feed within a second or two: without a snapshot, and without a thread of their own. */
export const MIN_STORES = 20_000;
/** A snapshot is written anew once so many of the stores have changed since: they are read one by one at a start. */
const MAX_CHANGED_SHARE = 0.05;
const CHECK_MS = 60_000;
const PROCESS = join(import.meta.dirname, 'snapshot-process.flow.ts');

/** How far the index of this node is. */
export type IndexState = {
  readonly isLoaded: boolean;
  /** Whether the index was loaded from a snapshot. */
  readonly isRestored: boolean;
  readonly storeCount: number;
  /** Changes of stores that were read from the change feed, all stores of a first read included. */
  readonly changes: number;
};

/** Keeps the snapshot of a node new enough, in the background. */
export type SnapshotKeeper = {
  /** Writes a snapshot where one is due; resolves once that is done. A snapshot that fails is tried again later. */
  check(): Promise<void>;
  start(): void;
  close(): Promise<void>;
};

export type SnapshotKeeperOptions = {
  order(): Promise<SnapshotOrder>;
  state: IndexState;
  log: Logger;
  minStores?: number;
};

export function createSnapshotKeeper({
  order,
  state,
  log,
  minStores = MIN_STORES,
}: SnapshotKeeperOptions): SnapshotKeeper {
  /** The changes that the last snapshot of this process has; null before that. */
  let savedChanges: number | null = null;
  let child: ChildProcess | undefined;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function isDue(): boolean {
    if (!state.isLoaded || state.storeCount < minStores) return false;
    // A snapshot that was loaded has none of the changes that were read since.
    const saved = savedChanges ?? (state.isRestored ? 0 : null);
    return saved === null || state.changes - saved > state.storeCount * MAX_CHANGED_SHARE;
  }

  async function write(): Promise<void> {
    const changes = state.changes;
    const asked = await order();
    const env = { PATH: process.env.PATH ?? '', ...WITH_COMPILE_CACHE };
    child = fork(PROCESS, [], { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.on('error', () => {});
    const ended = once(child, 'exit').then((): [SnapshotOutcome] => [{ fault: 'its process ended' }]);
    child.send(asked);
    const [outcome] = (await Promise.race([once(child, 'message'), ended])) as [SnapshotOutcome];
    child = undefined;
    if ('fault' in outcome) {
      log.warn({ reason: outcome.fault, file: asked.file }, 'search snapshot not written');
      return;
    }
    savedChanges = changes;
    log.info({ ...outcome, file: asked.file }, 'search snapshot written');
  }

  async function check(): Promise<void> {
    if (isClosed || (running === undefined && !isDue())) return;
    running ??= write()
      .catch((error) => log.warn({ err: error }, 'search snapshot not written'))
      .finally(() => {
        running = undefined;
      });
    await running;
  }

  return {
    check,
    start() {
      timer = setInterval(() => void check(), CHECK_MS);
      timer.unref();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      child?.kill('SIGKILL');
      await running;
    },
  };
}
