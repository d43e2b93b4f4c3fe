import type { Caller } from '../accounts/account.ts';

/** Whose an endpoint and its calls are: an account's sandbox orders', or its live ones'. Neither's keys reach the other. */
export type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** One text for each owner, to tell them apart by; takeDueCalls writes it likewise. */
export function ownerKey({ accountId, mode }: Owner): string {
  return `${accountId} ${mode}`;
}

/** Where the owner is told of its orders' events. */
export type Endpoint = Owner & {
  url: string;
  /** `whsec_…`; stays when the URL is replaced. */
  secret: string;
  /** Off after days of failures, until the account names an endpoint again. */
  enabled: boolean;
};

export type DeliveryState = 'pending' | 'delivered' | 'dead';

/** One call to be made: its id is the same at every attempt. */
export type Delivery = {
  webhookId: string;
  type: string;
  orderId: string | null;
  attempts: number;
  lastStatus: number | null;
  nextAttemptAt: Temporal.Instant | null;
  state: DeliveryState;
};

/** As `deliveries` of GET /account/tracking/webhook and `webhook_deliveries` of `orders show` have it. */
export function presentDelivery(delivery: Delivery) {
  return {
    webhook_id: delivery.webhookId,
    type: delivery.type,
    order_id: delivery.orderId,
    attempts: delivery.attempts,
    last_status: delivery.lastStatus,
    next_attempt_at: delivery.nextAttemptAt?.toString() ?? null,
    state: delivery.state,
  };
}
