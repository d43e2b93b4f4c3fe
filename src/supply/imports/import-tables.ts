import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { InstantColumn, JsonColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { ImportCounts, ImportFault } from './import-result.ts';

/** An operator's entry of a store: a store line of docs/feeds.md without `external_id` and menu. */
export type ManualLine = Readonly<Record<string, unknown>>;

/** A jsonb column with a default. */
type DefaultedJson<T> = ColumnType<T, string | undefined, string>;

declare module '../../platform/db/tables.ts' {
  interface Database {
    manualStores: { storeId: string; line: JsonColumn<ManualLine> };
    importRuns: {
      runNo: GeneratedAlways<number>;
      source: string;
      format: string;
      startedAt: InstantColumn;
      finishedAt: MaybeInstantColumn;
      counts: DefaultedJson<ImportCounts>;
      errorCount: Generated<number>;
      warningCount: Generated<number>;
      errors: DefaultedJson<readonly ImportFault[]>;
      warnings: DefaultedJson<readonly ImportFault[]>;
    };
  }
}
