import type { MessagePort } from 'node:worker_threads';
import type { Role } from '../../wiring/service-options.ts';

/** The `workerData` of a worker. */
export type StartData = {
  connectionString: string;
  role: Role;
  number: number;
  count: number;
  /** Memory of the workers' shared counters. */
  counters: SharedArrayBuffer;
  /** Whether it replaces a worker that ended; then it listens only once its index is loaded. */
  isReplacement: boolean;
};

/** Messages of the first thread to a worker. */
export type ToWorker =
  /** Sent when every worker has opened the service. */
  | { kind: 'listen' }
  /** Sent when the search index's writer was started. */
  | { kind: 'search'; port: MessagePort }
  | { kind: 'drain' }
  | { kind: 'stop' }
  | { kind: 'read metrics'; id: number }
  | { kind: 'all metrics'; id: number; text: string };

/** Messages of a worker to the first thread. */
export type FromWorker =
  | { kind: 'heartbeat' }
  | { kind: 'opened' }
  | Listening
  | WorkerFailure
  | { kind: 'read all metrics'; id: number }
  | { kind: 'metrics'; id: number; text: string };

/** `url` is absent if the worker does not listen. */
export type Listening = { kind: 'listening'; url?: string; metricsUrl?: string };

export type WorkerFailure = {
  kind: 'failed';
  /** Sentence for the terminal; absent for an unknown error. */
  sentence?: string;
  detail: string;
  /** `settings`: a restart would fail too. `newer schema`: every worker must end. */
  reason: 'settings' | 'newer schema' | 'other';
};
