import type { ColumnType, Generated } from 'kysely';
import type { KeyMode } from '../accounts/account.ts';
import type { InstantColumn, JsonColumn, MaybeInstantColumn } from '../db/columns.ts';

/** Orders and their event log. */
declare module '../db/tables.ts' {
  interface Database {
    orders: {
      order_id: string;
      account_id: string;
      mode: KeyMode;
      user_id: string;
      store_id: string;
      status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
      pickup: boolean;
      request: JsonColumn<unknown>;
      quote: JsonColumn<unknown>;
      total_with_tip: number;
      idempotency_key: string | null;
      charge_user: boolean;
      payment_method_id: string | null;
      charge_state: 'none' | 'pending' | 'charged' | 'declined' | 'refund_pending' | 'refunded';
      charge_attempt: Generated<number>;
      charge_started_at: MaybeInstantColumn;
      charge_id: string | null;
      charged_cents: Generated<number>;
      refunded_cents: Generated<number>;
      stock_held: ColumnType<{ productNo: number; quantity: number }[], string | undefined, string>;
      slot_starts_at: MaybeInstantColumn;
      slot_ends_at: MaybeInstantColumn;
      slot_held: Generated<boolean>;
      is_ready: Generated<boolean>;
      driver: ColumnType<unknown, string | undefined, string>;
      driver_stage: Generated<'none' | 'assigned' | 'picked_up' | 'nearby'>;
      cancel_reason: string | null;
      eta: MaybeInstantColumn;
      created_at: InstantColumn;
      placed_at: MaybeInstantColumn;
      confirm_by: MaybeInstantColumn;
      completed_at: MaybeInstantColumn;
      canceled_at: MaybeInstantColumn;
      favorited: Generated<boolean>;
      customer_order_id: string | null;
      last_sequence: Generated<number>;
      requoted_at: MaybeInstantColumn;
    };
    order_events: {
      order_id: string;
      sequence: number;
      type: string;
      at: InstantColumn;
      data: JsonColumn<unknown>;
      progress: JsonColumn<unknown>;
      dispatched: Generated<boolean>;
    };
  }
}
