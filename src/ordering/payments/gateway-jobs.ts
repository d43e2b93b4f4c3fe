import type { JobKind } from '../../platform/jobs/jobs.ts';

/** Reconciles a charge in the gateway's books with its order. `eventId` is an operator's event that lacks its order. */
export const RECONCILE_CHARGE: JobKind<{ chargeId: string; eventId?: string }> = { name: 'reconcile-charge' };

/** Asks the gateway for the outcome of a card page. */
export const RESOLVE_SETUP: JobKind<{ setupId: string; session: string }> = { name: 'resolve-card-setup' };
