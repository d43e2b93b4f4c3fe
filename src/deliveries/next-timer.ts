import { timeOutOf } from '../orders/follow-ups.ts';
import { type Plan, planOf, type SimulationInput } from './simulated-plan.ts';

type Pace = number | 'manual';

/** The plan of an order; undefined for a live order, and where the sandbox waits for steps by hand. */
export function simulatedPlan(input: Omit<SimulationInput, 'paceS'>, pace: Pace): Plan | undefined {
  if (input.order.mode !== 'sandbox' || pace === 'manual') return undefined;
  return planOf({ ...input, paceS: pace });
}

/** When the order's next timer runs, unless another step comes first; undefined without one. */
export function nextTimerAt(
  input: Omit<SimulationInput, 'paceS'>,
  pace: Pace,
  now: Temporal.Instant,
): Temporal.Instant | undefined {
  const plan = simulatedPlan(input, pace);
  const moves = plan?.between.filter((moment) => Temporal.Instant.compare(moment, now) > 0) ?? [];
  return earliest([...moves, plan?.at, timeOutOf(input.order)]);
}

export function earliest(moments: readonly (Temporal.Instant | undefined)[]): Temporal.Instant | undefined {
  return moments.filter((moment) => moment !== undefined).sort(Temporal.Instant.compare)[0];
}
