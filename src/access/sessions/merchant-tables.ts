import type { Generated } from 'kysely';
import type { InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { OperatorRole } from './operator.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    operators: {
      operatorId: string;
      name: string;
      email: string | null;
      phone: string | null;
      role: OperatorRole;
      onDuty: Generated<boolean>;
      alertWebhookUrl: Generated<string | null>;
      alertWebhookSecret: Generated<string | null>;
      createdAt: InstantColumn;
      disabledAt: MaybeInstantColumn;
    };
    storeStaff: {
      staffId: string;
      storeId: string;
      name: string;
      createdAt: InstantColumn;
      removedAt: MaybeInstantColumn;
    };
    accessCodes: {
      codeHash: Buffer;
      storeId: string | null;
      operatorId: string | null;
      accountId: string | null;
      staffId: string | null;
      createdAt: InstantColumn;
      expiresAt: MaybeInstantColumn;
      redeemedAt: MaybeInstantColumn;
    };
    consoleSessions: {
      sessionId: string;
      storeId: string | null;
      operatorId: string | null;
      accountId: string | null;
      staffId: string | null;
      tokenHash: Buffer;
      previousHash: Buffer | null;
      rotatedAt: InstantColumn;
      device: string;
      createdAt: InstantColumn;
      seenAt: InstantColumn;
      expiresAt: InstantColumn;
      revokedAt: MaybeInstantColumn;
    };
    signInLinks: { tokenHash: Buffer; browserHash: Buffer; operatorId: string; expiresAt: InstantColumn };
    signInFailures: { client: string; failures: number; since: InstantColumn };
  }
}
