import type { InstantColumn, JsonColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { EventKey } from '../order/order-events.db.ts';
import type { TaxLine } from '../order/tax-lines.ts';
import type { LedgerOrder, WrittenEntry } from './ledger.db.ts';
import type { LedgerState } from './ledger-entry.ts';
import type { StatementTerms } from './terms.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    storeTerms: StatementTerms & { storeId: string; since: InstantColumn };
    ledgerOrders: Omit<LedgerOrder, 'state'> & {
      state: JsonColumn<LedgerState>;
      driverName: string | null;
      driverPhone: number | null;
      deliveredOn: string | null;
      unwrittenSince: MaybeInstantColumn;
      writeError: string | null;
    };
    ledgerEntries: Omit<WrittenEntry, 'at' | 'taxLines'> & {
      at: InstantColumn;
      taxLines: JsonColumn<readonly TaxLine[]>;
    };
    taxRecords: EventKey & { record: string | null };
    closedMonths: { month: string; closedAt: InstantColumn };
  }
}
