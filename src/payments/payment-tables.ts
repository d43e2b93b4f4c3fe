import type { KeyMode } from '../accounts/account.ts';
import type { InstantColumn, MaybeInstantColumn } from '../db/columns.ts';
import type { CardBrand } from './card-brand.ts';

/** Cards of users, by the token of the gateway that keeps them. */
declare module '../db/tables.ts' {
  interface Database {
    paymentMethods: {
      paymentMethodId: string;
      accountId: string;
      mode: KeyMode;
      userId: string;
      userEmail: string;
      gatewayToken: string;
      brand: CardBrand;
      last4: string;
      expirationMonth: number;
      expirationYear: number;
      createdAt: InstantColumn;
      deletedAt: MaybeInstantColumn;
    };
  }
}
