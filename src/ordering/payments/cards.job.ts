import type { KeyMode } from '../../access/accounts/account.ts';
import type { Context } from '../../platform/db/context.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { RESOLVE_SETUP } from './gateway-jobs.ts';
import type { Gateways } from './payment-gateway.ts';
import { resolveCardSetup } from './save-card.flow.ts';

/** Deletes a card at the gateway after its payment method was deleted. */
export const FORGET_CARD: JobKind<{ token: string; mode: KeyMode }> = { name: 'forget-card' };

/** Deletes a card at the gateway. A second deletion is no error; without a gateway there is nothing to do. */
export function forgetCard({ gateways }: { gateways: Gateways }): Worker<{ token: string; mode: KeyMode }> {
  return { kind: FORGET_CARD, concurrency: 2, run: async ({ token, mode }) => gateways[mode]?.deleteCard(token) };
}

type ResolveDeps = Context & { gateways: Gateways };

/** Stores the card of a setup page that the gateway's webhook reported, because the customer may never return. */
export function resolveSetups(deps: ResolveDeps): Worker<{ setupId: string; session: string }> {
  return {
    kind: RESOLVE_SETUP,
    concurrency: 2,
    run: async ({ setupId, session }) => {
      await resolveCardSetup(deps, setupId, session);
    },
  };
}
