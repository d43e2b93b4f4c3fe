import type { Generated } from 'kysely';
import type { InstantColumn } from '../../db/columns.ts';

/** The books of the sandbox gateway. */
declare module '../../db/tables.ts' {
  interface Database {
    sandboxGatewayCards: {
      token: string;
      brand: string;
      last4: string;
      chargeStatus: 'succeeded' | 'declined';
      declineCode: string | null;
      losesAnswer: boolean;
      createdAt: InstantColumn;
    };
    sandboxGatewayCharges: {
      chargeId: string;
      idempotencyKey: string;
      orderId: string;
      cardToken: string;
      amount: number;
      currency: 'usd' | 'cad';
      refundedAmount: Generated<number>;
      status: 'succeeded' | 'declined';
      declineCode: string | null;
      createdAt: InstantColumn;
    };
    sandboxGatewayRefunds: {
      idempotencyKey: string;
      refundId: string;
      chargeId: string;
      amount: number;
      createdAt: InstantColumn;
    };
  }
}
