import type { Generated } from 'kysely';
import type { ColumnsOf, InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { Operator } from './operator.ts';
import type { ConsoleOwner, ConsoleSession } from './sessions.db.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    operators: ColumnsOf<Operator> & {
      onDuty: Generated<boolean>;
      alertWebhookUrl: Generated<string | null>;
      alertWebhookSecret: Generated<string | null>;
    };
    storeStaff: {
      staffId: string;
      storeId: string;
      name: string;
      createdAt: InstantColumn;
      removedAt: MaybeInstantColumn;
    };
    accessCodes: ConsoleOwner & {
      codeHash: Buffer;
      createdAt: InstantColumn;
      expiresAt: MaybeInstantColumn;
      redeemedAt: MaybeInstantColumn;
    };
    consoleSessions: ColumnsOf<Omit<ConsoleSession, 'name' | 'role'>> & {
      tokenHash: Buffer;
      previousHash: Buffer | null;
      revokedAt: MaybeInstantColumn;
    };
    signInLinks: { tokenHash: Buffer; browserHash: Buffer; operatorId: string; expiresAt: InstantColumn };
    signInFailures: { client: string; failures: number; since: InstantColumn };
  }
}
