import type { Sql } from '../../platform/db/connect.ts';
import type { CardSetup } from './card-setup.ts';

const FIELDS = [
  ...(['setupId', 'accountId', 'mode', 'userId', 'userEmail', 'returnUrl'] as const),
  ...(['orderId', 'gatewaySession', 'state', 'paymentMethodId', 'expiresAt'] as const),
] as const;

export async function insertCardSetup(sql: Sql, setup: CardSetup, at: Temporal.Instant): Promise<void> {
  const row = { ...setup, expiresAt: setup.expiresAt.toString(), createdAt: at.toString() };
  await sql.insertInto('cardSetups').values(row).execute();
}

/** Saves the gateway's page id after the gateway has opened it. */
export async function saveGatewaySession(sql: Sql, setupId: string, gatewaySession: string): Promise<void> {
  await sql.updateTable('cardSetups').set({ gatewaySession }).where('setupId', '=', setupId).execute();
}

export async function findCardSetup(sql: Sql, setupId: string): Promise<CardSetup | undefined> {
  return sql.selectFrom('cardSetups').select(FIELDS).where('setupId', '=', setupId).executeTakeFirst();
}

/** Finds the payment method that was entered last on the order's checkout, or after `since` on its card page. */
export async function findCheckoutCard(
  sql: Sql,
  orderId: string,
  since?: Temporal.Instant,
): Promise<string | undefined> {
  const row = await sql
    .selectFrom('cardSetups')
    .select('paymentMethodId')
    .where('orderId', '=', orderId)
    .where('state', '=', 'completed')
    .$if(since !== undefined, (query) => query.where('createdAt', '>', String(since) as never))
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.paymentMethodId ?? undefined;
}

export async function lockCardSetup(sql: Sql, setupId: string): Promise<CardSetup | undefined> {
  return sql.selectFrom('cardSetups').select(FIELDS).where('setupId', '=', setupId).forUpdate().executeTakeFirst();
}

type SetupResult = Pick<CardSetup, 'state' | 'paymentMethodId'>;

export async function endCardSetup(sql: Sql, setupId: string, ended: SetupResult): Promise<void> {
  await sql.updateTable('cardSetups').set(ended).where('setupId', '=', setupId).execute();
}

/** Deletes the card pages of a user; a card that is still entered on one is not saved. */
export async function deleteCardSetups(
  sql: Sql,
  { accountId, mode, userId }: Pick<CardSetup, 'accountId' | 'mode' | 'userId'>,
): Promise<void> {
  await sql
    .deleteFrom('cardSetups')
    .where('accountId', '=', accountId)
    .where('mode', '=', mode)
    .where('userId', '=', userId)
    .execute();
}
