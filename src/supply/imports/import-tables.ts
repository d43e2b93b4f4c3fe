import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { FormatName } from './formats.ts';
import type { ImportCounts, ImportFault } from './import-result.ts';

/** A jsonb column with a default. */
type DefaultedJson<T> = ColumnType<T, string | undefined, string>;

declare module '../../platform/db/tables.ts' {
  interface Database {
    importRuns: {
      runNo: GeneratedAlways<number>;
      source: string;
      format: FormatName;
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
