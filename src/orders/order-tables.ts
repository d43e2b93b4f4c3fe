import type { ColumnType, Generated } from 'kysely';
import type { KeyMode } from '../accounts/account.ts';
import type { InstantColumn, JsonColumn, MaybeInstantColumn } from '../db/columns.ts';

/** Orders and their event log. */
declare module '../db/tables.ts' {
  interface Database {
    orders: {
      orderId: string;
      accountId: string;
      mode: KeyMode;
      userId: string;
      storeId: string;
      status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
      pickup: boolean;
      request: JsonColumn<unknown>;
      quote: JsonColumn<unknown>;
      totalWithTip: number;
      idempotencyKey: string | null;
      chargeUser: boolean;
      paymentMethodId: string | null;
      chargeState: 'none' | 'pending' | 'charged' | 'declined' | 'refund_pending' | 'refunded';
      chargeAttempt: Generated<number>;
      chargeStartedAt: MaybeInstantColumn;
      chargeId: string | null;
      chargedCents: Generated<number>;
      refundedCents: Generated<number>;
      stockHeld: ColumnType<{ productNo: number; quantity: number }[], string | undefined, string>;
      slotStartsAt: MaybeInstantColumn;
      slotEndsAt: MaybeInstantColumn;
      slotHeld: Generated<boolean>;
      isReady: Generated<boolean>;
      driver: ColumnType<unknown, string | undefined, string>;
      driverStage: Generated<'none' | 'assigned' | 'picked_up' | 'nearby'>;
      cancelReason: string | null;
      eta: MaybeInstantColumn;
      createdAt: InstantColumn;
      placedAt: MaybeInstantColumn;
      confirmBy: MaybeInstantColumn;
      completedAt: MaybeInstantColumn;
      canceledAt: MaybeInstantColumn;
      favorited: Generated<boolean>;
      customerOrderId: string | null;
      lastSequence: Generated<number>;
      requotedAt: MaybeInstantColumn;
    };
    orderEvents: {
      orderId: string;
      sequence: number;
      type: string;
      at: InstantColumn;
      data: JsonColumn<unknown>;
      progress: JsonColumn<unknown>;
      dispatched: Generated<boolean>;
    };
  }
}
