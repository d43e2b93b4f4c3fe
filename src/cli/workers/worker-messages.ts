import type { MessagePort } from 'node:worker_threads';
import type { Role } from '../../wiring/service-options.ts';

/** What a worker starts with (`workerData`). */
export type StartOrder = {
  connectionString: string;
  role: Role;
  number: number;
  count: number;
  /** Memory of the counters that the workers share. */
  counters: SharedArrayBuffer;
  /** Whether the worker takes the place of one that ended: it listens by itself, once its index is loaded. */
  isReplacement: boolean;
};

/** What the first thread tells a worker. */
export type ToWorker =
  /** Every worker has opened what it needs. */
  | { kind: 'listen' }
  /** The writer of the search index has been started. */
  | { kind: 'search'; port: MessagePort }
  | { kind: 'stop' }
  | { kind: 'read metrics'; id: number }
  | { kind: 'all metrics'; id: number; text: string };

export type FromWorker =
  /** The worker is not stuck. */
  | { kind: 'alive' }
  | { kind: 'opened' }
  | Listening
  | WorkerFailure
  | { kind: 'read all metrics'; id: number }
  | { kind: 'metrics'; id: number; text: string };

/** Without `url` a worker does not listen. */
export type Listening = { kind: 'listening'; url?: string; metricsUrl?: string };

export type WorkerFailure = {
  kind: 'failed';
  /** For people; absent for an error without a known sentence. */
  sentence?: string;
  detail: string;
  /** `settings`: another start fails too; `newer schema`: every worker must end. */
  reason: 'settings' | 'newer schema' | 'other';
};
