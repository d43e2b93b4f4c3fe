import type { Generated } from 'kysely';
import type { InstantColumn } from '../../db/columns.ts';

/** The books of the sandbox gateway. */
declare module '../../db/tables.ts' {
  interface Database {
    sandbox_gateway_cards: {
      token: string;
      brand: string;
      last4: string;
      charge_status: 'succeeded' | 'declined';
      decline_code: string | null;
      loses_answer: boolean;
      created_at: InstantColumn;
    };
    sandbox_gateway_charges: {
      charge_id: string;
      idempotency_key: string;
      order_id: string;
      card_token: string;
      amount: number;
      currency: 'usd' | 'cad';
      refunded_amount: Generated<number>;
      status: 'succeeded' | 'declined';
      decline_code: string | null;
      created_at: InstantColumn;
    };
    sandbox_gateway_refunds: {
      idempotency_key: string;
      refund_id: string;
      charge_id: string;
      amount: number;
      created_at: InstantColumn;
    };
  }
}
