import { followWithMessages } from './messages/follow-with-messages.flow.ts';
import { type Follower, followWithTimers } from './orders/dispatch-events.flow.ts';
import { followWithWebhooks } from './webhooks/follow-with-webhooks.flow.ts';

/** Everything that follows from an order's events. */
export const FOLLOWERS: readonly Follower[] = [followWithTimers, followWithMessages, followWithWebhooks];
