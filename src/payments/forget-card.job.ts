import type { KeyMode } from '../accounts/account.ts';
import type { Worker } from '../jobs/job-queue.ts';
import { FORGET_CARD } from './forget-card.ts';
import type { Gateways } from './payment-gateway.ts';

/** Deletes a card at the gateway. A second deletion is no error; without a gateway there is nothing to do. */
export function forgetCard({ gateways }: { gateways: Gateways }): Worker<{ token: string; mode: KeyMode }> {
  return {
    kind: FORGET_CARD,
    retryLimit: 10,
    concurrency: 2,
    run: async ({ token, mode }) => gateways[mode]?.deleteCard(token),
  };
}
