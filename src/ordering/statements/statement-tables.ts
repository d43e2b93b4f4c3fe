import type { KeyMode } from '../../access/accounts/account.ts';
import type { InstantColumn, JsonColumn } from '../../platform/db/columns.ts';
import type { LedgerEntry, LedgerState } from './ledger-entry.ts';
import type { StatementTerms } from './terms.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    storeTerms: StatementTerms & { storeId: string; since: InstantColumn };
    ledgerOrders: {
      orderId: string;
      storeId: string;
      accountId: string;
      mode: KeyMode;
      orderNumber: string;
      lastSequence: number;
      state: JsonColumn<LedgerState>;
      driverName: string | null;
      driverPhone: number | null;
      deliveredOn: string | null;
    };
    ledgerEntries: LedgerEntry & {
      orderId: string;
      sequence: number;
      storeId: string;
      accountId: string;
      mode: KeyMode;
      month: string;
      date: string;
      at: InstantColumn;
      isCorrection: boolean;
    };
    closedMonths: { month: string; closedAt: InstantColumn };
  }
}
