import type { Sql } from '../../db/connect.ts';
import { runHot, unnested } from '../../db/hot-statement.ts';
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

/** A charge to be written, under the id that it gets unless its key is taken. */
export type NewCharge = ChargeRequest & { chargeId: string };
export type WrittenCharge = ChargeOutcome & { loses_answer: boolean };
export type ChargeOutcome = { charge_id: string; status: string; decline_code: string | null };

/**
 * Writes charges, each as its card decides; a rival that is just writing one is waited for. Undefined in the place of one
 * whose key is taken, or whose card there is not.
 */
export async function writeCharges(
  sql: Sql,
  charges: readonly NewCharge[],
  at: Temporal.Instant,
): Promise<(WrittenCharge | undefined)[]> {
  const column = <Name extends keyof NewCharge>(name: Name) => charges.map((charge) => charge[name]);
  const { rows } = await runHot<WrittenCharge>(sql, CHARGES_TEXT, [
    ...[column('chargeId'), column('key'), column('orderId'), column('cardToken')],
    ...[column('amountCents'), column('currency'), at.toString()],
  ]);
  const written = new Map(rows.map((row) => [row.charge_id, row]));
  return charges.map(({ chargeId }) => written.get(chargeId));
}

/** $1 to $6: lists of ids, keys, orders, cards, amounts and currencies; $7: the time. Keys in order, so that no two wait in a circle. */
const CHARGES_TEXT = `
  with written as (
    insert into sandbox_gateway_charges
      (charge_id, idempotency_key, order_id, card_token, amount, currency, status, decline_code, created_at)
    select asked.charge_id, asked.key, asked.order_id, asked.card_token, asked.amount, asked.currency,
      cards.charge_status, cards.decline_code, $7::timestamptz
    from ${unnested(['text', 'text', 'text', 'text', 'bigint', 'text'])}
      as asked (charge_id, key, order_id, card_token, amount, currency)
    join sandbox_gateway_cards as cards on cards.token = asked.card_token
    order by asked.key
    on conflict (idempotency_key) do nothing
    returning charge_id, card_token, status, decline_code
  )
  select written.charge_id, written.status, written.decline_code, cards.loses_answer
  from written join sandbox_gateway_cards as cards on cards.token = written.card_token`;

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
