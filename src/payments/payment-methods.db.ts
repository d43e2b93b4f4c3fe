import type { Caller } from '../accounts/account.ts';
import type { Sql } from '../db/connect.ts';
import { runHot } from '../db/hot-statement.ts';
import type { CardBrand } from './card-brand.ts';
import type { PaymentMethod } from './payment-method.ts';

type NewPaymentMethod = PaymentMethod & { userEmail: string; at: Temporal.Instant };

export async function insertPaymentMethod(sql: Sql, caller: Caller, method: NewPaymentMethod): Promise<void> {
  await sql
    .insertInto('payment_methods')
    .values({
      payment_method_id: method.paymentMethodId,
      account_id: caller.accountId,
      mode: caller.mode,
      user_id: method.userId,
      user_email: method.userEmail,
      gateway_token: method.gatewayToken,
      brand: method.brand,
      last4: method.last4,
      expiration_month: method.expirationMonth,
      expiration_year: method.expirationYear,
      created_at: method.at.toString(),
    })
    .execute();
}

/** The caller's payment method, whichever of its users it belongs to; undefined when deleted, unknown or another account's. */
export async function findPaymentMethod(
  sql: Sql,
  caller: Caller,
  paymentMethodId: string,
): Promise<PaymentMethod | undefined> {
  const { accountId, mode } = caller;
  const { rows } = await runHot<MethodRow>(sql, METHOD_TEXT, [accountId, mode, paymentMethodId]);
  return rows[0] && methodOf(rows[0]);
}

const COLUMNS = [
  'payment_method_id',
  'user_id',
  'gateway_token',
  'brand',
  'last4',
  'expiration_month',
  'expiration_year',
] as const;

/** Of a method that is not deleted, by the SQL for its account, mode and id. */
export function methodText(account: string, mode: string, id: string): string {
  return `
    select ${COLUMNS.join(', ')} from payment_methods
    where account_id = ${account} and mode = ${mode} and payment_method_id = ${id} and deleted_at is null`;
}

const METHOD_TEXT = methodText('$1', '$2', '$3');

/** The payment method an order names, deleted or not: its charge must be found and settled all the same. */
export async function findPaymentMethodOfOrder(sql: Sql, paymentMethodId: string): Promise<PaymentMethod | undefined> {
  const row = await sql
    .selectFrom('payment_methods')
    .select(COLUMNS)
    .where('payment_method_id', '=', paymentMethodId)
    .executeTakeFirst();
  return row && methodOf(row);
}

/** Brand and last four digits of the cards that orders name, deleted or not, by the payment method's id. */
export async function findCardsOfOrders(
  sql: Sql,
  paymentMethodIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<PaymentMethod, 'brand' | 'last4'>>> {
  if (paymentMethodIds.length === 0) return new Map();
  const rows = await sql
    .selectFrom('payment_methods')
    .select(COLUMNS)
    .where('payment_method_id', 'in', [...paymentMethodIds])
    .execute();
  return new Map(rows.map(methodOf).map(({ paymentMethodId, brand, last4 }) => [paymentMethodId, { brand, last4 }]));
}

/** A user's payment methods, newest first. */
export async function listPaymentMethods(
  sql: Sql,
  caller: Caller,
  userId: string,
  limit: number,
): Promise<PaymentMethod[]> {
  const rows = await methodsOf(sql, caller)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('payment_method_id')
    .limit(limit)
    .execute();
  return rows.map(methodOf);
}

/** Returns the gateway's token of what was deleted; undefined when there was nothing of that user to delete. */
export async function markPaymentMethodDeleted(
  sql: Sql,
  caller: Caller,
  method: { userId: string; paymentMethodId: string; at: Temporal.Instant },
): Promise<string | undefined> {
  const row = await sql
    .updateTable('payment_methods')
    .set({ deleted_at: method.at.toString() })
    .where('account_id', '=', caller.accountId)
    .where('mode', '=', caller.mode)
    .where('payment_method_id', '=', method.paymentMethodId)
    .where('user_id', '=', method.userId)
    .where('deleted_at', 'is', null)
    .returning('gateway_token')
    .executeTakeFirst();
  return row?.gateway_token;
}

/** The gateway's token of one of the payment methods of an account's world, deleted ones too. */
export async function findGatewayToken(
  sql: Sql,
  { accountId, mode }: Pick<Caller, 'accountId' | 'mode'>,
  paymentMethodId: string,
): Promise<string | undefined> {
  const row = await sql
    .selectFrom('payment_methods')
    .select('gateway_token')
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('payment_method_id', '=', paymentMethodId)
    .executeTakeFirst();
  return row?.gateway_token;
}

/** Which payment method of the caller each of the gateway's tokens stands for, deleted ones too. */
export async function findMethodsByToken(
  sql: Sql,
  caller: Caller,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (tokens.length === 0) return new Map();
  const rows = await sql
    .selectFrom('payment_methods')
    .select(['gateway_token', 'payment_method_id'])
    .where('account_id', '=', caller.accountId)
    .where('mode', '=', caller.mode)
    .where('gateway_token', 'in', [...tokens])
    .execute();
  return new Map(rows.map((row) => [row.gateway_token, row.payment_method_id]));
}

export async function hasOrder(sql: Sql, caller: Caller, orderId: string): Promise<boolean> {
  const row = await sql
    .selectFrom('orders')
    .select('order_id')
    .where('order_id', '=', orderId)
    .where('account_id', '=', caller.accountId)
    .where('mode', '=', caller.mode)
    .executeTakeFirst();
  return row !== undefined;
}

function methodsOf(sql: Sql, caller: Caller) {
  return sql
    .selectFrom('payment_methods')
    .select(COLUMNS)
    .where('account_id', '=', caller.accountId)
    .where('mode', '=', caller.mode)
    .where('deleted_at', 'is', null);
}

export type MethodRow = Awaited<ReturnType<ReturnType<typeof methodsOf>['execute']>>[number];

export function methodOf(row: MethodRow): PaymentMethod {
  return {
    paymentMethodId: row.payment_method_id,
    userId: row.user_id,
    gatewayToken: row.gateway_token,
    brand: row.brand as CardBrand,
    last4: row.last4,
    expirationMonth: row.expiration_month,
    expirationYear: row.expiration_year,
  };
}
