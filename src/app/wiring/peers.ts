import type { MessagePort } from 'node:worker_threads';
import { NO_PEERS, type SharedCounters } from '../../platform/load/shared-counters.ts';

/** The worker threads of one `doorstep serve --workers N`, as one of them knows the others (docs/operating.md#workers). */
export type Peers = {
  /** From 1 to `count`; a worker that is started in place of another has its number. */
  number: number;
  count: number;
  /** Whether this worker takes the place of one that ended. */
  isReplacement: boolean;
  counters: SharedCounters;
  /** The metrics of all workers, as one text; undefined in a service that runs alone. */
  readMetrics: (() => Promise<string>) | undefined;
  /** Gives the port of the workers' search writer, and again whenever it is started again; undefined in a service that runs alone. */
  onSearchPort: ((attach: (port: MessagePort) => void) => void) | undefined;
};

/** A service that runs alone. */
export const ALONE: Peers = {
  number: 1,
  count: 1,
  isReplacement: false,
  counters: NO_PEERS,
  readMetrics: undefined,
  onSearchPort: undefined,
};
