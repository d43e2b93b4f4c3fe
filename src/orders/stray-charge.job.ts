import type { Worker } from '../jobs/job-queue.ts';
import { STRAY_CHARGE, type StrayCharge } from './follow-ups.ts';
import type { OrderDeps } from './order-deps.ts';
import { giveBackStray } from './settle-order.flow.ts';

/** Looks for a charge that came after its attempt was given up, and gives it back. */
export function giveBackStrayCharges(deps: Pick<OrderDeps, 'log' | 'db' | 'gateways'>): Worker<StrayCharge> {
  return { kind: STRAY_CHARGE, retryLimit: 50, concurrency: 2, run: (stray) => giveBackStray(deps, stray) };
}
