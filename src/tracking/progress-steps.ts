import { firstName } from '../lib/text/first-name.ts';
import { type TrackedOrder, tookStepAt } from './tracked-order.ts';

/** A step of the way. `done` ones have their time, in epoch seconds, where it was recorded. */
export type ProgressStep = {
  label: string;
  state: 'done' | 'current' | 'next' | 'canceled';
  epochS: number | undefined;
};

type Milestone = { next: string; current: string; done: string; epochS: number | undefined };

/** The way of a delivery or of a pickup: what has been, where the order is now, what comes. A canceled one stops there. */
export function progressSteps(tracked: TrackedOrder): ProgressStep[] {
  const { order } = tracked;
  const milestones = order.request.mode === 'pickup' ? pickupMilestones(tracked) : deliveryMilestones(tracked);
  const reached = milestones.findLastIndex(({ epochS }) => epochS !== undefined);
  const steps = milestones.map(({ next, current, done, epochS }, index): ProgressStep => {
    if (index <= reached) return { label: done, state: 'done', epochS };
    return index === reached + 1
      ? { label: current, state: 'current', epochS: undefined }
      : { label: next, state: 'next', epochS: undefined };
  });
  if (order.status !== 'canceled') return steps;
  const canceledAt = tookStepAt(tracked, 'order.canceled');
  const refundedAt = tookStepAt(tracked, 'order.refunded');
  return [
    ...steps.slice(0, reached + 1),
    { label: 'Canceled', state: 'canceled', epochS: canceledAt },
    ...(refundedAt === undefined ? [] : [{ label: 'Refunded', state: 'done' as const, epochS: refundedAt }]),
  ];
}

function firstMilestones(tracked: TrackedOrder): Milestone[] {
  const store = tracked.order.quote.store.name;
  return [
    {
      next: 'Order placed',
      current: 'Order placed',
      done: 'Order placed',
      epochS: tookStepAt(tracked, 'order.placed'),
    },
    {
      next: 'Confirmed',
      current: `Waiting for ${store}`,
      done: `Confirmed by ${store}`,
      epochS: tookStepAt(tracked, 'order.confirmed'),
    },
  ];
}

function pickupMilestones(tracked: TrackedOrder): Milestone[] {
  const completedAt = tookStepAt(tracked, 'order.completed');
  return [
    ...firstMilestones(tracked),
    {
      next: 'Ready for pickup',
      current: 'Being prepared',
      done: 'Ready for pickup',
      epochS: tookStepAt(tracked, 'order.ready'),
    },
    { next: 'Picked up', current: 'Waiting for you', done: 'Picked up', epochS: completedAt },
  ];
}

function deliveryMilestones(tracked: TrackedOrder): Milestone[] {
  const driver = firstName(tracked.order.driver.name ?? '');
  const nearbyAt = tookStepAt(tracked, 'order.driver_nearby');
  return [
    ...firstMilestones(tracked),
    {
      next: 'Picked up by a driver',
      current: tracked.order.isReady ? 'Ready, waiting for a driver' : 'Being prepared',
      done: driver ? `Picked up by ${driver}` : 'Picked up by a driver',
      epochS: tookStepAt(tracked, 'order.picked_up'),
    },
    {
      next: 'On the way',
      current: 'On the way',
      done: nearbyAt === undefined ? 'On the way' : 'Close to you',
      epochS: nearbyAt,
    },
    { next: 'Delivered', current: 'Arriving now', done: 'Delivered', epochS: tookStepAt(tracked, 'order.completed') },
  ];
}
