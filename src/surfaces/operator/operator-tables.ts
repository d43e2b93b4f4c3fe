import type { GeneratedAlways } from 'kysely';
import type { OperatorAction } from '../../access/sessions/actions.db.ts';
import type { InstantColumn, JsonColumn } from '../../platform/db/columns.ts';

/** Operators' changes. */
declare module '../../platform/db/tables.ts' {
  interface Database {
    operatorActions: {
      actionNo: GeneratedAlways<number>;
      at: InstantColumn;
      sessionId: string;
      action: OperatorAction;
      target: string;
      details: JsonColumn<Readonly<Record<string, unknown>>>;
    };
  }
}
