import { Refusal } from '../http/refusal.ts';
import { formatPrice } from '../lib/money.ts';

/**
 * The limit of every amount and intermediate sum of an order: a billion dollars. Doubles hold integers exactly far beyond
 * it, so an amount that binary arithmetic had rounded would exceed the limit and be refused.
 */
export const MAX_ORDER_CENTS = 100_000_000_000;

/** The amount itself; throws Refusal `invalid_request` when it is over the limit in either direction, or no number. */
export function withinOrderLimit(cents: number): number {
  if (Math.abs(cents) <= MAX_ORDER_CENTS) return cents;
  const message = `An amount of this order exceeds ${formatPrice(MAX_ORDER_CENTS)}, the most an order may come to.`;
  throw new Refusal('invalid_request', message, { errors: [{ in: 'body', name: 'items', message }] });
}
