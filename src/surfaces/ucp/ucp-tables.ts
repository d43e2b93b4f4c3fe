import type { AgentOrders, KeyMode } from '../../access/accounts/account.ts';
import type { ColumnsOf, InstantColumn, JsonColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { Cart } from './carts.db.ts';
import type { UcpCheckout } from './checkout.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    ucpPlatforms: {
      profileUrl: string;
      accountId: string;
      mode: KeyMode;
      orders: AgentOrders;
      boundAt: InstantColumn;
    };
    ucpCarts: ColumnsOf<Omit<Cart, 'content' | 'changedAt'>> & {
      content: JsonColumn<Cart['content']>;
      changedAt: InstantColumn;
    };
    ucpCheckouts: ColumnsOf<Omit<UcpCheckout, 'input' | 'changedAt'>> & {
      asked: JsonColumn<UcpCheckout['input']>;
      changedAt: InstantColumn;
      /** Until then one request changes the checkout. */
      leasedUntil: MaybeInstantColumn;
    };
  }
}
