import type { Sql } from '../../platform/db/connect.ts';
import type { DisputeNotice } from './payment-gateway.ts';

/**
 * A gateway event for the operator. `eventId` is the gateway's id of the event or refund, so that a repeated event is
 * one row. `status` and `reason` are the gateway's words.
 */
export type GatewayEvent = Omit<DisputeNotice, 'kind'> & {
  kind: 'dispute' | 'refund_outside' | 'refund_failed' | 'capture_failed';
  orderId: string | null;
};

/** Returns false if the event is already recorded. */
export async function insertGatewayEvent(
  sql: Sql,
  event: GatewayEvent,
  receivedAt: Temporal.Instant,
): Promise<boolean> {
  const row = { ...event, at: event.at.toString(), receivedAt: receivedAt.toString() };
  const result = await sql
    .insertInto('gatewayEvents')
    .values(row)
    .onConflict((conflict) => conflict.column('eventId').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Saves an event's order once its charge has been looked up. */
export async function saveOrderOfEvent(sql: Sql, eventId: string, orderId: string): Promise<void> {
  await sql.updateTable('gatewayEvents').set({ orderId }).where('eventId', '=', eventId).execute();
}
