import type { SentCount } from '../../load/shared-counters.ts';
import type { Role } from '../../wiring/service-options.ts';

/** What the first process and its workers tell each other. The address of the database is in a message: it holds a password. */
export type ToWorker =
  | StartOrder
  /** Every worker has opened what it needs. */
  | { kind: 'listen' }
  | { kind: 'stop' }
  | { kind: 'numbers'; from: number; told: readonly SentCount[] }
  /** A worker has ended. */
  | { kind: 'gone'; from: number }
  /** A worker is new, and knows no numbers. */
  | { kind: 'tell all' }
  | { kind: 'read metrics'; id: number }
  | { kind: 'all metrics'; id: number; text: string };

export type StartOrder = {
  kind: 'start';
  connectionString: string;
  role: Role;
  number: number;
  count: number;
  /** Whether the worker takes the place of one that ended: it listens by itself, once its index is loaded. */
  isReplacement: boolean;
};

export type FromWorker =
  /** The worker is not stuck. */
  | { kind: 'alive' }
  | { kind: 'opened' }
  | Listening
  | WorkerFailure
  | { kind: 'numbers'; told: SentCount[] }
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
