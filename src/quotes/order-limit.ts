import { Refusal } from '../http/refusal.ts';
import { formatPrice } from '../lib/money.ts';

/**
 * No amount of an order, nor a sum on the way to one, may be larger: a billion dollars. It lies far below the integers
 * that a number holds exactly, so an amount that was rounded by binary arithmetic is always over it, and refused.
 */
export const MAX_ORDER_CENTS = 100_000_000_000;

/** The amount itself; throws Refusal `invalid_request` when it is over the limit in either direction, or no number. */
export function withinOrderLimit(cents: number): number {
  if (Math.abs(cents) <= MAX_ORDER_CENTS) return cents;
  const message = `An amount of this order exceeds ${formatPrice(MAX_ORDER_CENTS)}, the most an order may come to.`;
  throw new Refusal('invalid_request', message, { errors: [{ in: 'body', name: 'items', message }] });
}
