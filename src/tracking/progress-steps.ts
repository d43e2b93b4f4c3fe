import { isYetToStart } from '../deliveries/kitchen-times.ts';
import { rangeInWords } from '../messages/when.ts';
import { zoneOf } from './clock-words.ts';
import { type TrackedOrder, tookStepAt } from './tracked-order.ts';

/** A step of the way. Reached ones have their time, in epoch seconds, where it was recorded. */
export type ProgressStep = {
  label: string;
  state: 'done' | 'current' | 'next' | 'canceled';
  epochS: number | undefined;
};

type Milestone = { label: string; epochS?: number | undefined; isReached?: boolean };

/**
 * The steps of a delivery or of a pickup: done, current and next. Steps and labels stay the same from placing to the end. A
 * canceled order stops where it was.
 */
export function progressSteps(tracked: TrackedOrder, now: Temporal.Instant): ProgressStep[] {
  const { status } = tracked.order;
  const milestones = milestonesOf(tracked, now);
  if (status === 'canceled') return stepsUntilCanceled(tracked, milestones);
  const reached = milestones.findLastIndex(({ epochS, isReached }) => isReached || epochS !== undefined);
  const doneUntil = status === 'completed' ? reached + 1 : reached;
  return milestones.map(({ label, epochS }, index) => {
    const comes = index === reached ? 'current' : 'next';
    return { label, epochS, state: index < doneUntil ? 'done' : comes };
  });
}

function milestonesOf(tracked: TrackedOrder, now: Temporal.Instant): Milestone[] {
  const { order } = tracked;
  const { store, scheduled } = order.quote;
  const at = (type: Parameters<typeof tookStepAt>[1]) => tookStepAt(tracked, type);
  const isConfirmed = at('order.confirmed') !== undefined;
  const isPickup = order.request.mode === 'pickup';
  const window = scheduled && {
    label: `Scheduled for ${rangeInWords(scheduled, zoneOf(order), now)}`,
    isReached: isConfirmed,
  };
  return [
    { label: 'Order placed', epochS: at('order.placed') },
    { label: `Confirmed by ${store.name}`, epochS: at('order.confirmed') },
    ...(window ? [window] : []),
    { label: 'Preparing', isReached: isConfirmed && !isYetToStart(order, now) },
    { label: isPickup ? 'Ready for pickup' : 'Ready', epochS: at('order.ready') },
    ...(isPickup ? [] : [{ label: 'On the way', epochS: at('order.picked_up') }]),
    { label: isPickup ? 'Picked up' : 'Delivered', epochS: at('order.completed') },
  ];
}

/** The steps with a time, then the cancelation and its refund. */
function stepsUntilCanceled(tracked: TrackedOrder, milestones: readonly Milestone[]): ProgressStep[] {
  const refundedAt = tookStepAt(tracked, 'order.refunded');
  return [
    ...milestones
      .filter(({ epochS }) => epochS !== undefined)
      .map(({ label, epochS }): ProgressStep => ({ label, state: 'done', epochS })),
    { label: 'Canceled', state: 'canceled', epochS: tookStepAt(tracked, 'order.canceled') },
    ...(refundedAt === undefined ? [] : [{ label: 'Refunded', state: 'done' as const, epochS: refundedAt }]),
  ];
}
