import type { Generated } from 'kysely';
import type { KeyMode } from '../accounts/account.ts';
import type { InstantColumn, MaybeInstantColumn } from '../db/columns.ts';
import type { DeliveryState } from './webhook.ts';

/** Endpoints of accounts, and the queue of calls to them. */
declare module '../db/tables.ts' {
  interface Database {
    webhookEndpoints: {
      accountId: string;
      mode: KeyMode;
      url: string;
      secret: string;
      enabled: boolean;
      failingSince: MaybeInstantColumn;
      updatedAt: InstantColumn;
    };
    webhookDeliveries: {
      webhookId: string;
      accountId: string;
      mode: KeyMode;
      orderId: string | null;
      sequence: number | null;
      type: string;
      body: string;
      state: DeliveryState;
      attempts: Generated<number>;
      attemptsBefore: Generated<number>;
      lastStatus: number | null;
      lastError: string | null;
      nextAttemptAt: MaybeInstantColumn;
      leasedUntil: MaybeInstantColumn;
      createdAt: InstantColumn;
      deliveredAt: MaybeInstantColumn;
    };
  }
}
