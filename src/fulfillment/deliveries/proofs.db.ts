import type { Caller } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { PersonalData } from '../../platform/db/personal-data.db.ts';

/** The proof that a driver recorded, without the photo's bytes. */
export type Proof = { hasPhoto: boolean; idChecked: boolean; at: Temporal.Instant };

/** Saves a WebP photo; a later photo replaces it. */
export async function savePhoto(sql: Sql, orderId: string, photo: Buffer, at: Temporal.Instant): Promise<void> {
  await sql
    .insertInto('deliveryProofs')
    .values({ orderId, photo, idChecked: false, at: at.toString() })
    .onConflict((conflict) => conflict.column('orderId').doUpdateSet({ photo, at: at.toString() }))
    .execute();
}

/** Records that the driver saw an ID. */
export async function saveIdCheck(sql: Sql, orderId: string, at: Temporal.Instant): Promise<void> {
  await sql
    .insertInto('deliveryProofs')
    .values({ orderId, photo: null, idChecked: true, at: at.toString() })
    .onConflict((conflict) => conflict.column('orderId').doUpdateSet({ idChecked: true, at: at.toString() }))
    .execute();
}

export async function findProof(sql: Sql, orderId: string): Promise<Proof | undefined> {
  return sql
    .selectFrom('deliveryProofs')
    .select((eb) => ['idChecked', 'at', eb('photo', 'is not', null).as('hasPhoto')])
    .where('orderId', '=', orderId)
    .$narrowType<{ hasPhoto: boolean }>()
    .executeTakeFirst();
}

export async function findPhoto(sql: Sql, { accountId, mode }: Pick<Caller, 'accountId' | 'mode'>, orderId: string) {
  const row = await sql
    .selectFrom('deliveryProofs as p')
    .innerJoin('orders as o', 'o.orderId', 'p.orderId')
    .select('p.photo')
    .where('p.orderId', '=', orderId)
    .where('o.accountId', '=', accountId)
    .where('o.mode', '=', mode)
    .executeTakeFirst();
  return row?.photo ?? undefined;
}

/** A forgotten order keeps whether an ID was seen, and when. */
export const PROOF_PERSONAL_DATA: PersonalData = {
  table: 'delivery_proofs',
  where: 'order_id = any($1::text[])',
  set: { photo: 'null' },
};
