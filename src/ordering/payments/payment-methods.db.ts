import type { Caller } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { columnsAsFields, runPrepared } from '../../platform/db/hot-statement.ts';
import type { PaymentMethod } from './payment-method.ts';

/* Payment methods in SQL: a gateway's token with brand, last four digits and expiry. No row holds a card number. */

type World = Pick<Caller, 'accountId' | 'mode'>;

/** Returns the methods of an account in one key mode, deleted ones too. */
const methodsIn = (sql: Sql, { accountId, mode }: World) =>
  sql.selectFrom('paymentMethods').where('accountId', '=', accountId).where('mode', '=', mode);

/** A new payment method of an account in one key mode. */
export type NewPaymentMethod = PaymentMethod & World & { userEmail: string; at: Temporal.Instant };

/** Stores a payment method; returns false if one with the same gateway token exists, even a deleted one. */
export async function insertPaymentMethod(sql: Sql, { at, ...method }: NewPaymentMethod): Promise<boolean> {
  const stored = await sql
    .insertInto('paymentMethods')
    .values({ ...method, createdAt: at.toString() })
    .onConflict((conflict) => conflict.column('gatewayToken').doNothing())
    .returning('paymentMethodId')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Finds the account's payment method with this gateway token; undefined if deleted. */
export async function findMethodOfToken(
  sql: Sql,
  world: World,
  gatewayToken: string,
): Promise<Pick<PaymentMethod, 'paymentMethodId' | 'userId'> | undefined> {
  return methodsIn(sql, world)
    .select(['paymentMethodId', 'userId'])
    .where('gatewayToken', '=', gatewayToken)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}

/** Finds the caller's payment method, of any of its users; undefined if deleted, unknown or another account's. */
export async function findPaymentMethod(
  sql: Sql,
  caller: Pick<Caller, 'accountId' | 'mode'>,
  paymentMethodId: string,
): Promise<PaymentMethod | undefined> {
  const { accountId, mode } = caller;
  const { rows } = await runPrepared<PaymentMethod>(sql, METHOD_TEXT, [accountId, mode, paymentMethodId]);
  return rows[0];
}

const COLUMNS = [
  'paymentMethodId',
  'userId',
  'gatewayToken',
  'fingerprint',
  'brand',
  'last4',
  'expirationMonth',
  'expirationYear',
] as const;

/**
 * Selects an undeleted method, by SQL for account, mode and id. The columns are named like the fields, so that
 * the row as JSON is the payment method.
 */
export function methodText(account: string, mode: string, id: string): string {
  return `
    select ${columnsAsFields(COLUMNS)} from payment_methods
    where account_id = ${account} and mode = ${mode} and payment_method_id = ${id} and deleted_at is null`;
}

const METHOD_TEXT = methodText('$1', '$2', '$3');

/** Finds brand and last four digits of the cards of orders, deleted or not, by payment method id. */
export async function findCardsOfOrders(
  sql: Sql,
  paymentMethodIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<PaymentMethod, 'brand' | 'last4'>>> {
  if (paymentMethodIds.length === 0) return new Map();
  const rows = await sql
    .selectFrom('paymentMethods')
    .select(['paymentMethodId', 'brand', 'last4'])
    .where('paymentMethodId', 'in', [...paymentMethodIds])
    .execute();
  return new Map(rows.map(({ paymentMethodId, brand, last4 }) => [paymentMethodId, { brand, last4 }]));
}

/** Lists a user's payment methods, newest first. */
export async function listPaymentMethods(
  sql: Sql,
  caller: World,
  userId: string,
  limit: number,
): Promise<PaymentMethod[]> {
  return methodsIn(sql, caller)
    .select(COLUMNS)
    .where('deletedAt', 'is', null)
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('paymentMethodId')
    .limit(limit)
    .execute();
}

/** Marks a method as deleted and returns its gateway token; undefined if the user has no such method. */
export async function markPaymentMethodDeleted(
  sql: Sql,
  caller: World,
  method: { userId: string; paymentMethodId: string; at: Temporal.Instant },
): Promise<string | undefined> {
  const row = await sql
    .updateTable('paymentMethods')
    .set({ deletedAt: method.at.toString(), userEmail: '', userId: '' })
    .where('accountId', '=', caller.accountId)
    .where('mode', '=', caller.mode)
    .where('paymentMethodId', '=', method.paymentMethodId)
    .where('userId', '=', method.userId)
    .where('deletedAt', 'is', null)
    .returning('gatewayToken')
    .executeTakeFirst();
  return row?.gatewayToken;
}

/** Marks a user's payment methods as deleted, without the user, and returns their gateway tokens. */
export async function forgetPaymentMethods(
  sql: Sql,
  { accountId, mode, userId }: World & { userId: string },
  at: Temporal.Instant,
): Promise<string[]> {
  const rows = await sql
    .updateTable('paymentMethods')
    .set({ deletedAt: at.toString(), userEmail: '', userId: '' })
    .where('accountId', '=', accountId)
    .where('mode', '=', mode)
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .returning('gatewayToken')
    .execute();
  return rows.map(({ gatewayToken }) => gatewayToken);
}

export type CardIdentity = Pick<PaymentMethod, 'gatewayToken' | 'fingerprint'>;

/** Finds the gateway's identity of an account's payment method, deleted ones too. */
export async function findCardIdentity(
  sql: Sql,
  world: World,
  paymentMethodId: string,
): Promise<CardIdentity | undefined> {
  return methodsIn(sql, world)
    .select(['gatewayToken', 'fingerprint'])
    .where('paymentMethodId', '=', paymentMethodId)
    .executeTakeFirst();
}

/** Finds the caller's payment method for each of these gateway tokens, deleted ones too. */
export async function findMethodsByToken(
  sql: Sql,
  caller: Caller,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (tokens.length === 0) return new Map();
  const rows = await methodsIn(sql, caller)
    .select(['gatewayToken', 'paymentMethodId'])
    .where('gatewayToken', 'in', [...tokens])
    .execute();
  return new Map(rows.map((row) => [row.gatewayToken, row.paymentMethodId]));
}
