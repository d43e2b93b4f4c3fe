import { Refusal } from '../http/refusal.ts';

/** The refusal of an unknown order; an order of another account gets the same refusal. */
export function orderNotFound(): Refusal {
  return new Refusal('order_not_found', 'There is no such order.');
}
