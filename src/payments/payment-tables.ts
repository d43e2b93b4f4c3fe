import type { Caller } from '../accounts/account.ts';
import type { ColumnsOf, InstantColumn, MaybeInstantColumn } from '../db/columns.ts';
import type { PaymentMethod } from './payment-method.ts';

/** Cards of users, by the token of the gateway that keeps them. */
declare module '../db/tables.ts' {
  interface Database {
    paymentMethods: ColumnsOf<PaymentMethod & Pick<Caller, 'accountId' | 'mode'>> & {
      userEmail: string;
      createdAt: InstantColumn;
      deletedAt: MaybeInstantColumn;
    };
  }
}
