import type { Order } from '../orders/order.ts';

/**
 * Whether somebody at the store can know of the order: a channel has it, or the store has answered. The store of a sandbox
 * order is simulated and knows at once.
 */
export function isWithStore({ mode, receivedAt, status }: Pick<Order, 'mode' | 'receivedAt' | 'status'>): boolean {
  return mode === 'sandbox' || receivedAt !== null || status === 'in_progress' || status === 'completed';
}
