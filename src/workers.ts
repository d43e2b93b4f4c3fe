import { purgeIdempotencyKeys } from './accounts/purge-idempotency-keys.job.ts';
import type { Deps } from './deps.ts';
import type { Worker } from './jobs/boss.ts';

/** Every background task of the service. */
export function workersOf(deps: Deps): Worker<never>[] {
  return [purgeIdempotencyKeys(deps)] as Worker<never>[];
}
