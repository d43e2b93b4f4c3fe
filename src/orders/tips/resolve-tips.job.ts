import type { Worker } from '../../jobs/job-queue.ts';
import { LATE_TIP } from '../follow-ups.ts';
import type { OrderDeps } from '../order-deps.ts';
import { resolveTip } from './finish-tip.flow.ts';
import type { TipKey } from './tips.db.ts';

/** Looks for the charge of a tip that was given up, and gives it back. */
export function giveBackLateTips(deps: Pick<OrderDeps, 'clock' | 'db' | 'gateways' | 'jobs' | 'log'>): Worker<TipKey> {
  return { kind: LATE_TIP, retryLimit: 50, concurrency: 2, run: (tip) => resolveTip(deps, tip) };
}
