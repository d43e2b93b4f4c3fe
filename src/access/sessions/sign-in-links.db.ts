import { instantParam, type Sql } from '../../platform/db/connect.ts';

type SignInLink = { tokenHash: Buffer; browserHash: Buffer; operatorId: string };

export async function insertSignInLink(sql: Sql, link: SignInLink, expiresAt: Temporal.Instant): Promise<void> {
  await sql
    .insertInto('signInLinks')
    .values({ ...link, expiresAt: expiresAt.toString() })
    .execute();
}

/**
 * Uses up a link in the browser that requested it; returns its operator, or undefined for any other link or browser.
 * A disabled operator's link opens nothing.
 */
export async function takeSignInLink(
  sql: Sql,
  { tokenHash, browserHash }: Omit<SignInLink, 'operatorId'>,
  at: Temporal.Instant,
): Promise<string | undefined> {
  const taken = await sql
    .deleteFrom('signInLinks')
    .where('tokenHash', '=', tokenHash)
    .where('browserHash', '=', browserHash)
    .where('expiresAt', '>', instantParam(at))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('operators as o')
          .whereRef('o.operatorId', '=', 'signInLinks.operatorId')
          .where('o.disabledAt', 'is', null),
      ),
    )
    .returning('operatorId')
    .executeTakeFirst();
  return taken?.operatorId;
}
