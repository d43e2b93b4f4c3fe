import type { MessagePort } from 'node:worker_threads';
import { NO_PEERS, type SharedCounters } from '../../platform/load/shared-counters.ts';

/** The worker threads of `doorstep serve --workers N`, as seen by one of them (docs/operating.md#workers). */
export type Peers = {
  /** From 1 to `count`; a replacement keeps its predecessor's number. */
  number: number;
  count: number;
  /** Whether this worker replaces one that ended. */
  isReplacement: boolean;
  counters: SharedCounters;
  /** All workers' metrics as one text; undefined for a single process. */
  readMetrics: (() => Promise<string>) | undefined;
  /** Passes the search writer's port, again after each restart; undefined for a single process. */
  onSearchPort: ((attach: (port: MessagePort) => void) => void) | undefined;
};

/** A service with a single process. */
export const ALONE: Peers = {
  number: 1,
  count: 1,
  isReplacement: false,
  counters: NO_PEERS,
  readMetrics: undefined,
  onSearchPort: undefined,
};
