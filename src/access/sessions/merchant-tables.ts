import type { InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    accessCodes: {
      codeHash: Buffer;
      storeId: string | null;
      accountId: string | null;
      createdAt: InstantColumn;
      expiresAt: InstantColumn;
      redeemedAt: MaybeInstantColumn;
    };
    consoleSessions: {
      sessionId: string;
      storeId: string | null;
      accountId: string | null;
      tokenHash: Buffer;
      previousHash: Buffer | null;
      rotatedAt: InstantColumn;
      device: string;
      createdAt: InstantColumn;
      seenAt: InstantColumn;
      expiresAt: InstantColumn;
      revokedAt: MaybeInstantColumn;
    };
    signInFailures: { client: string; failures: number; since: InstantColumn };
  }
}
