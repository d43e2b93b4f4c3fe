import type { KeyMode } from '../accounts/account.ts';
import type { InstantColumn, MaybeInstantColumn } from '../db/columns.ts';

/** Cards of users, by the token of the gateway that keeps them. */
declare module '../db/tables.ts' {
  interface Database {
    payment_methods: {
      payment_method_id: string;
      account_id: string;
      mode: KeyMode;
      user_id: string;
      user_email: string;
      gateway_token: string;
      brand: string;
      last4: string;
      expiration_month: number;
      expiration_year: number;
      created_at: InstantColumn;
      deleted_at: MaybeInstantColumn;
    };
  }
}
