import { sql as raw } from 'kysely';
import type { Sql } from '../../db/connect.ts';
import type { ChargeRequest, RecordedCharge } from '../../payments/payment-gateway.ts';

/** A card by what its charges come to. */
export type SandboxCard = {
  token: string;
  brand: string;
  last4: string;
  status: 'succeeded' | 'declined';
  declineCode: string | null;
  losesAnswer: boolean;
};

export async function insertCard(sql: Sql, card: SandboxCard, at: Temporal.Instant): Promise<void> {
  await sql
    .insertInto('sandbox_gateway_cards')
    .values({
      token: card.token,
      brand: card.brand,
      last4: card.last4,
      charge_status: card.status,
      decline_code: card.declineCode,
      loses_answer: card.losesAnswer,
      created_at: at.toString(),
    })
    .execute();
}

export async function removeCard(sql: Sql, token: string): Promise<void> {
  await sql.deleteFrom('sandbox_gateway_cards').where('token', '=', token).execute();
}

/** What became of a charge: `charge` is undefined where its key was taken already. */
export type WrittenCharge = { losesAnswer: boolean; charge: ChargeOutcome | undefined };
export type ChargeOutcome = { charge_id: string; status: string; decline_code: string | null };

/**
 * Writes a charge of a card as the card decides, unless its key is taken; a rival that is just writing it is waited for.
 * Undefined where there is no such card.
 */
export async function writeCharge(
  sql: Sql,
  request: ChargeRequest,
  chargeId: string,
  at: Temporal.Instant,
): Promise<WrittenCharge | undefined> {
  const { rows } = await raw<{
    loses_answer: boolean;
    charge_id: string | null;
    status: string;
    decline_code: string | null;
  }>`
    with card as (select * from sandbox_gateway_cards where token = ${request.cardToken}),
    written as (
      insert into sandbox_gateway_charges
        (charge_id, idempotency_key, order_id, card_token, amount, currency, status, decline_code, created_at)
      select ${chargeId}::text, ${request.key}::text, ${request.orderId}::text, card.token, ${request.amountCents}::bigint,
        ${request.currency}::text, card.charge_status, card.decline_code, ${at.toString()}::timestamptz
      from card
      on conflict (idempotency_key) do nothing
      returning charge_id, status, decline_code
    )
    select card.loses_answer, written.* from card left join written on true`.execute(sql);
  const [row] = rows;
  if (!row) return undefined;
  const { loses_answer: losesAnswer, charge_id, status, decline_code } = row;
  return { losesAnswer, charge: charge_id === null ? undefined : { charge_id, status, decline_code } };
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
