import type { Caller } from '../accounts/account.ts';
import type { Order } from './order.ts';

/** Whether an order belongs to the caller: an order of another account, or of the other key mode, is unknown to it. */
export function isOrderOf({ accountId, mode }: Pick<Order, 'accountId' | 'mode'>, caller: Caller): boolean {
  return accountId === caller.accountId && mode === caller.mode;
}
