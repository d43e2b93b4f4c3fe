import type { JobKind } from '../jobs/jobs.ts';

/** Tells an account that its endpoint is called no more; `at` is when it was switched off, ISO 8601. */
export const WEBHOOK_SWITCHED_OFF: JobKind<{ accountId: string; at: string }> = { name: 'webhook-switched-off' };
