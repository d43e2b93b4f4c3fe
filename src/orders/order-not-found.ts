import { Refusal } from '../http/refusal.ts';

/** Another account's order is answered exactly as one that does not exist. */
export function orderNotFound(): Refusal {
  return new Refusal('order_not_found', 'There is no such order.');
}
