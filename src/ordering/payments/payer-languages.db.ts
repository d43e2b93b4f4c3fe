import { sql as raw } from 'kysely';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { type Language, parseLanguage } from '../../platform/languages/language.ts';

/** Finds the languages of the order that a person pays for, if any, and its account; undefined for an unknown order. */
export async function findPayerLanguages(
  sql: Sql,
  { orderId, accountId }: { orderId: string | null; accountId?: string },
): Promise<{ order: Language | undefined; account: Language } | undefined> {
  const order =
    orderId === null
      ? undefined
      : await sql
          .selectFrom('orders')
          .select(['accountId', raw<string | null>`request->'customer'->>'language'`.as('language')])
          .where('orderId', '=', orderId)
          .executeTakeFirst();
  const owner = accountId ?? order?.accountId;
  if (owner === undefined) return undefined;
  const { language } = await findBranding(sql, owner);
  return { order: parseLanguage(order?.language), account: language };
}
