import type { BookedRefund, ChargeRequest, RecordedCharge } from '../../../ordering/payments/payment-gateway.ts';
import type { Sql } from '../../../platform/db/connect.ts';
import { runPrepared, unnested } from '../../../platform/db/hot-statement.ts';
import type { CardStatus, ChargeStatus } from './sandbox-tables.ts';

/** A card and the outcome of its charges. */
export type SandboxCard = {
  token: string;
  brand: string;
  last4: string;
  status: CardStatus;
  declineCode: string | null;
  losesAnswer: boolean;
};

/** Stores cards under their new tokens. */
export async function insertCards(sql: Sql, cards: readonly SandboxCard[], at: Temporal.Instant): Promise<void> {
  const column = <Name extends keyof SandboxCard>(name: Name) => cards.map((card) => card[name]);
  await runPrepared(sql, CARDS_TEXT, [
    ...[column('token'), column('brand'), column('last4'), column('status'), column('declineCode')],
    ...[column('losesAnswer'), at.toString()],
  ]);
}

const CARDS_TEXT = `
  insert into sandbox_gateway_cards (token, brand, last4, charge_status, decline_code, loses_answer, created_at)
  select given.*, $7::timestamptz from ${unnested(['text', 'text', 'text', 'text', 'text', 'boolean'])} as given`;

export async function removeCard(sql: Sql, token: string): Promise<void> {
  await sql.deleteFrom('sandboxGatewayCards').where('token', '=', token).execute();
}

/** A new charge: its id unless its key is taken, the link for its approval if needed, and the end of a hold. */
export type NewCharge = ChargeRequest & { chargeId: string; link: string; captureBefore: Temporal.Instant | null };
export type WrittenCharge = ChargeOutcome & { losesAnswer: boolean };
export type ChargeOutcome = {
  chargeId: string;
  status: ChargeStatus;
  declineCode: string | null;
  link: string | null;
  captureBefore: Temporal.Instant | null;
};

/**
 * Writes charges with the outcomes of their cards, waiting for concurrent writers. Undefined for a charge whose key is
 * taken or whose card is unknown.
 */
export async function writeCharges(sql: Sql, charges: readonly NewCharge[], at: Temporal.Instant) {
  const column = <Name extends keyof NewCharge>(name: Name) => charges.map((charge) => charge[name]);
  const { rows } = await runPrepared<WrittenCharge>(sql, CHARGES_TEXT, [
    ...[column('chargeId'), column('key'), column('orderId'), column('cardToken')],
    ...[column('amountCents'), column('currency'), column('link'), column('returnUrl').map((url) => url ?? null)],
    column('captureBefore').map((until) => until?.toString() ?? null),
    at.toString(),
  ]);
  const written = new Map(rows.map((row) => [row.chargeId, row]));
  return charges.map(({ chargeId }) => written.get(chargeId));
}

/**
 * $1 to $8: lists of ids, keys, orders, cards, amounts, currencies, links and return URLs, and of the ends of
 * holds; $10: the time. Keys are in order, so concurrent statements cannot deadlock.
 */
const CHARGES_TEXT = `
  with written as (
    insert into sandbox_gateway_charges
      (charge_id, idempotency_key, order_id, card_token, amount, authorized_amount, capture_before, currency, link,
        return_url, status, decline_code, created_at)
    select requests.charge_id, requests.key, requests.order_id, requests.card_token, requests.amount,
      case when requests.capture_before is not null then requests.amount end, requests.capture_before, requests.currency,
      case cards.charge_status when 'waiting' then requests.link end,
      case cards.charge_status when 'waiting' then requests.return_url end,
      case when requests.capture_before is not null and cards.charge_status = 'succeeded' then 'authorized'
        else cards.charge_status end, cards.decline_code, $10::timestamptz
    from ${unnested(['text', 'text', 'text', 'text', 'bigint', 'text', 'text', 'text', 'timestamptz'])}
      as requests (charge_id, key, order_id, card_token, amount, currency, link, return_url, capture_before)
    join sandbox_gateway_cards as cards on cards.token = requests.card_token
    order by requests.key
    on conflict (idempotency_key) do nothing
    returning charge_id, card_token, status, decline_code, link, capture_before
  )
  select written.charge_id, written.status, written.decline_code, written.link, written.capture_before, cards.loses_answer
  from written join sandbox_gateway_cards as cards on cards.token = written.card_token`;

export async function findChargeByKey(sql: Sql, key: string) {
  return sql.selectFrom('sandboxGatewayCharges').selectAll().where('idempotencyKey', '=', key).executeTakeFirst();
}

/** Locks the charge until the transaction ends, which serializes its refunds. */
export async function lockCharge(sql: Sql, chargeId: string) {
  return sql
    .selectFrom('sandboxGatewayCharges')
    .selectAll()
    .where('chargeId', '=', chargeId)
    .forUpdate()
    .executeTakeFirst();
}

type StatusChange = { from: readonly ChargeStatus[]; to: ChargeStatus; declineCode?: string };

/** Changes a charge's status if it is one of `from`; waits for concurrent changes. */
export async function changeStatus(
  sql: Sql,
  charge: { chargeId: string } | { key: string } | { link: string },
  { from, to, declineCode }: StatusChange,
): Promise<void> {
  let query = sql
    .updateTable('sandboxGatewayCharges')
    .set({ status: to, ...(declineCode === undefined ? {} : { declineCode }) })
    .where('status', 'in', [...from]);
  if ('chargeId' in charge) query = query.where('chargeId', '=', charge.chargeId);
  else if ('key' in charge) query = query.where('idempotencyKey', '=', charge.key);
  else query = query.where('link', '=', charge.link);
  await query.execute();
}

/** Charges the captured part of a hold. */
export async function captureHold(sql: Sql, chargeId: string, amount: number): Promise<void> {
  const captured = { status: 'succeeded', amount } as const;
  await sql.updateTable('sandboxGatewayCharges').set(captured).where('chargeId', '=', chargeId).execute();
}

export async function findChargeById(sql: Sql, chargeId: string) {
  return sql.selectFrom('sandboxGatewayCharges').selectAll().where('chargeId', '=', chargeId).executeTakeFirst();
}

export async function findChargeByLink(sql: Sql, link: string) {
  return sql.selectFrom('sandboxGatewayCharges').selectAll().where('link', '=', link).executeTakeFirst();
}

/** Lists the refunds of a charge. This gateway has only refunds that the service requested. */
export async function listRefunds(sql: Sql, chargeId: string): Promise<BookedRefund[]> {
  const rows = await sql
    .selectFrom('sandboxGatewayRefunds')
    .select(['refundId', 'amount'])
    .where('chargeId', '=', chargeId)
    .orderBy('createdAt')
    .execute();
  return rows.map(({ refundId, amount }) => ({ refundId, amountCents: amount, isOurs: true, hasFailed: false }));
}

export async function findBookedRefund(sql: Sql, key: string) {
  return sql.selectFrom('sandboxGatewayRefunds').selectAll().where('idempotencyKey', '=', key).executeTakeFirst();
}

type NewRefund = { refundId: string; chargeId: string; amountCents: number; key: string };

export async function insertBookedRefund(sql: Sql, refund: NewRefund, at: Temporal.Instant): Promise<void> {
  await sql
    .insertInto('sandboxGatewayRefunds')
    .values({
      idempotencyKey: refund.key,
      refundId: refund.refundId,
      chargeId: refund.chargeId,
      amount: refund.amountCents,
      createdAt: at.toString(),
    })
    .execute();
  await sql
    .updateTable('sandboxGatewayCharges')
    .set((eb) => ({ refundedAmount: eb('refundedAmount', '+', refund.amountCents) }))
    .where('chargeId', '=', refund.chargeId)
    .where('status', '=', 'succeeded')
    .execute();
}

export async function listCharges(
  sql: Sql,
  filter: { orderId?: string; cardTokens?: readonly string[] },
  now: Temporal.Instant,
): Promise<RecordedCharge[]> {
  const { orderId, cardTokens } = filter;
  if (cardTokens?.length === 0) return [];
  let query = sql
    .selectFrom('sandboxGatewayCharges')
    .select(['chargeId', 'orderId', 'cardToken', 'status', 'declineCode'])
    .select(['amount as amountCents', 'authorizedAmount as authorizedCents', 'captureBefore'])
    .select(['refundedAmount as refundedCents', 'createdAt as at'])
    .orderBy('createdAt')
    .orderBy('chargeId');
  if (orderId !== undefined) query = query.where('orderId', '=', orderId);
  if (cardTokens !== undefined) query = query.where('cardToken', 'in', [...cardTokens]);
  const rows = await query.execute();
  return rows.map(({ captureBefore, ...row }) => ({ ...row, status: shownStatus({ ...row, captureBefore }, now) }));
}

type Shown = { status: ChargeStatus; authorizedCents: number | null; captureBefore: Temporal.Instant | null };

function shownStatus({ status, authorizedCents, captureBefore }: Shown, now: Temporal.Instant) {
  if (status === 'succeeded' || status === 'to_collect') return status;
  if (status === 'authorized') return isHeldAt(captureBefore, now) ? status : 'voided';
  return status === 'canceled' && authorizedCents !== null ? 'voided' : 'declined';
}

/** Whether a hold has not expired. */
export const isHeldAt = (captureBefore: Temporal.Instant | null, now: Temporal.Instant): boolean =>
  captureBefore !== null && Temporal.Instant.compare(now, captureBefore) < 0;
