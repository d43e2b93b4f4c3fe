import type { Generated } from 'kysely';
import type { ColumnsOf, InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { PlatformCall } from './platform-calls.db.ts';
import type { Endpoint, Owner, WebhookCall } from './webhook.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    webhookEndpoints: ColumnsOf<Omit<Endpoint, 'previousSecretUntil'>> & {
      previousSecret: Generated<string | null>;
      previousSecretUntil: MaybeInstantColumn;
      failingSince: MaybeInstantColumn;
      updatedAt: InstantColumn;
    };
    webhookCalls: ColumnsOf<WebhookCall & Owner> & {
      sequence: number | null;
      body: string;
      attemptsBefore: Generated<number>;
      lastError: string | null;
      leasedUntil: MaybeInstantColumn;
      createdAt: InstantColumn;
      deliveredAt: MaybeInstantColumn;
    };
    ucpCalls: ColumnsOf<Omit<PlatformCall, 'createdAt'>> & { createdAt: InstantColumn };
  }
}
