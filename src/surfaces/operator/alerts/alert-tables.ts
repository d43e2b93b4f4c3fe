import type { Generated } from 'kysely';
import type { ColumnsOf, MaybeInstantColumn } from '../../../platform/db/columns.ts';
import type { AlertNotice } from './alerts.db.ts';
import type { Alert, AlertPhase, AlertWay } from './alerts.ts';

/** Alerts, and the messages about them. */
declare module '../../../platform/db/tables.ts' {
  interface Database {
    alerts: ColumnsOf<Alert>;
    alertNotices: ColumnsOf<AlertNotice> & {
      attempts: Generated<number>;
      state: 'pending' | 'sent' | 'dead';
      lastError: Generated<string | null>;
      nextAttemptAt: MaybeInstantColumn;
      leasedUntil: MaybeInstantColumn;
      sentAt: MaybeInstantColumn;
    };
    alertNoticeItems: { alertId: string; operatorId: string; way: AlertWay; phase: AlertPhase; noticeId: string };
  }
}
