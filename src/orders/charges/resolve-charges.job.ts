import type { Worker } from '../../jobs/job-queue.ts';
import { RECONCILE_CHARGE } from '../../payments/payment-gateway.ts';
import { LATE_CHARGE, type LateCharge } from '../charge-order.flow.ts';
import { LATE_TIP, RESOLVE_CHARGE } from '../follow-ups.ts';
import type { OrderDeps, ResolveChargeDeps } from '../order-deps.ts';
import { findUnresolvedOrders, type UnresolvedOrder } from '../orders.db.ts';
import { findUnfinishedRefunds } from '../refunds/refunds.db.ts';
import { giveBackLateCharge, LEFT_ALONE_AFTER_SECONDS, resolveCharge } from '../resolve-charge.flow.ts';
import { resolveTip } from '../tips/finish-tip.flow.ts';
import type { TipAttempt } from '../tips/tip.ts';
import { findUnresolvedTips, type TipKey } from '../tips/tips.db.ts';
import { reconcileCharge } from './reconcile-charge.flow.ts';

/** Charges resolved at the same time; few, because a silent gateway must not take the pool from the requests. */
const BATCH = 8;

type ResolveDeps = ResolveChargeDeps;

/** Every minute, and when a service starts: each charge and refund that a crash or a silent gateway left on the way. */
export function resolveLeftCharges(deps: ResolveDeps & Pick<OrderDeps, 'log'>): Worker<object> {
  return {
    kind: { name: 'resolve-order-charges' },
    concurrency: 1,
    everyMinutes: '* * * * *',
    atStart: true,
    run: async () => {
      const before = deps.clock.now().subtract({ seconds: LEFT_ALONE_AFTER_SECONDS });
      let last: UnresolvedOrder | undefined;
      do {
        // Continue after the last batch: an order that cannot be resolved does not delay later orders.
        const batch: UnresolvedOrder[] = await findUnresolvedOrders(deps.db, { before, after: last, limit: BATCH });
        await Promise.all(batch.map(({ orderId }) => tryResolving(deps, orderId)));
        last = batch.at(-1);
      } while (last);
      await resolveLeftRefunds(deps, before);
      await resolveLeftTips(deps, before);
    },
  };
}

/** Refunds that no event has led to the gateway, or that the gateway has not answered. */
async function resolveLeftRefunds(deps: ResolveDeps & Pick<OrderDeps, 'log'>, before: Temporal.Instant): Promise<void> {
  let after: string | undefined = '';
  while (after !== undefined) {
    const orderIds: string[] = await findUnfinishedRefunds(deps.db, { before, after, limit: BATCH });
    await Promise.all(orderIds.map((orderId) => tryResolving(deps, orderId)));
    after = orderIds.at(-1);
  }
}

/** Tips whose process died, or whose gateway is slow. */
async function resolveLeftTips(deps: ResolveDeps & Pick<OrderDeps, 'log'>, before: Temporal.Instant): Promise<void> {
  let after: string | undefined = '';
  while (after !== undefined) {
    const tips: TipAttempt[] = await findUnresolvedTips(deps.db, { before, after, limit: BATCH });
    const tryTip = (tip: TipAttempt) =>
      resolveTip(deps, tip).catch((error) => {
        deps.log.warn({ err: error, orderId: tip.orderId }, 'tip not resolved yet');
      });
    await Promise.all(tips.map(tryTip));
    after = tips.at(-1)?.orderId;
  }
}

async function tryResolving(deps: ResolveDeps & Pick<OrderDeps, 'log'>, orderId: string): Promise<void> {
  await resolveCharge(deps, orderId).catch((error) => {
    deps.log.warn({ err: error, orderId }, 'charge not resolved yet');
  });
}

/** Makes the booked refunds of an order; retried until the gateway has made them. */
export function resolveOneCharge(deps: ResolveDeps): Worker<{ orderId: string }> {
  return {
    kind: RESOLVE_CHARGE,
    concurrency: 4,
    run: async ({ orderId }) => {
      await resolveCharge(deps, orderId);
    },
  };
}

/** Looks for a charge that came after its attempt was given up, and gives it back. */
export function giveBackLateCharges(deps: Pick<OrderDeps, 'log' | 'db' | 'gateways'>): Worker<LateCharge> {
  return { kind: LATE_CHARGE, concurrency: 2, run: (late) => giveBackLateCharge(deps, late) };
}

/** Compares a charge with its order, after the gateway has told of an event. */
export function reconcileCharges(
  deps: ResolveDeps & Pick<OrderDeps, 'log'>,
): Worker<{ chargeId: string; eventId?: string }> {
  return { kind: RECONCILE_CHARGE, concurrency: 2, run: (event) => reconcileCharge(deps, event) };
}

/** Looks for the charge of a tip that was given up, and gives it back. */
export function giveBackLateTips(deps: Pick<OrderDeps, 'clock' | 'db' | 'gateways' | 'jobs' | 'log'>): Worker<TipKey> {
  return { kind: LATE_TIP, concurrency: 2, run: (tip) => resolveTip(deps, tip) };
}
