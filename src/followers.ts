import { type Follower, followWithTimers } from './orders/dispatch-events.flow.ts';

/** Everything that follows from an order's events. */
export const FOLLOWERS: readonly Follower[] = [followWithTimers];
