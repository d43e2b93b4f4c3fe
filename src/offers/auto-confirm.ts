import type { JobKind } from '../jobs/jobs.ts';

/** Confirms an order of a store without a screen, with these minutes of preparation. */
export const AUTO_CONFIRM: JobKind<{ orderId: string; minutes: number }> = { name: 'auto-confirm-order' };
