import type { Generated } from 'kysely';
import type { InstantColumn, MaybeInstantColumn } from '../../../platform/db/columns.ts';

/** The outcome of a card's first charge. */
export type CardStatus = 'succeeded' | 'declined' | 'waiting' | 'to_collect';
/** A waiting charge becomes `approved` by its customer, and `succeeded` when it is charged again. */
export type ChargeStatus = CardStatus | 'authorized' | 'approved' | 'canceled';

declare module '../../../platform/db/tables.ts' {
  interface Database {
    sandboxGatewayCards: {
      token: string;
      brand: string;
      last4: string;
      chargeStatus: CardStatus;
      declineCode: string | null;
      losesAnswer: boolean;
      createdAt: InstantColumn;
    };
    sandboxGatewayCharges: {
      chargeId: string;
      idempotencyKey: string;
      orderId: string;
      cardToken: string;
      /** The amount charged, or to be charged. */
      amount: number;
      /** For a hold: the amount that the card held at first, and its expiry. */
      authorizedAmount: number | null;
      captureBefore: MaybeInstantColumn;
      currency: 'usd' | 'cad';
      refundedAmount: Generated<number>;
      status: ChargeStatus;
      link: string | null;
      returnUrl: string | null;
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
