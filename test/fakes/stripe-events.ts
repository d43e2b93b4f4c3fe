import Stripe from 'stripe';
import { epochSeconds } from '../../src/platform/lib/time.ts';

export type StripeEvent = { id: string; type: string; created: number; data: { object: Record<string, unknown> } };
export type SignedCall = { payload: string; headers: Record<string, string> };

let count = 0;

/** A Stripe webhook event; its object may be older than the books. */
export function stripeEvent(type: string, object: Record<string, unknown>, at: Temporal.Instant): StripeEvent {
  count += 1;
  return { id: `evt_${count}`, type, created: epochSeconds(at), data: { object } };
}

/** The webhook call, signed by Stripe's package. */
export async function signedCall(event: unknown, secret: string, at: Temporal.Instant): Promise<SignedCall> {
  const payload = typeof event === 'string' ? event : JSON.stringify({ object: 'event', ...Object(event) });
  const { webhooks } = Stripe;
  const signature = await webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp: epochSeconds(at) });
  return { payload, headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature } };
}
