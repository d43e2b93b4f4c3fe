import { timeOutOf } from '../orders/follow-ups.ts';
import { type Evening, type Plan, planOf } from './simulated-plan.ts';

type Pace = number | 'manual';

/** The plan of an order; undefined for a live order, and where the sandbox waits for steps by hand. */
export function simulatedPlan(evening: Omit<Evening, 'paceS'>, pace: Pace): Plan | undefined {
  if (evening.order.mode !== 'sandbox' || pace === 'manual') return undefined;
  return planOf({ ...evening, paceS: pace });
}

/** When to look at an order again if no step follows its last step; undefined: never. */
export function nextLookAt(
  evening: Omit<Evening, 'paceS'>,
  pace: Pace,
  now: Temporal.Instant,
): Temporal.Instant | undefined {
  const plan = simulatedPlan(evening, pace);
  const moves = plan?.between.filter((moment) => Temporal.Instant.compare(moment, now) > 0) ?? [];
  return earliest([...moves, plan?.at, timeOutOf(evening.order)]);
}

export function earliest(moments: readonly (Temporal.Instant | undefined)[]): Temporal.Instant | undefined {
  return moments.filter((moment) => moment !== undefined).sort(Temporal.Instant.compare)[0];
}
