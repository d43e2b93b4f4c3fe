import type { Sql } from '../../db/connect.ts';

/** Sets the company of couriers that delivers a store's live orders; without a gateway the store has none. */
export async function setStoreCourier(
  sql: Sql,
  storeId: string,
  gateway: string | undefined,
  at: Temporal.Instant,
): Promise<void> {
  if (gateway === undefined) {
    await sql.deleteFrom('storeCouriers').where('storeId', '=', storeId).execute();
    return;
  }
  const setAt = at.toString();
  await sql
    .insertInto('storeCouriers')
    .values({ storeId, gateway, setAt })
    .onConflict((conflict) => conflict.column('storeId').doUpdateSet({ gateway, setAt }))
    .execute();
}

export async function findStoreCourier(sql: Sql, storeId: string): Promise<string | undefined> {
  const row = await sql.selectFrom('storeCouriers').select('gateway').where('storeId', '=', storeId).executeTakeFirst();
  return row?.gateway;
}
