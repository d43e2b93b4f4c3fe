import type { Caller } from '../../access/accounts/account.ts';
import type { TrackingSite } from '../../access/accounts/tracking-site.ts';
import type { LoggedEvent } from '../../ordering/orders/order-events.db.ts';
import { presentOrder } from '../../ordering/orders/present-order.ts';
import { isoMillis, isoSeconds } from '../../platform/lib/time.ts';

/**
 * The owner of an endpoint and its calls: an account in one key mode. Keys of one mode never reach the other's
 * endpoint.
 */
export type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** The owner's name in the queue (`LeasedQueue`). */
export function ownerKey({ accountId, mode }: Owner): string {
  return `${accountId} ${mode}`;
}

/** Maximum manual calls per minute, for each of test and replay. */
export const WEBHOOK_CALLS_PER_MINUTE = 10;
export const CALLS_PER_MINUTE_SENTENCE = `At most ${WEBHOOK_CALLS_PER_MINUTE} a minute for each account and kind of key.`;

export type Endpoint = Owner & {
  url: string;
  /** `whsec_…`; stays when the URL is replaced. */
  secret: string;
  /** When the previous secret stops signing; null unless a rotation is in progress. */
  previousSecretUntil: Temporal.Instant | null;
  /** False after days of failures, until the account attaches an endpoint again. */
  enabled: boolean;
};

export type CallState = 'pending' | 'delivered' | 'dead';

/** A webhook call. All attempts share its id. */
export type WebhookCall = {
  webhookId: string;
  type: string;
  orderId: string | null;
  attempts: number;
  lastStatus: number | null;
  nextAttemptAt: Temporal.Instant | null;
  state: CallState;
};

/** An element of `deliveries` at GET /account/tracking/webhook and of `webhook_deliveries` in `orders show`. */
export function presentCall(call: WebhookCall) {
  return {
    webhook_id: call.webhookId,
    type: call.type,
    order_id: call.orderId,
    attempts: call.attempts,
    last_status: call.lastStatus,
    next_attempt_at: call.nextAttemptAt && isoSeconds(call.nextAttemptAt),
    state: call.state,
  };
}

export const TEST_TYPE = 'webhook.test';

/** Headers of every call, besides its signature. */
export const CALL_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Doorstep-Webhooks/1' };

/** The body of a webhook call, with the order as it was right after the event (docs/webhooks.md#what-arrives). */
export function webhookBody({ type, at, sequence, order }: LoggedEvent, site: TrackingSite): string {
  return JSON.stringify({
    type,
    timestamp: isoMillis(at),
    data: { sequence, order: presentOrder(order, site) },
  });
}

/** The body of a test call. */
export function testBody(at: Temporal.Instant): string {
  return JSON.stringify({ type: TEST_TYPE, timestamp: isoMillis(at), data: {} });
}
