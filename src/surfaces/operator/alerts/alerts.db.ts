import { sql as raw } from 'kysely';
import { insertLetters, letterTable } from '../../../notify/outbox/letters.db.ts';
import type { Sql } from '../../../platform/db/connect.ts';
import type { Alert, AlertPhase, AlertWay, DutyOperator } from './alerts.ts';

/** Alerts and their notices. One pass at a time changes them, on whichever node. */

/** Serializes passes: a node that waits here reads the conditions after the pass before has committed. */
export async function lockAlerts(tx: Sql): Promise<void> {
  await raw`lock table alerts in share row exclusive mode`.execute(tx);
}

/** Alerts that have not ended, those not opened yet included, newest first. */
export async function listUnderWay(sql: Sql): Promise<Alert[]> {
  return sql.selectFrom('alerts').selectAll().where('endedAt', 'is', null).orderBy('openedAt', 'desc').execute();
}

/** Open alerts by kind; a kind without any is absent. */
export async function countOpenAlerts(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const { rows } = await raw<{ kind: string; open: number }>`
    select kind, count(*)::int as open from alerts
    where opened_at is not null and ended_at is null group by kind`.execute(sql);
  return new Map(rows.map(({ kind, open }) => [kind, open]));
}

export async function listEnded(sql: Sql, limit: number): Promise<Alert[]> {
  const query = sql.selectFrom('alerts').selectAll().where('endedAt', 'is not', null);
  return query.orderBy('endedAt', 'desc').limit(limit).execute();
}

const text = (moment: Temporal.Instant | null) => moment?.toString() ?? null;

/** Writes an alert with its progress. */
export async function saveAlert(tx: Sql, alert: Alert): Promise<void> {
  const { seenSince, openedAt, clearSince, endedAt, acknowledgedAt, title } = alert;
  const progress = { title, openedAt: text(openedAt), clearSince: text(clearSince), endedAt: text(endedAt) };
  await tx
    .insertInto('alerts')
    .values({ ...alert, ...progress, seenSince: seenSince.toString(), acknowledgedAt: text(acknowledgedAt) })
    .onConflict((conflict) => conflict.column('alertId').doUpdateSet(progress))
    .execute();
}

/** Deletes alerts that never opened. */
export async function deleteAlerts(tx: Sql, alertIds: readonly string[]): Promise<void> {
  if (alertIds.length > 0) await tx.deleteFrom('alerts').where('alertId', 'in', alertIds).execute();
}

/** Acknowledges an open alert; false if there is none, or someone was faster. */
export async function acknowledgeAlert(tx: Sql, alertId: string, by: string, at: Temporal.Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('alerts')
    .set({ acknowledgedAt: at.toString(), acknowledgedBy: by })
    .where('alertId', '=', alertId)
    .where('openedAt', 'is not', null)
    .where('acknowledgedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const OPERATOR = ['operatorId', 'name', 'email', 'phone', 'alertWebhookUrl'] as const;

/** Operators on duty, and administrators. */
export async function listDuty(sql: Sql): Promise<(DutyOperator & { onDuty: boolean })[]> {
  return sql
    .selectFrom('operators')
    .select([...OPERATOR, 'onDuty'])
    .where((eb) => eb.or([eb('onDuty', '=', true), eb('role', '=', 'admin')]))
    .where('disabledAt', 'is', null)
    .orderBy('name')
    .orderBy('operatorId')
    .execute();
}

export async function findDuty(sql: Sql, operatorId: string) {
  const query = sql.selectFrom('operators').select([...OPERATOR, 'onDuty']);
  return query.where('operatorId', '=', operatorId).executeTakeFirst();
}

export async function saveDuty(
  tx: Sql,
  operatorId: string,
  duty: { onDuty: boolean } | { alertWebhookUrl: string | null; alertWebhookSecret: string | null },
): Promise<void> {
  await tx.updateTable('operators').set(duty).where('operatorId', '=', operatorId).execute();
}

/** The notice that an operator got of an alert, and by which channel. */
export type SentAlert = { alertId: string; operatorId: string; way: AlertWay; phase: AlertPhase };

export async function listSentAlerts(sql: Sql, alertIds: readonly string[]): Promise<SentAlert[]> {
  if (alertIds.length === 0) return [];
  const query = sql.selectFrom('alertNoticeItems').select(['alertId', 'operatorId', 'way', 'phase']);
  return query.where('alertId', 'in', alertIds).execute();
}

/** A letter to one operator by one way; `createdAt` is when it was first due. */
export type AlertNotice = {
  noticeId: string;
  operatorId: string;
  way: AlertWay;
  phase: AlertPhase;
  createdAt: Temporal.Instant;
};

/** Queues a notice about alerts, due at once. */
export async function insertNotice(tx: Sql, notice: AlertNotice, alertIds: readonly string[]): Promise<void> {
  const { noticeId, operatorId, way, phase, createdAt } = notice;
  await insertLetters(tx, ALERT_NOTICES, [{ ...notice, state: 'pending', nextAttemptAt: createdAt }]);
  const items = alertIds.map((alertId) => ({ alertId, operatorId, way, phase, noticeId }));
  await tx.insertInto('alertNoticeItems').values(items).execute();
}

/** Notices by operator and way: a way that hangs delays no other. */
export const ALERT_NOTICES = letterTable({ table: 'alert_notices', key: ['notice_id'], owner: ['operator_id', 'way'] });

export type NoticeContent = {
  alerts: Alert[];
  to: Omit<DutyOperator, 'operatorId' | 'name'> & { alertWebhookSecret: string | null };
};

/** A notice's content and recipients; the oldest alerts come first. */
export async function findNoticeContent(sql: Sql, { noticeId, operatorId }: AlertNotice) {
  const to = await sql
    .selectFrom('operators')
    .select(['email', 'phone', 'alertWebhookUrl', 'alertWebhookSecret'])
    .where('operatorId', '=', operatorId)
    .executeTakeFirst();
  const alerts = await sql
    .selectFrom('alertNoticeItems as i')
    .innerJoin('alerts as a', 'a.alertId', 'i.alertId')
    .selectAll('a')
    .where('i.noticeId', '=', noticeId)
    .orderBy('a.openedAt')
    .orderBy('a.alertId')
    .execute();
  return to && { to, alerts };
}
