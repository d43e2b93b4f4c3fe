import type { Sql } from '../../db/connect.ts';
import type { ChargeRequest, RecordedCharge } from '../../payments/payment-gateway.ts';

export type SandboxCard = { token: string; brand: string; last4: string; behaviour: string };

export async function insertCard(sql: Sql, card: SandboxCard, at: Temporal.Instant): Promise<void> {
  await sql
    .insertInto('sandbox_gateway_cards')
    .values({ ...card, created_at: at.toString() })
    .execute();
}

export async function findBehaviour(sql: Sql, token: string): Promise<string | undefined> {
  const query = sql.selectFrom('sandbox_gateway_cards').select('behaviour').where('token', '=', token);
  return (await query.executeTakeFirst())?.behaviour;
}

export async function removeCard(sql: Sql, token: string): Promise<void> {
  await sql.deleteFrom('sandbox_gateway_cards').where('token', '=', token).execute();
}

type Outcome = { chargeId: string; status: 'succeeded' | 'declined'; declineCode: string | null };

/** Returns false when the key is taken; a rival that is just writing it is waited for. */
export async function insertCharge(
  sql: Sql,
  request: ChargeRequest,
  outcome: Outcome,
  at: Temporal.Instant,
): Promise<boolean> {
  const rows = await sql
    .insertInto('sandbox_gateway_charges')
    .values({
      charge_id: outcome.chargeId,
      idempotency_key: request.key,
      order_id: request.orderId,
      card_token: request.cardToken,
      amount: request.amountCents,
      currency: request.currency,
      status: outcome.status,
      decline_code: outcome.declineCode,
      created_at: at.toString(),
    })
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .returning('charge_id')
    .execute();
  return rows.length > 0;
}

export async function findChargeByKey(sql: Sql, key: string) {
  return sql.selectFrom('sandbox_gateway_charges').selectAll().where('idempotency_key', '=', key).executeTakeFirst();
}

/** Locks the charge until the transaction ends, so that its refunds come one after the other. */
export async function lockCharge(sql: Sql, chargeId: string) {
  return sql
    .selectFrom('sandbox_gateway_charges')
    .selectAll()
    .where('charge_id', '=', chargeId)
    .forUpdate()
    .executeTakeFirst();
}

export async function findRefund(sql: Sql, key: string) {
  return sql.selectFrom('sandbox_gateway_refunds').selectAll().where('idempotency_key', '=', key).executeTakeFirst();
}

type NewRefund = { refundId: string; chargeId: string; amountCents: number; key: string };

export async function insertRefund(sql: Sql, refund: NewRefund, at: Temporal.Instant): Promise<void> {
  await sql
    .insertInto('sandbox_gateway_refunds')
    .values({
      idempotency_key: refund.key,
      refund_id: refund.refundId,
      charge_id: refund.chargeId,
      amount: refund.amountCents,
      created_at: at.toString(),
    })
    .execute();
  await sql
    .updateTable('sandbox_gateway_charges')
    .set((eb) => ({ refunded_amount: eb('refunded_amount', '+', refund.amountCents) }))
    .where('charge_id', '=', refund.chargeId)
    .execute();
}

export async function listCharges(
  sql: Sql,
  filter: { orderId?: string; cardTokens?: readonly string[] },
): Promise<RecordedCharge[]> {
  const { orderId, cardTokens } = filter;
  if (cardTokens?.length === 0) return [];
  let query = sql.selectFrom('sandbox_gateway_charges').selectAll().orderBy('created_at').orderBy('charge_id');
  if (orderId !== undefined) query = query.where('order_id', '=', orderId);
  if (cardTokens !== undefined) query = query.where('card_token', 'in', [...cardTokens]);
  return (await query.execute()).map((row) => ({
    chargeId: row.charge_id,
    orderId: row.order_id,
    cardToken: row.card_token,
    amountCents: row.amount,
    refundedCents: row.refunded_amount,
    status: row.status,
    declineCode: row.decline_code,
    at: row.created_at,
  }));
}
