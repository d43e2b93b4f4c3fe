import type { MessagePort } from 'node:worker_threads';
import { NO_PEERS, type SharedCounters } from '../../platform/load/shared-counters.ts';

/** The worker threads of `doorstep serve --workers N`, as one of them sees them (docs/scaling.md#workers). */
export type Peers = {
  /** From 1 to `count`. A replacement has the number of the worker it replaces. */
  number: number;
  count: number;
  /** Whether this worker replaces a worker that ended. */
  isReplacement: boolean;
  counters: SharedCounters;
  /** Metrics of all workers as one text; undefined for a single process. */
  readMetrics: (() => Promise<string>) | undefined;
  /** Passes the search writer's port, and a new one after each restart; undefined for a single process. */
  onSearchPort: ((attach: (port: MessagePort) => void) => void) | undefined;
};

export const SINGLE_PROCESS: Peers = {
  number: 1,
  count: 1,
  isReplacement: false,
  counters: NO_PEERS,
  readMetrics: undefined,
  onSearchPort: undefined,
};
