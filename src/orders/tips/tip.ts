/**
 * `pending` during the call of the gateway, `given_up` when the gateway has no charge of it, `returning` when its charge
 * came too late, until the gateway has given the charge back.
 */
export type TipState = 'pending' | 'charged' | 'declined' | 'given_up' | 'returning' | 'returned';

/** An attempt to raise the tip of a placed order to `tipCents`, by `cents`. */
export type TipAttempt = {
  orderId: string;
  attempt: number;
  tipCents: number;
  cents: number;
  paymentMethodId: string | null;
  state: TipState;
  chargeId: string | null;
  startedAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
};

/** The gateway's key of one attempt; a repeated call with the key never charges twice. */
export function tipKeyOf({ orderId, attempt }: Pick<TipAttempt, 'orderId' | 'attempt'>): string {
  return `${orderId}:tip:${attempt}`;
}
