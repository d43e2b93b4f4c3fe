import type { Generated } from 'kysely';
import type { BudgetKind } from '../config.ts';
import type { InstantColumn, MaybeInstantColumn } from '../db/columns.ts';
import type { KeyMode } from './account.ts';
import type { ExtraChannels } from './branding.ts';
import type { LimitKind } from './budgets/budget.ts';

/** Accounts, their keys, the stored answers of idempotent requests, and brandings. */
declare module '../db/tables.ts' {
  interface Database {
    accounts: { accountId: string; name: string; createdAt: InstantColumn; negativeMarkup: Generated<boolean> };
    apiKeys: {
      keyId: string;
      /** Null for a live key of a store. */
      accountId: string | null;
      storeId: string | null;
      mode: KeyMode;
      keyHash: Buffer;
      hint: string;
      createdAt: InstantColumn;
      revokedAt: MaybeInstantColumn;
    };
    idempotencyKeys: {
      accountId: string;
      mode: KeyMode;
      key: string;
      fingerprint: Buffer;
      state: 'running' | 'done';
      attempt: Generated<number>;
      startedAt: InstantColumn;
      status: number | null;
      contentType: string | null;
      body: string | null;
    };
    brandings: {
      accountId: string;
      displayName: string | null;
      logoUrl: string | null;
      fromAddress: string | null;
      bccAddress: string | null;
      favicon: Buffer | null;
      faviconType: string | null;
      trackingHost: string | null;
      trackingHostVerifiedAt: MaybeInstantColumn;
      trackingHostCheckedAt: MaybeInstantColumn;
      color: string | null;
      helpUrl: string | null;
      helpEmail: string | null;
      helpPhone: string | null;
      customerCancel: Generated<boolean>;
      reorderUrl: string | null;
      onItsWay: Generated<ExtraChannels>;
      delivered: Generated<ExtraChannels>;
      updatedAt: InstantColumn;
    };
    /** The limits that operators set for accounts, and what accounts have used of their budgets. */
    accountLimits: { accountId: string; kind: LimitKind; max: number };
    budgetUse: {
      accountId: string;
      mode: KeyMode;
      kind: BudgetKind;
      day: string;
      used: number;
      bytes: Generated<number>;
      granted: Generated<number>;
    };
  }
}
